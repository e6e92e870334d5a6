#include "app/platform/machine_load.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>

namespace threadscape::app {

namespace {

constexpr double seconds_between_readings = 1.0;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Processor time of all threads of this program, in seconds.
double own_seconds() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0.0;
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

std::optional<CpuTimes> parse_cpu_times(std::string_view stat, double ticks_per_second) {
  std::istringstream line{std::string(stat)};
  std::string name;
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is contained in user and nice (proc(5)).
  std::array<double, 8> ticks{};
  if (!(line >> name) || name != "cpu") return {};
  for (double& number : ticks)
    if (!(line >> number)) return {};
  CpuTimes times;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    times.total += ticks[i] / ticks_per_second;
    if (i != 3 && i != 4) times.busy += ticks[i] / ticks_per_second;
  }
  return times;
}

double share_of_others(const CpuTimes& before, const CpuTimes& after, double own) {
  const double total = after.total - before.total;
  if (total <= 0.0) return 0.0;
  return std::clamp((after.busy - before.busy - own) / total, 0.0, 1.0);
}

void MachineLoad::update(double now) {
  if (times_ && now - reading_ < seconds_between_readings) return;
  std::ifstream file("/proc/stat");
  std::string line;
  if (!std::getline(file, line)) return;
  const std::optional<CpuTimes> times = parse_cpu_times(line, static_cast<double>(sysconf(_SC_CLK_TCK)));
  const double own = own_seconds();
  if (times && times_) others_ = share_of_others(*times_, *times, own - own_);
  times_ = times;
  own_ = own;
  reading_ = now;
}

}  // namespace threadscape::app
