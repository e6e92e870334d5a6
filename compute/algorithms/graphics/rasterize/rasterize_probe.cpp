// The stages of rasterize for benchmarks and for the panel of the scene `pipeline`.

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/algorithms/graphics/rasterize/rasterize_clock.h"
#include "compute/algorithms/graphics/rasterize/rasterize_prepared.h"
#include "compute/registry/facets/stages.h"

namespace threadscape {

namespace {

class RasterizeProbe final : public StageProbe {
 public:
  RasterizeProbe(const Rasterize::Params& params, const HostIn& mesh)
      : prepared_(std::make_shared<rasterize::Prepared>()) {
    prepared_->plan = Rasterize::plan(params, mesh);
    prepared_->complete(params.division, MeshView(mesh));
    prepared_->clock = &clock_;
  }

  [[nodiscard]] std::shared_ptr<const Preparation> preparation() const override { return prepared_; }
  [[nodiscard]] std::vector<StageTime> times(int threads) const override {
    const rasterize::StageMilliseconds measured = clock_.times(threads);
    std::vector<StageTime> times;
    for (std::size_t i = 0; i < measured.ms.size(); ++i)
      if (measured.present[i]) times.push_back({rasterize::timed_stage_names[i], measured.ms[i]});
    return times;
  }
  [[nodiscard]] double repeated_ms(int threads) const override { return clock_.repeated_ms(threads); }

 private:
  rasterize::StageClock clock_;
  std::shared_ptr<rasterize::Prepared> prepared_;
};

}  // namespace

std::unique_ptr<StageProbe> Rasterize::stage_probe(const Params& params, const HostIn& mesh) {
  return std::make_unique<RasterizeProbe>(params, mesh);
}

}  // namespace threadscape
