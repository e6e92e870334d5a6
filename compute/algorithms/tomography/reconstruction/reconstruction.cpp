#include "compute/algorithms/tomography/reconstruction/reconstruction.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "compute/algorithms/tomography/projection/openmp/projection_openmp.h"
#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_openmp.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_memory.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_serial.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_tv.h"
#include "compute/algorithms/tomography/view_list.h"
#include "compute/core/machine.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

namespace {

using projection::Geometry;

constexpr float phantom_step = 3.0f;  // Angle between views of a phantom, in degrees.

const float* values_of(HostIn volume) {
  return reinterpret_cast<const float*>(volume.data);
}

/// The views of a volume, computed on all cores.
HostArray projected(const Geometry& geometry, HostIn volume) {
  HostArray views(Shape{Kind::volume, Element::f32, 1, geometry.columns, geometry.rows, geometry.views});
  std::fill_n(reinterpret_cast<float*>(views.data()), views.shape().items(), 0.0f);
  HostScratch scratch;
  scratch.reset(projection::openmp_scratch_bytes(geometry, 0));
  HostRun run;
  run.scratch = &scratch;
  run.threads = hardware_threads();
  projection::add_slabs(geometry, projection::Method::incremental, 0, values_of(volume), views.view().volume<float>(),
                        run);
  return views;
}

}  // namespace

std::string Reconstruction::Params::problem() const {
  if (method == Method::fdk && feed != 0 && geometry != Setup::source)
    return "feed: fdk takes the views of a circle, since its filter and weights are not those of a spiral; method=sirt "
           "takes both";
  return step > 0 || !angles.empty() ? ScannerParams::problem() : problem_of_turns();
}

Projection::Params Reconstruction::Params::projector() const {
  Projection::Params projector;
  static_cast<ScannerParams&>(projector) = *this;
  if (!(step > 0)) projector.step = phantom_step;
  return projector;
}

Geometry Reconstruction::Params::scanner(const Shape& given) const {
  const std::string shown = std::to_string(given.depth) + " views of " + std::to_string(given.width) + " x " +
                            std::to_string(given.height) + " pixels";
  ScannerParams own = *this;
  if (geometry == Setup::source && (given.width != pixels || given.height != pixels))
    throw UsageError("the input holds " + shown + ", geometry=source with pixels = " + std::to_string(pixels) +
                     " makes views of " + std::to_string(pixels) + " x " + std::to_string(pixels));
  own.detector_pixels = static_cast<int>(given.width);
  own.detector_rows = static_cast<int>(given.height);
  if (!angles.empty()) {
    if (own.views() != given.depth)
      throw UsageError("the input holds " + shown + ", angles are " + std::to_string(own.views()));
    return own.scanner(grid().shape());
  }
  if (step > 0) {
    const bool closed = own.views() * step >= 360 * turns * (1 - 1e-6f);
    if (own.views() != given.depth && !(closed && own.views() + 1 == given.depth))
      throw UsageError("the input holds " + shown + ", arc = " + std::to_string(arc) + " in steps of " +
                       std::to_string(step) + " degrees are " + std::to_string(own.views()) + " views");
    Geometry g = own.scanner(grid().shape());
    g.views = static_cast<int>(given.depth);  // One more where both ends of a full turn were measured.
    return g;
  }
  if (!(arc > 0) && given.depth > 1) throw UsageError("the input holds " + shown + ", arc = 0 is one view");
  // A single view represents half a circle.
  const double between = given.depth == 1 ? 180.0
                         : arc >= 360     ? own.turned() / static_cast<double>(given.depth)
                                          : double{arc} / (static_cast<double>(given.depth) - 1);
  own.step = static_cast<float>(between);
  Geometry g = own.scanner(grid().shape());
  g.views = static_cast<int>(given.depth);
  g.angle_step = reverse ? -between : between;
  return g;
}

