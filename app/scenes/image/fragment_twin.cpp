#include "app/scenes/image/fragment_twin.h"

#include "app/ui/widgets.h"
#include "compute/algorithms/filters/convolution/convolution.h"

namespace threadscape::app {

const gl::Resource* FragmentTwin::follow(const LiveView& live, const gl::Texture* input, int passes) {
  const Work* const work = live.shown();
  if (work == nullptr || input == nullptr || !exists_for(*work->algorithm)) {
    work_.reset();
    problem_.clear();
    awaits_time_ = false;
    return nullptr;
  }
  if (work_ != *work || input_version_ != live.input_version() || passes_ != passes) {
    work_ = *work;
    input_version_ = live.input_version();
    passes_ = passes;
    run(*work, *input, passes);
  }
  if (!problem_.empty()) return nullptr;
  if (awaits_time_) {
    ms_ = program_->run_ms();
    awaits_time_ = ms_ <= 0.0;
  }
  return &program_->result();
}

bool FragmentTwin::exists_for(const AlgorithmInfo& algorithm) {
  return algorithm.defaults() == ParamBox::of(Convolution::Params{});
}

void FragmentTwin::run(const Work& work, const gl::Texture& input, int passes) {
  const auto& params = work.params.as<Convolution::Params>();
  const convolution::Plan plan = Convolution::plan(params);
  ms_ = 0.0;
  awaits_time_ = false;
  problem_ = render::FragmentConvolution::problem(plan, input.shape());
  if (params.alpha == Alpha::weighted && input.shape().channels == 4) problem_ = "pictures whose alpha is ignored";
  if (!problem_.empty()) return;
  try {
    if (!program_) program_ = std::make_unique<render::FragmentConvolution>(shaders_);
    program_->run(input, plan);  // Warms up.
    program_->run(input, plan, passes);
    awaits_time_ = true;
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

std::string FragmentTwin::text(const Workspace& workspace) const {
  if (!problem_.empty()) return "fragment program: only " + problem_;
  if (!work_ || ms_ <= 0.0) return {};
  const double ours = workspace.timings.statistics(work_->backend).summary(&StageTimes::compute_ms).median;
  std::string text = "fragment program " + format_ms(ms_);
  if (passes_ > 1) text += " in " + std::to_string(passes_) + " passes";
  if (ours > 0.0) text += ", " + std::string(name_of(work_->backend)) + " " + format_ms(ours);
  return text;
}

}  // namespace threadscape::app
