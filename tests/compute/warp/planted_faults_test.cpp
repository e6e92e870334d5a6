// Ten planted faults of each kind: the kernels of tests/data/warp/faults.cu, and faults.ptx, which NVRTC 13.0 has made
// of them.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "compute/warp/code.h"
#include "compute/warp/machine.h"
#include "tests/compute/warp/warp_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::warp {
namespace {

std::string text_of(const std::string& name) {
  std::ifstream file(test_dir() + "/data/warp/" + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// What is known of a planted fault.
struct Planted {
  std::set<int> lines;  ///< Lines of the source, one of which is named.
  std::uint64_t block = 0;
  std::uint32_t thread = 0;
  std::string memory;  ///< "out", "in", "table", "shared", "local"; "" for faults that are at no address.
  std::int64_t offset = 0;

  [[nodiscard]] bool is(const Fault& fault, int line) const {
    const std::uint64_t begin = memory == "out"     ? Trial::out_address
                                : memory == "in"    ? Trial::in_address
                                : memory == "table" ? window::variables + 4096
                                                    : 0;
    // Addresses of shared memory have 32 bits.
    const auto address = static_cast<std::uint32_t>(begin + static_cast<std::uint64_t>(offset));
    return lines.contains(line) && fault.block == block && fault.thread == thread &&
           static_cast<std::uint32_t>(fault.address) == address;
  }
};

/// Reads "thread 3, out + 12", with "block 1, " before it unless the block is the first.
void read_place(const std::string& text, Planted& fault) {
  std::istringstream from(text);
  char sign = '+';
  for (std::string word; from >> word;) {
    char comma = 0;
    if (word == "block") {
      from >> fault.block >> comma;
    } else if (word == "thread") {
      from >> fault.thread >> comma;
    } else {
      fault.memory = word;
      from >> sign >> fault.offset;
    }
  }
  if (sign == '-') fault.offset = -fault.offset;
}

/// The planted faults by their kernels. Lines that have one end in "// !", with the names of the kernels after it where
/// the line is not in a kernel's body. The line before a kernel has the place of the first fault.
std::map<std::string, Planted> planted_faults() {
  std::map<std::string, Planted> faults;
  std::istringstream source(text_of("faults.cu"));
  std::string line, before, kernel;
  for (int number = 1; std::getline(source, line); before = line, ++number) {
    if (line.starts_with("K(")) {
      kernel = line.substr(2, line.find(')') - 2);
      if (before.starts_with("// ")) read_place(before.substr(3), faults[kernel]);
    }
    const std::size_t mark = line.find("// !");
    if (mark == std::string::npos) continue;
    std::istringstream names(line.substr(mark + 4));
    std::string name;
    if (!(names >> name)) faults[kernel].lines.insert(number);
    for (; names; names >> name)
      faults[name].lines.insert(number);
  }
  return faults;
}

TEST(WarpPlantedFaults, AreFoundWithTheirPlaces) {
  struct Kind {
    const char* name;
    Fault::Kind kind;
  };
  constexpr Kind kinds[] = {{"out_of_bounds", Fault::Kind::OutOfBounds},
                            {"out_of_bounds_shared", Fault::Kind::OutOfBounds},
                            {"out_of_bounds_local", Fault::Kind::OutOfBounds},
                            {"misaligned", Fault::Kind::Misaligned},
                            {"uninitialised_shared", Fault::Kind::Uninitialised},
                            {"uninitialised_register", Fault::Kind::Uninitialised},
                            {"uninitialised_local", Fault::Kind::Uninitialised},
                            {"uninitialised_global", Fault::Kind::Uninitialised},
                            {"race", Fault::Kind::Race},
                            {"race_global", Fault::Kind::Race},
                            {"barrier", Fault::Kind::BarrierDivergence},
                            {"deadlock", Fault::Kind::Deadlock},
                            {"read_only", Fault::Kind::ReadOnly},
                            {"trap", Fault::Kind::Trap}};
  const std::map<std::string, Planted> planted = planted_faults();
  EXPECT_EQ(planted.size(), 10 * std::size(kinds));
  Trial trial;
  trial.module = parse_ptx(text_of("faults.ptx"));
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
      trial.out_written.assign(std::string_view(kind.name) == "uninitialised_global" ? 4096 : 0, 0);
      const LaunchResult result = trial.run_kernel(name);
      EXPECT_EQ(result.stopped.empty(), kind.kind != Fault::Kind::Trap) << result.stopped;
      const Planted& fault = planted.at(name);
      bool found = false;
      std::string all;
      for (const Fault& seen : result.faults) {
        const int line = trial.module.locations[seen.location].line;
        EXPECT_EQ(name_of(seen.kind), name_of(kind.kind)) << seen.text;
        EXPECT_TRUE(fault.lines.contains(line)) << seen.text;
        found |= fault.is(seen, line);
        all += seen.text + ", address " + std::to_string(seen.address) + "\n";
      }
      EXPECT_TRUE(found) << all;
    }
}

}  // namespace
}  // namespace threadscape::warp