reconstruction::Coverage reconstruction::Coverage::of(const Geometry& geometry) {
  constexpr double turn = 2 * std::numbers::pi, slack = 1e-6;
  Coverage coverage;
  coverage.views = geometry.views;
  coverage.step =
      (geometry.list != nullptr ? projection::cover_of(geometry).step : std::abs(geometry.angle_step)) * (turn / 360);
  coverage.reversed = geometry.angle_step < 0;
  const bool closed = geometry.list == nullptr || projection::cover_of(geometry).closed;
  const double covered =
      geometry.list != nullptr ? projection::cover_of(geometry).covered * (turn / 360) : geometry.views * coverage.step;
  coverage.last_gap = geometry.list == nullptr ? turn - (geometry.views - 1) * coverage.step : coverage.step;
  coverage.overscan = (covered - turn / 2) / 2;
  // Position of the outermost ray through the volume.
  double radius_of_fan = std::hypot(geometry.grid.side_x(), geometry.grid.side_y()) / 2;
  if (!geometry.parallel) {
    // The fan is that of the detector or that of the volume, whichever is narrower.
    radius_of_fan = radius_of_fan < geometry.source_distance ? std::asin(radius_of_fan / geometry.source_distance)
                                                             : std::numbers::pi / 2;
    const double reach = std::max(std::abs(geometry.u_of(0)), std::abs(geometry.u_of(geometry.columns - 1)));
    coverage.fan = std::min(ray_position(geometry, reach), radius_of_fan);
  }
  if (closed && covered >= turn * (1 - slack)) {
    coverage.kind = Kind::full;
    // The detector is displaced if its shorter side ends inside of the shadow of the volume, and the other one farther.
    // One that does not reach the middle at all misses lines that no weight makes up for.
    const double negative = 0.5 * geometry.pixel - geometry.u_of(0);
    const double positive = geometry.u_of(geometry.columns - 1) + 0.5 * geometry.pixel;
    const double shorter = std::min(negative, positive), longer = std::max(negative, positive);
    if (shorter > 0 && ray_position(geometry, shorter) < radius_of_fan && longer > shorter + geometry.pixel) {
      coverage.overlap = ray_position(geometry, shorter);
      coverage.longer_is_positive = positive > negative;
      // A column more than the outermost ray through the volume needs, for the interpolation.
      const double source_to_detector = geometry.source_distance + geometry.detector_distance;
      const double shadow = geometry.parallel ? radius_of_fan : source_to_detector * std::tan(radius_of_fan);
      const int more = static_cast<int>(std::ceil((std::min(longer, shadow) - shorter) / geometry.pixel)) + 1;
      (positive > negative ? coverage.columns_before : coverage.columns_behind) = more;
    }
  } else if (geometry.list != nullptr && geometry.parallel) {
    // The directions of a parallel beam that repeats after half a turn are measured once each.
    coverage.overscan = 0;
    if (closed) coverage.kind = Kind::half;
  } else if (coverage.overscan > 0 && coverage.overscan >= coverage.fan * (1 - slack)) {
    coverage.kind = Kind::half;
  }
  return coverage;
}

Shape Reconstruction::output_shape(const Params& params, const Shape& input) {
  if (input.element != Element::f32) throw UsageError("reconstruction takes views of floats, not " + to_string(input));
  return params.scanner(input).grid.shape();
}

std::size_t Reconstruction::scratch_bytes(const Params& params, const Shape& input, Backend backend, int) {
  const Geometry g = params.scanner(input);
  const bool fdk = params.method == Method::fdk;
  if (backend == Backend::openmp)
    return fdk ? reconstruction::fdk_scratch_bytes(g, reconstruction::FdkShare::whole(g))
               : reconstruction::sirt_scratch_bytes(g, params.tv > 0);
  if (backend == Backend::cuda)
    return fdk ? reconstruction::fdk_device_bytes(g) : reconstruction::sirt_device_bytes(g, params.tv > 0);
  const auto doubles = [](auto count) { return HostScratch::padded(static_cast<std::size_t>(count) * sizeof(double)); };
  const std::size_t voxels = doubles(g.grid.shape().items());
  return fdk ? voxels + reconstruction::fdk_serial_bytes(g)
             : (3 + (params.tv > 0 ? reconstruction::TotalVariation<double>::arrays : 0)) * voxels +
                   doubles(std::int64_t{g.columns} * g.rows);
}

Tolerance Reconstruction::tolerance_of(const Params& params, const Shape& input, Backend, int) {
  // The other backends sum floats of both signs in another order than the doubles of the serial backend, and round the
  // positions on the detector. The resulting error is absolute: it does not shrink with the result. It assumes that the
  // value of a ray is at most 1 per unit of length; fdk divides by the size of a pixel, sirt by the length in a voxel.
  const Geometry g = params.scanner(input);
  const double source_to_detector = g.source_distance + g.detector_distance;
  const double pixel = g.parallel ? g.pixel : g.pixel * g.source_distance / source_to_detector;
  if (params.method == Method::fdk) return {.abs = 1e-4 / pixel, .rel = 1e-4};
  return {.abs = 1e-4 / std::min({g.grid.voxel_x, g.grid.voxel_y, g.grid.voxel_z}), .rel = 1e-4};
}

