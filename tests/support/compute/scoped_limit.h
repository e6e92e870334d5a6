#pragma once
// A limit of what is read from files (compute/io/limits.h) that holds for the length of a test.

#include <cstdint>

#include "compute/io/limits.h"

namespace threadscape {

/// Changes a limit of what is read while an object of this class lives.
class ScopedLimit {
 public:
  ScopedLimit(io::Limit limit, std::int64_t value) : limit_(limit), before_(io::limit_of(limit)) {
    io::set_limit(limit, value);
  }
  ~ScopedLimit() { io::set_limit(limit_, before_); }
  ScopedLimit(const ScopedLimit&) = delete;
  ScopedLimit& operator=(const ScopedLimit&) = delete;

 private:
  io::Limit limit_;
  std::int64_t before_;
};

}  // namespace threadscape
