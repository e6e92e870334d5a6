#pragma once
// Reconstruction: an object from its views, the way back of projection. The rules are in reconstruction_math.h.
//
// fdk   filtered backprojection of Feldkamp, Davis and Kress; in a parallel beam it is the usual filtered
//       backprojection, slice by slice.
// sirt  x += C A' R (b - A x): A is the exact projector (projection.h, incremental), A' its transpose, R and C one over
//       the sums of its rows and columns.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Reconstruction {
  static constexpr std::string_view title = "Reconstruction";
  static constexpr std::string_view summary =
      "An object from its projections: filtered backprojection, or step by step from what it explains";
  static constexpr std::string_view source =
      "Feldkamp, Davis, Kress: J. Opt. Soc. Am. A 1(6), 1984; Parker: Med. Phys. 9(2), 1982; Gilbert: J. Theor. Biol. "
      "36, 1972";
  static constexpr std::string_view group = "Tomography";
  static constexpr Kind input = Kind::volume, output = Kind::volume;
  static constexpr Tolerance tolerance = {.abs = 0.0, .rel = 1e-4};  // tolerance_of() says the rest

  enum class Method : int { fdk, sirt };
  enum class Filter : int { ramp, shepp_logan, hann };
  static constexpr std::array<std::string_view, 2> method_names{"fdk", "sirt"};
  static constexpr std::array<std::string_view, 3> filter_names{"ramp", "shepp_logan", "hann"};

  /// The grid is that of the result. What the detector counts comes from the input where that is a file; a phantom is
  /// projected first.
  struct Params : ScannerParams {
    Params() {
      phantom = Phantom::shepp_logan;
      geometry = Setup::cone;
      voxels = 64;
      detector_pixels = 96;
      pixel_size = 1.5f;
      source_distance = 200.0f;
      detector_distance = 100.0f;
      arc = 360.0f;
      step = 0.0f;
    }
    Method method = Method::fdk;
    Filter filter = Filter::ramp;
    int iterations = 10;
    bool nonnegative = true;

    static auto fields() {
      return std::tuple_cat(
          setup_fields<Params>(),
          std::tuple{EnumField{"method", &Params::method, method_names,
                               "fdk: filtered backprojection; sirt: from zero, a little nearer to all views each time"},
                     EnumField{"filter", &Params::filter, filter_names,
                               "fdk: ramp up to the finest detail, or less of that and of its noise"},
                     Field{"iterations", &Params::iterations, 1, 10000, "", "of sirt", 1, 3},
                     BoolField{"nonnegative", &Params::nonnegative, "sirt: nothing is below zero"}},
          length_fields<Params>(0.0f, "from view to view; 0 = the arc by the views of a file, 3 for a phantom"));
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const;

    /// How views of this shape (columns, rows, views) were taken. Throws UsageError where they were not: another number
    /// of views than `arc` and `step` are, another detector than geometry=source has.
    [[nodiscard]] projection::Geometry scanner(const Shape& views) const;
    /// What projects the phantom.
    [[nodiscard]] Projection::Params projector() const;
  };

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static Tolerance tolerance_of(const Params&, const Shape& input, Backend, int variant);
  static void check_input(const Params&, const HostIn&);
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static std::string report(const Params&, const HostIn& in, const HostIn& result);
  static FileNotes file_notes(const Params&, const Shape& input);
  /// fdk: batches of views. sirt: iterations.
  static int parts(const Params&, const Shape& input);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);

  /// What the result should be: the phantom. Empty for phantom=file.
  static std::optional<HostArray> truth(const Params&);
  struct Errors {
    double rmse = 0.0;
    double relative = 0.0;  ///< Euclidean norm of the difference by that of the truth; 0 for a truth of zeros
    double max = 0.0;       ///< largest absolute difference
  };
  /// Of two volumes of floats of one shape.
  static Errors errors(HostIn truth, HostIn result);
};

}  // namespace threadscape
