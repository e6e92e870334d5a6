// Ten planted faults of each kind: the kernels of tests/data/warp/faults.cu, and faults.ptx, which NVRTC 13.0 has made
// of them.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "compute/warp/machine.h"
#include "tests/compute/warp/warp_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::warp {
namespace {

std::string text_of(const std::string& name) {
  std::ifstream file(test_dir() + "/data/warp/" + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The lines with a planted fault of each kernel: those of its body that end in "// !", and those that name it there.
std::map<std::string, std::set<int>> planted_lines() {
  std::map<std::string, std::set<int>> lines;
  std::ifstream file(test_dir() + "/data/warp/faults.cu");
  std::string line, kernel;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.starts_with("K(")) kernel = line.substr(2, line.find(')') - 2);
    const std::size_t mark = line.find("// !");
    if (mark == std::string::npos) continue;
    std::string names = line.substr(mark + 4);
    if (names.empty()) lines[kernel].insert(number);
    for (std::size_t at = 0; (at = names.find_first_not_of(' ', at)) != std::string::npos;) {
      const std::size_t end = std::min(names.find(' ', at), names.size());
      lines[names.substr(at, end - at)].insert(number);
      at = end;
    }
  }
  return lines;
}

TEST(WarpPlantedFaults, AreFoundWithTheirLines) {
  const std::string ptx = text_of("faults.ptx");
  struct Kind {
    const char* name;
    Fault::Kind kind;
  };
  constexpr Kind kinds[] = {{"out_of_bounds", Fault::Kind::OutOfBounds},
                            {"misaligned", Fault::Kind::Misaligned},
                            {"uninitialised", Fault::Kind::Uninitialised},
                            {"race", Fault::Kind::Race},
                            {"race_global", Fault::Kind::Race},
                            {"barrier", Fault::Kind::BarrierDivergence},
                            {"deadlock", Fault::Kind::Deadlock},
                            {"read_only", Fault::Kind::ReadOnly},
                            {"trap", Fault::Kind::Trap}};
  const std::map<std::string, std::set<int>> planted = planted_lines();
  EXPECT_EQ(planted.size(), 90U);
  Trial trial;
  trial.module = parse_ptx(ptx);
  trial.grid = {2, 1, 1};
  trial.block = {64, 1, 1};
  trial.options.threads = 1;
  trial.options.global_races = true;
  for (const Kind& kind : kinds)
    for (int number = 1; number <= 10; ++number) {
      const std::string name = std::string(kind.name) + "_" + std::to_string(number);
      SCOPED_TRACE(name);
      trial.out.assign(1024, 0);
      trial.in.assign(1024, 0);
      const LaunchResult result = trial.run_kernel(name);
      ASSERT_TRUE(planted.contains(name));
      EXPECT_FALSE(result.faults.empty());
      EXPECT_EQ(result.stopped.empty(), kind.kind != Fault::Kind::Trap) << result.stopped;
      for (const Fault& fault : result.faults) {
        EXPECT_EQ(name_of(fault.kind), name_of(kind.kind)) << fault.text;
        EXPECT_TRUE(planted.at(name).contains(trial.module.locations[fault.location].line)) << fault.text;
      }
    }
}

}  // namespace
}  // namespace threadscape::warp
