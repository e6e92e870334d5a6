// Tests of what the window tells the user: messages with their buttons, dialogs that stay open when
// their action has failed, the number of unread messages, and keys while a text is edited.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <fstream>

#include "app/scenes/image/image_scene.h"
#include "compute/io/volumes/volume_file.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class FeedbackTest : public TestedWindowTest {
 protected:
  /// Returns true if a message with this text in it is shown.
  [[nodiscard]] bool says(std::string_view text) {
    return std::ranges::any_of(tested_->window_.notices().texts(),
                               [text](const std::string& shown) { return shown.find(text) != std::string::npos; });
  }
  void write_16_bit() {
    HostArray grey(Shape::image(Element::u16, 1, 40, 30));
    io::save_picture(folder_.path() / "deep.png", grey.view(), io::FileColour::grey);
    tested_->frame({folder_.path() / "deep.png"});
    tested_->settle();
  }
  [[nodiscard]] FileBrowser& files() { return tested_->window_.files(); }
  void ask_save() {
    files().set_folder(folder_.path());
    tested_->press(ImGuiKey_S, ImGuiMod_Ctrl);
    for (int i = 0; i < 4; ++i)
      tested_->frame();
  }
  void wait_for_files() {
    tested_->frames_until([this] { return !tested_->live_.files().busy(); });
    tested_->frame();
  }
};

TEST_P(FeedbackTest, ASavedFileIsToldWithItsPath) {
  tested_->settle();
  tested_->window_.save_view(folder_.path() / "view.png");
  wait_for_files();
  const std::string path = (folder_.path() / "view.png").string();
  EXPECT_TRUE(says("saved " + path + ", ")) << "its size is told";
  const auto entries = tested_->workspace.log.entries();
  ASSERT_FALSE(entries.empty());
  ASSERT_EQ(entries.back().offers.size(), 1u);
  tested_->window_.accept(entries.back().offers.front());
  EXPECT_EQ(std::string(ImGui::GetClipboardText()), path);
  EXPECT_EQ(tested_->window_.notices().unread(), 0);  // Only warnings and errors have to be read.
}

TEST_P(FeedbackTest, MessagesUseTheWindowsOfEarlierOnes) {
  // ImGui keeps every window for ever, so that one for each message would fill the memory.
  const auto tell = [this](int number) {
    tested_->workspace.log.warning("message " + std::to_string(number));
    tested_->frame();
  };
  tested_->settle();
  for (int i = 0; i < 10; ++i)
    tell(i);
  EXPECT_EQ(tested_->window_.notices().texts(),
            (std::vector<std::string>{"message 6", "message 7", "message 8", "message 9"}));
  const int windows = ImGui::GetCurrentContext()->Windows.Size;
  for (int i = 10; i < 50; ++i)
    tell(i);
  EXPECT_EQ(tested_->window_.notices().texts(),
            (std::vector<std::string>{"message 46", "message 47", "message 48", "message 49"}));
  EXPECT_EQ(ImGui::GetCurrentContext()->Windows.Size, windows);
}

TEST_P(FeedbackTest, EnterAcceptsTheSuggestedName) {
  tested_->settle();
  ask_save();
  tested_->press(ImGuiKey_Enter);
  wait_for_files();
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "photo-convolution.png"));
  EXPECT_FALSE(files().is_open());
  // The dialog leaves the focus nowhere, so that no button of a toolbar shows its tip and the mouse works at once.
  tested_->frame();
  EXPECT_FALSE(ImGui::GetIO().NavVisible);
  EXPECT_EQ(ImGui::GetCurrentContext()->NavWindow, nullptr);
}

TEST_P(FeedbackTest, ADialogIsNotShownEmptyWhenItEnds) {
  tested_->settle();
  ask_save();
  // The amount of what is drawn of the dialog; 0 if it is not seen.
  const auto drawn = [] {
    const ImGuiWindow* dialog = ImGui::FindWindowByName("Save the result###files");
    return dialog != nullptr && dialog->Active && !dialog->Hidden ? dialog->DrawList->VtxBuffer.Size : 0;
  };
  const int whole = drawn();
  ASSERT_GT(whole, 0);
  int least = whole;
  tested_->after_frame = [&] {
    if (drawn() > 0) least = std::min(least, drawn());
  };
  tested_->press(ImGuiKey_Enter);
  wait_for_files();
  tested_->frame();
  EXPECT_EQ(drawn(), 0);
  EXPECT_GT(least, whole / 2);
}

