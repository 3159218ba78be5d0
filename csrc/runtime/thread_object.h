// Objects that belong to one thread at a time.
#pragma once

#include <mutex>
#include <vector>

#include "csrc/runtime/hot_tls.h"

namespace torch_infini {

// A thread gets an object of type T when it first asks, and leaves it to some
// later thread when it ends. Objects are never freed, so threads may ask while
// they, or the process, end; one that does so late keeps its object for good.
// One kind of object per type.
template <class T>
class ThreadObject {
 public:
  static T& get() { return current != nullptr ? *current : made(); }

  // Calls `visit` with every object there is, of whatever thread.
  template <class Visit>
  static void for_each(const Visit& visit) {
    All& objects = all();
    const std::scoped_lock lock(objects.mutex);
    for (const T* object : objects.made) {
      visit(*object);
    }
  }

 private:
  struct All {
    std::mutex mutex;
    std::vector<T*> made;
    std::vector<T*> free;
  };

  struct Lease {
    Lease() = default;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Lease(Lease&&) = delete;
    Lease& operator=(Lease&&) = delete;

    ~Lease() {
      All& objects = all();
      const std::scoped_lock lock(objects.mutex);
      objects.free.push_back(current);
      current = nullptr;
      ended = true;
    }
  };

  static All& all() {
    static auto* objects = new All();
    return *objects;
  }

  __attribute__((noinline)) static T& made() {
    All& objects = all();
    {
      const std::scoped_lock lock(objects.mutex);
      if (objects.free.empty()) {
        objects.made.push_back(new T());
        objects.free.reserve(objects.made.size());
        current = objects.made.back();
      } else {
        current = objects.free.back();
        objects.free.pop_back();
      }
    }
    if (!ended) {
      static thread_local const Lease lease;
      (void)lease;
    }
    return *current;
  }

  static inline INFINI_HOT_TLS T* current = nullptr;
  static inline INFINI_HOT_TLS bool ended = false;
};

}  // namespace torch_infini
