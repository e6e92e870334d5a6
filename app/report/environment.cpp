#include "app/report/environment.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <ctime>

#include "compute/core/build_info.h"
#include "compute/core/cpu_info.h"

namespace threadscape::app {

namespace {

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace

std::string cuda_version_text(int version) {
  if (version == 0) return "none";
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Json cpu_json() {
  const CpuInfo& cpu = cpu_info();
  return {{"model", cpu.model},       {"logical_cores", cpu.logical_cores}, {"physical_cores", cpu.physical_cores},
          {"simd", cpu.simd},         {"l1d_bytes", cpu.l1d_bytes},         {"l2_bytes", cpu.l2_bytes},
          {"l3_bytes", cpu.l3_bytes}, {"memory_bytes", cpu.memory_bytes}};
}

Json gpu_json(gpu::Device& device) {
  const gpu::Devices& all = gpu::devices();
  const gpu::DeviceInfo& gpu = device.info();
  const std::string& obstacle = device.obstacle();
  Json json{{"compiled", all.compiled}, {"available", obstacle.empty()}};
  if (all.compiled) json["runtime_version"] = cuda_version_text(all.runtime_version);
  if (all.driver_version != 0) json["driver_version"] = cuda_version_text(all.driver_version);
  if (!obstacle.empty()) json["reason"] = obstacle;
  if (gpu.name.empty()) return json;
  json["device"] = gpu.ordinal;
  json["name"] = gpu.name;
  if (!gpu.pci_bus_id.empty()) json["pci_bus_id"] = gpu.pci_bus_id;
  json["compute_capability"] = std::to_string(gpu.compute_major) + "." + std::to_string(gpu.compute_minor);
  json["multiprocessors"] = gpu.multiprocessors;
  json["memory_bytes"] = gpu.total_bytes;
  json["l2_bytes"] = gpu.l2_bytes;
  json["memory_clock_khz"] = gpu.memory_clock_khz;
  json["bus_width_bits"] = gpu.bus_width_bits;
  return json;
}

Json environment_json(gpu::Device& device) {
  return {{"threadscape", build_info::version},
          {"git_hash", build_info::git_hash},
          {"git_dirty", build_info::git_dirty},
          {"compiler", build_info::compiler},
          {"flags", build_info::flags},
          {"build_type", build_info::build_type},
          {"nvcc", build_info::cuda_version},
          {"date", utc_now()},
          {"load_average", load_average()},
          {"cpu", cpu_json()},
          {"gpu", gpu_json(device)}};
}

Json shape_json(const Shape& shape) {
  return {{"kind", name_of(shape.kind)}, {"element", name_of(shape.element)},
          {"channels", shape.channels},  {"width", shape.width},
          {"height", shape.height},      {"depth", shape.depth}};
}

Json params_json(const ParamBox& params) {
  return Json::parse(to_json(params));
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace threadscape::app
