// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

namespace opgen::text {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}

  ~Descriptor() { close(); }

  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool valid() const { return value_ >= 0; }

  int get() const { return value_; }

  // False if the system reports an error, of a delayed write say.
  bool close() {
    const int value = value_;
    value_ = -1;
    return value < 0 || ::close(value) == 0;
  }

 private:
  int value_;
};

}  // namespace opgen::text
