#include "render/interop/route.h"

#include "compute/core/errors.h"
#include "compute/gpu/device.h"
#include "render/interop/cuda_gl.h"

namespace threadscape::interop {

namespace {

/// What can be known without a GL context.
RouteReport report_of_cuda(const cuda::DeviceInfo& device) {
  RouteReport report;
  report.cuda_compiled = device.compiled;
  report.cuda_available = device.available;
  return report;
}

void choose(RouteReport& report, const gl::Context& context, const cuda::DeviceInfo& device) {
  if (!device.available) {
    report.cuda_route = Route::host;
    report.reason = "no CUDA: " + device.reason;
    return;
  }
  report.cuda_route = Route::staged;
  const std::string name = "CUDA device " + std::to_string(device.index) + " (" + device.name + ")";
  if (context.software()) {
    report.reason = "OpenGL runs on the CPU (" + context.renderer() + "), not on " + name;
    return;
  }
  const int gl_device = cuda_device_of_gl();
  report.gl_device_matches = gl_device == device.index;
  if (!report.gl_device_matches) {
    report.reason = "OpenGL runs on " + context.renderer() + ", not on " + name;
    return;
  }
  const std::string failure = try_interop();
  report.registration_works = failure.empty();
  if (report.registration_works) {
    report.cuda_route = Route::interop;
    report.reason = name + " drives the OpenGL context";
  } else {
    report.reason = name + " drives the OpenGL context, but " + failure;
  }
}

}  // namespace

Route parse_route(std::string_view name) {
  for (std::size_t i = 0; i < route_names.size(); ++i)
    if (route_names[i] == name) return static_cast<Route>(i);
  throw UsageError("unknown route '" + std::string(name) + "'; one of interop, staged, host, none");
}

RouteReport probe_route(const gl::Context& context, std::optional<Route> forced) {
  const cuda::DeviceInfo& device = cuda::device_info();
  RouteReport report = report_of_cuda(device);
  choose(report, context, device);
  if (!forced || *forced == report.cuda_route) return report;

  const bool possible =
      *forced == Route::host || *forced == Route::none || (*forced == Route::staged && report.cuda_available);
  if (!possible) throw BackendAbsent("route " + std::string(name_of(*forced)) + " is not possible: " + report.reason);
  report.reason = "forced; " + std::string(name_of(report.cuda_route)) + " would be possible: " + report.reason;
  report.cuda_route = *forced;
  return report;
}

RouteReport route_without_gl() {
  const cuda::DeviceInfo& device = cuda::device_info();
  RouteReport report = report_of_cuda(device);
  report.reason = "no OpenGL context";
  if (!device.available) report.reason += "; no CUDA: " + device.reason;
  return report;
}

}  // namespace threadscape::interop
