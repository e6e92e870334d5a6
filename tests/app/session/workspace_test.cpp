// Tests of the answers of the workspace, and that asking changes nothing.

#include "app/session/workspace.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "compute/algorithms/sequences/sorting/sorting.h"
#include "compute/io/volumes/volume_file.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/test_paths.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class WorkspaceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_.choose_algorithm(find_algorithm("sorting"));
    set_count(100);
    workspace_.make_input();
    ASSERT_NE(workspace_.source(), nullptr);
  }
  void set_count(int count) { workspace_.set_parameter("count", std::to_string(count)); }
  [[nodiscard]] const Workspace& reader() const { return workspace_; }

  Workspace workspace_;
};

/// The file decides the size of the terrain, so every question about the result meets it.
TEST_F(WorkspaceTest, AParameterThatNamesAMissingFileIsAProblemAndNoException) {
  workspace_.choose_algorithm(find_algorithm("diamond_square"));
  workspace_.set_parameter("seed_grid", "/gone.png");
  workspace_.refresh();
  EXPECT_NE(reader().problem().find("/gone.png"), std::string::npos) << reader().problem();
  EXPECT_TRUE(reader().intermediates().empty());
  EXPECT_NO_THROW((void)reader().shown_intermediate());
  EXPECT_NO_THROW((void)reader().wanted());
  workspace_.set_parameter("seed_grid", "");
  workspace_.refresh();
  EXPECT_EQ(reader().problem(), "");
  EXPECT_FALSE(reader().intermediates().empty());
}

TEST_F(WorkspaceTest, AFileIsOpenedWhateverTheParametersAre) {
  workspace_.choose_algorithm(find_algorithm("reconstruction"));
  workspace_.set_parameter("source_distance", "10");  // The source would be inside of the volume.
  workspace_.refresh();
  EXPECT_NE(reader().problem().find("the source is inside"), std::string::npos) << reader().problem();
  EXPECT_EQ(reader().file_to_open("views.mhd").as.kind, Kind::volume);
}

TEST_F(WorkspaceTest, OtherParametersNeedAnotherInput) {
  const Work before = reader().wanted();
  set_count(200);
  const Work other = reader().wanted();
  EXPECT_NE(other.source_id, before.source_id);
  EXPECT_TRUE(reader().lacks_input());
  EXPECT_EQ(reader().source(), nullptr);
  EXPECT_EQ(reader().input_shape().width, 200);
  EXPECT_EQ(reader().wanted(), other);
}

TEST_F(WorkspaceTest, AnEditThatFailsChangesNothing) {
  const Work before = reader().wanted();
  const auto edit = [](ParamBox& params) {
    params.assign("count", "200");
    params.assign("count", "many");
  };
  EXPECT_THROW(workspace_.edit_parameters(edit), UsageError);
  EXPECT_EQ(reader().wanted(), before);
}

TEST_F(WorkspaceTest, RefreshingReservesTheIdThatReadingReturned) {
  set_count(200);
  const Work told = reader().wanted();
  workspace_.refresh();
  EXPECT_EQ(reader().wanted(), told);
  // A source from a file takes no id of those that are reserved for made inputs.
  workspace_.set_source("photo", threadscape::testing::test_photo());
  EXPECT_EQ(reader().wanted(), told);
  workspace_.take_input(told, told.make_input());
  EXPECT_EQ(reader().wanted(), told);
  ASSERT_NE(reader().source(), nullptr);
  EXPECT_EQ(reader().source()->id, told.source_id);
}

TEST_F(WorkspaceTest, AProblemIsThatOfTheCurrentParameters) {
  workspace_.set_source("photo", threadscape::testing::test_photo());
  workspace_.choose_algorithm(find_algorithm("morphology"));
  workspace_.refresh();
  EXPECT_EQ(reader().problem(), "");
  workspace_.set_parameter("shape", "file");
  workspace_.set_parameter("element", "/nowhere/element.pgm");
  EXPECT_NE(reader().problem(), "");
  workspace_.refresh();
  EXPECT_NE(reader().problem(), "");
  workspace_.set_parameters(reader().algorithm().defaults());
  EXPECT_EQ(reader().problem(), "");
}

