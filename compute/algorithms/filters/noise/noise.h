#pragma once
// Noise added to a picture, to demonstrate what each filter removes.

#include <array>
#include <string_view>
#include <tuple>

#include "compute/algorithms/filters/noise/noise_math.h"
#include "compute/core/border.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Noise {
  static constexpr std::string_view title = "Noise";
  static constexpr std::string_view summary = "Adds salt and pepper, Gaussian or uniform noise; the seed decides which";
  static constexpr std::string_view source =
      "random numbers: Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011";
  static constexpr threadscape::Kind input = threadscape::Kind::image, output = threadscape::Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;

  static constexpr std::array<std::string_view, 3> kind_names{"salt_pepper", "gaussian", "uniform"};

  struct Params {
    noise::Kind kind = noise::Kind::salt_pepper;
    float amount = 0.05f;
    float sigma = 20.0f;
    Channels channels = Channels::each;
    bool frozen = false;

    static auto fields() {
      return std::tuple{
          EnumField{"kind", &Params::kind, kind_names, "white and black pixels, or a random number added to each"},
          Field{"amount", &Params::amount, 0.0f, 1.0f, "", "salt_pepper: the share of pixels that change"},
          Field{"sigma", &Params::sigma, 0.0f, 128.0f, "grey levels",
                "gaussian: standard deviation; uniform: half the width"},
          EnumField{"channels", &Params::channels, channels_names,
                    "other noise for each colour, or the same for all three"},
          BoolField{"frozen", &Params::frozen, "each frame of a moving picture gets the same noise"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// The plan of a run, with sigma in units of the pixels of `input`. `frame` is the number of the picture in a moving
  /// one, each of which has other noise unless that is frozen.
  [[nodiscard]] static noise::Plan plan(const Params& params, const Shape& input, std::uint64_t seed,
                                        std::uint64_t frame);

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
