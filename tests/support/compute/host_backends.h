#pragma once
// The backends that every machine has, for tests that go through them.

#include <array>

#include "compute/core/backend.h"

namespace threadscape::testing {

inline constexpr std::array host_backends{Backend::serial, Backend::openmp};

}  // namespace threadscape::testing