TEST_P(FeedbackTest, AFileThatCannotBeWrittenKeepsTheDialogOpen) {
  tested_->settle();
  files().open(
      "Save the result", FileBrowser::Purpose::save_picture,
      [this](const std::filesystem::path& path) {
        tested_->live_.files().save(
            path, [] { throw EnvironmentError("the disk is full"); },
            [this, path](const std::string& trouble) { files().finish(path, trouble); });
        return FileBrowser::Progress::pending;
      },
      "x.png");
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  tested_->press_in_files("Save the result", "Save");
  wait_for_files();
  EXPECT_TRUE(files().is_open());
  EXPECT_EQ(files().trouble(), "the disk is full");
  EXPECT_FALSE(says("the disk is full"));  // The dialog says it.
  EXPECT_EQ(tested_->window_.notices().unread(), 1);
  tested_->press_in_files("Save the result", "Cancel");
  EXPECT_FALSE(files().is_open());
}

TEST_P(FeedbackTest, AnExtensionThatCannotBeWrittenIsRefusedWithAnotherName) {
  tested_->settle();
  files().set_folder(folder_.path());
  files().open(
      "Save the result", FileBrowser::Purpose::save_picture,
      [](const std::filesystem::path&) { return FileBrowser::Progress::done; }, "x.xyz");
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  tested_->press_in_files("Save the result", "Save");
  EXPECT_TRUE(files().is_open());
  EXPECT_NE(files().trouble().find("'.xyz'"), std::string::npos);
  EXPECT_NE(files().trouble().find(".png"), std::string::npos);
  tested_->press_in_files("Save the result", "Save as x.png");
  EXPECT_FALSE(files().is_open());
}

TEST_P(FeedbackTest, ADamagedFileKeepsTheOpenDialogOpen) {
  tested_->settle();
  std::ofstream(folder_.path() / "broken.png") << "no picture";
  files().set_folder(folder_.path());
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  tested_->frame();
  ImGui::ClearActiveID();  // The field with the name would write its own text back.
  files().choose("broken.png");
  tested_->press_in_files("Open a file", "Open");
  wait_for_files();
  EXPECT_TRUE(files().is_open());
  EXPECT_NE(files().trouble().find("broken.png"), std::string::npos);
  ImGui::ClearActiveID();
  files().choose("photo.png");
  tested_->press_in_files("Open a file", "Open");
  wait_for_files();
  EXPECT_FALSE(files().is_open());
}

TEST_P(FeedbackTest, OfAVolumeInTwoFilesTheHeaderIsListed) {
  for (const char* name : {"head.mhd", "head.raw", "alone.raw"})
    std::ofstream(folder_.path() / name) << "x";
  files().set_folder(folder_.path());
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  tested_->frame();
  EXPECT_EQ(files().names(), (std::vector<std::string>{"alone.raw", "head.mhd", "photo.png"}));
}

TEST_P(FeedbackTest, TheListedFolderOpensAsAVolume) {
  tested_->settle();
  const std::filesystem::path slices = folder_.path() / "slices";
  std::filesystem::create_directory(slices);
  for (const char* name : {"a.pgm", "b.pgm", "c.pgm"})
    std::ofstream(slices / name) << "P2\n2 2\n255\n1 2 3 4\n";
  // A file of DICOM is listed although it has no extension.
  std::ofstream(folder_.path() / "IM0001") << std::string(128, '\0') << "DICM";
  std::ofstream(folder_.path() / "notes") << std::string(200, 'x');
  files().set_folder(folder_.path());
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  tested_->frame();
  EXPECT_EQ(files().names(), (std::vector<std::string>{"slices", "IM0001", "photo.png"}));
  ImGui::ClearActiveID();  // The field with the name would write its own text back.
  files().choose("slices");
  tested_->press_in_files("Open a file", "Open");
  tested_->press_in_files("Open a file", "Open this folder");
  wait_for_files();
  EXPECT_FALSE(files().is_open()) << files().trouble();
  tested_->workspace.choose_algorithm(Workspace::volume_algorithm());
  ASSERT_NE(tested_->workspace.source(), nullptr);
  EXPECT_EQ(tested_->workspace.source()->path, slices);
  EXPECT_EQ(tested_->workspace.source()->picture.pixels.shape().depth, 3);
}

