#include "app/session/workspace.h"

#include <algorithm>

#include "compute/cuda/device.h"
#include "compute/io/convert.h"
#include "compute/io/data_file.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

Workspace::Workspace() {
  work_.threads = hardware_threads();
  choose_algorithm(algorithms().front());
}

void Workspace::load(const std::filesystem::path& path, const io::LoadOptions& options) {
  const AlgorithmInfo& algorithm = *work_.algorithm;
  Shape wanted{.kind = algorithm.input};
  if (algorithm.input_shape) wanted = algorithm.input_shape(work_.params);
  // The bytes of a photo make no sequence worth sorting.
  if (wanted.kind == Kind::none || (wanted.kind == Kind::sequence && io::has_picture_ending(path)))
    wanted = {.kind = Kind::image};
  io::Picture data = io::load_data(path, wanted, options);
  log.info("opened " + path.string() + ", " + to_string(data.pixels.shape()) +
           (wanted.kind == algorithm.input || algorithm.input == Kind::none
                ? ""
                : ", for algorithms on pictures; " + std::string(algorithm.name) + " works on a " +
                      std::string(name_of(algorithm.input))));
  if (wanted.kind == algorithm.input)
    if (const std::string told = io::apply_settings(algorithm, data.settings, work_.params); !told.empty())
      log.info("the file says " + told);
  set_source(path, std::move(data));
}

bool Workspace::open(const std::filesystem::path& path, const io::LoadOptions& options) {
  try {
    load(path, options);
  } catch (const Error& error) {
    log.error(error.what());
    return false;
  }
  return true;
}

void Workspace::set_source(std::filesystem::path path, io::Picture picture) {
  auto source = std::make_shared<Source>();
  source->path = std::move(path);
  source->picture = std::move(picture);
  source->id = next_source_id_++;
  const Kind kind = source->picture.pixels.shape().kind;
  opened_[kind] = std::move(source);
  if (kind == work_.algorithm->input) timings.clear();
}

void Workspace::close() {
  if (!can_close()) return;
  opened_.erase(work_.algorithm->input);
  timings.clear();
}

std::shared_ptr<const Source> Workspace::opened(Kind kind) const {
  const auto found = opened_.find(kind);
  return found == opened_.end() ? nullptr : found->second;
}

std::shared_ptr<const Source> Workspace::source() const {
  if (work_.algorithm->input == Kind::none) return nullptr;
  return has_own_input() ? own_input().source : opened(work_.algorithm->input);
}

Workspace::OwnInput& Workspace::own_input() const {
  const bool same = own_.work.algorithm == work_.algorithm && own_.work.seed == work_.seed &&
                    work_.algorithm->same_input(own_.work.params, work_.params);
  if (!same) {
    own_ = {.work = work_, .source = nullptr, .trouble = {}};
    own_.work.source_id = next_source_id_++;
  }
  return own_;
}

bool Workspace::lacks_input() const {
  return has_own_input() && !own_input().source && own_input().trouble.empty();
}

Shape Workspace::input_shape() const {
  if (const auto input = source()) return input->picture.pixels.shape();
  return has_own_input() && problem().empty() ? work_.algorithm->input_shape(work_.params) : Shape{};
}

std::shared_ptr<const Source> Workspace::take_input(const Work& work, HostArray made) {
  auto source = std::make_shared<Source>();
  source->picture.pixels = std::move(made);
  source->id = work.source_id;
  if (own_.work.source_id == work.source_id) own_.source = source;
  checked_.reset();
  return source;
}

void Workspace::refuse_input(const Work& work, std::string why) {
  if (own_.work.source_id == work.source_id) own_.trouble = std::move(why);
  checked_.reset();
}

void Workspace::make_input() {
  if (!lacks_input() || !problem().empty()) return;
  const Work work = wanted();
  try {
    take_input(work, work.make_input());
  } catch (const UsageError& error) {
    refuse_input(work, error.what());
  }
}

HostArray Work::make_input() const {
  HostArray made = algorithm->make_input(params, seed);
  if (algorithm->check_input) algorithm->check_input(params, std::as_const(made).view());
  return made;
}

void Workspace::convert_source(Element element) {
  const auto old = picture();
  if (!old || old->picture.pixels.shape().element == element) return;
  set_source(old->path, {io::convert(old->picture.pixels.view(), element), old->picture.colour});
  log.info("the picture is now " + to_string(picture()->picture.pixels.shape()));
}

void Workspace::keep() {
  Kept& kept = kept_[work_.algorithm->name];
  kept.params = work_.params;
  kept.variants[static_cast<std::size_t>(work_.backend)] = work_.variant;
}

