#include "app/session/workspace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "app/session/moving_file.h"
#include "compute/core/clip.h"
#include "compute/core/kind_info.h"
#include "compute/core/resources.h"
#include "compute/io/data_file.h"
#include "compute/io/folder_reader.h"
#include "compute/io/numbered_files.h"
#include "compute/io/pictures/image_file.h"
#include "compute/registry/diagram.h"
#include "compute/registry/file_settings.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

io::Loaded FileToOpen::read(const std::stop_token& stop) const {
  io::LoadOptions own = options;
  own.stop = stop;
  if (as.kind == Kind::image && moves(path)) return first_frame(path, own);
  return io::load_data(path, as, own);
}

FileToOpen Workspace::file_to_open(const std::filesystem::path& path, const io::LoadOptions& options) const {
  // A list works on files as its first step does.
  const auto [algorithm, params] = first_step();
  const AlgorithmInfo& first = *algorithm;
  FileToOpen file{.path = path, .options = options, .algorithm = &first, .as = {.kind = first.input}};
  if (allow_outside) file.options.allow_outside = true;
  if (options.volume == io::VolumeReading{}) file.options.volume = volume_reading;
  if (first.own_input) {
    try {
      file.as = first.own_input->shape(*params);
    } catch (const UsageError&) {
      // The parameters allow no input of the algorithm's own, which a file need not care about.
    }
  }
  // The file of a photo is not read as a sequence, because sorting its bytes makes no sense.
  if (file.as.kind == Kind::none || (io::reads_any_file(file.as.kind) && io::has_picture_extension(path)))
    file.as = {.kind = Kind::image};
  // A folder of pictures holds the frames of a clip where a clip is wanted, and the slices of a volume elsewhere.
  std::error_code error;
  const bool frames = file.as.kind == Kind::clip && std::filesystem::is_directory(path, error);
  if (file.as.kind != Kind::volume && !frames && io::is_only_volume(path)) file.as = {.kind = Kind::volume};
  // What moves is a picture, except numbered pictures where they are the slices of a volume or the frames of a clip.
  const bool stack = (file.as.kind == Kind::volume || file.as.kind == Kind::clip) && io::is_number_pattern(path);
  if (moves(path) && !stack) file.as = {.kind = Kind::image};
  return file;
}

FileToOpen Workspace::file_to_restore(const std::filesystem::path& path, Kind kind) const {
  FileToOpen file = file_to_open(path);
  if (file.as.kind != kind) file.as = {.kind = kind};
  file.restores = true;
  return file;
}

void Workspace::take_opened(const FileToOpen& file, io::Loaded data) {
  const AlgorithmInfo& asked = *file.algorithm;
  const bool gives_clips = asked.input == Kind::clip && file.as.kind == Kind::image && moves(file.path);
  const bool is_input = file.as.kind == asked.input || gives_clips;
  const std::string opened = "opened " + file.path.string() + ", " + to_string(data.pixels.shape());
  const bool is_volume = file.as.kind == Kind::volume;
  if (is_volume) volume_reading = file.options.volume;
  const AlgorithmInfo& shows = is_volume ? volume_algorithm() : picture_algorithm();
  if (is_input || file.restores)
    log.detail(opened);  // The picture and its name are seen anyway.
  else
    log.info(opened + ", which " + std::string(asked.title) + " does not take: " +
                 (asked.input == Kind::none ? "it makes its own data"
                                            : "it works on a " + std::string(info_of(asked.input).user_name)),
             {{Offer::Action::choose_algorithm, "Show it", std::string(shows.name)}});
  if (is_input && !file.restores && &asked == &algorithm())
    edit_parameters([&](ParamBox& params) {
      if (const std::string told = apply_settings(asked, data.settings, params); !told.empty())
        log.info("the file says " + told);
    });
  if (!is_input && !file.restores && is_volume) {
    ParamBox params = params_of(shows);
    apply_settings(shows, data.settings, params);
    give_parameters(shows, std::move(params));
  }
  if (!data.note.empty()) log.warning(data.note);
  set_source(file.path, std::move(data));
}

const AlgorithmInfo& Workspace::picture_algorithm() const {
  if (picture_algorithm_ != nullptr) return *picture_algorithm_;
  const auto found = std::ranges::find(algorithms(), Kind::image, &AlgorithmInfo::input);
  return found != algorithms().end() ? *found : algorithm();
}

const AlgorithmInfo& Workspace::volume_algorithm() {
  const auto all = algorithms();
  // Those with a scanner work on objects, others on projections alone.
  const auto found = std::ranges::find_if(
      all, [](const AlgorithmInfo& info) { return info.input == Kind::volume && diagrams_of(info).scanner; });
  return found != all.end() ? *found : all.front();
}

