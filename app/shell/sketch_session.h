#pragma once
// A sketch that is being edited: its text, what compilers and runs say about its lines, and the tries so far.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/live/live_view.h"
#include "app/live/observed_run.h"
#include "app/live/ticker.h"
#include "app/session/code_marks.h"
#include "app/session/kept_sketch.h"
#include "app/session/line_code.h"
#include "app/session/sketch_comparison.h"
#include "app/session/sketch_export.h"
#include "app/session/workspace.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

/// A version of the sketch that was compiled.
struct SketchTry {
  std::string text;
  std::shared_ptr<sketch::LiveSketch> version;  ///< Null for a try of a session before, until its text runs again.
  const AlgorithmInfo* row = nullptr;           ///< Where the registry has it.
  ParamBox params;                              ///< The parameters that it was shown with first.
  std::string kept_params;                      ///< Those of a try without a version, as JSON.
  std::optional<double> instructions;           ///< Warp instructions for a value of the result, once they are counted.
  std::optional<double> sectors;            ///< The sectors of a request to load from global memory, if there are any.
  std::string predicted;                    ///< The predicted time for what was counted; "" where it is unknown.
  std::string check;                        ///< What the comparison with the checked algorithm has found; "" before.
  bool equal = false;                       ///< The comparison has found no difference.
  std::optional<SketchComparison> against;  ///< Its cost beside that of the checked algorithm, once it is known.
  std::string why_no_costs;                 ///< Why there is none although the results are equal, and what helps.
};

