#pragma once
// A run as a list of passes, and the files that it reads. A pass removes or duplicates some seams of one direction.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "compute/algorithms/seams/seam_carving/seam_carving.h"
#include "compute/core/shape.h"

namespace threadscape::seam_carving {

/// A mask from a picture file: its white pixels.
struct Mask {
  int width = 0, height = 0;
  std::vector<std::uint8_t> inside;  ///< 1 or 0 for each pixel, row by row.
  int max_in_row = 0, max_in_column = 0;
};
/// The seam that takes each pixel, from a file that output=order has made.
struct SeamMap {
  int width = 0, height = 0;
  std::vector<std::uint16_t> order;  ///< Number of the seam, 0 = none; row by row.
  /// n if every row has each of 1..n exactly once and no other number but 0; otherwise 0.
  int columns = 0;
  /// n if every column has each of 1..n exactly once and no other number but 0; otherwise 0.
  int rows = 0;
};
/// Contents of files, which are cached until the file changes. Throw EnvironmentError for unreadable files; load_map()
/// throws UsageError for pictures that are no map.
[[nodiscard]] std::shared_ptr<const Mask> load_mask(const std::filesystem::path& path);
[[nodiscard]] std::shared_ptr<const SeamMap> load_map(const std::filesystem::path& path);

struct Pass {
  bool of_rows = false;  ///< Seams run from left to right: the pass works on the transposed picture.
  bool enlarges = false;
  int seams = 0;
};
/// Returns the number of searches of a pass, each of which finds at most `seams_at_once` seams. A run in parts can be
/// cut between them.
[[nodiscard]] constexpr int parts_of(const Pass& pass, int seams_at_once) {
  return (pass.seams + seams_at_once - 1) / seams_at_once;
}

struct Plan {
  SeamCarving::Params params;
  int width = 0, height = 0;  ///< Size of the input.
  int result_width = 0, result_height = 0;
  int max_width = 0, max_height = 0;  ///< Maximum over all intermediate pictures.
  /// The passes in order. With order=optimal these are the passes of order=alternate, and find_pass_order() gives the
  /// ones to be executed.
  std::vector<Pass> passes;
  std::shared_ptr<const Mask> protect, remove;  ///< Null without the mask.
  std::shared_ptr<const SeamMap> map;

  [[nodiscard]] bool masked() const { return protect != nullptr || remove != nullptr; }
  [[nodiscard]] bool needs_transport() const;
  [[nodiscard]] int seams() const;
  /// Sum of parts_of() over all passes that are executed.
  [[nodiscard]] int parts() const;
  /// Returns whether the output is a view of the final picture: energy, cost, grey or candidates.
  [[nodiscard]] bool shows_state() const {
    return params.output != SeamCarving::Output::picture && params.output != SeamCarving::Output::order;
  }
  /// Returns whether there are intermediate pictures beside input and result.
  [[nodiscard]] bool keeps_pictures() const { return passes.size() > 1 || shows_state(); }
  /// Upper limit of the pixels of an intermediate picture.
  [[nodiscard]] std::size_t max_pixels() const {
    return static_cast<std::size_t>(max_width) * static_cast<std::size_t>(max_height);
  }
  /// Mark of a pixel of the input. Where both masks are white it is protected.
  [[nodiscard]] Mark mark(int x, int y) const;
};

/// Makes the plan of a run and reads its files. Throws UsageError for sizes that cannot be reached, for masks and maps
/// of other sizes, and for transport maps that are too large.
[[nodiscard]] Plan make_plan(const SeamCarving::Params& params, const Shape& input);

/// The direction of a view of the final picture: that of the last pass.
[[nodiscard]] inline bool view_of_rows(const std::vector<Pass>& passes) {
  return !passes.empty() && passes.back().of_rows;
}

}  // namespace threadscape::seam_carving
