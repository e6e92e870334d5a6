// Tests that the window starts with whatever its settings hold. Each of these settings ended the program before.

#include "app/shell/settings.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "compute/core/machine.h"
#include "compute/registry/registry.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

/// A folder for settings of its own.
class SettingsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "threadscape");
    if (const char* before = std::getenv("XDG_CONFIG_HOME")) before_ = before;
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    before_.empty() ? unsetenv("XDG_CONFIG_HOME") : setenv("XDG_CONFIG_HOME", before_.c_str(), 1);
    fs::remove_all(folder_);
  }
  /// A workspace after a start with this file of settings.
  void start(const std::string& settings) {
    std::ofstream(folder_ / "threadscape" / "settings.json") << settings;
    Workspace& workspace = workspace_.emplace();
    restore_work(workspace, load_settings(workspace.log));
  }
  [[nodiscard]] bool is_logged(const std::string& text) const {
    for (const LogBook::Entry& entry : workspace_->log.entries())
      if (entry.text.find(text) != std::string::npos) return true;
    return false;
  }

  fs::path folder_ = fs::path(test_output_dir()) / ("settings-" + std::to_string(getpid()));
  std::string before_;
  std::optional<Workspace> workspace_;
};

TEST_F(SettingsTest, DrawnElementsAreNoMissingFiles) {
  start(
      R"({"algorithm": "morphology", "parameters": {"morphology": {"shape": "file", "element": "3x3:010/111/010"}}})");
  EXPECT_FALSE(is_logged("is gone"));
  for (const FieldRef& field : workspace_->work().params.fields()) {
    if (field.name != "element") continue;
    EXPECT_EQ(to_text(field), "3x3:010/111/010");
  }
}

TEST_F(SettingsTest, TheLowerPanelAndTheMarksOfAlgorithmsComeBack) {
  Settings before;
  before.look.lower_panel = true;
  before.marks = {.favourites = {"sobel"}, .recent = {"median", "sobel"}, .folded = {"Terrain"}};
  LogBook log;
  save_settings(before, log);
  const Settings after = load_settings(log);
  EXPECT_TRUE(after.look.lower_panel);
  EXPECT_EQ(after.marks.favourites, before.marks.favourites);
  EXPECT_EQ(after.marks.recent, before.marks.recent);
  EXPECT_EQ(after.marks.folded, before.marks.folded);
}

TEST_F(SettingsTest, NamesThatAreNoUtf8ComeBack) {
  const std::string name = "/pictures/caf\xe9 100%.png";
  Settings before{.picture = name};
  before.folder = "/pictures/\xff";
  before.recent = {name, "/pictures/50%25.png"};
  LogBook log;
  save_settings(before, log);
  const Settings after = load_settings(log);
  EXPECT_TRUE(log.entries().empty());
  EXPECT_EQ(after.picture, name);
  EXPECT_EQ(after.folder, before.folder);
  EXPECT_EQ(after.recent, before.recent);
}

TEST_F(SettingsTest, AListOfStepsIsRestored) {
  Settings settings;
  settings.algorithm = "sobel";
  settings.steps = steps_to_json(parse_steps("diamond_square n=5 | thermal_erosion iterations=7 | slope"));
  settings.step = 1;
  start(settings_text(settings));
  const StepList& list = workspace_->steps();
  ASSERT_EQ(list.steps().size(), 3u);
  EXPECT_EQ(list.chosen(), 1u);
  EXPECT_EQ(workspace_->algorithm().name, "thermal_erosion");
  EXPECT_EQ(to_text(list.steps()), "diamond_square n=5 | thermal_erosion iterations=7 | slope");
  // A program for which an algorithm is asked starts with that, without the list.
  choose_work(*workspace_, {.algorithm = "median"});
  EXPECT_TRUE(workspace_->steps().empty());
  EXPECT_EQ(workspace_->algorithm().name, "median");
}

TEST_F(SettingsTest, AListThatIsNoneIsLeftOut) {
  for (const char* steps : {"7", "[]", "[\"sobel\"]", "[{\"algorithm\": \"nosuch\"}, \"sobel\"]", "{\"a\": 1}"}) {
    SCOPED_TRACE(steps);
    start(R"({"algorithm": "mean", "step": -3, "steps": )" + std::string(steps) + "}");
    EXPECT_TRUE(workspace_->steps().empty());
    EXPECT_EQ(workspace_->algorithm().name, "mean");
  }
  EXPECT_TRUE(is_logged("the list of steps was left out"));
}

TEST_F(SettingsTest, MissingFilesAreReplacedByDefaults) {
  const struct {
    const char *algorithm, *parameter;
  } cases[] = {{"diamond_square", "seed_grid"},
               {"morphology", "element"},
               {"seam_carving", "protect"},
               {"seam_carving", "remove"}};
  for (const auto& [algorithm, parameter] : cases) {
    SCOPED_TRACE(std::string(algorithm) + " " + parameter);
    start(std::string("{\"algorithm\": \"") + algorithm + "\", \"parameters\": {\"" + algorithm + "\": {\"" +
          parameter + "\": \"/gone.png\"}}}");
    EXPECT_EQ(workspace_->algorithm().name, algorithm);
    EXPECT_EQ(workspace_->work().params, find_algorithm(algorithm).defaults());
    EXPECT_TRUE(is_logged("/gone.png"));
    EXPECT_TRUE(is_logged(parameter));
    EXPECT_EQ(workspace_->problem().find("/gone.png"), std::string::npos);
  }
}

TEST_F(SettingsTest, TheFirstSessionIsOnCudaWhereThereIsAGpu) {
  start("{}");
  const bool usable = workspace_->why_absent(Backend::cuda).empty();
  EXPECT_EQ(workspace_->work().backend, usable ? Backend::cuda : Backend::openmp);
  start("{\"backend\": \"serial\"}");
  EXPECT_EQ(workspace_->work().backend, Backend::serial);
}

TEST_F(SettingsTest, NumbersOutOfRangeAreNotUsed) {
  start("{\"threads\": 1000000}");
  EXPECT_EQ(workspace_->work().threads, max_threads());
  start("{\"width\": 1e300}");
  EXPECT_TRUE(is_logged("settings.json is damaged"));
  start("{\"threads\": 18446744073709551615}");
  EXPECT_TRUE(is_logged("settings.json is damaged"));
}

TEST_F(SettingsTest, DeeplyNestedSettingsAreDamaged) {
  start(std::string(400'000, '['));
  EXPECT_TRUE(is_logged("settings.json is damaged"));
  start("{\"parameters\": {\"convolution\": {\"mask\": " + std::string(400'000, '[') + std::string(400'000, ']') +
        "}}}");
  EXPECT_EQ(workspace_->algorithm().name, Workspace().algorithm().name);
}

}  // namespace
}  // namespace threadscape::app
