#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "compute/core/params.h"

namespace threadscape::app {

/// What the scene lists: the lines of the kernel's source, or its instructions in PTX, both beside the lanes of a warp;
/// or source, PTX and machine code beside each other.
enum class MicroscopeShow : std::uint8_t { source, ptx, code };
inline constexpr std::array<std::string_view, 3> microscope_show_names{"source", "ptx", "code"};

/// The count that lines are coloured by.
enum class LineFigure : std::uint8_t {
  instructions,
  lanes,
  load_sectors,
  sectors_per_request,
  store_sectors,
  shared_wavefronts,
  conflicts,
  divergent,
  atomics
};
inline constexpr std::array<std::string_view, 9> line_figure_names{
    "instructions", "lanes",     "load_sectors", "sectors_per_request", "store_sectors", "shared_wavefronts",
    "conflicts",    "divergent", "atomics"};

/// Which instruction is shown, and how: what `--view NAME=VALUE` states.
struct MicroscopeView {
  int variant = 0, kernel = 1;
  LineFigure figure = LineFigure::instructions;
  int block = -1, warp = 0, step = 0;
  int column = -1, row = -1;
  int line = 0;
  float pace = 8.0f;

  static auto fields() {
    using V = MicroscopeView;
    constexpr int many = 0x7fffffff;
    return std::tuple{
        zero_as("the one that runs",
                Field{"variant", &V::variant, 0, 16, "", "CUDA variant that is looked at, in the order of the list"}),
        Field{"kernel", &V::kernel, 1, 1000, "", "of the kernels that the variant launches, in their order"},
        EnumField{"figure", &V::figure, line_figure_names, "count by which lines are coloured"},
        Field{"block", &V::block, -1, many, "", "number of a block of the grid; -1 = one in the middle"},
        Field{"warp", &V::warp, 0, 31, "", "of the block"},
        Field{"step", &V::step, 0, many, "", "instruction of the warp, from 0 on"},
        Field{"column", &V::column, -1, many, "pixels", "of the result, whose thread is looked at; -1 = of none"},
        Field{"row", &V::row, -1, many, "pixels", "of the result, whose thread is looked at; -1 = of none"},
        Field{"line", &V::line, 0, many, "", "of the kernel's source, to which the warp goes; 0 = none"},
        Field{"pace", &V::pace, 1.0f, 100.0f, "instructions/s", "while it plays"}};
  }
  bool operator==(const MicroscopeView&) const = default;
};

}  // namespace threadscape::app
