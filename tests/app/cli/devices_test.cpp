// Commands on one of two devices: what runs there, and what reports say.

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/cli/cli.h"
#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/io/pictures/image_file.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/pretended_device.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::app {
namespace {

using threadscape::testing::PretendedDevice;

/// The devices that the command line finds in these tests.
gpu::Devices& two_devices() {
  static gpu::Devices devices = [] {
    std::vector<std::unique_ptr<gpu::Device>> list;
    for (int ordinal = 0; ordinal < 2; ++ordinal)
      list.push_back(std::make_unique<PretendedDevice>(ordinal));
    return gpu::Devices(std::move(list), "");
  }();
  return devices;
}

int runs_of(int ordinal) {
  return dynamic_cast<PretendedDevice&>(two_devices().at(ordinal)).runs();
}

class DevicesTest : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    io::save_picture(path("in.png"), make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 61, 33)).view(),
                     io::FileColour::grey);
  }
  int command(const std::vector<std::string>& words) {
    std::vector<const char*> arguments{"threadscape"};
    for (const std::string& word : words)
      arguments.push_back(word.c_str());
    return run_command_line(static_cast<int>(arguments.size()), arguments.data(), two_devices);
  }
  nlohmann::json json(const char* name) {
    std::ifstream file(path(name));
    return nlohmann::json::parse(file);
  }
};

TEST_F(DevicesTest, ARunIsOnTheDeviceThatWasChosen) {
  const int before[2] = {runs_of(0), runs_of(1)};
  ASSERT_EQ(command({"run", "sobel", path("in.png"), "-o", path("serial.png"), "-q", "--backend", "serial"}), 0);
  ASSERT_EQ(command({"run", "sobel", path("in.png"), "-o", path("out.png"), "-q", "--backend", "cuda", "--device", "1",
                     "--timings", path("times.json")}),
            0);
  EXPECT_EQ(runs_of(0), before[0]);
  EXPECT_EQ(runs_of(1), before[1] + 1);
  EXPECT_EQ(json("times.json")["environment"]["gpu"]["name"], "pretended device 1");
  EXPECT_EQ(json("times.json")["environment"]["gpu"]["device"], 1);
  const HostArray result = io::load_picture(path("out.png")).pixels,
                  serial = io::load_picture(path("serial.png")).pixels;
  ASSERT_EQ(result.shape(), serial.shape());
  for (std::int64_t y = 0; y < result.shape().height; ++y)
    for (std::int64_t x = 0; x < result.shape().width; ++x)
      ASSERT_EQ(result.image<std::uint8_t>()(static_cast<int>(x), static_cast<int>(y)),
                serial.image<std::uint8_t>()(static_cast<int>(x), static_cast<int>(y)));
}

TEST_F(DevicesTest, AllStepsAreOnTheDeviceThatWasChosen) {
  const int before[2] = {runs_of(0), runs_of(1)};
  ASSERT_EQ(command({"run", "median", path("in.png"), "--then", "sobel", "-o", path("out.png"), "-q", "--backend",
                     "cuda", "--device", "1"}),
            0);
  EXPECT_EQ(runs_of(0), before[0]);
  EXPECT_EQ(runs_of(1), before[1] + 2);
}

TEST_F(DevicesTest, ARunIsDividedAmongSeveralDevices) {
  const int before[2] = {runs_of(0), runs_of(1)};
  ASSERT_EQ(
      command({"run", "median", path("in.png"), "-o", path("one.png"), "-q", "--backend", "serial", "--then", "sobel"}),
      0);
  ASSERT_EQ(command({"run", "median", path("in.png"), "-o", path("two.png"), "-q", "--backend", "cuda", "--devices",
                     "0,1", "--then", "sobel"}),
            0);
  EXPECT_GE(runs_of(0), before[0] + 2);
  EXPECT_GE(runs_of(1), before[1] + 2);
  std::ifstream one(path("one.png")), two(path("two.png"));
  const std::string first{std::istreambuf_iterator<char>(one), {}}, second{std::istreambuf_iterator<char>(two), {}};
  EXPECT_EQ(first, second);
  EXPECT_FALSE(first.empty());
}

TEST_F(DevicesTest, ListsOfDevicesThatDoNotFitAreRefused) {
  for (const char* wrong : {"0,2", "0,0", "one", ""})
    EXPECT_EQ(command({"run", "sobel", path("in.png"), "-o", path("out.png"), "--backend", "cuda", "--devices", wrong}),
              static_cast<int>(ExitCode::usage))
        << wrong;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"seam_carving", "--backend", "cuda"},
                                                {"sobel", "--backend", "openmp"},
                                                {"sobel", "--backend", "cuda", "--device", "1"}}) {
    std::vector<std::string> all{"run", words[0], path("in.png"), "-o", path("out.png"), "--devices", "0,1"};
    all.insert(all.end(), words.begin() + 1, words.end());
    EXPECT_EQ(command(all), static_cast<int>(ExitCode::usage)) << words[0];
  }
}

TEST_F(DevicesTest, ABenchmarkNamesTheDeviceThatRan) {
  const int before[2] = {runs_of(0), runs_of(1)};
  ASSERT_EQ(command({"bench", "sobel", "--backends", "cuda", "--device", "1", "--sizes", "32", "--reps", "1",
                     "--min-time", "0", "--max-time", "0", "-q", "--json", path("bench.json")}),
            0);
  EXPECT_EQ(runs_of(0), before[0]);
  EXPECT_GT(runs_of(1), before[1]);
  EXPECT_EQ(json("bench.json")["environment"]["gpu"]["name"], "pretended device 1");
}

