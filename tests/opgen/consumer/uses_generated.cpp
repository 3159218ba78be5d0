#include <cstdio>

#include <core/enum_tag.h>

int main() {
  std::printf("%d\n", static_cast<int>(at::Tag::pointwise));
  return 0;
}