TEST_P(FeedbackTest, AVolumeIsReadAgainAsAttenuationAndWhatIsRefusedChangesNothing) {
  HostArray volume({Kind::volume, Element::f32, 1, 4, 4, 4});
  std::fill_n(reinterpret_cast<float*>(volume.data()), 64, 1000.0f);
  const auto file = folder_.path() / "head.mhd";
  io::save_volume(file, volume.view(), {.spacing = {1, 1, 1}});
  tested_->workspace.choose_algorithm(Workspace::volume_algorithm());
  tested_->workspace.load(file);
  tested_->frame();
  tested_->frame();
  ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
  ASSERT_NE(panel, nullptr);
  ImGui::FocusWindow(panel);
  tested_->frame();
  ImGui::ActivateItemByID(panel->GetID("##hounsfield"));
  const auto first_voxel = [this] {
    return *reinterpret_cast<const float*>(tested_->workspace.source()->picture.pixels.data());
  };
  ASSERT_FLOAT_EQ(first_voxel(), 1000.0f);
  tested_->frame();
  tested_->frames_until([&] { return first_voxel() != 1000.0f; });
  EXPECT_FLOAT_EQ(first_voxel(), 2 * 0.0206f) << "1000 Hounsfield units are twice the attenuation of water";
  // MetaImage does not state the axis of the patient.
  const io::VolumeReading before = tested_->workspace.volume_reading;
  FileToOpen refused = tested_->workspace.file_to_open(file);
  refused.options.volume.axis = io::VolumeAxis::of_patient;
  tested_->live_.files().open(std::move(refused));
  wait_for_files();
  EXPECT_EQ(tested_->workspace.volume_reading, before);
  EXPECT_FLOAT_EQ(first_voxel(), 2 * 0.0206f);
}

TEST_P(FeedbackTest, TheDifferenceSaysHowManyPixelsDiffer) {
  tested_->settle();
  tested_->press(ImGuiKey_D);
  tested_->settle();
  auto& scene = dynamic_cast<ImageScene&>(tested_->window_.scene());
  tested_->frames_until([&scene] { return scene.difference().has_value(); });
  EXPECT_EQ(scene.difference()->pixels, 96 * 64);
  EXPECT_EQ(scene.difference()->differing, 0);
}

TEST_P(FeedbackTest, ARefusedPictureIsShownInsteadOfTheOldResultAndItsValueIsMendedBelowTheField) {
  tested_->choose("seam_carving", {{"width", "300"}});
  const auto small = folder_.path() / "small.png";
  io::save_picture(small, HostArray(Shape::image(Element::u8, 4, 32, 24)).view(), io::FileColour::rgb);
  tested_->frame({small});
  wait_for_files();
  tested_->settle();
  EXPECT_NE(tested_->workspace.problem(), "");
  EXPECT_EQ(tested_->live_.source()->path, small);
  EXPECT_EQ(tested_->live_.output(), nullptr) << "the carved photo is still shown";
  EXPECT_EQ(tested_->live_.displayed(), nullptr);
  EXPECT_FALSE(tested_->window_.can_save());
  tested_->press(ImGuiKey_S, ImGuiMod_Ctrl);
  tested_->frame();
  EXPECT_TRUE(says("there is no result to save yet"));
  EXPECT_EQ(ImGui::FindWindowByName("Save the result###files"), nullptr);

  ASSERT_EQ(tested_->workspace.mends().size(), 1u);
  const Mend mend = tested_->workspace.mends().front();
  EXPECT_EQ(mend.field, "width");
  EXPECT_EQ(mend.standard, "0");
  ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
  ASSERT_NE(panel, nullptr);
  ImGui::FocusWindow(panel);
  tested_->frame();
  ImGui::ActivateItemByID(ImHashStr(mend.nearest.c_str(), 0, panel->GetID("width")));
  tested_->settle();
  EXPECT_EQ(tested_->parameter("width"), mend.nearest);
  EXPECT_EQ(tested_->workspace.problem(), "");
  ASSERT_NE(tested_->live_.output(), nullptr);
  EXPECT_EQ(tested_->live_.displayed_source()->path, small);
  // What is saved is what is shown, and is named after its own input.
  EXPECT_TRUE(tested_->window_.can_save());
  ask_save();
  tested_->press(ImGuiKey_Enter);
  wait_for_files();
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "photo-seam_carving.png"));
  const io::Loaded saved = io::load_picture(folder_.path() / "small-seam_carving.png");
  EXPECT_EQ(std::to_string(saved.pixels.shape().width), mend.nearest);
  tested_->workspace.set_parameter("width", std::to_string(std::stoi(mend.nearest) + 1));
  EXPECT_NE(tested_->workspace.problem(), "") << "a nearer value runs, too";
}