TEST_F(DevicesTest, ABenchmarkOnSeveralDevicesSaysWhatTheyGain) {
  ::testing::internal::CaptureStdout();
  ASSERT_EQ(command({"bench", "sobel", "--backends", "serial,cuda", "--devices", "0,1", "--sizes", "32", "--reps", "3",
                     "--min-time", "0", "--max-time", "0", "--json", path("bench.json")}),
            0);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("sobel 32x32: 2 devices are "), std::string::npos) << text;
  std::vector<std::string> variants;
  const nlohmann::json report = json("bench.json");
  for (const nlohmann::json& row : report["results"])
    variants.push_back(row["variant"]);
  EXPECT_EQ(variants, (std::vector<std::string>{"default", "tiled/1 device", "tiled/2 devices"}));
  EXPECT_EQ(command({"bench", "noise", "--backends", "cuda", "--devices", "0,1", "--sizes", "32", "-q"}),
            static_cast<int>(ExitCode::usage));
}

TEST_F(DevicesTest, ADrawnResultIsDividedAmongSeveralDevices) {
  const std::vector<std::string> draws{"render", "median", path("in.png"), "-q", "-o"};
  const auto drawn = [&](const char* name, const std::vector<std::string>& options) {
    std::vector<std::string> words = draws;
    words.push_back(path(name));
    words.insert(words.end(), options.begin(), options.end());
    return command(words);
  };
  if (drawn("serial.png", {"--backend", "serial"}) == static_cast<int>(ExitCode::environment))
    GTEST_SKIP() << "no OpenGL";
  const int before[2] = {runs_of(0), runs_of(1)};
  ASSERT_EQ(drawn("two.png", {"--backend", "cuda", "--devices", "0,1"}), 0);
  EXPECT_GE(runs_of(0), before[0] + 1);
  EXPECT_GE(runs_of(1), before[1] + 1);
  EXPECT_TRUE(testing::same_pixels(io::load_picture(path("serial.png")).pixels.view(),
                                   io::load_picture(path("two.png")).pixels.view()));
  EXPECT_EQ(drawn("no.png", {"--backend", "cuda", "--devices", "0,2"}), static_cast<int>(ExitCode::usage));
}

/// Waits until both devices have computed, and ends the program by the signal that closes its window.
void close_after_both_devices() {
  constexpr auto longest = std::chrono::seconds(60);
  const auto end = std::chrono::steady_clock::now() + longest;
  while (runs_of(0) == 0 || runs_of(1) == 0)
    if (std::chrono::steady_clock::now() > end)
      std::_Exit(1);
    else
      std::this_thread::yield();
  kill(getpid(), SIGTERM);
}

TEST_F(DevicesTest, TheWindowDividesWhatItShowsAmongSeveralDevices) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // The window gets a process of its own.
  if (const std::string why = testing::require_display(); !why.empty()) GTEST_SKIP() << why;
  bool no_window = false;
  EXPECT_EXIT(
      {
        setenv("XDG_CONFIG_HOME", path("config").c_str(), 1);
        std::thread(close_after_both_devices).detach();
        const int code =
            command({"view", path("in.png"), "--algorithm", "median", "--backend", "cuda", "--devices", "0,1"});
        std::_Exit(code == static_cast<int>(ExitCode::environment) ? 77 : 1);
      },
      [&](int status) {
        no_window = WIFEXITED(status) && WEXITSTATUS(status) == 77;
        return no_window || ::testing::KilledBySignal(SIGTERM)(status);
      },
      "");
  if (no_window) GTEST_SKIP() << "no OpenGL on the virtual display";
}

TEST_F(DevicesTest, VerifyRunsOnTheDeviceThatWasChosen) {
  const int before[2] = {runs_of(0), runs_of(1)};
  ASSERT_EQ(command({"verify", "noise", "--backends", "cuda", "--device", "1", "--every", "50", "-q"}), 0);
  EXPECT_EQ(runs_of(0), before[0]);
  EXPECT_GT(runs_of(1), before[1]);
}

TEST_F(DevicesTest, InfoListsAll) {
  ::testing::internal::CaptureStdout();
  ASSERT_EQ(command({"info", "--json", "--device", "1"}), 0);
  const auto info = nlohmann::json::parse(::testing::internal::GetCapturedStdout());
  EXPECT_EQ(info["gpu"]["device"], 1);
  ASSERT_EQ(info["gpus"].size(), 2u);
  EXPECT_EQ(info["gpus"][0]["name"], "pretended device 0");
  EXPECT_EQ(info["gpus"][1]["name"], "pretended device 1");
  ::testing::internal::CaptureStdout();
  ASSERT_EQ(command({"info"}), 0);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("pretended device 0"), std::string::npos) << text;
  EXPECT_NE(text.find("pretended device 1"), std::string::npos) << text;
}

TEST_F(DevicesTest, AnUnknownDeviceIsRefused) {
  for (const char* wrong : {"2", "-1", "one", ""})
    EXPECT_EQ(command({"run", "sobel", path("in.png"), "-o", path("out.png"), "--device", wrong}),
              static_cast<int>(ExitCode::usage))
        << wrong;
}

}  // namespace
}  // namespace threadscape::app