void Workspace::load(const std::filesystem::path& path, const io::LoadOptions& options) {
  const FileToOpen file = file_to_open(path, options);
  take_opened(file, file.read());
}

ResultToUse Workspace::result_to_use(const Work& work, const AlgorithmInfo& target) const {
  ResultToUse result{.work = work, .target = &target};
  const auto input = source();
  const bool known = input && input->id == work.source_id;
  if (known && info_of(work.algorithm->input).coloured) result.colour = input->picture.colour;
  result.settings =
      settings_of_result(*work.algorithm, work.params, known ? input->picture.pixels.shape() : input_shape(),
                         known ? input->picture.settings : ResultSettings{});
  return result;
}

void Workspace::use_result(const ResultToUse& result, HostArray values) {
  const AlgorithmInfo& target = *result.target;
  const Kind kind = values.shape().kind;
  const auto before = sources_.opened(kind);
  const Shape shape = values.shape();
  const io::FileColour colour = shape.channels == 1                     ? io::FileColour::grey
                                : result.colour == io::FileColour::grey ? io::FileColour::rgba
                                                                        : result.colour;
  const auto input = sources_.put_result("result of " + std::string(result.work.algorithm->name),
                                         {std::move(values), colour, result.settings});
  if (!steps_.empty()) {
    ended_steps_ = steps_;
    clear_steps();
  }
  choose_algorithm(target);
  const std::string told = apply_settings(target, result.settings, selection_.work().params);
  changed(Change::input);
  const std::string settings = told.empty() ? "" : ". It sets the parameters " + told;
  log.info("Input: " + input->title() + ", " + to_string(shape) + settings,
           {{.action = Offer::Action::earlier_input,
             .label = "Back to " + (before ? before->title() : std::string("the input before")),
             .kind = kind}});
}

void Workspace::go_back(Kind kind) {
  if (!sources_.can_go_back(kind)) return;
  sources_.go_back(kind);
  if (steps_.empty() && !ended_steps_.empty()) {
    steps_ = std::exchange(ended_steps_, {});
    take_step(steps_.chosen_step());
  }
  changed(Change::input);
  const auto input = sources_.opened(kind);
  log.info(!steps_.empty() ? "The list of steps is back"
           : input         ? "Input: " + input->title()
                           : "Input: that of the algorithm itself");
}

void Workspace::set_source(std::filesystem::path path, io::Loaded picture) {
  const auto before = sources_.opened(algorithm().input);
  sources_.put(std::move(path), std::move(picture));
  follow_picture();
  changed(sources_.opened(algorithm().input) != before ? Change::input : Change::files);
}

void Workspace::show_frame(std::shared_ptr<Source> frame, bool jump) {
  if (jump) newest_frames_.reset();
  sources_.put_frame(std::move(frame));
  changed(Change::frame);
}

std::pair<const AlgorithmInfo*, const ParamBox*> Workspace::first_step() const {
  if (steps_.empty()) return {&algorithm(), &work().params};
  const Step& first = steps_.steps().front();
  return {first.algorithm, &first.params};
}

void Workspace::follow_picture() {
  const auto [first, params] = first_step();
  const bool in_time = first->input == Kind::clip && first->own_input && sources_.clip_follows_picture();
  if (!in_time) {
    if (std::exchange(newest_frame_, 0) == 0) return;
    newest_frames_.reset();
    sources_.put_moving_clip(nullptr);
    return;
  }
  if (!params->problem().empty()) return;
  const std::int64_t frames = first->own_input->shape(*params).depth;
  const auto picture = sources_.opened(Kind::image);
  const bool fits = !newest_frames_ || newest_frames_->frames() == frames;
  const bool arrived = std::exchange(newest_frame_, picture->id) != picture->id;
  if (fits && !arrived) return;
  try {
    if (!newest_frames_) newest_frames_.emplace(frames);
    if (!fits) newest_frames_->resize(frames);
    if (arrived) newest_frames_->push(*picture);
    sources_.put_moving_clip(newest_frames_->source());
  } catch (const EnvironmentError& error) {
    newest_frames_.reset();
    sources_.put_moving_clip(nullptr);
    log.error(std::string(first->title) + " cannot keep " + std::to_string(frames) + " frames: " + error.what());
  }
}

bool Workspace::can_close() const {
  return algorithm().own_input && sources_.opened(algorithm().input);
}

void Workspace::close() {
  if (!can_close()) return;
  // The clip of a moving picture is closed with that.
  const bool moving = algorithm().input == Kind::clip && sources_.clip_follows_picture();
  sources_.close(moving ? Kind::image : algorithm().input);
  changed(Change::input);
}

