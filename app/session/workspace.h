#pragma once
// What the user has asked for: the data (Sources), the choice (Selection), and whether the choice can be run on the
// data. A workspace draws nothing, and computes nothing except in make_input(). Reading changes nothing, and each
// function that changes something says to changed() what that is. Reading problem() is faster after refresh(), which
// LiveView::update() calls in every frame.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/ab_slot.h"
#include "app/session/history.h"
#include "app/session/log_book.h"
#include "app/session/mend.h"
#include "app/session/moving_clip.h"
#include "app/session/run_options.h"
#include "app/session/selection.h"
#include "app/session/setting.h"
#include "app/session/sources.h"
#include "app/session/step_list.h"
#include "app/session/timing_book.h"
#include "app/session/validation.h"
#include "app/session/work.h"
#include "compute/gpu/device.h"
#include "compute/registry/result_settings.h"

namespace threadscape::app {

/// A file to open, and the form in which it is read. read() uses only this object, so any thread can call it.
struct FileToOpen {
  std::filesystem::path path;
  io::LoadOptions options;
  const AlgorithmInfo* algorithm = nullptr;  ///< The algorithm that was chosen when the file was asked for.
  /// If true, the file belongs to a setting that is restored: what it states does not replace parameters.
  bool restores = false;
  Shape as;  ///< Kind of the data; also element type and extents, for files that do not state them.

  /// Reads the file. Throws EnvironmentError and UsageError; Cancelled after a request to stop.
  [[nodiscard]] io::Loaded read(const std::stop_token& stop = {}) const;
};

/// A result that becomes an input, except for its values.
struct ResultToUse {
  Work work;                              ///< The work that has made the result.
  const AlgorithmInfo* target = nullptr;  ///< The algorithm that is to work on the result.
  io::FileColour colour = io::FileColour::grey;
  ResultSettings settings;  ///< What the result states for the parameters of the target.
};

class Workspace {
 public:
  Workspace() { sources_.refresh(work()); }

  /// Headers of files may name data outside of their folder (LoadOptions::allow_outside), whichever file is opened.
  bool allow_outside = false;
  /// How files of volumes are read from now on, unless options say otherwise: that of the volume that was opened last.
  io::VolumeReading volume_reading = {};

  /// Describes how load() would read a file: as the kind of data that the chosen algorithm takes. It is read as a
  /// picture if the algorithm takes no input, or if it takes a sequence and the name of the file is that of a picture,
  /// and as a volume if it can be nothing else (io::is_only_volume()).
  [[nodiscard]] FileToOpen file_to_open(const std::filesystem::path& path, const io::LoadOptions& options = {}) const;
  /// Describes how a file of this kind is read that belongs to a setting which is restored.
  [[nodiscard]] FileToOpen file_to_restore(const std::filesystem::path& path, Kind kind) const;
  /// Replaces the opened data of this kind by the data that were read, and logs that. Parameters that the file states
  /// are assigned if the algorithm for which it was read is still chosen; those of a volume that it does not take are
  /// given to volume_algorithm(), which is offered. A note about the file is logged as a warning.
  void take_opened(const FileToOpen& file, io::Loaded data);
  /// The algorithm that shows volumes which were opened while another one was chosen.
  [[nodiscard]] static const AlgorithmInfo& volume_algorithm();
  /// The algorithm on pictures that was chosen last, else the first one that there is.
  [[nodiscard]] const AlgorithmInfo& picture_algorithm() const;
  /// Reads a file on the calling thread and opens it. Throws EnvironmentError and UsageError.
  void load(const std::filesystem::path& path, const io::LoadOptions& options = {});
  /// Returns whether a file is open that replaces an input which the algorithm can make itself, so that closing it has
  /// an effect.
  [[nodiscard]] bool can_close() const;
  void close();
  /// Describes the use of the result of `work`, which is or was wanted, as the input of `target`.
  [[nodiscard]] ResultToUse result_to_use(const Work& work, const AlgorithmInfo& target) const;
  /// Makes a result, converted to the kind that the target takes, the opened data of that kind. Chooses the target, and
  /// assigns the parameters that the result states. Logs what the input is now, with an offer to go back.
  void use_result(const ResultToUse& result, HostArray values);
  /// Returns true if the input of the chosen algorithm is a result that use_result() has stored.
  [[nodiscard]] bool can_go_back() const { return sources_.can_go_back(algorithm().input); }
  /// Opens the data of this kind again that were opened before the latest result.
  void go_back(Kind kind);
  void set_source(std::filesystem::path path, io::Loaded picture);
  /// Makes the next frame of the opened moving picture the picture, under a new id. Timings, history and choice stay.
  /// Algorithms in time work on the newest frames, as many as their parameters say, or as were shown since the last
  /// jump: with `jump`, the frame does not follow the one before.
  void show_frame(std::shared_ptr<Source> frame, bool jump = false);
  /// Returns true if algorithms in time work on the newest frames of the opened moving picture, and not on a clip that
  /// was opened after it.
  [[nodiscard]] bool clip_follows_picture() const { return sources_.clip_follows_picture(); }
  /// The picture that was opened last, for any chosen algorithm; may be null.
  [[nodiscard]] std::shared_ptr<const Source> picture() const { return sources_.opened(Kind::image); }
  /// The input of the chosen algorithm: the opened data of its kind, else the input that it makes itself. Null if it
  /// takes no input, or if there is none yet.
  [[nodiscard]] std::shared_ptr<const Source> source() const { return sources_.find(work()); }
  /// The shape of source(), even if it is not made yet; of Kind::none if there is no input.
  [[nodiscard]] Shape input_shape() const;
  /// Returns whether source() has to be made by Work::make_input() of wanted(), which contains the reserved id.
  [[nodiscard]] bool lacks_input() const { return sources_.is_due(work()); }
  /// Stores the input that Work::make_input() has made for a work that is, or was, wanted(). Returns it as a source.
  std::shared_ptr<const Source> take_input(const Work& work, HostArray made);
  /// Stores the reason why an input could not be made, which problem() returns from now on.
  void refuse_input(const Work& work, std::string why);
  /// Makes the input on the calling thread if lacks_input(), unless problem() has a reason against it. For programs
  /// without a window. Throws EnvironmentError.
  void make_input();

