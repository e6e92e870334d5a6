#pragma once
// What the user has asked for: sources, a selection, and whether the one can be run on the other. It draws nothing and
// computes nothing, except in make_input(). Reading changes nothing; whoever edits work() in place need not tell, but
// reading is quicker after refresh(), which LiveView::update() calls in every frame.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/log_book.h"
#include "app/session/run_options.h"
#include "app/session/selection.h"
#include "app/session/sources.h"
#include "app/session/timing_book.h"
#include "app/session/validation.h"
#include "app/session/work.h"

namespace threadscape::app {

/// A file, and what it is to be read as. Reading it needs nothing else, so that any thread can.
struct FileToOpen {
  std::filesystem::path path;
  io::LoadOptions options;
  const AlgorithmInfo* algorithm = nullptr;  ///< Was chosen when the file was asked for.
  Shape as;                                  ///< Kind, and where the file does not tell them numbers and extents.

  /// Throws EnvironmentError and UsageError.
  [[nodiscard]] io::Picture read() const;
};

class Workspace {
 public:
  Workspace() { sources_.refresh(work()); }

  /// What load() would read: what the chosen algorithm works on. A file is read as a picture for algorithms that work
  /// on nothing, and when it is one by its name but a sequence is worked on.
  [[nodiscard]] FileToOpen file_to_open(const std::filesystem::path& path, const io::LoadOptions& options = {}) const;
  /// Puts what was read in the place of what was opened of that kind, and logs it. What the file says of parameters is
  /// taken over if the algorithm that it was read for is still chosen.
  void take_opened(const FileToOpen& file, io::Picture data);
  /// Reads a file here and now. Throws EnvironmentError and UsageError.
  void load(const std::filesystem::path& path, const io::LoadOptions& options = {});
  /// Whether a file is worked on in the place of an input that the algorithm can make.
  [[nodiscard]] bool can_close() const;
  void close();
  void set_source(std::filesystem::path path, io::Picture picture);
  /// The picture that was opened last, whatever the algorithm works on. May be null.
  [[nodiscard]] std::shared_ptr<const Source> picture() const { return sources_.opened(Kind::image); }
  /// What the algorithm works on: what was opened of that kind, else the input that it makes itself. Null when it works
  /// on nothing, or there is nothing yet.
  [[nodiscard]] std::shared_ptr<const Source> source() const { return sources_.find(work()); }
  /// Extents of source(), also while it is yet to be made; of no kind when there is none.
  [[nodiscard]] Shape input_shape() const;
  /// Whether source() is yet to be made, by Work::make_input() of wanted(), which knows its id already.
  [[nodiscard]] bool lacks_input() const { return sources_.is_due(work()); }
  /// Stores what Work::make_input() made for a work that is, or was, wanted(). Returns it as a source.
  std::shared_ptr<const Source> take_input(const Work& work, HostArray made);
  /// Stores why nothing could be made: problem() says so from now on.
  void refuse_input(const Work& work, std::string why);
  /// Makes what is lacking, here and now, unless problem() has something to say: for programs without a window. Throws
  /// EnvironmentError.
  void make_input();

  void choose_algorithm(const AlgorithmInfo& algorithm);
  void choose_backend(Backend backend);
  void choose_variant(int variant);
  void reset_parameters();
  [[nodiscard]] const AlgorithmInfo& algorithm() const { return selection_.algorithm(); }
  /// The choice, to be edited in place.
  [[nodiscard]] Work& work() { return selection_.work(); }
  [[nodiscard]] const Work& work() const { return selection_.work(); }
  [[nodiscard]] std::vector<ViewStep> view_steps() const { return selection_.view_steps(); }
  [[nodiscard]] int shown_step() const { return selection_.shown_step(); }
  void show_step(int index) { selection_.show_step(index); }
  void compute_instead(std::optional<ParamBox> params) { selection_.compute_instead(std::move(params)); }
  /// What is to be computed, with the id of its input: see Selection::wanted(). All steps have one input.
  [[nodiscard]] Work wanted() const;

  /// Reserves the id of an input that is to be made, and keeps the answer of problem().
  void refresh();
  /// "" when the backend can be used here and now, otherwise why not.
  [[nodiscard]] std::string why_absent(Backend backend) const { return app::why_absent(backend); }
  /// "" when the current work can be run, otherwise what is wrong with it, in words for the user.
  [[nodiscard]] std::string problem() const;
  /// The answer of problem() may have changed without the work: files that parameters name, memory.
  void check_again();

  LogBook log;
  TimingBook timings;

 private:
  /// The choice with the id of its input: what validation_ is asked about.
  [[nodiscard]] Work chosen() const;

  Sources sources_;
  Selection selection_;
  Validation validation_;
};

/// What the command line asks for, over what the workspace holds. Throws as make_request() does.
void choose_work(Workspace& workspace, const AlgorithmOptions& options);

/// The photos that the set-up script put into assets/samples, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> sample_pictures();

}  // namespace threadscape::app
