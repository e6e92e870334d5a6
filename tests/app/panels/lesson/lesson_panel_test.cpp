// A lesson in the window: what is opened, answered, checked, kept, and shown as slides.

#include "app/panels/lesson/lesson_panel.h"

#include <algorithm>

#include "app/lesson/lesson_grade.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"
#include "compute/warp/nvrtc.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_page = R"(# Edges

```lesson
title: A lesson for tests
summary: Nothing.
```

A *first* text with `code`, **words** and a list:

- one
- two

```state
algorithm: sobel
backend: serial
scene: image
show: input
caption: Edges.
```
```question
name: sum
ask: How much is 3 + 4?
number: 7
why: Count.
```
```hint
text: More than 6.
```

## Another part

| a | b |
|---|---|
| 1 | `c` |

```question
name: colour
ask: Which colour?
choice: red
choice: blue
right: 2
```
)";

constexpr std::string_view second_page = "# Two\n\nThe end.\n";

constexpr std::string_view lab_page = R"(# Measured

```lesson
title: Another lesson for tests
summary: Nothing.
```

```sweep
sketch: blur.cu
figure: global_load_sectors per values
over: radius = 1, 2, 4
caption: More pixels, more sectors.
```
```report
file: times.json
table: yes
caption: Times of a Sobel filter.
```
)";

constexpr std::string_view times = R"({"version": 2,
  "environment": {"cpu": {"model": "A processor", "logical_cores": 4}},
  "copy_limit": {"host": []},
  "results": [
    {"algorithm": "sobel", "backend": "serial", "variant": "default", "threads": 1,
     "input": {"kind": "image", "element": "u8", "channels": 1, "width": 64, "height": 64, "depth": 1},
     "output": {"kind": "image", "element": "u8", "channels": 1, "width": 64, "height": 64, "depth": 1},
     "params": {"norm": "l1"}, "compute_ms": {"samples": [1.0, 1.1, 1.2]}},
    {"algorithm": "sobel", "backend": "serial", "variant": "default", "threads": 1,
     "input": {"kind": "image", "element": "u8", "channels": 1, "width": 128, "height": 128, "depth": 1},
     "output": {"kind": "image", "element": "u8", "channels": 1, "width": 128, "height": 128, "depth": 1},
     "params": {"norm": "l1"}, "compute_ms": {"samples": [4.0, 4.1, 4.2]}}]}
)";

/// A ZIP archive of files that are not compressed.
std::string stored_zip(const std::vector<std::pair<std::string, std::string>>& files) {
  const auto number = [](std::size_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
      text += static_cast<char>(value >> (8 * i) & 255);
    return text;
  };
  std::string archive, directory;
  for (const auto& [name, content] : files) {
    // Version, flags, method, time, date and checksum are not read.
    const std::string sizes = number(content.size(), 4) + number(content.size(), 4) + number(name.size(), 2);
    const std::size_t local = archive.size();
    archive += "PK\3\4" + number(0, 14) + sizes + number(0, 2) + name + content;
    directory += "PK\1\2" + number(0, 16) + sizes + number(0, 12) + number(local, 4) + name;
  }
  const std::string end = number(files.size(), 2) + number(files.size(), 2) + number(directory.size(), 4) +
                          number(archive.size(), 4) + number(0, 2);
  return archive + directory + "PK\5\6" + number(0, 4) + end;
}

class LessonPanelTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (!tested_) return;
    lesson_ = folder_.path() / "own_lesson";
    fs::create_directory(lesson_);
    io::save_bytes(lesson_ / "1.md", first_page);
    io::save_bytes(lesson_ / "2.md", second_page);
    tested_->settle();
    session().keep_in(folder_.path() / "learner");
  }
  [[nodiscard]] LessonSession& session() { return tested_->window_.lesson(); }
  void open(const fs::path& folder) {
    tested_->window_.open(folder);
    ASSERT_TRUE(session().is_open());
    tested_->settle();
  }
  /// The windows of ImGui that were drawn last and whose own names begin with this, from top to bottom.
  [[nodiscard]] static std::vector<ImGuiWindow*> windows(std::string_view name) {
    std::vector<ImGuiWindow*> found;
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && fs::path(window->Name).filename().string().starts_with(name)) found.push_back(window);
    std::ranges::sort(found, {}, [](const ImGuiWindow* window) { return window->Pos.y; });
    return found;
  }
  /// Presses a button of the block with this rank, as Tab and Enter would.
  void press(std::size_t block, const char* button) {
    const auto cards = windows("card_");
    ASSERT_LT(block, cards.size());
    ImGui::ActivateItemByID(cards[block]->GetID(button));
    tested_->frame();
    tested_->frame();
  }
  void type(std::size_t block, std::string_view text) {
    press(block, "##answer");
    for (const char c : text)
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
    tested_->frame();
    tested_->press(ImGuiKey_Enter);
    tested_->frame();
  }

  fs::path lesson_;
};

TEST_P(LessonPanelTest, OpeningRunsNothingAndButtonsShowStates) {
  open(lesson_);
  EXPECT_EQ(tested_->workspace.algorithm().name, "convolution");
  EXPECT_FALSE(session().working());
  EXPECT_FALSE(fs::exists(folder_.path() / "learner")) << "nothing was done yet";
  press(0, "Show");
  tested_->settle();
  EXPECT_EQ(tested_->workspace.algorithm().name, "sobel");
  EXPECT_EQ(tested_->workspace.work().backend, Backend::serial);
  EXPECT_EQ(tested_->window_.scene().shown(),
            find_show(tested_->window_.scenes().type_for(tested_->workspace.algorithm()), "input"));
}

TEST_P(LessonPanelTest, MeasurementsAreDrawnAndSweepsOpenInTheLab) {
  const fs::path measured = folder_.path() / "measured";
  fs::create_directory(measured);
  io::save_bytes(measured / "1.md", lab_page);
  io::save_bytes(measured / "times.json", times);
  open(measured);
  const BlockPlace report{0, 2};
  ASSERT_TRUE(std::holds_alternative<LessonReport>(session().lesson().pages[0].blocks[report.block]));
  tested_->frames_until([this] { return !session().working(); });
  const BlockFigures* const found = session().figures(report);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->trouble, "");
  ASSERT_EQ(found->charts.size(), 1u);
  EXPECT_EQ(found->charts.front().lines.front().y, (std::vector<double>{1.1, 4.1}));
  EXPECT_EQ(found->table.size(), 3u);
  EXPECT_EQ(found->machines, "Measured on A processor (4 threads).");

  // The window of this test has no lab, which would take what is wanted.
  press(0, "Open in Lab");
  EXPECT_TRUE(std::string_view(tested_->workspace.algorithm().name).find("blur") != std::string_view::npos)
      << tested_->workspace.algorithm().name;
  const std::optional<WantedSweep> wanted = tested_->window_.take_wanted_sweep();
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted->vary, "params.radius");
  EXPECT_EQ(wanted->values, "1,2,4");
  EXPECT_FALSE(tested_->window_.take_wanted_sweep());
}

