#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace threadscape {

/// The ways to run an algorithm: `serial` is the readable reference on one thread, `openmp` uses all cores and SIMD,
/// `cuda` runs on the GPU.
enum class Backend : std::uint8_t { serial, openmp, cuda };

inline constexpr std::array backends{Backend::serial, Backend::openmp, Backend::cuda};
inline constexpr std::array<std::string_view, 3> backend_names{"serial", "openmp", "cuda"};

[[nodiscard]] constexpr std::string_view name_of(Backend backend) {
  return backend_names[static_cast<std::size_t>(backend)];
}
/// The backend with this name. Throws UsageError with the list of the known names if there is none.
[[nodiscard]] Backend parse_backend(std::string_view name);

}  // namespace threadscape
