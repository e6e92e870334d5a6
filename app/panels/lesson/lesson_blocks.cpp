// The blocks of a page that do something: states, counts, sweeps, questions and exercises.

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "app/panels/lesson/lesson_panel.h"
#include "app/ui/widgets.h"
#include "compute/io/input_file.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// A frame around a block, as high as what is in it.
class Card {
 public:
  Card() {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyleColorVec4(ImGuiCol_TitleBg));
    ImGui::BeginChild("card", {0, 0}, ImGuiChildFlags_Borders | ImGuiChildFlags_AutoResizeY);
    ImGui::PopStyleColor();
  }
  ~Card() { ImGui::EndChild(); }
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;
};

ImVec4 verdict_colour(bool good) {
  return good ? backend_colour(Backend::cuda) : warning_colour();
}

void verdict(bool good, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, verdict_colour(good));
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

/// Returns true if a run makes a picture of floats, whose range is not that of the screen.
bool makes_floats(const RunRequest& run, const Shape& input) {
  try {
    const Shape made = run.algorithm->output_shape(run.params, input);
    return made.kind == Kind::image && made.element == Element::f32;
  } catch (const Error&) {
    return false;  // The input of the state is still being read.
  }
}

/// Chooses what a state describes: algorithm, parameters, backend, input and view.
void show_state(Desk& desk, BlockPlace place, const LessonState& state) {
  Workspace& workspace = desk.workspace();
  try {
    const RunRequest& run = desk.lesson().run_of_state(place);
    const SceneType& scene = find_scene(state.scene, *run.algorithm, state.show);
    const int show = find_show(scene, state.show);
    if (!workspace.steps().empty()) workspace.clear_steps();
    workspace.choose_algorithm(*run.algorithm);
    workspace.set_parameters(run.params);
    const bool on_gpu = state.backend == name_of(Backend::cuda);
    const Backend wanted = on_gpu ? Backend::cuda : run.backend;
    const bool asked = !state.backend.empty() || !state.sketch.empty();
    if (asked && workspace.why_absent(wanted).empty()) workspace.choose_backend(wanted);
    if (!on_gpu && workspace.work().backend == run.backend) workspace.choose_variant(run.variant);
    desk.scenes().choose(scene);
    desk.scenes().scene(scene).show(show);
    if (ParamBox* const look = desk.scenes().scene(scene).settings(); look != nullptr && scene.name == "image")
      look->assign("auto_exposure", makes_floats(run, workspace.input_shape()) ? "true" : "false");
    if (!state.panel.empty()) desk.show_panel(state.panel);
    if (!state.input.empty()) desk.open(lesson_file(desk.lesson().lesson(), state.input));
  } catch (const Error& error) {
    desk.log().error(error.what());
  }
}

/// Chooses a sketch of a sweep with its parameters, and what varies for the lab.
void open_in_lab(Desk& desk, BlockPlace place, const LessonSweep& sweep, std::size_t sketch) {
  Workspace& workspace = desk.workspace();
  try {
    const RunRequest& run = desk.lesson().run_of_swept(place, sketch);
    if (!workspace.steps().empty()) workspace.clear_steps();
    workspace.choose_algorithm(*run.algorithm);
    workspace.set_parameters(run.params);
    WantedSweep wanted{.vary = "size", .values = {}};
    if (sweep.parameter != "size") wanted.vary = "params." + sweep.parameter;
    for (const std::string& value : sweep.values) {
      // The lab states sizes as widths or lengths.
      const bool is_size = sweep.parameter == "size";
      wanted.values +=
          (wanted.values.empty() ? "" : ",") + (is_size ? std::to_string(parse_lesson_size(value).width) : value);
    }
    desk.want_sweep(std::move(wanted));
    desk.show_panel("lab");
  } catch (const Error& error) {
    desk.log().error(error.what());
  }
}

