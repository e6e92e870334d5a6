#pragma once
// Reconstruction of an object from its views, the inverse of projection. reconstruction_math.h has the formulas.
//
// fdk   The filtered backprojection of Feldkamp, Davis and Kress. In a parallel beam it is filtered backprojection
// slice
//       by slice.
// sirt  Simultaneous iterative reconstruction: x += C A' R (b - A x). A is the exact projector (projection.h, method
//       incremental), A' its transpose; R and C are diagonal matrices with one over the sums of its rows and columns.
//       With tv the total variation of x is reduced after each of these steps (reconstruction_tv.h).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct SlabRun;  // compute/core/layers.h

struct Reconstruction {
  static constexpr std::string_view title = "Reconstruction";
  static constexpr std::string_view summary =
      "An object from its projections: filtered backprojection, or step by step from what it explains";
  static constexpr std::string_view source =
      "Feldkamp, Davis, Kress: J. Opt. Soc. Am. A 1(6), 1984; Parker: Med. Phys. 9(2), 1982; Gilbert: J. Theor. Biol. "
      "36, 1972; Chambolle: J. Math. Imaging Vis. 20, 2004";
  static constexpr std::string_view group = "Tomography";
  static constexpr Kind input = Kind::volume, output = Kind::volume;
  static constexpr bool loops = true;
  static constexpr Tolerance tolerance = {.abs = 0.0, .rel = 1e-4};  // tolerance_of() adds an absolute part

  enum class Method : int { fdk, sirt };
  using Filter = reconstruction::Filter;
  static constexpr std::array<std::string_view, 2> method_names{"fdk", "sirt"};
  static constexpr std::array<std::string_view, 3> filter_names{"ramp", "shepp_logan", "hann"};

  /// The grid of the inherited parameters is that of the result. The counts of the detector come from the input if that
  /// is a file; a phantom is projected first, with the counts of the parameters.
  struct Params : ScannerParams {
    Params() {
      phantom = Phantom::shepp_logan;
      geometry = Setup::cone;
      voxels = 64;
      detector_pixels = 96;
      pixel_size = 1.5f;
      arc = 360.0f;
      step = 0.0f;
    }
    Method method = Method::fdk;
    Filter filter = Filter::ramp;
    int iterations = 10;
    bool nonnegative = true;
    float tv = 0.0f;

    static auto fields() {
      return std::tuple_cat(
          setup_fields<Params>(),
          std::tuple{
              EnumField{"method", &Params::method, method_names,
                        "fdk: filtered backprojection; sirt: from zero, a little nearer to all views each time"},
              EnumField{"filter", &Params::filter, filter_names,
                        "fdk: ramp up to the finest detail, or less of that and of its noise"},
              Field{"iterations", &Params::iterations, 1, 10000, "", "of sirt", 1, 3},
              titled("Not negative", BoolField{"nonnegative", &Params::nonnegative, "sirt: nothing is below zero"}),
              titled("Total variation",
                     zero_as("not reduced",
                             Field{"tv", &Params::tv, 0.0f, 10.0f, "",
                                   "sirt: weight of edges in the result, in the unit of a voxel; few views determine "
                                   "an object of few edges, for example 0.0005 of its largest value"}))},
          length_fields<Params>(0.0f, "from view to view", "the arc by the views of a file, 3 for a phantom"));
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const;

    /// The geometry in which views of this shape (columns, rows, views) were taken. Throws UsageError if the number of
    /// views contradicts `arc` and `step`, or the detector contradicts geometry=source.
    [[nodiscard]] projection::Geometry scanner(const Shape& views) const;
    /// The parameters of the projection that makes views of the phantom.
    [[nodiscard]] Projection::Params projector() const;
  };

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static Tolerance tolerance_of(const Params&, const Shape& input, Backend, int variant);
  static void check_input(const Params&, const HostIn& in) { check_views(in, 0); }
  /// Throws UsageError if a value of these views, the first of which has this number, is not finite.
  static void check_views(const HostIn& views, std::int64_t first);
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static std::string report(const Params&, const HostIn& in, const HostIn& result);
  static FileNotes file_notes(const Params&, const Shape& input);
  static ResultSettings result_settings(const Params&, const Shape& input);
  /// A part is a batch of views for fdk, and an iteration for sirt.
  static int parts(const Params&, const Shape& input);
  /// Each iteration of sirt needs the whole result.
  static bool makes_layers(const Params& params) { return params.method == Method::fdk; }
  /// A slab of the result is computed from all views, some of which are in memory at a time. Only fdk on the CPU can:
  /// each iteration of sirt needs the whole result, and a GPU has all of it.
  static std::string why_no_slabs(const Params&, Backend);
  static std::size_t slab_bytes(const Params&, const Shape& input, const SlabRun& like);
  static void run_slab(const Params&, const SlabRun&);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);

  /// The ground truth of the result: the phantom. Empty for phantom=file.
  static std::optional<HostArray> truth(const Params&);
  struct Errors {
    double rmse = 0.0;      ///< Root mean square of the differences.
    double relative = 0.0;  ///< Euclidean norm of the difference divided by that of the truth; 0 if the truth is 0.
    double max = 0.0;       ///< Maximum absolute difference.
  };
  /// The errors of a volume of floats against the truth. Both have the same shape.
  static Errors errors(HostIn truth, HostIn result);
};

}  // namespace threadscape
