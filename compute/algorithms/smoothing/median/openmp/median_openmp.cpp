// The median with all cores and SIMD: which algorithm a run gets.

#include "compute/algorithms/smoothing/median/openmp/median_openmp.h"

namespace threadscape {
namespace {

using median::Plan;

bool by_networks(const Plan& plan, const HostRun& run) {
  return plan.has_network() && median::filter_by_networks(plan, run);
}

bool by_histograms(const Plan& plan, const HostRun& run) {
  if (run.in.shape.element != Element::u8) return false;
  median::filter_by_histograms(plan, run);
  return true;
}

bool by_places(const Plan& plan, const HostRun& run) {
  if (run.in.shape.element != Element::f32) return false;
  median::filter_by_places(plan, run);
  return true;
}

using Launcher = RouteLauncher<Plan, HostRun>;
constexpr std::array launchers{Launcher{route_named("networks", Median::openmp_routes), by_networks},
                               Launcher{route_named("histograms", Median::openmp_routes), by_histograms},
                               Launcher{route_named("places", Median::openmp_routes), by_places}};

}  // namespace

void Median::openmp(const Params& params, const HostRun& run) {
  take_route(launchers, Median::plan(params), run);
}

}  // namespace threadscape