/// Opens the sketch of the learner in the editor.
void open_own_sketch(Desk& desk, std::size_t exercise) {
  SketchSession& sketch = desk.sketch();
  try {
    const fs::path own = desk.lesson().own_file(exercise);
    desk.lesson().prepare(exercise);
    if (!sketch.is_open() || sketch.file() != own) {
      if (sketch.is_open() && sketch.changed()) {
        if (!desk.lesson().exercise_of(sketch.file()))
          throw UsageError(sketch.file().filename().string() + " was changed: save or close it first");
        sketch.save();
      }
      sketch.open(own);
    }
    desk.show_panel("code");
  } catch (const Error& error) {
    desk.log().error(error.what());
  }
}

void check_own_sketch(Desk& desk, std::size_t exercise) {
  SketchSession& sketch = desk.sketch();
  try {
    if (sketch.is_open() && sketch.file() == desk.lesson().own_file(exercise) && sketch.changed()) sketch.save();
    desk.lesson().check(exercise);
  } catch (const Error& error) {
    desk.log().error(error.what());
  }
}

MarkdownRows rows_of(const TextTable& table) {
  MarkdownRows rows;
  for (const std::vector<std::string>& line : table) {
    auto& row = rows.emplace_back();
    for (const std::string& cell : line)
      row.push_back({{.kind = MarkdownSpan::Kind::plain, .text = cell, .target = {}}});
  }
  return rows;
}

}  // namespace

void LessonPanel::draw_block(Desk& desk, BlockPlace place) {
  const LessonBlock& block = desk.lesson().lesson().pages[place.page].blocks[place.block];
  const Card card;
  if (const auto* const state = std::get_if<LessonState>(&block)) draw_state(desk, place, *state);
  if (const auto* const counts = std::get_if<LessonCounts>(&block)) draw_figures(desk, place, counts->caption, "Count");
  if (const auto* const sweep = std::get_if<LessonSweep>(&block)) draw_sweep(desk, place, *sweep);
  if (const auto* const report = std::get_if<LessonReport>(&block)) draw_report(desk, place, *report);
  if (const auto* const question = std::get_if<QuestionPlace>(&block)) draw_question(desk, question->index);
  if (const auto* const exercise = std::get_if<ExercisePlace>(&block)) draw_exercise(desk, exercise->index);
}

void LessonPanel::draw_state(Desk& desk, BlockPlace place, const LessonState& state) {
  if (ImGui::Button("Show")) show_state(desk, place, state);
  if (ImGui::IsItemHovered()) {
    std::string what = state.sketch.empty() ? state.algorithm : state.sketch;
    for (const auto& [name, value] : state.sets)
      what += " " + name + "=" + value;
    tooltip(what);
  }
  draw_markdown(state.caption, look(desk));
}

void LessonPanel::draw_figures(Desk& desk, BlockPlace place, const std::string& caption, const char* verb) {
  LessonSession& session = desk.lesson();
  const BlockFigures* const found = session.figures(place);
  if (session.is_computing(place)) {
    ImGui::TextDisabled("executing kernels, warp by warp");
    ImGui::SameLine();
    if (ImGui::SmallButton("Cancel")) session.cancel();
  } else if (found == nullptr || !found->trouble.empty()) {
    if (ImGui::Button(verb)) session.compute(place);
    if (ImGui::IsItemHovered()) tooltip("Executes the kernels on the CPU, warp by warp, and counts what they do");
  }
  if (found != nullptr) draw_found(desk, place, *found);
  draw_markdown(caption, look(desk));
}

void LessonPanel::draw_found(Desk& desk, BlockPlace place, const BlockFigures& found) {
  if (!found.trouble.empty()) verdict(false, found.trouble);
  for (std::size_t i = 0; i < found.charts.size(); ++i) {
    // The words of a figure are longer than the axis is high.
    Chart chart = found.charts[i];
    if (found.charts.size() > 1) ImGui::TextWrapped("%s", chart.title.c_str());
    disabled_sentence(std::exchange(chart.y_label, {}).c_str());
    ImGui::PushID(static_cast<int>(i));
    (void)draw_chart(chart, {ImGui::GetContentRegionAvail().x, em(14)}, axes_[place][i]);
    ImGui::PopID();
  }
  if (!found.table.empty()) draw_rows(rows_of(found.table), look(desk), 0);
  if (!found.machines.empty()) disabled_sentence(found.machines.c_str());
}