TEST_P(FeedbackTest, ANewUserSeesSeamsBeingRemoved) {
  tested_->window_.welcome();
  tested_->workspace.choose_algorithm(find_algorithm("seam_carving"));
  // The frame that shows the result begins to play it. On a busy machine the next one may be the last.
  bool plays = false;
  tested_->frames_until([&] {
    const bool chosen = tested_->parameter("width") == "72";  // 75 % of 96
    plays |= chosen && tested_->window_.scene().animating();
    return chosen && tested_->live_.settled(tested_->workspace);
  });
  EXPECT_TRUE(plays);
  tested_->choose("seam_carving", {{"width", "0"}});
  tested_->settle();
  EXPECT_EQ(tested_->parameter("width"), "0");  // It is shown once.
}

TEST_P(FeedbackTest, ThePhasesOfASeamLeaveTheTimesOfTheRun) {
  tested_->choose("seam_carving", {{"width", "60"}});
  const TimingBook& book = tested_->workspace.timings;
  ASSERT_NE(book.latest(), nullptr);
  const std::uint64_t run = book.latest()->run;
  for (const ImGuiKey key : {ImGuiKey_H, ImGuiKey_Period, ImGuiKey_Period}) {
    const ParamBox before = tested_->live_.shown()->params;
    tested_->press(key);
    tested_->settle();
    EXPECT_NE(tested_->live_.shown()->params, before) << "another phase is computed";
    EXPECT_EQ(book.latest()->run, run) << "and is no time of the run";
  }
  // What is compared is the run, and the phase is back afterwards.
  const ParamBox phase = tested_->live_.shown()->params;
  tested_->press(ImGuiKey_M);
  tested_->frames_until([this] { return !tested_->live_.comparing(); });
  tested_->settle();
  EXPECT_EQ(tested_->live_.shown()->params, phase);
  EXPECT_GE(book.statistics(Backend::serial).size(), 12U);
  const std::uint64_t compared = book.latest()->run;
  tested_->press(ImGuiKey_R);
  tested_->settle();
  EXPECT_GT(book.latest()->run, compared);
  EXPECT_GE(book.statistics(Backend::serial).size(), 12U) << "the run of the picture is the one that was compared";
}

TEST_P(FeedbackTest, AnErrorIsShownAndCountedUntilTheLogIsRead) {
  tested_->settle();
  tested_->frame({folder_.path() / "missing.png"});
  wait_for_files();
  EXPECT_TRUE(says("missing.png"));
  EXPECT_EQ(tested_->window_.notices().unread(), 1);
  tested_->window_.show_panel("log");
  tested_->settle();
  EXPECT_EQ(tested_->window_.notices().unread(), 0);
}

TEST_P(FeedbackTest, MessagesLeaveThePictureFree) {
  tested_->settle();
  const auto& [low, high] = tested_->window_.picture();
  const auto plates = [] {
    const ImGuiWindow* window = ImGui::FindWindowByName("##notices");
    return window != nullptr && window->WasActive ? window : nullptr;
  };
  tested_->workspace.log.info("a fact", {{Offer::Action::copy_text, "Copy path", "/x"}});
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  EXPECT_TRUE(says("a fact"));
  EXPECT_EQ(plates(), nullptr) << "the status line says it";
  tested_->workspace.log.warning("something is wrong");
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  ASSERT_NE(plates(), nullptr);
  EXPECT_GE(plates()->Pos.x, high.x);
  // A picture alone has no status line and nothing beside it.
  tested_->press(ImGuiKey_Tab);
  for (int i = 0; i < 4; ++i)
    tested_->frame();
  ASSERT_NE(plates(), nullptr);
  EXPECT_LT(plates()->Pos.y, (low.y + high.y) / 2);
}

TEST_P(FeedbackTest, WhatOneSeesIsNoMessage) {
  tested_->settle();
  tested_->frame({folder_.path() / "photo.png"});
  wait_for_files();
  EXPECT_TRUE(tested_->window_.notices().texts().empty());
}

