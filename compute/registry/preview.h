#pragma once
// A small picture that explains parameters, and that can be painted: a structuring element, the mask of a filter.

#include <cstdint>

#include "compute/core/data.h"

namespace threadscape {

struct Preview {
  /// What a cell can hold beside nothing.
  enum class Cells : std::uint8_t {
    parts,                 ///< white
    parts_and_background,  ///< white and black
    levels                 ///< any grey
  };
  /// Sides of a picture that people paint by hand.
  static constexpr int max_painted = 64;

  HostArray picture;                 ///< 8-bit RGBA: opaque greys, and 0, 0, 0, 0 where a cell takes no part
  int origin_x = -1, origin_y = -1;  ///< the cell that lies on the result's pixel; -1: none
  Cells cells = Cells::parts;

  [[nodiscard]] int width() const { return static_cast<int>(picture.shape().width); }
  [[nodiscard]] int height() const { return static_cast<int>(picture.shape().height); }
};

}  // namespace threadscape