Shape Workspace::input_shape() const {
  if (const auto input = source()) return input->picture.pixels.shape();
  return sources_.is_own(work()) && problem().empty() ? Sources::own_shape(work()) : Shape{};
}

std::shared_ptr<const Source> Workspace::take_input(const Work& work, HostArray made) {
  problem_.reset();
  return sources_.store_made(work, std::move(made));
}

void Workspace::refuse_input(const Work& work, std::string why) {
  sources_.refuse(work, std::move(why));
  problem_.reset();
}

void Workspace::make_input() {
  refresh();
  if (!lacks_input() || !problem().empty()) return;
  const Work work = wanted();
  try {
    take_input(work, work.make_input());
  } catch (const UsageError& error) {
    refuse_input(work, error.what());
  }
}

void Workspace::choose_algorithm(const AlgorithmInfo& algorithm) {
  if (algorithm.input == Kind::image) picture_algorithm_ = &algorithm;
  if (selection_.choose_algorithm(algorithm)) changed(Change::algorithm);
}

void Workspace::choose_backend(Backend backend) {
  selection_.choose_backend(backend);
  changed(Change::backend);
}

void Workspace::choose_variant(int variant) {
  selection_.choose_variant(variant);
  changed(Change::backend);
}

void Workspace::choose_devices(std::vector<gpu::Device*> devices) {
  selection_.work().device = devices.front();
  if (devices.size() == 1) devices.clear();
  selection_.work().devices = std::move(devices);
  changed(Change::backend);
}

void Workspace::choose_threads(int threads) {
  selection_.work().threads = threads;
  changed(Change::backend);
}

void Workspace::choose_seed(std::uint64_t seed) {
  selection_.work().seed = seed;
  changed(Change::parameters);
}

void Workspace::set_parameters(ParamBox params) {
  selection_.work().params = std::move(params);
  changed(Change::parameters);
}

void Workspace::edit_parameters(const std::function<void(ParamBox&)>& edit) {
  ParamBox params = work().params;
  edit(params);
  set_parameters(std::move(params));
}

void Workspace::give_parameters(const AlgorithmInfo& algorithm, ParamBox params) {
  selection_.give_params(algorithm, std::move(params));
  changed(Change::parameters);
}

void Workspace::show_intermediate(int index) {
  selection_.show_intermediate(index);
  changed(Change::view);
}

void Workspace::changed(Change what) {
  unrecorded_ = unrecorded_ || what != Change::frame;
  if (what == Change::input || what == Change::algorithm) timings.clear();
  if (what == Change::backend || what == Change::view) return;
  problem_.reset();
  if (!steps_.empty()) steps_.store({.algorithm = work().algorithm, .params = work().params});
  follow_picture();
  connect_steps();
  sources_.refresh(work());
}

void Workspace::record_changes(bool gesture) {
  if (!unrecorded_) return;
  history.observe(setting(), gesture);
  unrecorded_ = gesture;
}

Setting Workspace::setting() const {
  Setting now{.work = work(),
              .intermediate = shown_intermediate(),
              .inputs = {},
              .list = steps_.steps(),
              .chosen = steps_.chosen()};
  now.work.source_id = 0;
  now.work.before = nullptr;
  for (const auto& [kind, present] : sources_.all_opened()) {
    const auto source = sources_.as_opened(present);
    now.inputs.push_back({.path = source->path, .kind = kind, .id = source->id, .data = source});
  }
  return now;
}

void Workspace::apply(const Setting& wanted) {
  const auto input_before = sources_.opened(wanted.work.algorithm->input);
  for (const SettingInput& input : setting().inputs)
    if (std::ranges::find(wanted.inputs, input.kind, &SettingInput::kind) == wanted.inputs.end())
      sources_.close(input.kind);
  for (const SettingInput& input : wanted.inputs)
    if (input.data) sources_.put_back(input.data);
  if (wanted.list.empty()) {
    if (!steps_.empty()) clear_steps();
    choose_algorithm(*wanted.work.algorithm);
    set_parameters(wanted.work.params);
  } else {
    restore_steps(wanted.list, wanted.chosen);
  }
  choose_threads(wanted.work.threads);
  choose_seed(wanted.work.seed);
  if (!wanted.work.devices.empty())
    choose_devices(wanted.work.devices);
  else if (wanted.work.device != nullptr)
    choose_device(*wanted.work.device);
  if (why_absent(wanted.work.backend).empty()) {
    choose_backend(wanted.work.backend);
    choose_variant(wanted.work.variant);
  }
  show_intermediate(wanted.intermediate);
  if (sources_.opened(algorithm().input) != input_before) changed(Change::input);
}

