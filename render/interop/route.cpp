#include "render/interop/route.h"

#include "compute/core/errors.h"
#include "render/interop/cuda_gl.h"

namespace threadscape::interop {

namespace {

/// What can be known without a GL context.
RouteReport report_of(gpu::Device& device) {
  RouteReport report;
  report.device = &device;
  report.cuda_available = device.available();
  return report;
}

void choose(RouteReport& report, const gl::Context& context, gpu::Device& device) {
  if (!device.available()) {
    report.cuda_route = Route::host;
    report.reason = "no CUDA: " + device.obstacle();
    return;
  }
  report.cuda_route = Route::staged;
  const std::string name = "CUDA device " + std::to_string(device.info().ordinal) + " (" + device.info().name + ")";
  if (context.software()) {
    report.reason = "OpenGL runs on the CPU (" + context.renderer() + "), not on " + name;
    return;
  }
  report.gl_device_matches = drives_gl(device);
  if (!report.gl_device_matches) {
    report.reason = "OpenGL runs on " + context.renderer() + ", not on " + name;
    return;
  }
  const std::string failure = try_interop(device);
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

RouteReport probe_route(const gl::Context& context, gpu::Device& device, std::optional<Route> forced) {
  RouteReport report = report_of(device);
  report.context = &context;
  report.forced = forced;
  choose(report, context, device);
  if (!forced || *forced == report.cuda_route) return report;

  const bool possible =
      *forced == Route::host || *forced == Route::none || (*forced == Route::staged && report.cuda_available);
  if (!possible) throw BackendAbsent("route " + std::string(name_of(*forced)) + " is not possible: " + report.reason);
  report.reason = "forced; " + std::string(name_of(report.cuda_route)) + " would be possible: " + report.reason;
  report.cuda_route = *forced;
  return report;
}

RouteReport route_from(const RouteReport& known, gpu::Device& device) {
  if (known.context == nullptr) {
    RouteReport report = known;
    report.device = &device;
    return report;
  }
  try {
    return probe_route(*known.context, device, known.forced);
  } catch (const BackendAbsent&) {
    return probe_route(*known.context, device);
  }
}

RouteReport route_without_gl(gpu::Device& device) {
  RouteReport report = report_of(device);
  report.reason = "no OpenGL context";
  if (!report.cuda_available) report.reason += "; no CUDA: " + device.obstacle();
  return report;
}

gpu::Device& device_for_display(gpu::Devices& devices) {
  for (const auto& device : devices.all())
    if (drives_gl(*device) && device->usable()) return *device;
  return devices.first();
}

}  // namespace threadscape::interop
