#pragma once
// What the user has asked for: a picture, an algorithm with its parameters, a backend. No drawing, no computing.

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options.h"
#include "app/session/log_book.h"
#include "app/session/timing_book.h"
#include "compute/io/image_file.h"
#include "compute/run/runner.h"

namespace threadscape::app {

/// Data that stay alive while the worker still reads them.
struct Source {
  std::filesystem::path path = {};  ///< "" when the algorithm made them
  io::Picture picture;
  std::uint64_t id = 0;  ///< differs between any two sources
};

/// One piece of work, compared by value: when it differs from what was last computed, something is due.
struct Work {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 0;
  std::uint64_t seed = 0;
  std::uint64_t source_id = 0;

  [[nodiscard]] RunRequest request() const { return {algorithm, params, backend, variant, threads, seed}; }
  /// The input that the algorithm makes for it, checked. Takes long: not for the thread that draws. Throws UsageError
  /// and EnvironmentError.
  [[nodiscard]] HostArray make_input() const;
  friend bool operator==(const Work&, const Work&) = default;
};

class Workspace {
 public:
  Workspace();

  /// Reads what the algorithm works on, and puts it in the place of what was opened of that kind. A file is read as a
  /// picture for algorithms that work on nothing, and when it is one by its name but a sequence is worked on. Throws
  /// EnvironmentError and UsageError.
  void load(const std::filesystem::path& path, const io::LoadOptions& options = {});
  /// The same; on failure logs the reason and keeps what was there. Returns whether it worked.
  bool open(const std::filesystem::path& path, const io::LoadOptions& options = {});
  /// Whether a file is worked on in the place of an input that the algorithm can make.
  [[nodiscard]] bool can_close() const { return work_.algorithm->make_input && opened(work_.algorithm->input); }
  void close();
  void set_source(std::filesystem::path path, io::Picture picture);
  /// The same picture with other numbers; nothing without a picture.
  void convert_source(Element element);
  /// The picture that was opened last, whatever the algorithm works on. May be null.
  [[nodiscard]] std::shared_ptr<const Source> picture() const { return opened(Kind::image); }
  /// What the algorithm works on: what was opened of that kind, else the input that it makes itself. Null when it works
  /// on nothing, or there is nothing yet.
  [[nodiscard]] std::shared_ptr<const Source> source() const;
  /// Its extents, also while it is yet to be made; of no kind when there is none.
  [[nodiscard]] Shape input_shape() const;
  /// Whether source() is yet to be made: by Work::make_input() of what is wanted(), which knows its id already.
  [[nodiscard]] bool lacks_input() const;
  /// What was made for a work that is, or was, wanted(). Returns it as a source.
  std::shared_ptr<const Source> take_input(const Work& work, HostArray made);
  /// Nothing could be made: problem() says so from now on.
  void refuse_input(const Work& work, std::string why);
  /// Makes what is lacking, here and now, unless problem() has something to say: for programs without a window. Throws
  /// EnvironmentError.
  void make_input();

  /// Every algorithm keeps its own parameters and variants while others are chosen.
  void choose_algorithm(const AlgorithmInfo& algorithm);
  void choose_backend(Backend backend);
  void choose_variant(int variant);
  [[nodiscard]] const AlgorithmInfo& algorithm() const { return *work_.algorithm; }
  [[nodiscard]] Work& work() { return work_; }
  [[nodiscard]] const Work& work() const { return work_; }
  void reset_parameters();

  /// The pictures on the way to the result, and that itself as the last: see AlgorithmInfo::view_steps. Fewer than two:
  /// there is nothing on the way.
  [[nodiscard]] const std::vector<ViewStep>& view_steps() const;
  /// Which of them is to be seen; the last unless another was chosen.
  [[nodiscard]] int shown_step() const;
  /// The last, or one that does not exist, is the result: it stays chosen when there are more or fewer steps.
  void show_step(int index);
  /// Computes with these parameters in the place of work()'s: for scenes that make their picture from another result.
  /// They hold for the algorithm that is chosen now.
  void compute_instead(std::optional<ParamBox> params);
  /// What is to be computed: work(), a step on the way to its result, or what the scene asked for; all from one input.
  [[nodiscard]] Work wanted() const;

  /// "" when the backend can be used here and now, otherwise why not.
  [[nodiscard]] std::string why_absent(Backend backend) const;
  /// "" when the current work can be run, otherwise what is wrong with it, in words for the user.
  [[nodiscard]] std::string problem() const;
  /// The answer of problem() may have changed without the work: files that parameters name, memory.
  void check_again();

  LogBook log;
  TimingBook timings;

 private:
  struct Kept {
    ParamBox params;
    std::array<int, 3> variants{};
  };
  /// The input that an algorithm makes itself, as far as it is there.
  struct OwnInput {
    Work work;                             ///< that it is for, with the id that it has or will have
    std::shared_ptr<const Source> source;  ///< null until it is made
    std::string trouble;                   ///< why it cannot be made
  };
  void keep();
  [[nodiscard]] std::string find_trouble() const;
  [[nodiscard]] std::shared_ptr<const Source> opened(Kind kind) const;
  [[nodiscard]] bool has_own_input() const { return work_.algorithm->make_input && !opened(work_.algorithm->input); }
  /// Of the present parameters; only where has_own_input().
  [[nodiscard]] OwnInput& own_input() const;

  std::map<Kind, std::shared_ptr<const Source>> opened_;  ///< the last of each kind
  Work work_;
  std::map<std::string_view, Kept> kept_;
  mutable std::uint64_t next_source_id_ = 1;
  mutable OwnInput own_;
  mutable std::optional<Work> checked_;  ///< what trouble_ is about
  mutable std::string trouble_;
  std::optional<int> step_;  ///< unset: the result
  std::optional<ParamBox> instead_;
  mutable std::vector<ViewStep> steps_;
  mutable const AlgorithmInfo* steps_algorithm_ = nullptr;  ///< what steps_ are of
  mutable ParamBox steps_params_;
};

/// What the command line asks for, over what the workspace holds. Throws as make_request() does.
void choose_work(Workspace& workspace, const AlgorithmOptions& options);

/// The photos that the set-up script put into assets/samples, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> sample_pictures();

}  // namespace threadscape::app