/// Opening a file runs nothing: that takes run(). Compiling, counting and comparing happen on other threads.
class SketchSession {
 public:
  /// `wake` is called from other threads when update() has something to do.
  explicit SketchSession(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~SketchSession();
  SketchSession(const SketchSession&) = delete;
  SketchSession& operator=(const SketchSession&) = delete;

  /// Reads a file. `row` is what the registry has of it already; null: nothing. Throws EnvironmentError, and UsageError
  /// for a file that cannot be a sketch.
  void open(const std::filesystem::path& file, const AlgorithmInfo* row = nullptr);
  /// Begins a sketch with the text of an example. Its file, which save() writes at the earliest, is in the current
  /// folder and has a name that no other file has. Throws what open() throws.
  void begin(const std::filesystem::path& example);
  /// What a session keeps of the sketch; nothing if none is open.
  [[nodiscard]] std::optional<KeptSketch> kept(const Workspace& workspace) const;
  /// Opens what a session has kept. Nothing runs; a text that was saved is read again from its file.
  void restore(const KeptSketch& kept);
  [[nodiscard]] bool is_open() const { return !file_.empty(); }
  void close();
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// What the editor changes.
  [[nodiscard]] std::string& text() { return text_; }
  [[nodiscard]] bool changed() const { return text_ != saved_; }
  /// Throws EnvironmentError.
  void save();

  /// Takes note of whether the text has the keyboard, whose Ctrl+S is then for the text.
  void edited(bool now) { edited_ = now; }
  [[nodiscard]] bool edited() const { return is_open() && edited_; }

  /// What the file says beside the source, if it was exported: parameters for the first run, and an input.
  [[nodiscard]] const ExportedSketch& exported() const { return exported_; }
  /// The text with the parameters of the shown try and what the tries have found. `input` is in words.
  [[nodiscard]] ExportedSketch to_export(const Workspace& workspace, std::string input) const;

  /// Compiles the text in the background. What compiles becomes the chosen algorithm, with the values that the
  /// parameters have.
  void run();
  /// Takes what other threads have finished, and reads the file again if another program has written it. Called once a
  /// frame.
  void update(Workspace& workspace, const LiveView& live);
  /// Takes what was compiled, if it is there, before a frame calls update(). Returns true if a version is now chosen,
  /// so that its run can begin while nothing is drawn.
  bool take_version(Workspace& workspace);
  /// Takes note of how long a frame took, until it was on screen.
  void note_frame(double milliseconds) { longest_ms_ = std::max(longest_ms_, milliseconds); }
  [[nodiscard]] bool compiling() const { return compiling_.valid(); }
  [[nodiscard]] bool counting() const { return counting_; }
  /// Returns whether kernels are being counted, their code is looked at, or results or costs are compared.
  [[nodiscard]] bool studying() const { return counting_ || comparing_.valid() || coder_.running(); }

  /// What is said about lines of the text as it was when it was compiled.
  [[nodiscard]] const std::vector<CodeMark>& marks() const { return marks_; }
  /// One line about the last try: an error, or "".
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  /// The counts of the shown version by its lines, over all kernels; empty before they are counted.
  [[nodiscard]] const std::map<int, warp::Counts>& counts() const { return counts_; }
  [[nodiscard]] const std::vector<SketchTry>& tries() const { return tries_; }
  /// The shown try; none before the first one.
  [[nodiscard]] std::optional<std::size_t> shown() const { return shown_; }
  /// Goes back to a try: its text, its version and its parameters. The text of one without a version does not run.
  void go_back(std::size_t index, Workspace& workspace);
  /// What compilers have made of the shown try for gpu(); null before they are done. It may be that of the try before.
  [[nodiscard]] const LineCode* code() const { return coder_.found(); }
  /// The GPU that registers and occupancy are those of.
  [[nodiscard]] const warp::GpuModel& gpu() const { return *gpu_; }
  void choose_gpu(const warp::GpuModel& gpu) { gpu_ = &gpu; }
  /// The work of the checked algorithm on the input of `work`, if the sketch names one; for the difference.
  [[nodiscard]] std::optional<Work> reference(const Work& work) const;

 private:
  struct Compiled {
    std::shared_ptr<sketch::LiveSketch> version;  ///< Null if there is trouble.
    std::filesystem::path file;
    std::string text, trouble;
    std::vector<CodeMark> marks;
  };
  struct Compared {
    std::size_t index = 0;  ///< The try that was compared.
    std::string check;      ///< SketchTry::check; "" where costs were compared.
    bool equal = false;
    std::optional<SketchComparison> against;
    std::string why_no_costs;
  };

  [[nodiscard]] std::string text_to_save() const;
  void take_text(std::string text, std::filesystem::path file);
  [[nodiscard]] static Compiled compile(const std::filesystem::path& file, std::string text,
                                        const std::stop_token& stop);
  void watch();
  void wake_when_written();
  void take_compiled(Workspace& workspace);
  /// Adds to the log how long something took since run(), and how long the longest frame meanwhile.
  void log_time(Workspace& workspace, const std::string& what) const;
  /// The parameters of a version that takes the place of `before`, which may be null.
  [[nodiscard]] ParamBox params_for(const std::shared_ptr<sketch::LiveSketch>& version, const AlgorithmInfo* before,
                                    Workspace& workspace);
  /// Shows a version, with these parameters.
  void show(Workspace& workspace, std::size_t index, const ParamBox& params);
  void take_messages(const Workspace& workspace);
  void count(Workspace& workspace, const LiveView& live);
  void take_counts();
  /// Begins what of the comparisons of the shown try is missing.
  void compare();
  void take_compared();
  void stop_comparing();

  std::function<void()> wake_;
  std::filesystem::path file_;
  std::string text_, saved_;
  ExportedSketch exported_;   ///< Its source is not used.
  std::string first_params_;  ///< JSON of the parameters for the next version that compiles; "" to keep those that are.
  std::filesystem::file_time_type written_;  ///< When the file was written last, as far as it was read.
  Ticker watcher_;  ///< Wakes the window when another program writes the file of a sketch that was run.
  std::stop_source stop_compiling_;
  std::future<Compiled> compiling_;
  std::future<void> compiler_;                   ///< The thread that keeps what compiling_ waits for.
  std::chrono::steady_clock::time_point begun_;  ///< When run() was called last.
  double longest_ms_ = 0.0;                      ///< The longest frame since then.
  const AlgorithmInfo* row_ = nullptr;
  std::vector<SketchTry> tries_;
  std::optional<std::size_t> shown_;
  std::vector<CodeMark> marks_;
  std::string trouble_;
  std::uint64_t last_message_ = 0;  ///< The number of the last message of the log that was looked at.
  std::map<int, warp::Counts> counts_;
  std::shared_ptr<const ObservedRun> counted_;  ///< The run that counts_ are those of.
  const warp::GpuModel* gpu_ = &warp::gpu_model(90);
  LineCodeFinder coder_;
  std::stop_source stop_comparing_;
  std::future<Compared> comparing_;
  bool edited_ = false;
  bool armed_ = false;           ///< The user has run this file, so that saving it elsewhere runs it, too.
  bool again_ = false;           ///< run() was called while something was being compiled.
  bool awaits_picture_ = false;  ///< What run() has compiled was not shown yet.
  bool counting_ = false;        ///< The run of the shown try is being observed.
  bool outdated_ = false;        ///< What is being compared is not wanted any more.
};

}  // namespace threadscape::app
