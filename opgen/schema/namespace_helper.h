// Names with namespaces in front: `custom::native::add`.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace opgen::schema {

struct NamespacedEntity {
  std::string_view cpp_namespace;  // without the last `::`; may be empty
  std::string_view entity_name;
};

// Nothing if there are more than `max_level` namespaces.
std::optional<NamespacedEntity> from_namespaced_entity(std::string_view text,
                                                       std::size_t max_level);

}  // namespace opgen::schema
