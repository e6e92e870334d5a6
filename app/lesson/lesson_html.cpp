#include "app/lesson/lesson_html.h"

#include "app/document/html.h"
#include "app/lesson/html_text.h"
#include "app/lesson/lesson_run.h"
#include "compute/core/errors.h"
#include "compute/io/input_file.h"

namespace threadscape::app {

namespace {

/// Writes the blocks of a lesson one after another.
class HtmlWriter {
 public:
  HtmlWriter(const Lesson& lesson, const HtmlOptions& options) : lesson_(lesson), options_(options) {}

  std::string page(const LessonPage& page) {
    html_ += "<section>\n";
    for (const LessonBlock& block : page.blocks) {
      if (options_.stop.stop_requested()) throw Cancelled();
      std::visit([this](const auto& one) { add(one); }, block);
    }
    html_ += "</section>\n";
    return std::move(html_);
  }

 private:
  void add(const LessonText& text) { html_ += html_of(lesson_, text.markdown); }
  void add(const LessonState& state) {
    const StatePictures pictures = run_state(lesson_, state, options_.stop);
    html_ += "<figure>\n";
    const auto picture = [&](const HostArray& data, const std::string& alt) {
      const Kind kind = data.shape().kind;
      if (kind == Kind::image || kind == Kind::heightfield) html_ += html_picture(data.view(), alt) + "\n";
    };
    picture(pictures.input, "The input.");
    picture(pictures.result, "The result. " + state.caption);
    html_ += "<figcaption>" + html_escaped(state.caption) + " <code>" + html_escaped(command_of(state)) +
             "</code></figcaption>\n</figure>\n";
  }
  void add(const LessonCounts& counts) {
    html_ += html_table(count_table(lesson_, counts, options_.stop), counts.caption, HtmlCells::code);
  }
  void add(const LessonSweep& sweep) { html_ += html_chart(sweep_chart(lesson_, sweep, options_.stop), sweep.caption); }
  void add(const LessonReport& report) {
    const ReportFigures figures = report_figures(lesson_, report);
    const std::string caption = report.caption + " " + figures.machines;
    for (const Chart& chart : figures.charts)
      html_ += html_chart(chart, caption);
    if (!figures.table.empty()) html_ += html_table(figures.table, caption, HtmlCells::text);
  }
  void add(const ExercisePlace& place) {
    const LessonExercise& exercise = lesson_.exercises[place.index];
    html_ += "<div class=\"task\">\n<h3>Exercise: " + html_escaped(exercise.name) + "</h3>\n" +
             html_of(lesson_, exercise.task) + source(exercise.file);
    if (!exercise.check.rules.empty() || exercise.check.races)
      html_ += "<p>Beside the right result, this counts:</p>\n<ul>\n";
    for (const CountRule& rule : exercise.check.rules)
      html_ += "<li>" + html_escaped(words_of(rule)) +
               (rule.because.empty() ? "" : ", as " + html_escaped(rule.because)) + "</li>\n";
    if (exercise.check.races) html_ += "<li>no races in global memory</li>\n";
    if (!exercise.check.rules.empty() || exercise.check.races) html_ += "</ul>\n";
    html_ += "<p><code>threadscape grade " + html_escaped(lesson_.name) + " " + html_escaped(exercise.file) +
             "</code></p>\n";
    help(exercise.hints, exercise.solution, "");
    html_ += "</div>\n";
  }
  void add(const QuestionPlace& place) {
    const LessonQuestion& question = lesson_.questions[place.index];
    html_ += "<div class=\"question\">\n<h3>Question: " + html_escaped(question.name) + "</h3>\n" +
             html_of(lesson_, question.ask);
    if (!question.choices.empty()) {
      html_ += "<ol>\n";
      for (const std::string& choice : question.choices)
        html_ += "<li>" + html_escaped(choice) + "</li>\n";
      html_ += "</ol>\n";
    }
    help(question.hints, question.solution,
         "<p><strong>" + html_escaped(right_answer(question)) + "</strong></p>\n" + html_of(lesson_, question.why));
    html_ += "</div>\n";
  }

  void help(const std::vector<LessonHint>& hints, const std::optional<LessonSolution>& solution,
            const std::string& answer) {
    if (!options_.solutions) return;
    const auto folded = [&](const std::string& title, const std::string& text) {
      html_ += "<details><summary>" + title + "</summary>\n" + text + "</details>\n";
    };
    for (const LessonHint& hint : hints)
      folded("Hint", html_of(lesson_, hint.markdown));
    if (solution)
      folded("Solution", (solution->file.empty() ? "" : source(solution->file)) + html_of(lesson_, solution->markdown));
    if (!answer.empty()) folded("Answer", answer);
  }
  [[nodiscard]] std::string source(const std::string& file) const {
    const std::vector<std::byte> bytes = io::load_bytes(lesson_file(lesson_, file), io::Limit::file_bytes);
    return "<pre tabindex=\"0\"><code>" + html_escaped({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) +
           "</code></pre>\n";
  }
  [[nodiscard]] static std::string command_of(const LessonState& state) {
    std::string command = "threadscape view " + (state.sketch.empty() ? state.algorithm : state.sketch);
    if (!state.input.empty()) command += " " + state.input;
    for (const auto& [name, value] : state.sets)
      command += " --set " + name + "=" + value;
    return command + (state.scene.empty() ? "" : " --scene " + state.scene);
  }

  const Lesson& lesson_;
  const HtmlOptions& options_;
  std::string html_;
};

}  // namespace

std::string lesson_html(const Lesson& lesson, const HtmlOptions& options) {
  std::string html = "<main>\n";
  HtmlWriter writer(lesson, options);
  for (const LessonPage& page : lesson.pages)
    html += writer.page(page);
  html += "</main>\n";
  if (!lesson.sources.empty()) {
    html += "<footer>\n<h2>Sources</h2>\n<ul>\n";
    for (const std::string& source : lesson.sources)
      html += "<li>" + html_escaped(source) + "</li>\n";
    html += "</ul>\n</footer>\n";
  }
  return html_file(lesson.title, lesson.summary,
                   lesson.summary + " About " + std::to_string(lesson.minutes) + " minutes.", html);
}

}  // namespace threadscape::app
