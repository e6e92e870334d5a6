#pragma once
// A file descriptor with an owner.

#include <unistd.h>

#include <utility>

namespace threadscape::io {

/// A file descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int file = -1) : file_(file) {}
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Descriptor() { close(); }
  [[nodiscard]] int get() const { return file_; }
  void close() {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
  }

 private:
  int file_;
};

}  // namespace threadscape::io