TEST_P(LessonPanelTest, AnswersAreJudgedAndKept) {
  open(lesson_);
  type(1, "8");
  EXPECT_EQ(session().answered(0).answer, "8");
  EXPECT_FALSE(session().answered(0).right);
  EXPECT_EQ(session().answered(0).failed, 1);
  EXPECT_EQ(session().done_on(0).done, 0);
  type(1, "7");
  EXPECT_TRUE(session().answered(0).right) << session().answered(0).answer;
  EXPECT_EQ(session().answered(0).failed, 1);
  // A choice is made before it is judged.
  const auto cards = windows("card_");
  ASSERT_EQ(cards.size(), 3u);
  ImGui::ActivateItemByID(ImHashStr("##choice", 0, cards[2]->GetID(1)));
  tested_->frame();
  tested_->frame();
  EXPECT_EQ(session().answered(1).answer, "");
  press(2, "Answer");
  EXPECT_TRUE(session().answered(1).right) << session().answered(1).answer;
  EXPECT_EQ(session().done_on(0).done, 2);
  EXPECT_EQ(session().done_on(0).all, 2);
  session().go_to(1);
  session().close();
  tested_->settle();
  EXPECT_TRUE(windows("card_").empty());

  open(lesson_);
  EXPECT_EQ(session().page(), 1u) << "it goes on where it was";
  EXPECT_TRUE(session().answered(0).right);
  EXPECT_EQ(session().answered(0).failed, 1);
  session().begin_again();
  EXPECT_EQ(session().page(), 0u);
  session().close();
  open(lesson_);
  EXPECT_FALSE(session().answered(0).right);
}

TEST_P(LessonPanelTest, ADamagedFileOfProgressIsSetAside) {
  open(lesson_);
  session().answer(0, "7");
  const fs::path own = folder_.path() / "learner" / learner_folder_name(session().lesson());
  ASSERT_TRUE(fs::exists(own / "progress.json"));
  io::save_bytes(own / "progress.json", std::string_view("{"));
  const std::size_t before = tested_->workspace.log.entries().size();
  open(lesson_);
  EXPECT_FALSE(session().answered(0).right);
  ASSERT_EQ(tested_->workspace.log.entries().size(), before + 1);
  EXPECT_NE(tested_->workspace.log.entries().back().text.find("set aside"), std::string::npos);
  EXPECT_TRUE(fs::exists(own / "progress.json.damaged"));
}

TEST_P(LessonPanelTest, FoldersWithoutALessonAreNoLessons) {
  fs::remove(lesson_ / "1.md");
  EXPECT_FALSE(is_lesson(lesson_));
  EXPECT_FALSE(is_lesson(folder_.path()));
  EXPECT_FALSE(is_lesson(lesson_ / "2.md"));
  io::save_bytes(lesson_ / "1.md", std::string_view("# Edges\n\n```lesson\ntitle: a\n```\n"));
  EXPECT_TRUE(is_lesson(lesson_));
  tested_->window_.open(lesson_);
  EXPECT_FALSE(session().is_open());
  EXPECT_NE(tested_->workspace.log.entries().back().text.find("1.md:3"), std::string::npos)
      << tested_->workspace.log.entries().back().text;
}

TEST_P(LessonPanelTest, ArchivesAreLessons) {
  const fs::path archive = folder_.path() / "packed.lesson";
  io::save_bytes(archive, stored_zip({{"own_lesson/1.md", std::string(first_page)},
                                      {"own_lesson/2.md", std::string(second_page)}}));
  open(archive);
  EXPECT_EQ(session().lesson().name, "packed");
  EXPECT_EQ(session().lesson().pages.size(), 2u);
  session().answer(0, "7");
  session().close();
  // The progress stays when the lesson is corrected, and pages that it has no more are gone.
  io::save_bytes(archive, stored_zip({{"1.md", std::string(first_page)}}));
  open(archive);
  EXPECT_EQ(session().lesson().pages.size(), 1u);
  EXPECT_TRUE(session().answered(0).right);
  session().close();
  for (const std::string& damaged : {std::string("no archive"), stored_zip({{"a/1.md", "a"}, {"b/1.md", "b"}})}) {
    io::save_bytes(archive, damaged);
    const std::size_t before = tested_->workspace.log.entries().size();
    tested_->window_.open(archive);
    EXPECT_FALSE(session().is_open());
    EXPECT_EQ(tested_->workspace.log.entries().size(), before + 1);
  }
}