void Reconstruction::check_views(const HostIn& in, std::int64_t first) {
  const float* values = values_of(in);
  const std::int64_t count = in.shape.items();
  const std::int64_t i = std::find_if(values, values + count, [](float v) { return !std::isfinite(v); }) - values;
  if (i == count) return;
  const std::int64_t column = i % in.shape.width, row = i / in.shape.width % in.shape.height,
                     view = first + i / in.shape.width / in.shape.height;
  throw UsageError("the value in column " + std::to_string(column) + ", row " + std::to_string(row) + " of view " +
                   std::to_string(view) + " is not a finite number");
}

Shape Reconstruction::input_shape(const Params& params) {
  const Geometry g = params.projector().scanner();
  return {Kind::volume, Element::f32, 1, g.columns, g.rows, g.views};
}

HostArray Reconstruction::make_input(const Params& params, std::uint64_t seed) {
  if (params.phantom == ScannerParams::Phantom::file)
    throw UsageError("phantom=file needs views as INPUT (.mhd, .raw or a stack of pictures)");
  const Projection::Params projector = params.projector();
  const Geometry geometry = projector.scanner();  // Unsuitable parameters throw here, before the phantom is computed.
  return projected(geometry, Projection::make_input(projector, seed).view());
}

bool Reconstruction::same_input(const Params& a, const Params& b) {
  return static_cast<const ScannerParams&>(a) == static_cast<const ScannerParams&>(b);
}

std::optional<HostArray> Reconstruction::truth(const Params& params) {
  if (params.phantom == ScannerParams::Phantom::file) return {};
  return Projection::make_input(params.projector(), 0);
}

Reconstruction::Errors Reconstruction::errors(HostIn truth, HostIn result) {
  if (truth.shape != result.shape)
    throw std::logic_error("errors of " + to_string(result.shape) + " against " + to_string(truth.shape));
  const float *expected = values_of(truth), *actual = values_of(result);
  const std::int64_t count = truth.shape.items();
  double squares = 0, norm = 0, max_error = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = static_cast<double>(expected[i]), error = static_cast<double>(actual[i]) - value;
    squares += error * error;
    norm += value * value;
    max_error = std::max(max_error, std::abs(error));
  }
  return {count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0.0, norm > 0 ? std::sqrt(squares / norm) : 0.0,
          max_error};
}

std::string Reconstruction::report(const Params& params, const HostIn& in, const HostIn& result) {
  const Geometry geometry = params.scanner(in.shape);
  std::string text;
  char line[160];
  if (const std::optional<HostArray> phantom = truth(params)) {
    const Errors e = errors(phantom->view(), result);
    std::snprintf(line, sizeof line, "against the phantom: RMSE %.5f, relative error %.5f, largest %.5f\n", e.rmse,
                  e.relative, e.max);
    text += line;
  }
  if (params.method == Method::sirt) {
    const HostArray views = projected(geometry, result);
    const Errors e = errors(in, views.view());
    std::snprintf(line, sizeof line, "against the views: RMSE %.5f, relative residual %.5f after %d iterations\n",
                  e.rmse, e.relative, params.iterations);
    text += line;
    return text;
  }
  const auto coverage = reconstruction::Coverage::of(geometry);
  if (coverage.kind == reconstruction::Coverage::Kind::limited) {
    std::snprintf(line, sizeof line, "limited angle: %.1f degrees are less than half a circle and the fan, %.1f\n",
                  coverage.views * coverage.step * 180 / std::numbers::pi,
                  180 + 2 * coverage.fan * 180 / std::numbers::pi);
    text += line;
  }
  if (coverage.kind == reconstruction::Coverage::Kind::full && coverage.last_gap < 0.5 * coverage.step)
    text += "both ends of the full turn are in the views: the first and the last count half\n";
  if (coverage.overlap > 0)
    text += "the detector is displaced: rays that only its longer side measures count in full\n";
  return text;
}

FileNotes Reconstruction::file_notes(const Params& params, const Shape& input) {
  const volumes::VolumeGrid grid = params.scanner(input).grid;
  return {.bits = 0, .spacing = {grid.voxel_x, grid.voxel_y, grid.voxel_z}, .titles = {}};
}

int Reconstruction::parts(const Params& params, const Shape& input) {
  if (params.method == Method::sirt) return params.iterations;
  return static_cast<int>((input.depth + reconstruction::views_per_part - 1) / reconstruction::views_per_part);
}

void Reconstruction::openmp(const Params& params, const HostRun& run) {
  const Geometry geometry = params.scanner(run.in.shape);
  if (params.method == Method::fdk)
    reconstruction::fdk_openmp(params, geometry, reconstruction::FdkShare::whole(geometry), run);
  else
    reconstruction::sirt_openmp(params, geometry, run);
}

AlgorithmInfo describe_reconstruction() {
  return describe<Reconstruction>("reconstruction");
}

}  // namespace threadscape
