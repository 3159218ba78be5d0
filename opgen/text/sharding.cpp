#include "opgen/text/sharding.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "opgen/text/code_template.h"
#include "opgen/text/docstrings.h"
#include "opgen/text/file_manager.h"
#include "opgen/text/sha1.h"

namespace opgen::text {

namespace {

constexpr std::string_view kShardId = "shard_id";
constexpr std::string_view kGeneratedComment = "generated_comment";

EnvView base_view(const FileManager::Sharded& sharded,
                  const std::string& comment) {
  EnvView base(sharded.base_env);
  if (base.find(kShardId) != nullptr) {
    throw std::logic_error("base_env of " + sharded.filename +
                           " sets shard_id");
  }
  if (base.find(kGeneratedComment) == nullptr) {
    base.set(kGeneratedComment, std::string_view(comment));
  }
  for (const std::string& key : sharded.sharded_keys) {
    const EnvView::Entry* entry = base.find(key);
    if (entry == nullptr) {
      base.set(key, EnvView::List());
    } else if (!std::holds_alternative<EnvView::List>(*entry)) {
      throw std::logic_error("sharded key " + key +
                             " is not a list in base_env");
    }
  }
  return base;
}

void merge_env(EnvView& into,
               const Env& from,
               const std::vector<std::string>& sharded_keys) {
  for (const auto& [key, value] : from.values()) {
    const bool known =
        std::find(sharded_keys.begin(), sharded_keys.end(), key) !=
        sharded_keys.end();
    const auto* list = std::get_if<std::vector<std::string>>(&value);
    if (!known || list == nullptr) {
      throw std::logic_error(
          (known ? "sharded key is not a list: " : "undeclared sharded key ") +
          key);
    }
    auto& all = std::get<EnvView::List>(*into.find(key));
    all.insert(all.end(), list->begin(), list->end());
  }
}

// The text for another shard that has the same items.
std::string with_shard_id(const std::string& text,
                          const CodeTemplate::Places& places,
                          std::string_view old_id,
                          std::string_view new_id) {
  std::string out;
  out.reserve(text.size());
  std::size_t done = 0;
  for (const std::size_t offset : places.offsets) {
    out.append(text, done, offset - done).append(new_id);
    done = offset + old_id.size();
  }
  return out.append(text, done);
}

}  // namespace

std::string shard_id(std::size_t index) {
  return index == 0 ? "Everything" : "_" + std::to_string(index - 1);
}

std::vector<std::string> substitute_sharded(const CodeTemplate& code,
                                            const FileManager::Sharded& sharded,
                                            const std::string& comment) {
  const EnvView base = base_view(sharded, comment);
  const std::size_t num_shards = sharded.num_shards;
  std::vector<EnvView> shards(num_shards == 1 ? 1 : num_shards + 1, base);
  std::vector<Env> items;
  items.reserve(sharded.items);
  for (std::size_t item = 0; item < sharded.items; ++item) {
    items.push_back(sharded.env(item));
    merge_env(shards[0], items.back(), sharded.sharded_keys);
    if (num_shards > 1) {
      const std::uint32_t shard = string_stable_hash(
          sharded.key(item), static_cast<std::uint32_t>(num_shards));
      merge_env(shards[shard + 1], items.back(), sharded.sharded_keys);
    }
  }
  std::vector<std::string> texts;
  CodeTemplate::Places places{kShardId, {}};
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const std::string id = shard_id(i);
    shards[i].set(kShardId, std::string_view(id));
    places.offsets.clear();
    texts.push_back(code.substitute(shards[i], places));
  }
  if (num_shards == 1) {
    texts.push_back(with_shard_id(texts[0], places, shard_id(0), shard_id(1)));
  }
  std::for_each(texts.begin(), texts.end(), space_docstrings);
  return texts;
}

}  // namespace opgen::text