TEST_P(LessonPanelTest, ArrowsTurnSlides) {
  open(lesson_);
  tested_->press(ImGuiKey_F11);
  tested_->settle();
  const auto slide = windows("slide_");
  ASSERT_EQ(slide.size(), 1u);
  EXPECT_GT(slide[0]->Size.x, ImGui::GetMainViewport()->Size.x / 2);
  const auto blocks = [&] { return windows("card_").size(); };
  EXPECT_EQ(blocks(), 2u) << "up to the next heading";
  // A slide that is higher than the screen is passed in steps.
  const auto turn_until = [&](ImGuiKey key, const auto& there) {
    for (int i = 0; i < 20 && !there(); ++i) {
      tested_->press(key);
      tested_->frame();
    }
    return there();
  };
  EXPECT_TRUE(turn_until(ImGuiKey_RightArrow, [&] { return blocks() == 1; }));
  EXPECT_EQ(session().page(), 0u);
  EXPECT_TRUE(turn_until(ImGuiKey_PageDown, [&] { return session().page() == 1; }));
  tested_->press(ImGuiKey_RightArrow);
  EXPECT_EQ(session().page(), 1u) << "there is no other";
  tested_->press(ImGuiKey_LeftArrow);
  tested_->frame();
  EXPECT_EQ(session().page(), 0u);
  EXPECT_EQ(blocks(), 1u) << "the last slide of the page before";
  EXPECT_TRUE(turn_until(ImGuiKey_LeftArrow, [&] { return blocks() == 2; }));
  tested_->press(ImGuiKey_Escape);
  tested_->settle();
  EXPECT_TRUE(windows("slide_").empty());
  EXPECT_EQ(blocks(), 3u);
}

/// The first lesson of the program, as a learner does it.
class FirstLessonTest : public LessonPanelTest {
 protected:
  void SetUp() override {
    LessonPanelTest::SetUp();
    if (!tested_ || IsSkipped()) return;
    if (!warp::Nvrtc().opened() && warp::toolkit_program("nvcc").empty()) GTEST_SKIP() << warp::nvrtc_cure;
    open(lesson_folder("first_kernel"));
  }
  [[nodiscard]] std::size_t exercise(std::string_view name) {
    const auto& all = session().lesson().exercises;
    return static_cast<std::size_t>(std::ranges::find(all, name, &LessonExercise::name) - all.begin());
  }
  void check(std::size_t index) {
    session().check(index);
    EXPECT_TRUE(session().is_checking(index));
    tested_->frames_until([this] { return !session().working(); });
  }
};

TEST_P(FirstLessonTest, IsWalked) {
  const std::size_t blur = exercise("blur");
  ASSERT_LT(blur, session().lesson().exercises.size());
  session().go_to(1);
  tested_->settle();
  const fs::path own = session().own_file(blur);
  EXPECT_FALSE(fs::exists(own));
  press(0, "Open the sketch");
  tested_->settle();
  ASSERT_TRUE(tested_->window_.sketch().is_open());
  EXPECT_EQ(tested_->window_.sketch().file(), own);
  EXPECT_TRUE(tested_->window_.sketch().tries().empty()) << "opening runs nothing";
  EXPECT_EQ(session().exercise_of(own), blur);

  // The sketch to begin with is not right yet.
  check(blur);
  ASSERT_FALSE(session().exercised(blur).marks.empty()) << session().check_trouble(blur);
  EXPECT_FALSE(session().exercised(blur).marks[0].passed);
  EXPECT_EQ(session().exercised(blur).failed, 1);
  EXPECT_FALSE(session().exercised(blur).passed);

  // What is written in the page Code is what its button checks.
  const fs::path solution = lesson_file(session().lesson(), session().lesson().exercises[blur].solution->file);
  const std::vector<std::byte> bytes = io::load_bytes(solution, io::Limit::file_bytes);
  tested_->window_.sketch().text().assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  tested_->frame();
  const auto code = windows("Code###code");
  ASSERT_EQ(code.size(), 1u) << "the editor is beside the task";
  ImGui::ActivateItemByID(code[0]->GetID("Check"));
  tested_->frame();
  tested_->frame();
  EXPECT_FALSE(tested_->window_.sketch().changed()) << "it was saved";
  tested_->frames_until([this] { return !session().working(); });
  for (const Mark& mark : session().exercised(blur).marks)
    EXPECT_TRUE(mark.passed) << mark.name << ": " << mark.found;
  EXPECT_TRUE(session().exercised(blur).passed);
  EXPECT_EQ(session().exercised(blur).failed, 1);
  tested_->settle();
  EXPECT_EQ(windows("page_").size(), 1u) << "the conditions are seen";

  // A later session knows it.
  session().answer(0, "7168");
  session().close();
  open(lesson_folder("first_kernel"));
  EXPECT_EQ(session().page(), 1u);
  EXPECT_TRUE(session().exercised(blur).passed);
  EXPECT_TRUE(fs::exists(own));
  // The folder of the learner is a submission: the exercise with its two conditions, and one answer, are right.
  const LessonGrade grade = grade_lesson(session().lesson(), {own.parent_path()}, {}, {});
  ASSERT_EQ(grade.submissions.size(), 1u);
  EXPECT_EQ(grade.submissions[0].points(), 1 + static_cast<int>(session().exercised(blur).marks.size()));
}

