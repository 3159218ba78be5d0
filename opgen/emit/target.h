// Which of the texts that belong to one function an emitter produces.
#pragma once

#include <cstdint>

namespace opgen::emit {

enum class Target : std::uint8_t {
  kDefinition,
  kDeclaration,
  kRegistration,
  kAnonymousDefinition,
  kNamespacedDefinition,
  kNamespacedDeclaration,
};

}  // namespace opgen::emit
