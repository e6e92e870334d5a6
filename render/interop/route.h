#pragma once
// How a result gets from where it was computed into the texture that is shown. Chosen once, by trying.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "render/gl/context.h"

namespace threadscape::interop {

enum class Route : std::uint8_t {
  interop,  ///< CUDA kernel -> surface of the GL texture
  staged,   ///< CUDA kernel -> pinned memory -> pixel buffer -> texture: CUDA works, but GL is on another device
  host,     ///< CPU -> pixel buffer -> texture
  none,     ///< nothing is shown: no GL context
};

inline constexpr std::array<std::string_view, 4> route_names{"interop", "staged", "host", "none"};
[[nodiscard]] constexpr std::string_view name_of(Route route) {
  return route_names[static_cast<std::size_t>(route)];
}
/// Throws UsageError and lists the known names.
[[nodiscard]] Route parse_route(std::string_view name);

struct RouteReport {
  /// Of results of the CUDA backend: interop or staged; host when there is no CUDA backend. CPU backends always take
  /// host.
  Route cuda_route = Route::none;
  bool cuda_compiled = false;
  bool cuda_available = false;
  bool gl_device_matches = false;   ///< the CUDA device also drives the GL context
  bool registration_works = false;  ///< a texture was registered, written by CUDA and read back right
  std::string reason;               ///< one line, for people
};

/// Tries interop with a small texture: register, map, write, unmap, read back. The context must be current. With
/// `forced` the route is that one; throws BackendAbsent with the reason when this machine cannot do it.
[[nodiscard]] RouteReport probe_route(const gl::Context& context, std::optional<Route> forced = {});
/// Without a context: Route::none, and what is known about CUDA.
[[nodiscard]] RouteReport route_without_gl();

}  // namespace threadscape::interop
