// Reads the state of a machine from a folder that is made here, with the files of a Linux system.

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/report/conditions.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class Machine : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    root_ = path("");
    write("proc/stat", "cpu  1000 0 500 9000 0 0 0\n");
    write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000\n");
    write("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2000000\n");
    write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    write("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "7\n");
    write("sys/class/thermal/thermal_zone0/temp", "41000\n");
    write("sys/class/thermal/thermal_zone1/temp", "63500\n");
  }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  fs::path root_;
};

TEST_F(Machine, TheStateIsReadFromItsFiles) {
  const MachineState state = read_machine_state(nullptr, root_);
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  EXPECT_DOUBLE_EQ(state.busy_seconds.value(), 1500.0 / ticks);
  EXPECT_DOUBLE_EQ(state.cpu_mhz.value(), 2500.0);
  EXPECT_DOUBLE_EQ(state.cpu_celsius.value(), 63.5);
  EXPECT_DOUBLE_EQ(state.cpu_throttles.value(), 7.0);
  EXPECT_FALSE(state.gpu_mhz.has_value());
}

TEST_F(Machine, LoadThrottlingClockAndGovernorAreDoubts) {
  MachineState before = read_machine_state(nullptr, root_);
  write("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "9\n");
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1000000\n");
  MachineState after = read_machine_state(nullptr, root_);
  before.seconds = 100.0;
  after.seconds = 110.0;
  after.busy_seconds = before.busy_seconds.value() + 20.0;
  after.own_seconds = before.own_seconds + 5.0;
  const Conditions conditions = conditions_between(before, after, root_);
  EXPECT_DOUBLE_EQ(conditions.other_load.value(), 1.5);
  EXPECT_DOUBLE_EQ(conditions.throttles.value(), 2.0);
  const std::vector<std::string> expected{"Other programs kept 1.5 cores busy.",
                                          "The CPU was slowed down for its heat 2 times.",
                                          "The clock of the CPU went from 2500 to 1500 MHz.",
                                          "The governor 'powersave' may keep the clock of the CPU low."};
  EXPECT_EQ(doubts(conditions), expected);
  EXPECT_EQ(conditions.governor, "powersave");
}

TEST_F(Machine, WhatCannotBeReadIsLeftOut) {
  const fs::path nothing = root_ / "empty";
  const Conditions conditions =
      conditions_between(read_machine_state(nullptr, nothing), read_machine_state(nullptr, nothing), nothing);
  EXPECT_TRUE(conditions.governor.empty());
  EXPECT_FALSE(conditions.mhz_after || conditions.celsius || conditions.throttles);
  EXPECT_TRUE(doubts(conditions).empty());
}

}  // namespace
}  // namespace threadscape::app
