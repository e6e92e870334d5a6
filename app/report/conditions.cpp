#include "app/report/conditions.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <sstream>

#include "app/report/text.h"

namespace threadscape::app {

namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<double> number_in(const fs::path& path) {
  std::istringstream text(first_line(path));
  double value = 0.0;
  if (text >> value) return value;
  return {};
}

/// The folders cpu0, cpu1, ... of the cores.
std::vector<fs::path> cores(const fs::path& root) {
  std::vector<fs::path> found;
  for (int core = 0;; ++core) {
    fs::path folder = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(core));
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) return found;
    found.push_back(std::move(folder));
  }
}

/// CPU time of all programs: the first numbers of the line "cpu" are user, nice, system, idle, iowait, irq, softirq.
std::optional<double> busy_seconds(const fs::path& root) {
  std::istringstream line(first_line(root / "proc/stat"));
  std::string name;
  double user = 0.0, nice = 0.0, system = 0.0;
  if (!(line >> name >> user >> nice >> system) || name != "cpu") return {};
  return (user + nice + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// The mean clock from cpufreq, or from /proc/cpuinfo, which virtual machines have alone.
std::optional<double> cpu_mhz(const fs::path& root) {
  double sum = 0.0;
  int count = 0;
  for (const fs::path& core : cores(root))
    if (const auto khz = number_in(core / "cpufreq/scaling_cur_freq")) {
      sum += *khz / 1e3;
      ++count;
    }
  if (count == 0) {
    std::ifstream file(root / "proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("cpu MHz") && line.find(':') != std::string::npos) {
        sum += std::strtod(line.c_str() + line.find(':') + 1, nullptr);
        ++count;
      }
  }
  if (count == 0) return {};
  return sum / count;
}

std::optional<double> cpu_celsius(const fs::path& root) {
  std::optional<double> hottest;
  for (int zone = 0; zone < 64; ++zone) {
    const auto milli = number_in(root / "sys/class/thermal" / ("thermal_zone" + std::to_string(zone)) / "temp");
    if (milli) hottest = std::max(hottest.value_or(-273.0), *milli / 1e3);
  }
  return hottest;
}

std::optional<double> cpu_throttles(const fs::path& root) {
  std::optional<double> sum;
  for (const fs::path& core : cores(root))
    if (const auto count = number_in(core / "thermal_throttle/core_throttle_count")) sum = sum.value_or(0.0) + *count;
  return sum;
}

/// The functions of NVML, the management library that comes with NVIDIA's driver, which is opened at run time. The
/// prototypes follow the reference manual of NVML.
class Nvml {
 public:
  Nvml() {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    const auto init = find<int (*)()>("nvmlInit_v2");
    ready_ = init != nullptr && init() == 0;
  }

  /// NVML counts the devices of the machine and CUDA those that it may use, so that a device is found by its address.
  void read(const std::string& pci_bus_id, MachineState& state) const {
    if (!ready_ || pci_bus_id.empty()) return;
    void* device = nullptr;
    const auto handle = find<int (*)(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    if (handle == nullptr || handle(pci_bus_id.c_str(), &device) != 0) return;
    unsigned value = 0;
    constexpr int clock_of_multiprocessors = 1, sensor_of_gpu = 0;
    const auto clock = find<int (*)(void*, int, unsigned*)>("nvmlDeviceGetClockInfo");
    if (clock != nullptr && clock(device, clock_of_multiprocessors, &value) == 0) state.gpu_mhz = value;
    const auto temperature = find<int (*)(void*, int, unsigned*)>("nvmlDeviceGetTemperature");
    if (temperature != nullptr && temperature(device, sensor_of_gpu, &value) == 0) state.gpu_celsius = value;
    unsigned long long reasons = 0;
    const auto throttle = find<int (*)(void*, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
    if (throttle != nullptr && throttle(device, &reasons) == 0) state.gpu_throttle_reasons = reasons;
  }

 private:
  template <class Function>
  Function find(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }
  void* library_ = nullptr;
  bool ready_ = false;
};

std::optional<double> difference(std::optional<double> before, std::optional<double> after) {
  if (!before || !after) return {};
  return *after - *before;
}

}  // namespace

MachineState read_machine_state(const gpu::Device* device, const fs::path& root) {
  MachineState state;
  state.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  state.busy_seconds = busy_seconds(root);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  state.own_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  state.cpu_mhz = cpu_mhz(root);
  state.cpu_celsius = cpu_celsius(root);
  state.cpu_throttles = cpu_throttles(root);
  if (device != nullptr) {
    static const Nvml nvml;
    nvml.read(device->info().pci_bus_id, state);
  }
  return state;
}

Conditions conditions_between(const MachineState& before, const MachineState& after, const fs::path& root) {
  Conditions conditions;
  conditions.governor = first_line(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  const double elapsed = after.seconds - before.seconds;
  // The kernel counts CPU time in steps of 10 ms, so that shorter measurements say nothing about other load.
  constexpr double min_elapsed = 0.1;
  if (const auto busy = difference(before.busy_seconds, after.busy_seconds); busy && elapsed >= min_elapsed)
    conditions.other_load = std::max(0.0, (*busy - (after.own_seconds - before.own_seconds)) / elapsed);
  conditions.mhz_before = before.cpu_mhz;
  conditions.mhz_after = after.cpu_mhz;
  conditions.celsius = after.cpu_celsius;
  conditions.throttles = difference(before.cpu_throttles, after.cpu_throttles);
  conditions.gpu_mhz = after.gpu_mhz;
  conditions.gpu_celsius = after.gpu_celsius;
  // Power cap, hardware slowdown, software thermal, hardware thermal and power brake slowdown; idle is no throttling.
  constexpr unsigned long long slowed_down = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;
  conditions.gpu_throttled = (after.gpu_throttle_reasons.value_or(0) & slowed_down) != 0;
  return conditions;
}

std::vector<std::string> doubts(const Conditions& conditions) {
  constexpr double quiet_load = 0.2, steady_clock_change = 0.05;
  std::vector<std::string> sentences;
  if (conditions.other_load.value_or(0.0) > quiet_load)
    sentences.push_back("Other programs kept " + format_number(*conditions.other_load, 2) + " cores busy.");
  if (conditions.throttles.value_or(0.0) > 0.0)
    sentences.push_back("The CPU was slowed down for its heat " + std::to_string(std::lround(*conditions.throttles)) +
                        " times.");
  if (conditions.gpu_throttled) sentences.emplace_back("Heat or power limited the clock of the GPU.");
  if (conditions.mhz_before && conditions.mhz_after &&
      std::abs(*conditions.mhz_after / *conditions.mhz_before - 1.0) > steady_clock_change)
    sentences.push_back("The clock of the CPU went from " + std::to_string(std::lround(*conditions.mhz_before)) +
                        " to " + std::to_string(std::lround(*conditions.mhz_after)) + " MHz.");
  if (conditions.governor == "powersave" || conditions.governor == "conservative")
    sentences.push_back("The governor '" + conditions.governor + "' may keep the clock of the CPU low.");
  return sentences;
}

}  // namespace threadscape::app