  /// The list of steps, whose chosen step is the chosen algorithm with its parameters; empty if there is none.
  [[nodiscard]] const StepList& steps() const { return steps_; }
  /// Puts an algorithm with its kept parameters behind the chosen step, and chooses it. Without a list, the chosen
  /// algorithm becomes the first step of one.
  void add_step(const AlgorithmInfo& algorithm);
  void choose_step(std::size_t index);
  /// Removes a step. A list that is left with one step ends, and that step stays chosen.
  void remove_step(std::size_t index);
  void move_step(std::size_t from, std::size_t to);
  /// Ends the list. The chosen step stays chosen, and works on the data that are open.
  void clear_steps();
  /// Replaces the list, as it was in another session.
  void restore_steps(std::vector<Step> steps, std::size_t chosen);

  void choose_algorithm(const AlgorithmInfo& algorithm);
  void choose_backend(Backend backend);
  void choose_variant(int variant);
  /// The devices to choose from: those of the CUDA driver, unless others were given.
  [[nodiscard]] gpu::Devices& devices() const { return devices_ != nullptr ? *devices_ : gpu::devices(); }
  void choose_from(gpu::Devices& devices) { devices_ = &devices; }
  /// Chooses the device of the CUDA backend, or several, among which it divides the runs that can be divided; the
  /// others run on the first.
  void choose_device(gpu::Device& device) { choose_devices({&device}); }
  void choose_devices(std::vector<gpu::Device*> devices);
  void choose_threads(int threads);
  void choose_seed(std::uint64_t seed);
  /// The chosen device of the CUDA backend.
  [[nodiscard]] gpu::Device& device() const { return device_of({.device = work().device}); }
  /// Replaces the parameters of the chosen algorithm.
  void set_parameters(ParamBox params);
  void reset_parameters() { set_parameters(algorithm().defaults()); }
  /// Calls `edit` with a copy of the parameters of the chosen algorithm, and replaces them by it unless `edit` throws.
  void edit_parameters(const std::function<void(ParamBox&)>& edit);
  /// Sets one parameter of the chosen algorithm from text, as `--set` does. Throws what ParamBox::assign() throws.
  void set_parameter(std::string_view name, std::string_view text) {
    edit_parameters([&](ParamBox& params) { params.assign(name, text); });
  }
  /// Gives an algorithm parameters, whether it is chosen now or later.
  void give_parameters(const AlgorithmInfo& algorithm, ParamBox params);
  /// The choice and the opened files as a value.
  [[nodiscard]] Setting setting() const;
  /// Makes the choice and the opened files those of a setting. A backend that this machine does not have is not chosen,
  /// and files whose data are missing in the setting stay as they are.
  void apply(const Setting& wanted);
  /// Exchanges the present setting with the one in `slot`, if that is filled. `times` are those of the runs of the
  /// present one in milliseconds.
  void swap_with_slot(std::vector<double> times);
  /// Goes back to the setting before the last change, and forward again. Returns the opened files of that setting whose
  /// data are not in memory any more, which the caller opens.
  std::vector<SettingInput> undo();
  std::vector<SettingInput> redo();
  [[nodiscard]] const AlgorithmInfo& algorithm() const { return selection_.algorithm(); }
  /// The parameters of any algorithm, chosen or not (Selection::params_of()).
  [[nodiscard]] ParamBox params_of(const AlgorithmInfo& algorithm) const { return selection_.params_of(algorithm); }
  /// The choice.
  [[nodiscard]] const Work& work() const { return selection_.work(); }
  [[nodiscard]] std::vector<Intermediate> intermediates() const { return selection_.intermediates(); }
  [[nodiscard]] int shown_intermediate() const { return selection_.shown_intermediate(); }
  void show_intermediate(int index);
  void compute_instead(std::optional<ParamBox> params, std::optional<ParamBox> run = {}) {
    selection_.compute_instead(std::move(params), std::move(run));
  }
  /// The work to compute, with the id of its input (Selection::wanted()). All steps have the same input.
  [[nodiscard]] Work wanted() const;
  /// The work whose times are measured (Selection::measured()).
  [[nodiscard]] Work measured() const { return selection_.measured(wanted()); }

