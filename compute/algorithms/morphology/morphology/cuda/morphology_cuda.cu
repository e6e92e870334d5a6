// Chooses the kernels of a plan: morphology_lines.cu and morphology_short_lines.cu for rectangles, morphology_chords.cu
// for other flat elements, morphology_terms.cu for elements with grey levels and for the variants `global` and
// `shared`, morphology_reconstruct.cu for reconstruction, morphology_finish.cu for what follows the last pass. The
// variant `planes` is in morphology_planes.cu.

#include "compute/algorithms/morphology/morphology/cuda/morphology_cuda.h"
#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/algorithms/morphology/morphology/morphology_memory.h"

namespace threadscape {
namespace morphology {
namespace {

class PlanExecution {
 public:
  PlanExecution(const Plan& plan, const DeviceRun& run)
      : plan_(plan),
        run_(run),
        shape_(run.in.shape),
        vectors_(has_vectors(plan, shape_)),
        variant_(vectors_ ? terms_variant : run.variant) {
    const CudaMemoryNeed need(plan, shape_, variant_);
    for (int i = 0; i < need.pictures; ++i)
      intermediate_[i] = {take(need.pitch * static_cast<std::size_t>(shape_.height)), need.pitch};
    element_ = take(need.element);
    grow_ = take(need.grow);
  }

  void operator()() {
    const DevicePicture in{const_cast<std::byte*>(run_.in.data), run_.in.pitch};
    DevicePicture side;
    if (!plan_.side.empty()) side = run_steps(plan_.side, in, false);
    // The buffer of the side result is exchanged with the third one, so that it is not written again.
    if (side.data)
      std::swap(side.data == intermediate_[1].data ? intermediate_[1] : intermediate_[0], intermediate_[2]);
    const bool direct =
        !vectors_ && plan_.finish == Finish::none && !plan_.reconstruct && can_finish(shape_, plan_.steps);
    const DevicePicture result = run_steps(plan_.steps, in, direct);
    if (!result.data) return;
    if (plan_.reconstruct) launch_reconstruction(run_, result, grow_);
    launch_finish(run_, plan_.finish, result, side);
  }

 private:
  std::byte* take(std::size_t bytes) { return run_.scratch->take<std::byte>(bytes).data(); }

  /// Executes steps from the picture `from` on. Returns the picture with the result, or one without data if the last
  /// kernel has written the result of the run (`direct`).
  DevicePicture run_steps(const std::vector<Step>& steps, DevicePicture from, bool direct) {
    DevicePass pass{shape_, from, intermediate_[0], steps[0], plan_.border, run_.stream};
    const auto advance = [&] {
      pass.from = pass.to;
      pass.to = pass.from.data == intermediate_[0].data ? intermediate_[1] : intermediate_[0];
    };
    if (variant_ == 0 && steps[0].window->rect) {
      const std::vector<LinePass> lines = line_passes(steps, plan_.neutral());
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool last = direct && i + 1 == lines.size() && lines[i].axis == Axis::columns;
        pass.backwards = i % 2 == 1;
        launch_lines(pass, lines[i], last ? &run_ : nullptr);
        if (last) return {};
        advance();
      }
      return pass.from;
    }
    for (const Step& step : steps) {
      pass.step = step;
      if (vectors_) {
        launch_vectors(pass, element_, plan_.order);
      } else if (variant_ == 0 && step.window->flat) {
        const bool last = direct && &step == &steps.back();
        launch_chords(pass, element_, last ? &run_ : nullptr);
        if (last) return {};
      } else {
        launch_terms(pass, element_, variant_ != terms_variant);
      }
      advance();
    }
    return pass.from;
  }

  const Plan& plan_;
  const DeviceRun& run_;
  Shape shape_;
  bool vectors_;
  int variant_;
  DevicePicture intermediate_[3];
  std::byte *element_ = nullptr, *grow_ = nullptr;
};

}  // namespace
}  // namespace morphology

void Morphology::cuda(const Params& params, const DeviceRun& run) {
  const morphology::Plan plan = Morphology::plan(params, run.in.shape.element);
  morphology::check(plan);
  if (run.variant == morphology::planes_variant && !has_vectors(plan, run.in.shape))
    return morphology::launch_planes(plan, run);
  morphology::PlanExecution work(plan, run);
  work();
}

}  // namespace threadscape
