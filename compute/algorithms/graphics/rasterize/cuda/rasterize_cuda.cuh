#pragma once
// What the kernels of the rasteriser share: their view of the memory of a run.

#include <type_traits>

#include "compute/algorithms/graphics/rasterize/rasterize_lines.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"
#include "compute/algorithms/graphics/rasterize/rasterize_shade.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::rasterize {

/// What a kernel that finds visible triangles does about colours: nothing, because they follow after the depth test, or
/// compute them before it, without or with an environment map. Kernels are compiled for each of them, because the code
/// for colours takes so many registers that fewer threads would run.
enum class Colours { after, before, before_with_environment };

/// The memory of a run on the device, passed to kernels by value.
struct DeviceFrame {
  Plan plan;
  DrawnMesh mesh;
  ClipVertex* clip;
  Light* lights;  ///< Null if the light at vertices is not computed once.
  Visible* visible;
  /// Fragments that have been in front, if they get their colour before the depth test, and null otherwise: the number
  /// of the triangle in the upper half, and the colour. A fragment behind another one may be the last to write here, so
  /// an element counts only if its triangle is the visible one.
  unsigned long long* shaded;
  std::uint32_t* queue;        ///< Triangles that are left for the next kernel.
  std::uint32_t* queue_count;  ///< Their number.

  __device__ Visible& at(int x, int y) const { return visible[static_cast<std::int64_t>(y) * plan.width + x]; }
  __device__ void corners(std::uint32_t triangle, ClipVertex* corner) const {
    for (int i = 0; i < 3; ++i)
      corner[i] = clip[mesh.corner(triangle, i)];
    if (plan.division != 0) divide(plan.division, triangle, corner);
  }
  /// Returns true if the triangle is drawn with the opaque ones, and not left out as too transparent.
  __device__ bool opaque(std::uint32_t triangle) const {
    if (!plan.transparent) return true;
    const MeshMaterial& material = mesh.material(mesh.material_index(triangle));
    if (is_too_transparent(plan, material)) return false;
    return plan.wireframe || plan.output == Output::overdraw || !is_transparent(material);
  }
  /// The colour of a triangle at a pixel that it covers, red in the lowest byte: that of its piece in front.
  template <bool environment>
  __device__ std::uint32_t colour_at(std::uint32_t triangle, int x, int y) const {
    ClipVertex corner[3];
    corners(triangle, corner);
    std::uint32_t word = 0;
    with_visible_piece(corner, plan, x, y, [&](const Piece& piece, const Polygon& polygon) {
      word = packed(colour_of_fragment<environment>(plan, mesh, triangle, piece, polygon, x, y, lights));
    });
    return word;
  }
  /// Keeps the colour of a fragment that is in front of all fragments before it.
  __device__ void keep_colour(int x, int y, std::uint32_t triangle, std::uint32_t colour) const {
    atomicExch(shaded + (static_cast<std::int64_t>(y) * plan.width + x),
               static_cast<unsigned long long>(triangle) << 32 | colour);
  }
  /// Puts a fragment into the visibility buffer, or counts it. Other threads may do so for the same pixel.
  /// Unless the time is `after`, which needs `shaded`, the fragment gets its colour, colour(), before the depth test.
  template <Colours time, class ColourOf>
  __device__ void put(int x, int y, float z, std::uint32_t triangle, const ColourOf& colour) const {
    auto* const pixel = reinterpret_cast<unsigned long long*>(&at(x, y));
    if (plan.output == Output::overdraw) {
      atomicAdd(pixel, 1ull);
      return;
    }
    const unsigned long long here = rasterize::visible(depth_key(z, plan.depth_bits), triangle);
    if constexpr (time != Colours::after) {
      const std::uint32_t word = colour();
      if (atomicMin(pixel, here) > here) keep_colour(x, y, triangle, word);
    } else {
      // A pixel only gets smaller, so an old value that is smaller already is as good as the present one.
      if (here < *static_cast<volatile unsigned long long*>(pixel)) atomicMin(pixel, here);
    }
  }
};

inline constexpr int block_threads = 256;

/// Calls launch(std::bool_constant<shows_environment(plan)>).
template <class Launch>
void with_environment_code(const Plan& plan, const Launch& launch) {
  if (shows_environment(plan))
    launch(std::true_type{});
  else
    launch(std::false_type{});
}
/// Calls launch(std::integral_constant<Colours>) with what the kernels that find visible triangles have to do.
template <class Launch>
void with_colours_code(const DeviceFrame& frame, const Launch& launch) {
  if (!frame.shaded)
    launch(std::integral_constant<Colours, Colours::after>{});
  else if (shows_environment(frame.plan))
    launch(std::integral_constant<Colours, Colours::before_with_environment>{});
  else
    launch(std::integral_constant<Colours, Colours::before>{});
}

/// The lists of triangles of all tiles (TileGrid).
struct Bins {
  TileGrid grid;
  std::uint32_t* starts;   ///< Where the list of a tile starts in `entries`; one element more than there are tiles.
  std::uint32_t* ends;     ///< Where the next element of a list goes, in the end where the list ends.
  std::uint32_t* entries;  ///< Triangles.
};

/// Writes the result from the visibility buffer.
void resolve(const DeviceFrame& frame, const DeviceSink& out, CudaStream stream);
/// Sorts the triangles of the frame's queue into the lists.
void fill_bins(const DeviceFrame& frame, const Bins& bins, CudaStream stream);
/// Draws the triangles of the lists into the visibility buffer: a block per tile of level 0, a thread per pixel.
void draw_bins(const DeviceFrame& frame, const Bins& bins, CudaStream stream);
/// Blends the triangles of the lists into the picture, where they are in front of the visibility buffer.
void blend_bins(const DeviceFrame& frame, const Bins& bins, const DeviceSink& out, CudaStream stream);

}  // namespace threadscape::rasterize