TEST_P(FeedbackTest, DetailsAreInTheLogOnly) {
  tested_->workspace.log.detail("a fact");
  tested_->frame();
  EXPECT_FALSE(says("a fact"));
}

TEST_P(FeedbackTest, APictureKeepsItsTypeOfNumbers) {
  tested_->choose("sobel", {});
  write_16_bit();
  EXPECT_EQ(tested_->workspace.problem(), "");
  EXPECT_EQ(tested_->live_.output()->shape().element, Element::u16);
  EXPECT_EQ(std::ranges::count(tested_->window_.result_extensions(), ".png"), 1);
  tested_->live_.files().convert(tested_->workspace.picture(), Element::f32);
  wait_for_files();
  tested_->settle();
  EXPECT_EQ(tested_->live_.output()->shape().element, Element::f32);
  // A float result is not offered as PNG, which could not hold it.
  EXPECT_EQ(std::ranges::count(tested_->window_.result_extensions(), ".png"), 0);
  EXPECT_FALSE(tested_->window_.result_extensions().empty());
}

TEST_P(FeedbackTest, APictureThatTheAlgorithmDoesNotTakeOffersOneThatDoes) {
  tested_->choose("diamond_square", {{"n", "4"}});
  tested_->frame({folder_.path() / "photo.png"});
  tested_->settle();
  EXPECT_TRUE(says("photo.png"));
  const auto entries = tested_->workspace.log.entries();
  ASSERT_EQ(entries.back().offers.size(), 1u);
  tested_->window_.accept(entries.back().offers.front());
  tested_->settle();
  EXPECT_EQ(tested_->workspace.algorithm().name, "convolution");
  EXPECT_EQ(tested_->live_.output()->shape().width, 96);
}

TEST_P(FeedbackTest, KeysOfFilesHoldWhileATextIsEdited) {
  tested_->settle();
  ImGuiWindow* panel = ImGui::FindWindowByName("Algorithms###algorithms");
  ASSERT_NE(panel, nullptr);
  ImGui::FocusWindow(panel);
  ImGui::ActivateItemByID(panel->GetID("##search"));
  for (int i = 0; i < 6; ++i)
    tested_->frame();
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  EXPECT_FALSE(tested_->window_.needs_redraw());  // A text that waits for keys costs no frames.
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  EXPECT_TRUE(files().is_open());
  tested_->press(ImGuiKey_Q, ImGuiMod_Ctrl);
  EXPECT_TRUE(tested_->window_.quit_requested());
}

TEST_P(FeedbackTest, EnterBehindASearchChoosesWhatIsFound) {
  tested_->settle();
  ImGuiWindow* panel = ImGui::FindWindowByName("Algorithms###algorithms");
  ASSERT_NE(panel, nullptr);
  const auto search = [&](const char* text) {
    ImGui::FocusWindow(panel);
    ImGui::ActivateItemByID(panel->GetID("##search"));
    for (int i = 0; i < 3; ++i)
      tested_->frame();
    ImGui::GetIO().AddInputCharactersUTF8(text);
    tested_->frame();
    tested_->press(ImGuiKey_Enter);
    return std::string(tested_->workspace.algorithm().name);
  };
  EXPECT_EQ(search("sob"), "sobel");
  EXPECT_EQ(search("views of a scanner"), "projection") << "found by its summary";
  EXPECT_EQ(search("nothing has this name"), "projection");
}

TEST_P(FeedbackTest, ADoubleClickTypesIntoASlider) {
  tested_->choose("bilateral", {});
  ImGuiWindow* panel = ImGui::FindWindowByName("Parameters###parameters");
  ASSERT_NE(panel, nullptr);
  const std::string before = tested_->parameter("sigma_space");
  const auto item = tested_->place_of_field("sigma_space");
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(item.x, item.y);
  tested_->frame();
  for (int click = 0; click < 2; ++click) {
    io.AddMouseButtonEvent(0, true);
    tested_->frame();
    io.AddMouseButtonEvent(0, false);
    tested_->frame();
  }
  tested_->frame();
  EXPECT_TRUE(io.WantTextInput);
  EXPECT_EQ(tested_->parameter("sigma_space"), before);
  io.AddInputCharacter('3');
  tested_->frame();
  tested_->press(ImGuiKey_Enter);
  tested_->frame();
  EXPECT_EQ(tested_->parameter("sigma_space"), "3");
}

INSTANTIATE_TEST_SUITE_P(Platforms, FeedbackTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