TEST_F(WorkspaceTest, ARefusedInputIsAProblemUntilItMayBeTriedAgain) {
  set_count(200);
  workspace_.refresh();
  workspace_.refuse_input(reader().wanted(), "there are no such numbers");
  EXPECT_EQ(reader().problem(), "there are no such numbers");
  EXPECT_FALSE(reader().lacks_input());
  workspace_.check_again();
  EXPECT_EQ(reader().problem(), "");
  EXPECT_TRUE(reader().lacks_input());
}

TEST_F(WorkspaceTest, AnInputMadeForOtherParametersIsNotUsed) {
  set_count(200);
  workspace_.refresh();
  const Work outdated = reader().wanted();
  set_count(300);
  workspace_.refresh();
  EXPECT_NE(workspace_.take_input(outdated, outdated.make_input()), nullptr);
  EXPECT_EQ(reader().source(), nullptr);
  EXPECT_TRUE(reader().lacks_input());
}

TEST_F(WorkspaceTest, AFileReplacesTheMadeInputUntilItIsClosed) {
  const Work own = reader().wanted();
  Sorting::Params seven;
  seven.count = 7;
  workspace_.set_source("seven.raw", {Sorting::make_input(seven, 1)});
  EXPECT_EQ(reader().input_shape().width, 7);
  EXPECT_TRUE(reader().can_close());
  workspace_.close();
  EXPECT_FALSE(reader().can_close());
  EXPECT_EQ(reader().wanted(), own);
  EXPECT_NE(reader().source(), nullptr);
}

/// Any algorithm may be chosen when a volume is opened or dropped. Its spacing waits for the algorithm that shows it.
TEST_F(WorkspaceTest, AVolumeOpensWhicheverAlgorithmIsChosenAndOffersOneThatShowsIt) {
  HostArray volume({Kind::volume, Element::f32, 1, 4, 3, 2});
  const fs::path folder = fs::path(test_output_dir()) / "WorkspaceTest.AVolumeOpens";
  fs::create_directories(folder);
  io::save_volume(folder / "head.nii", volume.view(), {.spacing = {0.5, 2.5, 0.75}});
  for (const char* name : {"sorting", "sobel"}) {
    workspace_.choose_algorithm(find_algorithm(name));
    workspace_.load(folder / "head.nii");
    const AlgorithmInfo& shows = Workspace::volume_algorithm();
    EXPECT_EQ(shows.name, "projection");
    EXPECT_EQ(workspace_.algorithm().name, name);
    const auto entries = workspace_.log.entries();
    ASSERT_EQ(entries.back().offers.size(), 1U);
    EXPECT_EQ(entries.back().offers[0].text, shows.name);
    workspace_.choose_algorithm(shows);
    ASSERT_NE(workspace_.source(), nullptr);
    EXPECT_EQ(workspace_.source()->path, folder / "head.nii");
    const std::string params = to_json(workspace_.work().params);
    EXPECT_NE(params.find("\"voxel_size_y\": 2.5"), std::string::npos) << params;
  }
}

TEST_F(WorkspaceTest, VolumesAreReadAsTheLastOneWas) {
  HostArray volume({Kind::volume, Element::f32, 1, 4, 3, 2});
  const fs::path folder = fs::path(test_output_dir()) / "WorkspaceTest.VolumesAreRead";
  fs::create_directories(folder);
  io::save_volume(folder / "head.nii", volume.view(), {.spacing = {1, 1, 1}});
  workspace_.choose_algorithm(Workspace::volume_algorithm());
  workspace_.load(folder / "head.nii");
  const Shape usual = reader().source()->picture.pixels.shape();
  const io::VolumeReading wanted{.axis = io::VolumeAxis::first, .water = 0.02};
  workspace_.load(folder / "head.nii", {.volume = wanted});
  EXPECT_EQ(reader().source()->picture.reading, wanted);
  EXPECT_NE(reader().source()->picture.pixels.shape(), usual);
  workspace_.load(folder / "head.nii");
  EXPECT_EQ(reader().source()->picture.reading, wanted);
}

TEST_F(WorkspaceTest, ParametersAndVariantsAreKeptWhileOthersAreChosen) {
  workspace_.choose_backend(Backend::cuda);
  workspace_.choose_variant(1);
  const Work before = reader().work();
  workspace_.choose_backend(Backend::serial);
  workspace_.choose_algorithm(find_algorithm("convolution"));
  workspace_.choose_algorithm(find_algorithm("sorting"));
  workspace_.choose_backend(Backend::cuda);
  EXPECT_EQ(reader().work(), before);
}

}  // namespace
}  // namespace threadscape::app
