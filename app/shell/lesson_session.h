#pragma once
// The lesson that is open in the window: its page, the answers and checks of the learner, and what its blocks have
// computed.

#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/lesson/lesson_progress.h"
#include "app/lesson/lesson_run.h"
#include "app/session/log_book.h"

namespace threadscape::app {

/// A block of a lesson by its page and its place there.
struct BlockPlace {
  std::size_t page = 0, block = 0;
  auto operator<=>(const BlockPlace&) const = default;
};

/// What a block with counts, with a sweep, or with measurements shows.
struct BlockFigures {
  std::vector<Chart> charts;
  TextTable table;
  std::string machines;  ///< Where measurements come from; "" for counts.
  std::string trouble;   ///< Why there is neither; "" if there is.
};

/// Opening a lesson runs nothing. Sketches are checked and counted on another thread, one after another.
class LessonSession {
 public:
  /// `wake` is called from another thread when update() has something to do.
  LessonSession(LogBook& log, std::function<void()> wake);
  ~LessonSession();
  LessonSession(const LessonSession&) = delete;
  LessonSession& operator=(const LessonSession&) = delete;

  /// The folder with a folder for each lesson that was opened; "" keeps nothing. At first it is `lessons` in that of
  /// the settings. Lessons that are opened later use it.
  void keep_in(std::filesystem::path folder) { learner_ = std::move(folder); }
  /// Opens the lesson in a folder, on the page that was read last. Throws what load_lesson() throws.
  void open(const std::filesystem::path& folder);
  void close();
  [[nodiscard]] bool is_open() const { return lesson_ != nullptr; }
  /// The lesson that is open. This and all below are for an open lesson.
  [[nodiscard]] const Lesson& lesson() const { return *lesson_; }
  /// Counts the lessons that were opened, so that two are never taken for one.
  [[nodiscard]] int opened() const { return opened_; }

  [[nodiscard]] std::size_t page() const { return page_; }
  /// Shows a page; nothing happens if there is none.
  void go_to(std::size_t page);
  /// The questions that are answered and the exercises that are passed, and how many there are.
  struct Done {
    int done = 0, all = 0;
  };
  [[nodiscard]] Done done_on(std::size_t page) const;

  [[nodiscard]] const LessonProgress& progress() const { return progress_; }
  /// Forgets answers and checks. The sketches of the learner stay.
  void begin_again();
  /// On the word of a teacher, hints and solutions are shown without tries.
  void show_solutions(bool shown) { solutions_ = shown; }
  [[nodiscard]] bool shows_solutions() const { return solutions_; }

  /// Judges an answer at once.
  void answer(std::size_t question, const std::string& text);
  [[nodiscard]] const QuestionProgress& answered(std::size_t question) const;
  [[nodiscard]] const ExerciseProgress& exercised(std::size_t exercise) const;

  /// The sketch of the learner for an exercise.
  [[nodiscard]] std::filesystem::path own_file(std::size_t exercise) const;
  /// The exercise whose sketch of the learner is this file.
  [[nodiscard]] std::optional<std::size_t> exercise_of(const std::filesystem::path& file) const;
  /// Makes the sketch of the learner from the one to begin with, if it is not there. Throws Error.
  void prepare(std::size_t exercise);
  /// Judges the sketch of the learner, as its file is, like `threadscape grade`.
  void check(std::size_t exercise);
  [[nodiscard]] bool is_checking(std::size_t exercise) const { return is_due(Job{exercise}); }
  /// What has kept the last check from judging; "" if nothing has.
  [[nodiscard]] std::string check_trouble(std::size_t exercise) const;

  /// Runs the sketches of a block with counts or a sweep.
  void compute(BlockPlace place);
  [[nodiscard]] bool is_computing(BlockPlace place) const { return is_due(Job{place}); }
  /// What compute() has found; null before.
  [[nodiscard]] const BlockFigures* figures(BlockPlace place) const;

  /// The run of a state. It is made once, so that a sketch is one algorithm however often it is shown. Throws what
  /// run_of() throws.
  const RunRequest& run_of_state(BlockPlace place);
  /// The run of a sketch of a sweep, made once as those of states. Throws what run_of_sweep() throws.
  const RunRequest& run_of_swept(BlockPlace place, std::size_t sketch);

  /// Gives up what is being checked and computed.
  void cancel();
  /// Takes what the other thread has finished. Called once a frame.
  void update();
  [[nodiscard]] bool working() const { return working_.valid(); }

 private:
  /// An exercise to be checked, or a block to be computed.
  using Job = std::variant<std::size_t, BlockPlace>;
  struct Finished {
    Job job;
    ExerciseGrade grade;
    BlockFigures figures;
    std::string trouble;
    bool cancelled = false;
  };

  [[nodiscard]] static Finished work(const Lesson& lesson, const Job& job, const std::filesystem::path& file,
                                     const std::stop_token& stop);
  [[nodiscard]] bool is_due(const Job& job) const;
  void ask(const Job& job);
  void start();
  void take(Finished finished);
  /// Writes the progress, and the answers as `threadscape grade` reads them, so that the folder is a submission. What
  /// fails is logged once.
  void save();

  LogBook& log_;
  std::function<void()> wake_;
  std::filesystem::path learner_, own_folder_;  ///< That of the learner, and in it that for this lesson.
  std::shared_ptr<const Lesson> lesson_;
  int opened_ = 0;
  std::size_t page_ = 0;
  LessonProgress progress_;
  bool solutions_ = false, warned_ = false;
  std::map<std::size_t, std::string> troubles_;  ///< By exercise.
  std::map<BlockPlace, BlockFigures> figures_;
  std::map<std::pair<BlockPlace, std::size_t>, RunRequest> runs_;  ///< By block, and by sketch of a sweep.
  std::deque<Job> due_;  ///< What is asked for, the one that is worked on first.
  std::stop_source stop_;
  std::future<Finished> working_;
  bool outdated_ = false;  ///< Nobody wants what is being worked on any more.
};

}  // namespace threadscape::app
