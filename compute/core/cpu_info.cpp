#include "compute/core/cpu_info.h"
#include "compute/core/machine.h"

#include <hwy/highway.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

namespace threadscape {

namespace {

/// "model name\t: AMD EPYC 9654" -> the part after the colon.
std::string value_of(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon == std::string_view::npos ? std::string{} : std::string(line.substr(colon + 2));
}

void read_cores(CpuInfo& info) {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::pair<std::string, std::string>> cores;  // (socket, core)
  std::string socket;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name") && info.model.empty()) info.model = value_of(line);
    if (line.starts_with("physical id")) socket = value_of(line);
    if (line.starts_with("core id")) cores.emplace(socket, value_of(line));
  }
  if (info.model.empty()) info.model = "unknown CPU";
  info.physical_cores = static_cast<int>(cores.size());
  if (info.physical_cores == 0) info.physical_cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

/// "512K", "32M" -> bytes.
std::size_t parse_size(const std::string& text) {
  char* end = nullptr;
  const std::size_t number = std::strtoull(text.c_str(), &end, 10);
  if (*end == 'K') return number << 10;
  if (*end == 'M') return number << 20;
  return number;
}

void read_caches(CpuInfo& info) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    int level = 0;
    std::string type, size;
    if (!(std::ifstream(folder + "level") >> level)) break;
    std::ifstream(folder + "type") >> type;
    std::ifstream(folder + "size") >> size;
    if (type == "Instruction") continue;
    if (level == 1) info.l1d_bytes = parse_size(size);
    if (level == 2) info.l2_bytes = parse_size(size);
    if (level == 3) info.l3_bytes = parse_size(size);
  }
}

/// The name of the target that HWY_DYNAMIC_DISPATCH chooses on this machine among those that kernels are compiled for.
std::string best_target() {
  const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  // Better targets have lower bits.
  return targets.empty() ? "SCALAR" : hwy::TargetName(*std::min_element(targets.begin(), targets.end()));
}

}  // namespace

const CpuInfo& cpu_info() {
  static const CpuInfo info = [] {
    CpuInfo cpu;
    read_cores(cpu);
    read_caches(cpu);
    cpu.logical_cores = hardware_threads();
    cpu.physical_cores = std::max(cpu.physical_cores, 1);
    cpu.simd = best_target();
    cpu.memory_bytes =
        static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return cpu;
  }();
  return info;
}

double load_average() {
  double load = -1.0;
  return getloadavg(&load, 1) == 1 ? load : -1.0;
}

}  // namespace threadscape
