#pragma once
// The route of a result from the memory in which it is computed to the texture that is displayed. It is chosen once, by
// a probe.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compute/gpu/device.h"
#include "render/gl/context.h"

namespace threadscape::interop {

enum class Route : std::uint8_t {
  interop,  ///< CUDA kernel -> surface of the GL texture.
  /// CUDA kernel -> pinned memory -> pixel buffer -> texture, for CUDA devices that do not drive the GL context.
  staged,
  host,  ///< CPU -> pixel buffer -> texture.
  none,  ///< Nothing is displayed: there is no GL context.
};

inline constexpr std::array<std::string_view, 4> route_names{"interop", "staged", "host", "none"};
[[nodiscard]] constexpr std::string_view name_of(Route route) {
  return route_names[static_cast<std::size_t>(route)];
}
/// Finds a route by its name. Throws UsageError that lists the known names.
[[nodiscard]] Route parse_route(std::string_view name);

struct RouteReport {
  /// The route of results of the CUDA backend: interop or staged; host when there is no CUDA backend. Results of CPU
  /// backends always take the host route.
  Route cuda_route = Route::none;
  gpu::Device* device = nullptr;         ///< The device of the CUDA backend that was asked; null before.
  const gl::Context* context = nullptr;  ///< The context that was asked; null without OpenGL.
  std::optional<Route> forced = {};      ///< The route that was chosen by the user.
  bool cuda_available = false;
  bool gl_device_matches = false;   ///< The CUDA device also drives the GL context.
  bool registration_works = false;  ///< A texture was registered, written by CUDA and read back correctly.
  std::string reason;               ///< The reason for this route, in one line for the user.
};

/// Tries interop between the device and the context, which must be current, with a small texture: register, map, write,
/// unmap, read back. With `forced` the route is that one; throws BackendAbsent with the reason when this machine cannot
/// do it.
[[nodiscard]] RouteReport probe_route(const gl::Context& context, gpu::Device& device,
                                      std::optional<Route> forced = {});
/// The route from another device to the context of a report. A forced route that this device cannot take is given up.
[[nodiscard]] RouteReport route_from(const RouteReport& known, gpu::Device& device);
/// The report for a program without a GL context: Route::none, and what is known about the device.
[[nodiscard]] RouteReport route_without_gl(gpu::Device& device);
/// The device that drives the current GL context if that can be used, or the first one of the list that can.
[[nodiscard]] gpu::Device& device_for_display(gpu::Devices& devices);

}  // namespace threadscape::interop
