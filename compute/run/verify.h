#pragma once
// Compares every backend and variant of an algorithm with its serial reference, over sizes of which most are no
// multiples of block sizes, parameters at both ends of their ranges, several seeds and thread counts. `threadscape
// verify` and the parity test run the same sweep.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/registry/algorithm_info.h"
#include "compute/run/runner.h"

namespace threadscape {

/// The first value, in memory order, at which two results differ, and the number of differing values.
struct Mismatch {
  std::int64_t x = 0, y = 0, z = 0;
  int channel = 0;
  double expected = 0.0, actual = 0.0;
  std::int64_t count = 0;  ///< Number of differing values, the first included.
};
/// Compares two results. Returns no Mismatch if |actual - expected| <= abs + rel |expected| holds for all values, or,
/// for Tolerance::exact(), if all bits are equal; any NaN equals any other. Throws std::logic_error if the shapes
/// differ.
[[nodiscard]] std::optional<Mismatch> compare(HostIn expected, HostIn actual, const Tolerance& tolerance);
/// The distance from the serial result that the algorithm of a request promises for an input of this shape.
[[nodiscard]] Tolerance tolerance_of(const RunRequest& request, const Shape& input);
/// The mismatch as text: "first at x 3, y 0, channel 1: 17 instead of 16 (5 values differ)".
[[nodiscard]] std::string to_string(const Mismatch& mismatch);

/// One set of parameters of the sweep.
struct VerifySetting {
  std::string label;  ///< The changed parameters: "defaults", "radius=32", "border=wrap size=9".
  ParamBox params;
  bool combined = false;  ///< Two parameters are changed.
};
/// The settings of the sweep: the defaults; every number at both ends of its range, of which Field::sweep_hi is the
/// upper one if it is given; every choice; every choice together with every integer at its upper end; grids with all
/// values at either end and, for each side length, with mixed values. Settings with a ParamBox::problem() are left out.
[[nodiscard]] std::vector<VerifySetting> verify_settings(const AlgorithmInfo& algorithm);

/// The shapes of the inputs of the sweep: extents from 1 on, most of them odd, with every element type, grey and RGBA.
/// The sweep skips shapes that the output_shape() of the algorithm does not accept.
[[nodiscard]] std::vector<Shape> verify_shapes(Kind kind);

struct VerifyOptions {
  std::vector<Backend> backends{Backend::serial, Backend::openmp, Backend::cuda};
  std::vector<int> threads{1, 2, 7};  ///< Thread counts of the openmp backend.
  std::vector<std::string> variants;  ///< Names of the variants that are run; empty = all.
  std::vector<std::string> without;   ///< Names of variants that are not run.
  /// Number of inputs per shape: the defaults run with all of them, every other setting with one of them in turn.
  std::uint64_t seeds = 3;
  /// Each setting is run with one of this many shapes, in turn, so that all shapes still occur: for tools that make
  /// runs slow. Settings of two changes run with one of every three shapes.
  std::uint64_t every = 1;
  gpu::Device* device = nullptr;  ///< Of the CUDA backend; null = the first one that runs this build.
};

/// The outcome for one backend and variant.
struct VerifyRow {
  Backend backend = Backend::serial;
  int variant = 0;
  std::int64_t compared = 0;  ///< Number of results that agreed with the serial reference.
  std::string skipped;        ///< Why it cannot run on this machine, or "".
  std::string failure;        ///< First difference or error, with sizes, parameters and seed, or "".
};
/// Runs the sweep. The result has one row per backend and variant, except for the default variant of serial, which is
/// the reference. A variant is not run again after its first failure. Throws Cancelled if `stop` is requested.
[[nodiscard]] std::vector<VerifyRow> verify(const AlgorithmInfo& algorithm, const VerifyOptions& options = {},
                                            const std::stop_token& stop = {}, Progress* progress = nullptr);

}  // namespace threadscape
