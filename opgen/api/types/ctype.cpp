#include "opgen/api/types/ctype.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opgen::api {
namespace {

struct Affixes {
  std::string_view before;
  std::string_view after;
};

Affixes affixes_of(CType::Kind kind) {
  switch (kind) {
    case CType::Kind::kConstRef:
      return {"const ", " &"};
    case CType::Kind::kMutRef:
      return {"", " &"};
    case CType::Kind::kOptional:
      return {"::std::optional<", ">"};
    case CType::Kind::kList:
      return {"c10::List<", ">"};
    case CType::Kind::kArrayRef:
      return {"at::ArrayRef<", ">"};
    case CType::Kind::kVector:
      return {"::std::vector<", ">"};
    case CType::Kind::kVectorized:
      return {"at::vec::Vectorized<", ">"};
    case CType::Kind::kBase:
    case CType::Kind::kArray:
    case CType::Kind::kTuple:
      break;
  }
  return {};
}

std::size_t wrapper_index(CType::Kind kind) {
  switch (kind) {
    case CType::Kind::kConstRef:
      return 0;
    case CType::Kind::kMutRef:
      return 1;
    case CType::Kind::kOptional:
      return 2;
    case CType::Kind::kList:
      return 3;
    case CType::Kind::kArrayRef:
      return 4;
    case CType::Kind::kVector:
      return 5;
    case CType::Kind::kVectorized:
    case CType::Kind::kBase:
    case CType::Kind::kArray:
    case CType::Kind::kTuple:
      break;
  }
  return 6;
}

}  // namespace

class CTypePool {
 public:
  static CTypePool& get() {
    static auto* pool = new CTypePool;  // types live as long as the process
    return *pool;
  }

  const CType* base(std::string_view spelling) {
    const std::scoped_lock lock(mutex_);
    const auto found = bases_.find(spelling);
    if (found != bases_.end()) {
      return found->second;
    }
    const CType* type =
        add(CType::Kind::kBase, nullptr, 0, {}, std::string(spelling));
    bases_.emplace(std::string(spelling), type);
    return type;
  }

  const CType* wrapper(CType::Kind kind, const CType* elem) {
    std::atomic<const CType*>& slot = elem->wrappers_[wrapper_index(kind)];
    if (const CType* type = slot.load(std::memory_order_acquire)) {
      return type;
    }
    const std::scoped_lock lock(mutex_);
    if (const CType* type = slot.load(std::memory_order_acquire)) {
      return type;
    }
    const auto [before, after] = affixes_of(kind);
    std::string spelling(before);
    spelling.append(elem->cpp_type()).append(after);
    const CType* type = add(kind, elem, 0, {}, std::move(spelling));
    slot.store(type, std::memory_order_release);
    return type;
  }

  const CType* array(const CType* elem, std::int64_t size) {
    const std::scoped_lock lock(mutex_);
    const CType*& type = arrays_[{elem, size}];
    if (type == nullptr) {
      type = add(CType::Kind::kArray,
                 elem,
                 size,
                 {},
                 "::std::array<" + elem->cpp_type() + "," +
                     std::to_string(size) + ">");
    }
    return type;
  }

  const CType* tuple(const std::vector<const CType*>& elems) {
    const std::scoped_lock lock(mutex_);
    const CType*& type = tuples_[elems];
    if (type == nullptr) {
      std::string spelling = "::std::tuple<";
      for (std::size_t i = 0; i < elems.size(); ++i) {
        if (i != 0) {
          spelling += ',';
        }
        spelling += elems[i]->cpp_type();
      }
      spelling += '>';
      type = add(CType::Kind::kTuple, nullptr, 0, elems, std::move(spelling));
    }
    return type;
  }

 private:
  const CType* add(CType::Kind kind,
                   const CType* elem,
                   std::int64_t size,
                   std::vector<const CType*> elems,
                   std::string spelling) {
    types_.push_back(std::unique_ptr<const CType>(
        new CType(kind, elem, size, std::move(elems), std::move(spelling))));
    return types_.back().get();
  }

  std::mutex mutex_;
  std::deque<std::unique_ptr<const CType>> types_;
  std::map<std::string, const CType*, std::less<>> bases_;
  std::map<std::pair<const CType*, std::int64_t>, const CType*> arrays_;
  std::map<std::vector<const CType*>, const CType*> tuples_;
};

CType::CType(Kind kind,
             const CType* elem,
             std::int64_t size,
             std::vector<const CType*> elems,
             std::string spelling)
    : kind_(kind),
      elem_(elem),
      size_(size),
      elems_(std::move(elems)),
      spelling_(std::move(spelling)) {}

const CType* CType::base(std::string_view spelling) {
  return CTypePool::get().base(spelling);
}

const CType* CType::const_ref(const CType* elem) {
  return CTypePool::get().wrapper(Kind::kConstRef, elem);
}

const CType* CType::mut_ref(const CType* elem) {
  return CTypePool::get().wrapper(Kind::kMutRef, elem);
}

const CType* CType::optional(const CType* elem) {
  return CTypePool::get().wrapper(Kind::kOptional, elem);
}

const CType* CType::list(const CType* elem) {
  return CTypePool::get().wrapper(Kind::kList, elem);
}

const CType* CType::array_ref(const CType* elem) {
  return CTypePool::get().wrapper(Kind::kArrayRef, elem);
}

const CType* CType::vector(const CType* elem) {
  return CTypePool::get().wrapper(Kind::kVector, elem);
}

const CType* CType::array(const CType* elem, std::int64_t size) {
  return CTypePool::get().array(elem, size);
}

const CType* CType::tuple(const std::vector<const CType*>& elems) {
  return CTypePool::get().tuple(elems);
}

const CType* CType::vectorized(const CType* elem) {
  return CTypePool::get().wrapper(Kind::kVectorized, elem);
}

const std::string& CType::cpp_type_strip_ref() const {
  const CType* type = this;
  while (type->is(Kind::kConstRef) || type->is(Kind::kMutRef)) {
    type = type->elem_;
  }
  return type->spelling_;
}

const CType* CType::remove_const_ref() const {
  const CType* known = without_const_ref_.load(std::memory_order_acquire);
  if (known != nullptr) {
    return known;
  }
  const CType* result = this;
  switch (kind_) {
    case Kind::kBase:
    case Kind::kVectorized:
      break;
    case Kind::kConstRef:
    case Kind::kMutRef:
      result = elem_->remove_const_ref();
      break;
    case Kind::kOptional:
    case Kind::kList:
    case Kind::kArrayRef:
    case Kind::kVector:
      result = CTypePool::get().wrapper(kind_, elem_->remove_const_ref());
      break;
    case Kind::kArray:
      result = array(elem_->remove_const_ref(), size_);
      break;
    case Kind::kTuple: {
      std::vector<const CType*> elems;
      elems.reserve(elems_.size());
      for (const CType* elem : elems_) {
        elems.push_back(elem->remove_const_ref());
      }
      result = tuple(elems);
      break;
    }
  }
  without_const_ref_.store(result, std::memory_order_release);
  return result;
}

}  // namespace opgen::api
