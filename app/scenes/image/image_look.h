#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "compute/core/params.h"
#include "render/colour_bars.h"
#include "render/passes/image_pass.h"

namespace threadscape::app {

/// How pictures are shown in 2-D: what the popup "Display..." edits, and `render --view NAME=VALUE` states. The ranges
/// are those of the sliders.
struct ImageLook {
  bool auto_exposure = false;
  float exposure = 0.0f, offset = 0.0f, gamma = 1.0f;
  render::ColourMap colour_map = render::ColourMap::none;
  render::ColourMap difference_map = render::ColourMap::magma;
  float gain = 1.0f;
  bool numbers = true;
  render::ColourBars colour_bars = render::ColourBars::window;
  bool grid = false, alpha = false, smooth = false;
  bool fragments = false;
  int fragment_passes = 1;
  float zoom = 0.0f, column = 0.0f, row = 0.0f;

  static constexpr float max_stops = 6.0f, max_offset = 1.0f, min_gamma = 0.2f, max_gamma = 5.0f, max_gain = 255.0f;
  static constexpr int max_passes = 100;

  static auto fields() {
    using L = ImageLook;
    constexpr float most_zoom = render::ImageViewSettings::max_zoom, far = 1e6f;
    return std::tuple{
        BoolField{"auto_exposure", &L::auto_exposure,
                  "from black to white the values of the picture, without 0.1 % of them at each end"},
        Field{"exposure", &L::exposure, -max_stops, max_stops, "stops", "the value times 2^exposure"},
        Field{"offset", &L::offset, -max_offset, max_offset, "", "added after the exposure"},
        Field{"gamma", &L::gamma, min_gamma, max_gamma, "", "the value to the power of 1 / gamma"},
        EnumField{"colour_map", &L::colour_map, render::colour_map_names, "false colour of the grey value or the luma"},
        EnumField{"difference_map", &L::difference_map, render::colour_map_names, "colour map of the difference"},
        Field{"gain", &L::gain, 1.0f, max_gain, "", "the difference is multiplied by this"},
        BoolField{"numbers", &L::numbers, "writes the values into pixels that are large enough"},
        EnumField{"colour_bars", &L::colour_bars, render::colour_bars_names,
                  "which values false colours, differences and automatic exposure show"},
        BoolField{"grid", &L::grid, "lines between pixels from 8:1 on"},
        BoolField{"alpha", &L::alpha, "alpha over a checkerboard"},
        BoolField{"smooth", &L::smooth, "interpolates when magnified"},
        BoolField{"fragments", &L::fragments,
                  "convolution: what a fragment program of OpenGL makes of the input, in place of the input and of the "
                  "serial result"},
        Field{"fragment_passes", &L::fragment_passes, 1, max_passes, "",
              "how often the fragment program runs, each time on the texture that it has drawn before"},
        zero_as("fit the picture", Field{"zoom", &L::zoom, 0.0f, most_zoom, "", "view pixels per picture pixel"}),
        Field{"column", &L::column, 0.0f, far, "pixels", "in the middle of the view, where zoom is not 0"},
        Field{"row", &L::row, 0.0f, far, "pixels", "in the middle of the view, where zoom is not 0"}};
  }
  bool operator==(const ImageLook&) const = default;
};

}  // namespace threadscape::app