void LessonPanel::draw_sweep(Desk& desk, BlockPlace place, const LessonSweep& sweep) {
  // The lab varies sizes and parameters of one sketch.
  if (!sweep.parameter.empty()) {
    if (ImGui::Button("Open in Lab")) {
      if (sweep.sketches.size() == 1)
        open_in_lab(desk, place, sweep, 0);
      else
        ImGui::OpenPopup("lab");
    }
    if (ImGui::IsItemHovered())
      tooltip("Chooses the sketch, and what varies here for the tab Lab, which measures times on this machine");
    if (ImGui::BeginPopup("lab")) {
      for (std::size_t i = 0; i < sweep.sketches.size(); ++i)
        if (ImGui::MenuItem(sweep.sketches[i].c_str())) open_in_lab(desk, place, sweep, i);
      ImGui::EndPopup();
    }
    if (const LessonSession& session = desk.lesson(); !session.is_computing(place)) {
      const BlockFigures* const found = session.figures(place);
      if (found == nullptr || !found->trouble.empty()) ImGui::SameLine();
    }
  }
  draw_figures(desk, place, sweep.caption, "Sweep");
}

void LessonPanel::draw_report(Desk& desk, BlockPlace place, const LessonReport& report) {
  LessonSession& session = desk.lesson();
  const BlockFigures* const found = session.figures(place);
  if (found == nullptr && !session.is_computing(place)) session.compute(place);  // It reads a file, and runs nothing.
  if (found != nullptr) draw_found(desk, place, *found);
  draw_markdown(report.caption, look(desk));
}

bool LessonPanel::draw_answer(const LessonQuestion& question, std::string& entered, const MarkdownLook& look) {
  if (question.kind != LessonQuestion::Kind::choice) {
    ImGui::SetNextItemWidth(std::min(em(14), ImGui::GetContentRegionAvail().x - em(5)));
    const bool ended = input_text("##answer", entered);
    return ended && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
  }
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const std::string& choice = question.choices[i];
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::RadioButton("##choice", entered == choice)) entered = choice;
    ImGui::SameLine();
    // The text is chosen like its button.
    ImGui::BeginGroup();
    draw_markdown(choice, look);
    ImGui::EndGroup();
    if (ImGui::IsItemClicked()) entered = choice;
    ImGui::PopID();
  }
  return false;
}

void LessonPanel::draw_question(Desk& desk, std::size_t index) {
  LessonSession& session = desk.lesson();
  const LessonQuestion& question = session.lesson().questions[index];
  const QuestionProgress& given = session.answered(index);
  const MarkdownLook how = look(desk);
  draw_markdown(question.ask, how);
  const auto at = entered_.try_emplace(index, given.answer).first;
  const bool typed = draw_answer(question, at->second, how);
  if (question.kind != LessonQuestion::Kind::choice) ImGui::SameLine();
  ImGui::BeginDisabled(at->second.empty());
  const bool pressed = ImGui::Button("Answer");
  ImGui::EndDisabled();
  if ((typed || pressed) && !at->second.empty()) session.answer(index, at->second);
  const QuestionProgress& now = session.answered(index);
  if (now.right) {
    verdict(true, "Right.");
    draw_markdown(question.why, how);
  } else if (!now.answer.empty()) {
    verdict(false, "Not right: " + now.answer);
  }
  draw_help(desk, question.hints, question.solution, now.failed, now.right);
  if (now.right || !session.shows_solutions()) return;
  draw_markdown("**" + right_answer(question) + "**", how);
  draw_markdown(question.why, how);
}

