#pragma once
// A run as a list of passes, and the files that it reads. A pass takes or duplicates seams of one direction.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "compute/algorithms/seams/seam_carving/seam_carving.h"
#include "compute/core/shape.h"

namespace threadscape::seam_carving {

/// White pixels of a mask's picture.
struct Area {
  int width = 0, height = 0;
  std::vector<std::uint8_t> inside;  ///< 1 or 0, row by row
  int most_in_row = 0, most_in_column = 0;
};
/// Which seam takes a pixel, from a file that `output=order` made.
struct SeamMap {
  int width = 0, height = 0;
  std::vector<std::uint16_t> order;  ///< row by row
  int columns = 0;                   ///< n if every row has each of 1..n once and no others, else 0
  int rows = 0;                      ///< the same of every column
};
/// Files are kept while they are not changed. Throw EnvironmentError (unreadable) and UsageError (no map).
[[nodiscard]] std::shared_ptr<const Area> load_area(const std::filesystem::path& path);
[[nodiscard]] std::shared_ptr<const SeamMap> load_map(const std::filesystem::path& path);

struct Pass {
  bool of_rows = false;  ///< seams from left to right: the pass works on the transposed picture
  bool enlarges = false;
  int seams = 0;
};

struct Plan {
  SeamCarving::Params params;
  int width = 0, height = 0;  ///< of the input
  int result_width = 0, result_height = 0;
  int largest_width = 0, largest_height = 0;  ///< of all pictures on the way
  /// With order=optimal what alternate would do; transport_passes() says what is to be done instead.
  std::vector<Pass> passes;
  std::shared_ptr<const Area> protect, remove;  ///< null without masks
  std::shared_ptr<const SeamMap> map;

  [[nodiscard]] bool masked() const { return protect != nullptr || remove != nullptr; }
  [[nodiscard]] bool needs_transport() const;
  [[nodiscard]] int seams() const;
  /// Whether there are pictures beside input and result.
  [[nodiscard]] bool keeps_pictures() const {
    return passes.size() > 1 || params.output == SeamCarving::Output::energy ||
           params.output == SeamCarving::Output::cost;
  }
  /// Pixels of the largest picture on the way.
  [[nodiscard]] std::size_t most_pixels() const {
    return static_cast<std::size_t>(largest_width) * static_cast<std::size_t>(largest_height);
  }
  /// What the masks say of a pixel of the input.
  [[nodiscard]] Mark mark(int x, int y) const;
};

/// Throws UsageError: sizes that cannot be reached, masks and maps of other sizes.
[[nodiscard]] Plan make_plan(const SeamCarving::Params& params, const Shape& input);

/// The direction of which a view of energy or cost is: of the last pass.
[[nodiscard]] inline bool view_of_rows(const std::vector<Pass>& passes) {
  return !passes.empty() && passes.back().of_rows;
}

}  // namespace threadscape::seam_carving
