#pragma once
// Every backend and variant of an algorithm against its serial reference, over sizes that fit no block, parameters at
// their ends, several seeds and thread counts. `threadscape verify` and the parity test run the same sweep.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/registry/algorithm.h"

namespace threadscape {

/// The first value (in memory order) at which two results differ, and how many others do.
struct Mismatch {
  std::int64_t x = 0, y = 0, z = 0;
  int channel = 0;
  double expected = 0.0, actual = 0.0;
  std::int64_t count = 0;  ///< of differing values
};
/// Nothing when |actual - expected| <= abs + rel |expected| everywhere; with Tolerance::exact(), when all bits are
/// equal. Throws std::logic_error when the shapes differ.
[[nodiscard]] std::optional<Mismatch> compare(HostIn expected, HostIn actual, const Tolerance& tolerance);
/// "first at x 3, y 0, channel 1: 17 instead of 16 (5 values differ)".
[[nodiscard]] std::string to_string(const Mismatch& mismatch);

/// One set of parameters of the sweep.
struct VerifySetting {
  std::string label;  ///< "defaults", "radius=32", "border=wrap size=9"
  ParamBox params;
};
/// The defaults; every field at both ends (an integer's Field::sweep_hi is its upper end where it has one) and at every
/// choice; every choice together with every integer at its upper end; grids at both ends and, for each side, with mixed
/// values. Settings that their own check() refuses are left out.
[[nodiscard]] std::vector<VerifySetting> verify_settings(const AlgorithmInfo& algorithm);

/// Inputs of the sweep: odd extents from 1 on, every element type, grey and RGBA. An algorithm that does not take one
/// of them says so through output_shape().
[[nodiscard]] std::vector<Shape> verify_shapes(Kind kind);

struct VerifyOptions {
  std::vector<Backend> backends{Backend::serial, Backend::openmp, Backend::cuda};
  std::vector<int> threads{1, 2, 7};  ///< of OpenMP
  std::vector<std::string> without;   ///< variants that are left out
  std::uint64_t seeds = 3;            ///< inputs of each size: all for the defaults, in turns for other settings
};

/// What came of one backend and variant.
struct VerifyRow {
  Backend backend = Backend::serial;
  int variant = 0;
  std::int64_t compared = 0;  ///< results that were equal to serial
  std::string skipped;        ///< why it could not run here, or ""
  std::string failure;        ///< the first difference or error, with sizes, parameters and seed; or ""
};
/// One row per backend and variant, serial's default excepted: it is the reference. Rows end at their first failure.
/// Throws Cancelled.
[[nodiscard]] std::vector<VerifyRow> verify(const AlgorithmInfo& algorithm, const VerifyOptions& options = {},
                                            const std::stop_token& stop = {}, Progress* progress = nullptr);

}  // namespace threadscape
