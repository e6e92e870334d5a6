#pragma once
// Turns a picture by quarters of a circle, and mirrors it.

#include <array>
#include <string_view>
#include <tuple>

#include "compute/algorithms/editing/rotate/rotate_math.h"
#include "compute/core/border.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Rotate {
  static constexpr std::string_view title = "Rotate and flip";
  static constexpr std::string_view summary = "Turns the picture by 90 or 180 degrees, and mirrors it";
  static constexpr std::string_view group = "Editing";
  static constexpr std::string_view source = "a copy of pixels; in the words of linear algebra a transposition";
  static constexpr threadscape::Kind input = threadscape::Kind::image, output = threadscape::Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;

  static constexpr std::array<std::string_view, 4> turn_names{"none", "right", "half", "left"};
  static constexpr std::array<std::string_view, 3> flip_names{"none", "horizontal", "vertical"};

  struct Params {
    rotate::Turn turn = rotate::Turn::right;
    rotate::Flip flip = rotate::Flip::none;

    static auto fields() {
      return std::tuple{EnumField{"turn", &Params::turn, turn_names, "by 90 degrees clockwise, 180, or 90 to the left"},
                        EnumField{"flip", &Params::flip, flip_names, "afterwards: left and right, or top and bottom"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static rotate::Plan plan(const Params& params, const Shape& input);
  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