void LessonPanel::draw_exercise(Desk& desk, std::size_t index) {
  LessonSession& session = desk.lesson();
  const LessonExercise& exercise = session.lesson().exercises[index];
  heading(desk.fonts().strong, "Exercise: " + exercise.name);
  draw_markdown(exercise.task, look(desk));
  draw_exercise_buttons(desk, index);
  draw_marks(desk, index);
  const ExerciseProgress& progress = session.exercised(index);
  draw_help(desk, exercise.hints, exercise.solution, progress.failed, progress.passed);
}

void LessonPanel::draw_exercise_buttons(Desk& desk, std::size_t index) {
  LessonSession& session = desk.lesson();
  const fs::path own = session.own_file(index);
  if (ImGui::Button("Open the sketch")) open_own_sketch(desk, index);
  if (ImGui::IsItemHovered()) tooltip("Your copy of it, in the editor: " + own.string());
  ImGui::SameLine();
  if (session.is_checking(index)) {
    if (ImGui::Button("Cancel")) session.cancel();
    ImGui::SameLine();
    ImGui::TextDisabled("checking");
    return;
  }
  std::error_code error;
  ImGui::BeginDisabled(!fs::exists(own, error));
  if (ImGui::Button("Check")) check_own_sketch(desk, index);
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip("Compares the result on fresh and hidden inputs, and counts what the kernels do");
}

/// Draws the conditions, and which of them the last check has found met.
void LessonPanel::draw_marks(Desk& desk, std::size_t index) {
  LessonSession& session = desk.lesson();
  const LessonCheck& check = session.lesson().exercises[index].check;
  const std::vector<Mark>& marks = session.exercised(index).marks;
  if (const std::string trouble = session.check_trouble(index); !trouble.empty()) verdict(false, trouble);
  if (marks.empty()) {
    std::string text = "- the right result\n";
    for (const CountRule& rule : check.rules)
      text += "- " + words_of(rule) + (rule.because.empty() ? "" : ", as " + rule.because) + "\n";
    if (check.races) text += "- no races in global memory\n";
    draw_markdown("This counts:\n\n" + text, look(desk));
    return;
  }
  const auto met = std::ranges::count_if(marks, &Mark::passed);
  verdict(met == std::ssize(marks),
          std::to_string(met) + " of " + std::to_string(marks.size()) + " conditions are met");
  for (const Mark& mark : marks) {
    ImGui::TextColored(verdict_colour(mark.passed), mark.passed ? "met" : "not met");
    ImGui::SameLine(em(4.2f));
    ImGui::BeginGroup();
    ImGui::TextWrapped("%s", (mark.name + (mark.found.empty() ? "" : ": " + mark.found)).c_str());
    if (!mark.passed && !mark.because.empty()) disabled_sentence(mark.because.c_str());
    ImGui::EndGroup();
  }
}

void LessonPanel::draw_help(Desk& desk, const std::vector<LessonHint>& hints,
                            const std::optional<LessonSolution>& solution, int failed, bool done) {
  const bool all = desk.lesson().shows_solutions();
  const MarkdownLook how = look(desk);
  if (all) failed = std::numeric_limits<int>::max();
  if (!done)
    for (const LessonHint* hint : shown_hints(hints, failed))
      draw_markdown("*Hint:* " + hint->markdown, how);
  const bool solved = solution && (done || failed >= solution->after);
  if (solved && ImGui::TreeNode("Solution")) {
    ImGui::TreePop();
    if (!solution->file.empty()) {
      const auto [text, is_new] = sources_.try_emplace(solution->file);
      try {
        if (is_new) {
          const std::vector<std::byte> bytes =
              io::load_bytes(lesson_file(desk.lesson().lesson(), solution->file), io::Limit::file_bytes);
          text->second.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
      } catch (const Error& error) {
        desk.log().error(error.what());
      }
      draw_source(text->second, how, 0);
    }
    draw_markdown(solution->markdown, how);
  }
  if (done || all) return;
  if (const int tries = tries_to_help(hints, solution, failed); tries > 0 && failed > 0)
    ImGui::TextDisabled("More help after %d more %s", tries, tries == 1 ? "try" : "tries");
}

}  // namespace threadscape::app