  /// Keeps the answers of problem() and mends() until something changes.
  void refresh();
  /// Tells the history what the workspace has become, if something has changed since the last call. Called once a
  /// frame; see History::observe() for `gesture`.
  void record_changes(bool gesture);
  /// The reason why the backend cannot be used on this machine at present; "" if it can.
  [[nodiscard]] std::string why_absent(Backend backend) const { return app::why_absent(backend, work().device); }
  /// The reason why the current work cannot be run, as text for the user; "" if it can.
  [[nodiscard]] std::string problem() const;
  /// The parameters that would cure problem(); none before refresh().
  [[nodiscard]] const std::vector<Mend>& mends() const { return mends_; }
  /// What can be done about problem(), as buttons: values of parameters, a file if there is no input, another backend
  /// if the chosen one is absent.
  [[nodiscard]] std::vector<Offer> cures() const;
  /// Makes problem() check again, because files that parameters name or the free memory may have changed.
  void check_again();

  LogBook log;
  History history;
  AbSlot slot;
  TimingBook timings;

 private:
  /// What a call has changed.
  enum class Change : std::uint8_t {
    input,       ///< The data that the chosen algorithm, or a list of steps, works on.
    files,       ///< Opened data, but not those.
    frame,       ///< The frame of a moving picture, which is no change of the user.
    algorithm,   ///< The algorithm, or the list of steps.
    parameters,  ///< Parameters of the algorithm, or the seed.
    backend,     ///< Backend, device, variant or number of threads.
    view,        ///< The intermediate result that is shown.
  };

  /// Called after each change: brings the list of steps, the inputs and the timings in line with it.
  void changed(Change what);
  std::vector<SettingInput> go_to(const std::optional<Setting>& wanted);
  /// Connects the chosen step of the list with the steps before it.
  void connect_steps();
  /// Makes a step the choice.
  void take_step(const Step& step);
  /// The algorithm that works on the opened data, and its parameters: those of the first step of the list, or the
  /// chosen ones.
  [[nodiscard]] std::pair<const AlgorithmInfo*, const ParamBox*> first_step() const;
  /// Lets the clip of the newest frames contain the present frame of the moving picture, if an algorithm in time works
  /// on it, and be as long as the parameters of that say.
  void follow_picture();

  gpu::Devices* devices_ = nullptr;
  const AlgorithmInfo* picture_algorithm_ = nullptr;
  Sources sources_;
  Selection selection_;
  StepList steps_;
  StepList ended_steps_;  ///< The list that the use of a result has ended, for go_back(); empty if there is none.
  /// The newest frames of the moving picture. There are none while no algorithm in time works on it.
  std::optional<MovingClip> newest_frames_;
  std::uint64_t newest_frame_ = 0;      ///< Source::id of the last frame in newest_frames_.
  std::optional<std::string> problem_;  ///< What find_problem() says of the choice; unset until refresh().
  std::vector<Mend> mends_;             ///< The parameters that would cure problem_.
  bool unrecorded_ = true;              ///< Something has changed that record_changes() has not told the history yet.
};

/// Applies the options of the command line to the choice of the workspace. Throws what make_request() throws.
void choose_work(Workspace& workspace, const AlgorithmOptions& options);

/// The sample photos, which scripts/setup puts into assets/samples, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> sample_pictures();

}  // namespace threadscape::app
