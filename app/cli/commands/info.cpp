#include "app/cli/commands/info.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

#include "app/cli/shared_options.h"
#include "app/platform/platform.h"
#include "app/report/environment.h"
#include "app/report/text.h"
#include "compute/core/build_info.h"
#include "compute/core/cpu_info.h"
#include "compute/gpu/device.h"
#include "compute/run/runner.h"
#include "render/interop/route.h"

namespace threadscape::app {

namespace {

struct GlReport {
  std::string vendor, renderer, version, origin;
  std::string reason;  ///< why there is no GL, or ""
  bool software = false;
  interop::RouteReport route;
};

GlReport ask_gl(gpu::Device& device) {
  GlReport report;
  try {
    const auto platform = make_headless(64, 64, device.available() ? device.info().ordinal : -1);
    const gl::Context& context = platform->context();
    report.vendor = context.vendor();
    report.renderer = context.renderer();
    report.version = context.version();
    report.origin = context.origin();
    report.software = context.software();
    report.route = interop::probe_route(context, device);
  } catch (const Error& error) {
    if (report.renderer.empty()) report.reason = error.what();
    report.route = interop::route_without_gl(device);
    report.route.reason = error.what();
  }
  return report;
}

std::string simd_text(const std::string& simd) {
  return simd.starts_with("AVX3") ? simd + " (AVX-512)" : simd;
}

std::string cpu_text() {
  const CpuInfo& cpu = cpu_info();
  std::string caches = format_bytes(cpu.l1d_bytes) + " L1d, " + format_bytes(cpu.l2_bytes) + " L2 per core";
  if (cpu.l3_bytes > 0) caches += ", " + format_bytes(cpu.l3_bytes) + " L3";
  return format_table({{"CPU", cpu.model},
                       {"threads", std::to_string(cpu.logical_cores) + " usable, " +
                                       std::to_string(cpu.physical_cores) + " physical cores in the machine"},
                       {"SIMD", simd_text(cpu.simd)},
                       {"caches", caches},
                       {"memory", format_bytes(cpu.memory_bytes) + ", " + format_bytes(free_host_bytes()) + " free"}});
}

/// The lines about a device.
void add_device_rows(gpu::Device& device, std::vector<std::vector<std::string>>& rows) {
  const gpu::DeviceInfo& gpu = device.info();
  if (!device.available()) rows.push_back({"CUDA", "not available: " + device.obstacle()});
  if (gpu.name.empty()) return;
  rows.push_back({"GPU " + std::to_string(gpu.ordinal),
                  gpu.name + ", compute capability " + std::to_string(gpu.compute_major) + "." +
                      std::to_string(gpu.compute_minor) + ", " + std::to_string(gpu.multiprocessors) +
                      " multiprocessors" + (gpu.pci_bus_id.empty() ? "" : ", PCI " + gpu.pci_bus_id)});
  rows.push_back({"memory", format_bytes(gpu.total_bytes) + ", " + format_bytes(device.free_bytes()) + " free"});
}

std::string gpu_text(gpu::Devices& devices) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& device : devices.all())
    add_device_rows(*device, rows);
  if (devices.all().empty()) add_device_rows(devices.first(), rows);
  if (devices.driver_version != 0)
    rows.push_back({"driver", "for CUDA " + cuda_version_text(devices.driver_version) + "; this build has runtime " +
                                  cuda_version_text(devices.runtime_version)});
  return format_table(rows);
}

std::string gl_text(const GlReport& gl) {
  std::vector<std::vector<std::string>> rows;
  if (gl.renderer.empty()) {
    rows.push_back({"OpenGL", "not available: " + gl.reason});
  } else {
    rows.push_back({"OpenGL", gl.version});
    rows.push_back({"renderer", gl.renderer + " (" + gl.vendor + ")" + (gl.software ? ", on the CPU" : "")});
    rows.push_back({"context", gl.origin});
  }
  rows.push_back({"route", std::string(name_of(gl.route.cuda_route)) + ": " + gl.route.reason});
  return format_table(rows);
}

Json gl_json(const GlReport& gl) {
  Json json{{"available", !gl.renderer.empty()}};
  if (gl.renderer.empty()) json["reason"] = gl.reason;
  json["version"] = gl.version;
  json["renderer"] = gl.renderer;
  json["vendor"] = gl.vendor;
  json["context"] = gl.origin;
  json["software"] = gl.software;
  return json;
}

/// A device with its limits by name.
Json device_json(gpu::Device& device) {
  Json json = gpu_json(device);
  Json limits = Json::object();
  for (const gpu::DeviceLimit& limit : device.limits())
    limits[std::string(limit.name)] = limit.value;
  json["limits"] = std::move(limits);
  return json;
}

std::string limits_text(const gpu::Device& device) {
  std::vector<std::vector<std::string>> rows;
  for (const gpu::DeviceLimit& limit : device.limits()) {
    std::string value = std::to_string(limit.value);
    if (limit.unit == "bytes") value = format_bytes(static_cast<std::size_t>(limit.value));
    if (limit.unit == "bytes/s") value = format_number(static_cast<double>(limit.value) / 1e9, 4) + " GB/s";
    if (limit.unit == "kHz") value = format_number(static_cast<double>(limit.value) / 1e3, 4) + " MHz";
    if (limit.unit == "bits") value += " bits";
    rows.push_back({std::string(limit.title), value});
  }
  return rows.empty() ? std::string()
                      : "\nLimits of GPU " + std::to_string(device.info().ordinal) + "\n" + format_table(rows);
}

int info(gpu::Devices& devices, gpu::Device& device, bool as_json) {
  const GlReport gl = ask_gl(device);
  std::string text;
  if (as_json) {
    Json json = environment_json(device);
    json["gpu"] = device_json(device);
    json["gpus"] = Json::array();
    for (const auto& one : devices.all())
      json["gpus"].push_back(device_json(*one));
    json["free_memory_bytes"] = free_host_bytes();
    json["gl"] = gl_json(gl);
    json["route"] = {{"cuda", name_of(gl.route.cuda_route)},
                     {"reason", gl.route.reason},
                     {"gl_device_matches", gl.route.gl_device_matches},
                     {"registration_works", gl.route.registration_works}};
    text = dump(json);
  } else {
    text = "Threadscape " + std::string(build_info::version) + " (" + std::string(build_info::git_hash) +
           (build_info::git_dirty ? ", changed" : "") + "), " + std::string(build_info::compiler) + ", " +
           std::string(build_info::build_type) + "\n\n" + cpu_text() + "\n" + gpu_text(devices) + "\n" + gl_text(gl) +
           limits_text(device);
  }
  std::fputs(text.c_str(), stdout);
  return static_cast<int>(ExitCode::done);
}

}  // namespace

CommandAction set_up_info(CLI::App& app, FindDevices find_devices) {
  struct InfoCommand {
    bool as_json = false;
    gpu::Device* device = nullptr;
  };
  const auto options = std::make_shared<InfoCommand>();
  app.add_flag("--json", options->as_json, "As JSON");
  add_device(app, find_devices, options->device);
  return [options, find_devices] {
    gpu::Devices& devices = find_devices();
    return info(devices, options->device != nullptr ? *options->device : devices.first(), options->as_json);
  };
}

}  // namespace threadscape::app
