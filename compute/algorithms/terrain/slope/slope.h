#pragma once
// The slope of a terrain as a grey picture, or its surface normals as a normal map.

#include <array>
#include <string_view>
#include <tuple>

#include "compute/algorithms/terrain/heights.h"
#include "compute/algorithms/terrain/slope/slope_math.h"

namespace threadscape {

struct Slope : terrain::HeightFilter {
  static constexpr std::string_view title = "Slope and normals";
  static constexpr std::string_view summary = "A picture of a terrain's steepness, or of its normals as colours";
  static constexpr std::string_view source = "central differences; normal maps after Blinn, 1978";
  static constexpr Kind output = Kind::image;

  static constexpr std::array<std::string_view, 2> map_names{"slope", "normal"};

  struct Params {
    slope::Map map = slope::Map::slope;
    float scale = 50.0f;
    static auto fields() {
      return std::tuple{EnumField{"map", &Params::map, map_names, "grey: steepness; colours: the normal"},
                        Field{"scale", &Params::scale, 0.001f, 10000.0f, "cells per height",
                              "a height of 1 is as high as so many cells are wide"}};
    }
    bool operator==(const Params&) const = default;
  };

  static Shape output_shape(const Params&, const Shape& input);
  static Reach reach(const Params&) { return reach_around(1, Border::clamp); }
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