std::vector<SettingInput> Workspace::go_to(const std::optional<Setting>& wanted) {
  if (!wanted) return {};
  apply(*wanted);
  history.applied(setting(), *wanted);
  std::vector<SettingInput> missing;
  std::ranges::copy_if(wanted->inputs, std::back_inserter(missing),
                       [](const SettingInput& input) { return !input.data && !input.path.empty(); });
  return missing;
}

void Workspace::swap_with_slot(std::vector<double> times) {
  if (!slot.filled()) return;
  const Setting before = setting();
  history.observe(before, false);  // What was changed before is a change of its own.
  apply(slot.swap(before, std::move(times)));
}

std::vector<SettingInput> Workspace::undo() {
  return go_to(history.undo(setting()));
}

std::vector<SettingInput> Workspace::redo() {
  return go_to(history.redo(setting()));
}

void Workspace::connect_steps() {
  Work& work = selection_.work();
  if (steps_.empty()) {
    work.before = nullptr;
    return;
  }
  const auto source = sources_.opened(steps_.steps().front().algorithm->input);
  const std::shared_ptr<StepsBefore> before = steps_.connect(source, work.seed);
  work.params = steps_.chosen_step().params;
  if (before) sources_.find_start(*before);
  // An equal input keeps its identity, by which works are compared.
  const bool same = before && work.before && before->same_input(*work.before);
  if (!same) work.before = before;
}

void Workspace::take_step(const Step& step) {
  if (step.algorithm->input == Kind::image) picture_algorithm_ = step.algorithm;
  if (!selection_.choose_algorithm(*step.algorithm)) selection_.show_intermediate(-1);
  selection_.compute_instead({});
  selection_.work().params = step.params;
  changed(Change::algorithm);
}

void Workspace::add_step(const AlgorithmInfo& algorithm) {
  ended_steps_.clear();
  steps_.add({.algorithm = work().algorithm, .params = work().params},
             {.algorithm = &algorithm, .params = params_of(algorithm)});
  take_step(steps_.chosen_step());
}

void Workspace::choose_step(std::size_t index) {
  if (index >= steps_.steps().size() || index == steps_.chosen()) return;
  steps_.choose(index);
  take_step(steps_.chosen_step());
}

void Workspace::remove_step(std::size_t index) {
  if (index >= steps_.steps().size()) return;
  steps_.remove(index);
  const Step left = steps_.chosen_step();
  if (steps_.steps().size() < 2) steps_.clear();
  take_step(left);
}

void Workspace::move_step(std::size_t from, std::size_t to) {
  steps_.move(from, to);
  if (!steps_.empty()) take_step(steps_.chosen_step());
}

void Workspace::clear_steps() {
  steps_.clear();
  changed(Change::algorithm);
}

void Workspace::restore_steps(std::vector<Step> steps, std::size_t chosen) {
  steps_.assign(std::move(steps), chosen);
  if (steps_.empty()) return clear_steps();
  take_step(steps_.chosen_step());
}

Work Workspace::wanted() const {
  Work work = selection_.wanted();
  work.source_id = sources_.id_of(selection_.work());
  if (const auto input = work.before ? work.before->source : source()) work.frame = input->frame;
  return work;
}

void Workspace::refresh() {
  if (problem_) return;
  problem_ = find_problem(work(), sources_);
  mends_ = problem_->empty() ? std::vector<Mend>{} : find_mends(work(), sources_);
}

std::string Workspace::problem() const {
  const std::string wrong = problem_ ? *problem_ : find_problem(work(), sources_);
  return wrong.empty() ? why_absent(work().backend) : wrong;
}

std::vector<Offer> Workspace::cures() const {
  std::vector<Offer> offers;
  if (problem().empty()) return offers;
  if (!why_absent(work().backend).empty())
    offers.push_back({Offer::Action::choose_backend, "Use OpenMP", std::string(name_of(Backend::openmp))});
  for (const Mend& mend : mends_)
    std::ranges::move(offers_of(mend), std::back_inserter(offers));
  if (algorithm().input == Kind::none || !work().params.problem().empty()) return offers;
  const auto input = source();
  if (!input && !sources_.is_own(work())) offers.push_back({Offer::Action::open_file, "Open a file..."});
  return offers;
}

void Workspace::check_again() {
  sources_.forget_refusal();
  problem_.reset();
}

std::vector<std::filesystem::path> sample_pictures() {
  std::vector<std::filesystem::path> found;
  for (io::FolderReader reader(asset_folder() / "samples"); auto path = reader.next();)
    if (io::has_picture_extension(*path)) found.push_back(std::move(*path));
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace threadscape::app
