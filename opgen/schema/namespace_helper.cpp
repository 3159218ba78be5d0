#include "opgen/schema/namespace_helper.h"

namespace opgen::schema {

std::optional<NamespacedEntity> from_namespaced_entity(std::string_view text,
                                                       std::size_t max_level) {
  constexpr std::string_view kColons = "::";
  std::size_t levels = 0;
  std::size_t entity = 0;
  for (std::size_t at = text.find(kColons); at != std::string_view::npos;
       at = text.find(kColons, entity)) {
    entity = at + kColons.size();
    ++levels;
  }
  if (levels > max_level) {
    return std::nullopt;
  }
  NamespacedEntity result;
  result.entity_name = text.substr(entity);
  if (levels > 0) {
    result.cpp_namespace = text.substr(0, entity - kColons.size());
  }
  return result;
}

}  // namespace opgen::schema
