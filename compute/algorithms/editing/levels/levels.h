#pragma once
// Levels: the tone curve with which editors of photos set black, white and the brightness between them.

#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/editing/levels/levels_math.h"
#include "compute/core/border.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Levels {
  static constexpr std::string_view title = "Levels";
  static constexpr std::string_view summary = "Stretches the grey levels from black to white, and bends them by gamma";
  static constexpr std::string_view group = "Editing";
  static constexpr std::string_view source =
      "Gonzalez, Woods: Digital Image Processing, intensity transformations (contrast stretching, power law)";
  static constexpr threadscape::Kind input = threadscape::Kind::image, output = threadscape::Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;

  struct Params {
    float black = 0.0f;
    float white = 255.0f;
    float gamma = 1.0f;
    float low = 0.0f;
    float high = 255.0f;

    static auto fields() {
      return std::tuple{Field{"black", &Params::black, 0.0f, 254.0f, "grey levels", "what is as dark becomes `low`"},
                        Field{"white", &Params::white, 1.0f, 255.0f, "grey levels", "what is as bright becomes `high`"},
                        Field{"gamma", &Params::gamma, 0.1f, 10.0f, "", "above 1 the levels between become brighter"},
                        Field{"low", &Params::low, 0.0f, 255.0f, "grey levels", "the result for black"},
                        Field{"high", &Params::high, 0.0f, 255.0f, "grey levels",
                              "the result for white; below `low` the picture becomes its negative"}};
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const { return black < white ? "" : "black has to be less than white"; }
  };

  [[nodiscard]] static levels::Plan plan(const Params& params) {
    const auto share = [](float level) { return static_cast<double>(level) / 255.0; };
    return {.black = share(params.black),
            .width = share(params.white) - share(params.black),
            .exponent = 1.0 / static_cast<double>(params.gamma),
            .low = share(params.low),
            .range = share(params.high) - share(params.low)};
  }
  /// Every pixel depends on itself alone.
  static Reach reach(const Params&) { return {}; }
  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
