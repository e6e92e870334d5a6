#pragma once
// A rectangle of a picture.

#include <string_view>
#include <tuple>

#include "compute/core/border.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Crop {
  static constexpr std::string_view title = "Crop";
  static constexpr std::string_view summary = "Keeps a rectangle of the picture; what reaches out of it is cut off";
  static constexpr std::string_view group = "Editing";
  static constexpr std::string_view source = "a copy of pixels";
  static constexpr threadscape::Kind input = threadscape::Kind::image, output = threadscape::Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();

  static constexpr int max_side = 65535;

  struct Params {
    int left = 0, top = 0, width = 0, height = 0;

    static auto fields() {
      return std::tuple{
          Field{"left", &Params::left, 0, max_side, "pixels", "columns that are left out at the left", 1, 30},
          Field{"top", &Params::top, 0, max_side, "pixels", "rows that are left out at the top", 1, 2},
          zero_as("to the edge", Field{"width", &Params::width, 0, max_side, "pixels", "of the result", 1, 40}),
          zero_as("to the edge", Field{"height", &Params::height, 0, max_side, "pixels", "of the result", 1, 20})};
    }
    bool operator==(const Params&) const = default;
  };

  /// Throws UsageError if the rectangle begins outside of the picture.
  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