void Workspace::choose_algorithm(const AlgorithmInfo& algorithm) {
  if (work_.algorithm == &algorithm) return;
  if (work_.algorithm != nullptr) keep();
  work_.algorithm = &algorithm;
  step_.reset();
  instead_.reset();
  const auto [kept, is_new] = kept_.try_emplace(algorithm.name);
  if (is_new) kept->second.params = algorithm.defaults();
  work_.params = kept->second.params;
  work_.variant = kept->second.variants[static_cast<std::size_t>(work_.backend)];
  timings.clear();
}

void Workspace::choose_backend(Backend backend) {
  keep();
  work_.backend = backend;
  work_.variant = kept_[work_.algorithm->name].variants[static_cast<std::size_t>(backend)];
}

void Workspace::choose_variant(int variant) {
  const auto count = static_cast<int>(work_.algorithm->variants_of(work_.backend).size());
  work_.variant = std::clamp(variant, 0, count - 1);
}

void Workspace::reset_parameters() {
  work_.params = work_.algorithm->defaults();
}

const std::vector<ViewStep>& Workspace::view_steps() const {
  // Asked several times a frame.
  if (steps_algorithm_ != work_.algorithm || steps_params_ != work_.params) {
    steps_algorithm_ = work_.algorithm;
    steps_params_ = work_.params;
    steps_ = work_.algorithm->view_steps ? work_.algorithm->view_steps(work_.params) : std::vector<ViewStep>{};
  }
  return steps_;
}

int Workspace::shown_step() const {
  const int last = static_cast<int>(view_steps().size()) - 1;
  return step_ && *step_ < last ? *step_ : last;
}

void Workspace::show_step(int index) {
  const int last = static_cast<int>(view_steps().size()) - 1;
  step_ = index >= 0 && index < last ? std::optional(index) : std::nullopt;
}

Work Workspace::wanted() const {
  Work work = work_;
  if (has_own_input())
    work.source_id = own_input().work.source_id;
  else if (const auto input = source())
    work.source_id = input->id;
  if (step_ && shown_step() == *step_) work.params = view_steps()[static_cast<std::size_t>(*step_)].params;
  if (instead_) work.params = *instead_;
  return work;
}

void Workspace::check_again() {
  checked_.reset();
  own_.trouble.clear();
}

void Workspace::compute_instead(std::optional<ParamBox> params) {
  instead_ = std::move(params);
}

std::string Workspace::why_absent(Backend backend) const {
  if (backend != Backend::cuda) return {};
  return cuda::device_problem();
}

std::string Workspace::problem() const {
  // Asked several times a frame, and some answers take a look at the whole picture.
  if (const Work now = wanted(); checked_ != now) {
    checked_ = now;
    trouble_ = find_trouble();
  }
  return trouble_.empty() ? why_absent(work_.backend) : trouble_;
}

std::string Workspace::find_trouble() const {
  const AlgorithmInfo& algorithm = *work_.algorithm;
  const bool own = has_own_input();
  if (own && !own_input().trouble.empty()) return own_input().trouble;
  const auto input = source();
  if (algorithm.input != Kind::none && !input && !own)
    return "no " + std::string(algorithm.input == Kind::image ? "picture" : name_of(algorithm.input)) +
           " is loaded: drop one here or press Ctrl+O";
  if (std::string wrong = work_.params.problem(); !wrong.empty()) return wrong;
  try {
    const Shape shape = input ? input->picture.pixels.shape() : own ? algorithm.input_shape(work_.params) : Shape{};
    (void)algorithm.output_shape(work_.params, shape);
    // What was made was checked then.
    if (algorithm.check_input && input && !own) algorithm.check_input(work_.params, input->picture.pixels.view());
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void choose_work(Workspace& workspace, const AlgorithmOptions& asked) {
  AlgorithmOptions options = asked;
  const bool same_algorithm = options.algorithm.empty() || options.algorithm == workspace.algorithm().name;
  if (options.algorithm.empty()) options.algorithm = workspace.algorithm().name;
  // Without parameters of its own the command line keeps those that the workspace has.
  const bool keep_params = same_algorithm && options.sets.empty() && options.preset.empty();
  const RunRequest request = make_request(options, workspace.work().backend);
  workspace.choose_algorithm(*request.algorithm);
  workspace.choose_backend(request.backend);
  Work& work = workspace.work();
  if (!keep_params) work.params = request.params;
  if (!options.variant.empty()) work.variant = request.variant;
  if (options.threads > 0) work.threads = options.threads;
  work.seed = request.seed;
}

std::vector<std::filesystem::path> sample_pictures() {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(TS_ASSET_DIR "/samples", ignored)) {
    const auto extension = entry.path().extension();
    if (extension == ".png" || extension == ".jpg") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace threadscape::app