TEST_P(FirstLessonTest, StatesOfFloatsAreShownInTheirRange) {
  open(lesson_folder("siddon"));
  press(0, "Show");
  tested_->settle();
  const SceneType& scene = tested_->window_.scenes().type_for(tested_->workspace.algorithm());
  ASSERT_EQ(scene.name, "image");
  EXPECT_NE(to_json(*tested_->window_.scenes().scene(scene).settings()).find("\"auto_exposure\": true"),
            std::string::npos)
      << to_json(*tested_->window_.scenes().scene(scene).settings());
}

TEST_P(FirstLessonTest, ItsEndLeadsToWhatIsLeftAndToTheNextLesson) {
  session().go_to(session().lesson().pages.size() - 1);
  tested_->settle();
  const auto pages = windows("page_");
  ASSERT_EQ(pages.size(), 1u);
  const auto press_below = [&](const char* label) {
    ImGui::ActivateItemByID(windows("page_").front()->GetID(label));
    tested_->frame();
    tested_->settle();
  };
  press_below("1  Many small threads   0 of 2");
  EXPECT_EQ(session().page(), 0u);
  session().go_to(session().lesson().pages.size() - 1);
  tested_->settle();
  press_below("Next lesson: Coalescing");
  EXPECT_EQ(session().lesson().name, "coalescing");
}

TEST_P(FirstLessonTest, CountsComeFromTheOtherThread) {
  const std::vector<LessonBlock>& blocks = session().lesson().pages[0].blocks;
  const auto counts = std::ranges::find_if(
      blocks, [](const LessonBlock& block) { return std::holds_alternative<LessonCounts>(block); });
  ASSERT_NE(counts, blocks.end());
  const BlockPlace place{0, static_cast<std::size_t>(counts - blocks.begin())};
  EXPECT_EQ(session().figures(place), nullptr);
  session().compute(place);
  EXPECT_TRUE(session().is_computing(place));
  tested_->frames_until([this] { return !session().working(); });
  ASSERT_NE(session().figures(place), nullptr);
  EXPECT_EQ(session().figures(place)->trouble, "");
  EXPECT_EQ(session().figures(place)->table, count_table(session().lesson(), std::get<LessonCounts>(*counts), {}));
  // What is given up is not there.
  session().compute(place);
  session().close();
  EXPECT_FALSE(session().is_open());
  tested_->frames_until([this] { return !session().working(); });
}

INSTANTIATE_TEST_SUITE_P(Places, LessonPanelTest, ::testing::Values(Where::window, Where::headless), name_of_place);
INSTANTIATE_TEST_SUITE_P(Places, FirstLessonTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
