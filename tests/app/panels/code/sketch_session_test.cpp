// A sketch in the window: what is opened, changed, compiled, and taken back.

#include "app/shell/sketch_session.h"

#include <condition_variable>
#include <mutex>

#include "app/panels/code/sketch_costs.h"
#include "app/session/session_file.h"
#include "compute/io/input_file.h"
#include "tests/support/app/sketch_window.h"

namespace threadscape::app {
namespace {

TEST_P(SketchSessionTest, OpeningRunsNothing) {
  EXPECT_TRUE(sketch().is_open());
  EXPECT_EQ(sketch().text(), limited);
  EXPECT_FALSE(sketch().changed());
  finish();
  EXPECT_TRUE(sketch().tries().empty());
  EXPECT_EQ(tested_->workspace.algorithm().name, "convolution");
  // What another program writes is read, and not run before the user has run the file once.
  io::save_bytes(file_, std::string_view(limited).substr(0, 40));
  std::filesystem::last_write_time(file_, std::filesystem::last_write_time(file_) + std::chrono::seconds(5));
  tested_->frames_until([this] { return sketch().text().size() == 40; });
  finish();
  EXPECT_TRUE(sketch().tries().empty());
}

TEST_P(SketchSessionTest, KeysEditTheText) {
  sketch().text() = "  if (a) {";
  tested_->frame();
  ImGuiWindow* const panel = ImGui::FindWindowByName("Code###code");
  ASSERT_NE(panel, nullptr);
  ImGui::FocusWindow(panel);
  tested_->frame();
  ImGui::ActivateItemByID(panel->GetID("##code"));
  tested_->frame();
  tested_->frame();
  tested_->press(ImGuiKey_End, ImGuiMod_Ctrl);
  tested_->press(ImGuiKey_Enter);
  EXPECT_EQ(sketch().text(), "  if (a) {\n    ") << "a new line begins further in behind a brace";
  for (const char c : std::string_view("b;"))
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
  tested_->frame();
  tested_->press(ImGuiKey_Enter);
  EXPECT_EQ(sketch().text(), "  if (a) {\n    b;\n    ") << "and like the one before otherwise";
  tested_->press(ImGuiKey_Tab);
  EXPECT_EQ(sketch().text(), "  if (a) {\n    b;\n      ");
  tested_->press(ImGuiKey_Backspace);
  EXPECT_EQ(sketch().text(), "  if (a) {\n    b;\n     ");
  EXPECT_TRUE(sketch().edited());
  tested_->press(ImGuiKey_Backspace);
  tested_->press(ImGuiKey_Enter, ImGuiMod_Shift);
  EXPECT_EQ(sketch().text(), "  if (a) {\n    b;\n    \n    ") << "Shift is still held behind a brace";
  sketch().text() = "  if (a) {\n    b;\n     ";
  tested_->frame();
  // Keys that come together are not left until something else happens.
  ImGui::GetIO().AddKeyEvent(ImGuiKey_C, true);
  ImGui::GetIO().AddInputCharacter('c');
  ImGui::GetIO().AddKeyEvent(ImGuiKey_C, false);
  tested_->frame();
  EXPECT_TRUE(tested_->window_.needs_redraw());
  tested_->frame();
  tested_->frame();
  EXPECT_NE(sketch().text().find('c'), std::string::npos);
  sketch().text() = "  if (a) {\n    b;\n     ";
  // Ctrl+Enter runs the text, and is no new line.
  tested_->press(ImGuiKey_Enter, ImGuiMod_Ctrl);
  finish();
  EXPECT_EQ(sketch().text(), "  if (a) {\n    b;\n     ");
  EXPECT_NE(sketch().trouble(), "");
  ImGui::GetIO().AddInputCharacter('d');
  tested_->frame();
  tested_->frame();
  EXPECT_NE(sketch().text().find('d'), std::string::npos) << "and the text keeps the keyboard";
}

TEST_P(SketchSessionTest, RunsCountsAndCompares) {
  run();
  ASSERT_EQ(sketch().trouble(), "");
  EXPECT_EQ(tested_->workspace.algorithm().name.substr(0, 19), "sketch_test_limited");
  const int before = first_pixel();
  ASSERT_EQ(sketch().tries().size(), 1u);
  EXPECT_TRUE(sketch().tries()[0].equal) << sketch().tries()[0].check;
  EXPECT_GT(sketch().tries()[0].instructions.value_or(0), 0.1);
  EXPECT_EQ(sketch().tries()[0].sectors, 1.0) << "a row of 32 bytes";
  EXPECT_TRUE(sketch().counts().contains(11));
  EXPECT_FALSE(sketch().counts().contains(4));
  EXPECT_TRUE(sketch().reference(tested_->workspace.work()).has_value());

  // A change makes a try in the same row, with the parameter that was chosen.
  const AlgorithmInfo& row = tested_->workspace.algorithm();
  tested_->workspace.set_parameter("most", "200");
  replace("min(most, static_cast<int>(in(x, y)))", "most - in(x, y)");
  EXPECT_TRUE(sketch().changed());
  run();
  EXPECT_EQ(&tested_->workspace.algorithm(), &row);
  EXPECT_EQ(tested_->parameter("most"), "200");
  ASSERT_EQ(sketch().tries().size(), 2u) << sketch().trouble();
  EXPECT_FALSE(sketch().tries()[1].equal);
  EXPECT_NE(sketch().tries()[1].check.find("differs from morphology"), std::string::npos) << sketch().tries()[1].check;
  EXPECT_EQ(first_pixel(), (200 - before + 256) % 256);

  sketch().go_back(0, tested_->workspace);
  finish();
  EXPECT_EQ(sketch().text(), limited);
  EXPECT_EQ(tested_->parameter("most"), "255");
  EXPECT_EQ(first_pixel(), before);
  EXPECT_EQ(sketch().tries().size(), 2u);
}

TEST_P(SketchSessionTest, ErrorsHaveTheirLinesAndKeepTheResult) {
  run();
  const int before = first_pixel();
  replace("min(most, static_cast<int>(in(x, y)))", "nothing");
  run();
  ASSERT_EQ(sketch().marks().size(), 1u) << sketch().trouble();
  EXPECT_EQ(sketch().marks()[0].line, 11);
  EXPECT_NE(sketch().trouble().find("nothing"), std::string::npos);
  EXPECT_EQ(sketch().tries().size(), 1u);
  EXPECT_EQ(first_pixel(), before);
  replace("reads: picture", "reads: sculpture");
  run();
  ASSERT_FALSE(sketch().marks().empty()) << sketch().trouble();
  EXPECT_EQ(sketch().marks()[0].line, 2);
  // A fault of the kernel has the line of its access.
  sketch().text() = limited;
  replace("in(x, y))", "in.data[1 << 30])");
  run();
  ASSERT_FALSE(sketch().marks().empty()) << sketch().trouble();
  EXPECT_EQ(sketch().marks()[0].line, 11) << sketch().marks()[0].text;
}

TEST_P(SketchSessionTest, AFileThatAnotherEditorWritesRuns) {
  run();
  std::string text = limited;
  text.replace(text.find("min(most,"), 9, "most / 2 + 0 * min(most,");
  // Some file systems have times of a second or more, so that the new time is set.
  io::save_bytes(file_, text);
  std::filesystem::last_write_time(file_, std::filesystem::last_write_time(file_) + std::chrono::seconds(5));
  tested_->frames_until([&] { return sketch().text() == text; });
  finish();
  EXPECT_EQ(sketch().tries().size(), 2u);
  EXPECT_EQ(first_pixel(), 127);
  // The text of the editor is never lost to the file.
  replace("most / 2", "most / 4");
  std::filesystem::last_write_time(file_, std::filesystem::last_write_time(file_) + std::chrono::seconds(5));
  finish();
  EXPECT_NE(sketch().text(), text);
  sketch().save();
  EXPECT_FALSE(sketch().changed());
  EXPECT_EQ(std::filesystem::file_size(file_), sketch().text().size());
}

TEST_P(SketchSessionTest, ALineCountsWhatIsInlinedThere) {
  replace("__global__", "__device__ int odd(int v) { return (v % 7) * v; }\n__global__");
  replace("min(most, static_cast<int>(in(x, y)))", "odd(in(x, y))");
  run();
  const auto& counts = sketch().counts();
  constexpr int function = 8, call = 12;
  ASSERT_TRUE(counts.contains(function) && counts.contains(call));
  // The call loads and stores itself.
  EXPECT_GT(counts.at(function).warp_instructions, 0u);
  EXPECT_GT(counts.at(call).warp_instructions, counts.at(function).warp_instructions + 1);
  EXPECT_EQ(counts.at(call).global_load_requests, counts.at(call).global_store_requests);
}

TEST_P(SketchSessionTest, ASavedFileWakesAWindowThatSleeps) {
  std::mutex mutex;
  std::condition_variable woken;
  int wakes = 0;
  SketchSession session([&] {
    const std::lock_guard lock(mutex);
    ++wakes;
    woken.notify_all();
  });
  const auto await_wake = [&](int count) {
    std::unique_lock lock(mutex);
    return woken.wait_for(lock, std::chrono::seconds(60), [&] { return wakes >= count; });
  };
  session.open(file_);
  session.run();
  ASSERT_TRUE(await_wake(1)) << "it is compiled";
  std::filesystem::last_write_time(file_, std::filesystem::last_write_time(file_) + std::chrono::seconds(5));
  EXPECT_TRUE(await_wake(2));
}

TEST_P(SketchSessionTest, AnExportedFileBeginsWithItsParameters) {
  run();
  tested_->workspace.set_parameter("most", "99");
  finish();
  ExportedSketch exported = sketch().to_export(tested_->workspace, "photo.png");
  ASSERT_EQ(exported.results.size(), 1u);
  EXPECT_NE(exported.results[0].find("equals morphology"), std::string::npos) << exported.results[0];
  exported.picture = "data:image/png;base64,AAAA";
  io::save_bytes(file_, text_of(exported));
  tested_->window_.open(file_);
  EXPECT_EQ(sketch().text(), limited) << "the editor shows the source";
  EXPECT_FALSE(sketch().changed());
  EXPECT_EQ(sketch().exported().input, "photo.png");
  run();
  EXPECT_EQ(tested_->parameter("most"), "99");
  replace("min(most", "max(most");
  sketch().save();
  const std::vector<std::byte> bytes = io::load_bytes(file_, io::Limit::file_bytes);
  const ExportedSketch saved = read_exported({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  EXPECT_EQ(saved.source, sketch().text());
  EXPECT_EQ(saved.picture, exported.picture) << "saving keeps the rest";
}

TEST_P(SketchSessionTest, CostsAreComparedWithTheCheckedAlgorithm) {
  run();
  await_costs();
  const std::optional<SketchComparison>& costs = sketch().tries()[0].against;
  if (!costs) {
    EXPECT_NE(sketch().tries()[0].why_no_costs.find("THREADSCAPE_CUDA=ON"), std::string::npos)
        << sketch().tries()[0].why_no_costs;
    GTEST_SKIP() << sketch().tries()[0].why_no_costs;
  }
  EXPECT_EQ(sketch().tries()[0].why_no_costs, "");
  EXPECT_EQ(costs->sketch, "limited.cu");
  EXPECT_TRUE(costs->other.starts_with("morphology")) << costs->other;
  if (costs->where.empty()) {
    ASSERT_FALSE(costs->counts.empty());
    EXPECT_EQ(costs->counts[0].title, "warp instructions, estimated");
    EXPECT_GT(costs->counts[0].of_sketch, 0.1);
    EXPECT_GT(costs->counts[0].of_other, 0.1);
    EXPECT_EQ(costs->counts[2].of_sketch, 1.0 / 32) << "a sector holds 32 pixels";
    EXPECT_NE(costs->why_no_times, "");
  } else {
    EXPECT_EQ(costs->sketch_ms.size(), costs->other_ms.size());
  }
  EXPECT_NE(cost_sentence(*costs).find("morphology"), std::string::npos) << cost_sentence(*costs);
  // What is wrong is not compared.
  replace("min(most, static_cast<int>(in(x, y)))", "most - in(x, y)");
  run();
  EXPECT_FALSE(sketch().tries()[1].against);
  EXPECT_EQ(sketch().tries()[1].why_no_costs, "");
}

TEST_P(SketchSessionTest, ATwinSaysWhyItHasNoCosts) {
  const std::filesystem::path file = folder_.path() / "copied.cpp";
  io::save_bytes(file, std::string_view("// sketch: test_copied\n"
                                        "// reads: picture gray u8    makes: picture gray u8\n"
                                        "// check: morphology size=1\n\n"
                                        "#include \"threadscape.h\"\n"
                                        "void test_copied(Image<const unsigned char> in, Image<unsigned char> out) {\n"
                                        "  for (int y = 0; y < out.height; ++y)\n"
                                        "    for (int x = 0; x < out.width; ++x) out(x, y) = in(x, y);\n"
                                        "}\n"));
  tested_->window_.open(file);
  run();
  if (sketch().tries().empty()) GTEST_SKIP() << sketch().trouble();
  await_costs();
  const SketchTry& only = sketch().tries()[0];
  EXPECT_TRUE(only.equal) << only.check;
  EXPECT_FALSE(only.against);
  EXPECT_NE(only.why_no_costs.find("threadscape bench copied.cpp --against morphology"), std::string::npos)
      << only.why_no_costs;
}

TEST_P(SketchSessionTest, LinesHaveTheirCode) {
  run();
  tested_->frames_until([this] { return !sketch().studying(); });
  const LineCode* code = sketch().code();
  ASSERT_NE(code, nullptr);
  ASSERT_EQ(code->problem, "");
  ASSERT_EQ(code->kernels.size(), 1u);
  EXPECT_EQ(code->kernels[0].name, "test_limited");
  EXPECT_EQ(code->kernels[0].block.threads, 256);
  EXPECT_EQ(code->kernels[0].occupancy.fraction, 1.0);
  const auto stores = [&](int line) {
    const auto found = code->ptx.find(line);
    return found == code->ptx.end()
               ? 0
               : std::ranges::count_if(found->second, [](const auto& text) { return text.starts_with("st.global."); });
  };
  EXPECT_EQ(stores(11), 1);
  EXPECT_EQ(stores(9), 0);
  EXPECT_NE(code->sass.contains(11), !code->why_no_sass.empty());
  // A multiprocessor of a T4 holds half as many warps.
  sketch().choose_gpu(warp::gpu_model(75));
  tested_->frames_until([this] { return sketch().code()->gpu == &warp::gpu_model(75); });
  EXPECT_EQ(sketch().code()->problem, "");
  EXPECT_EQ(sketch().code()->kernels[0].occupancy.blocks, 4);
}

TEST_P(SketchSessionTest, ASessionKeepsTextParametersAndTries) {
  run();
  replace("min(most, static_cast<int>(in(x, y)))", "most - in(x, y)");
  run();
  tested_->workspace.set_parameter("most", "77");
  finish();
  const int before = first_pixel();
  sketch().text() += "// not saved\n";
  const std::string text = sketch().text();
  const std::filesystem::path session = folder_.path() / "evening.threadscape.json";
  save_session(session, tested_->window_.session());
  const KeptSketch kept = *sketch().kept(tested_->workspace);

  sketch().close();
  tested_->frame({session});
  finish();
  EXPECT_EQ(tested_->workspace.algorithm().name, "morphology") << "what the sketch is compared with stands for it";
  EXPECT_EQ(sketch().text(), text);
  EXPECT_TRUE(sketch().changed());
  EXPECT_EQ(to_json(*sketch().kept(tested_->workspace)), to_json(kept));
  ASSERT_EQ(sketch().tries().size(), 2u);
  for (const SketchTry& one : sketch().tries())
    EXPECT_EQ(one.version, nullptr) << "nothing runs";
  // A try comes back with its text, which does not run before the user runs it.
  sketch().go_back(0, tested_->workspace);
  finish();
  EXPECT_EQ(sketch().text(), limited);
  EXPECT_EQ(sketch().tries()[0].version, nullptr);
  sketch().go_back(1, tested_->workspace);
  run();
  EXPECT_EQ(sketch().tries().size(), 2u) << "it is the try that it was";
  EXPECT_NE(sketch().tries()[1].version, nullptr);
  EXPECT_EQ(tested_->parameter("most"), "255");
  // The latest text has the latest parameters.
  sketch().restore(kept);
  EXPECT_EQ(sketch().text(), text);
  run();
  EXPECT_EQ(tested_->parameter("most"), "77");
  EXPECT_EQ(first_pixel(), before);
  // A text that was saved is that of the file.
  KeptSketch saved = kept;
  saved.changed = false;
  sketch().restore(saved);
  EXPECT_EQ(sketch().text(), limited);
  EXPECT_FALSE(sketch().changed());
  std::filesystem::remove(file_);
  sketch().restore(saved);
  EXPECT_EQ(sketch().text(), text) << "without the file there is what was kept";
}

TEST_P(SketchSessionTest, AnotherKindOfDataIsAnotherRow) {
  run();
  const AlgorithmInfo& row = tested_->workspace.algorithm();
  replace("makes: picture gray u8", "makes: heightfield f32");
  replace("Image<unsigned char> out", "Image<float> out");
  run();
  ASSERT_EQ(sketch().trouble(), "");
  EXPECT_NE(&tested_->workspace.algorithm(), &row);
  EXPECT_EQ(tested_->workspace.algorithm().output, Kind::heightfield);
  // So is another name, under which the parameters stay.
  const AlgorithmInfo& heights = tested_->workspace.algorithm();
  tested_->workspace.set_parameter("most", "50");
  replace("sketch: test_limited", "sketch: renamed_limit");
  replace("void test_limited", "void renamed_limit");
  run();
  ASSERT_EQ(sketch().trouble(), "");
  EXPECT_EQ(tested_->workspace.algorithm().title, "renamed_limit");
  EXPECT_EQ(tested_->parameter("most"), "50");
  sketch().go_back(1, tested_->workspace);
  finish();
  EXPECT_EQ(&tested_->workspace.algorithm(), &heights);
  sketch().close();
  finish();
  EXPECT_FALSE(sketch().is_open());
}

INSTANTIATE_TEST_SUITE_P(Places, SketchSessionTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
