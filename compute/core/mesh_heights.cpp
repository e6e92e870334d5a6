#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compute/core/mesh_builder.h"
#include "compute/core/mesh_patterns.h"
#include "compute/core/mesh_shapes.h"

namespace threadscape {

namespace {

/// The heights as a mesh of the final size, which is filled row by row. Nothing is collected in between, because a grid
/// of 8193 x 8193 heights has 134 million triangles.
template <class T>
class HeightMesh {
 public:
  HeightMesh(const ImageView<const T>& heights, float relief) : heights_(heights) {
    const auto [low, high] = range();
    low_ = low;
    high_ = high;
    step_ = 2.0f / static_cast<float>(std::max(heights.width, heights.height) - 1);
    scale_ = high > low ? 2.0f * relief / (high - low) : 0.0f;
  }

  void fill(HostArray& mesh) const {
    auto* const words = reinterpret_cast<std::uint32_t*>(mesh.data());
    auto& header = *reinterpret_cast<MeshHeader*>(words);
    auto* const positions = reinterpret_cast<Float3*>(words + header.positions_at);
    auto* const normals = reinterpret_cast<Float3*>(words + header.normals_at);
    auto* const colours = words + header.colours_at;
    auto* const triangles = words + header.triangles_at;
    const int width = heights_.width, height = heights_.height;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; ++y) {
      const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
      for (int x = 0; x < width; ++x) {
        const std::size_t vertex = row + static_cast<std::size_t>(x);
        positions[vertex] = position(x, y);
        normals[vertex] = normal(x, y);
        colours[vertex] = colour(x, y);
        if (x + 1 == width || y + 1 == height) continue;
        const auto a = static_cast<std::uint32_t>(vertex), below = a + static_cast<std::uint32_t>(width);
        std::uint32_t* const pair = triangles + 6 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width - 1) +
                                                     static_cast<std::size_t>(x));
        std::uint32_t corners[6]{a, below, a + 1, a + 1, below, below + 1};
        // Triangles with a corner in a hole have no area.
        const bool shared = is_hole(x, y + 1) || is_hole(x + 1, y);
        if (shared || is_hole(x, y)) std::fill_n(corners, 3, a);
        if (shared || is_hole(x + 1, y + 1)) std::fill_n(corners + 3, 3, a);
        std::copy_n(corners, 6, pair);
      }
    }
    const Float3 first = position(0, 0), last = position(width - 1, height - 1);
    header.low = {first.x, lifted(low_), first.z};
    header.high = {last.x, lifted(high_), last.z};
    *reinterpret_cast<MeshMaterial*>(words + header.materials_at) =
        MeshMaterial{.ambient = {0.25f, 0.25f, 0.25f}, .diffuse = {1.0f, 1.0f, 1.0f}};
  }

 private:
  [[nodiscard]] std::pair<float, float> range() const {
    float low = std::numeric_limits<float>::infinity(), high = -low;
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high) reduction(&& : finite)
    for (int y = 0; y < heights_.height; ++y)
      for (int x = 0; x < heights_.width; ++x) {
        const auto value = static_cast<float>(heights_(x, y));
        finite = finite && !std::isinf(value);
        low = std::min(low, value);
        high = std::max(high, value);
      }
    if (!finite || !std::isfinite(high - low)) throw UsageError("a heightfield with heights that are not finite");
    return {low, high};
  }
  [[nodiscard]] float lifted(float height) const {
    return (height - low_ - 0.5f * (high_ - low_)) * scale_;
  }
  [[nodiscard]] bool is_hole(int x, int y) const {
    return std::isnan(static_cast<float>(heights_(x, y)));
  }
  /// The height of a point; where that is a hole, the lowest one.
  [[nodiscard]] float at(int x, int y) const {
    return is_hole(x, y) ? lifted(low_) : lifted(static_cast<float>(heights_(x, y)));
  }
  /// The height of a neighbour of a point; at the edge, and where the neighbour is a hole, that of the point.
  [[nodiscard]] float beside(int x, int y, int dx, int dy) const {
    const int column = std::clamp(x + dx, 0, heights_.width - 1), row = std::clamp(y + dy, 0, heights_.height - 1);
    return is_hole(column, row) ? at(x, y) : at(column, row);
  }
  [[nodiscard]] Float3 position(int x, int y) const {
    return {(static_cast<float>(x) - 0.5f * static_cast<float>(heights_.width - 1)) * step_, at(x, y),
            (static_cast<float>(y) - 0.5f * static_cast<float>(heights_.height - 1)) * step_};
  }
  [[nodiscard]] Float3 normal(int x, int y) const {
    // At an edge the difference spans one step only.
    const auto steps = [](int i, int count) { return i == 0 || i + 1 == count ? 1.0f : 2.0f; };
    return normalised({(beside(x, y, -1, 0) - beside(x, y, 1, 0)) / (steps(x, heights_.width) * step_), 1.0f,
                       (beside(x, y, 0, -1) - beside(x, y, 0, 1)) / (steps(y, heights_.height) * step_)});
  }
  /// From green over brown to white.
  [[nodiscard]] std::uint32_t colour(int x, int y) const {
    const float share =
        high_ > low_ && !is_hole(x, y) ? (static_cast<float>(heights_(x, y)) - low_) / (high_ - low_) : 0.0f;
    const auto mix = [&](float low, float middle, float high) {
      const float value =
          share < 0.6f ? low + (middle - low) * (share / 0.6f) : middle + (high - middle) * ((share - 0.6f) / 0.4f);
      return static_cast<std::uint32_t>(value + 0.5f);
    };
    return texel(mix(70, 150, 250), mix(112, 118, 250), mix(58, 84, 252));
  }

  ImageView<const T> heights_;
  float low_ = 0.0f, high_ = 0.0f, step_ = 0.0f, scale_ = 0.0f;
};

/// The header of the mesh of heights of this shape.
MeshHeader layout_of(const Shape& shape) {
  if (shape.width < 2 || shape.height < 2) throw UsageError(to_string(shape) + ": a mesh needs at least 2x2 heights");
  const auto width = static_cast<std::uint64_t>(shape.width), height = static_cast<std::uint64_t>(shape.height);
  return lay_out_mesh({.vertices = width * height, .triangles = 2 * (width - 1) * (height - 1), .colours = true});
}

}  // namespace

Shape mesh_shape_of_heights(const Shape& heights) {
  return mesh_shape(layout_of(heights).words);
}

HostArray mesh_of_heights(const HostIn& heights, float relief) {
  const Shape& shape = heights.shape;
  const MeshHeader header = layout_of(shape);
  const auto make = [&]<class T>(const ImageView<const T>& view) {
    const HeightMesh<T> source(view, relief);
    HostArray mesh(mesh_shape(header.words));
    *reinterpret_cast<MeshHeader*>(mesh.data()) = header;
    source.fill(mesh);
    return mesh;
  };
  if (holds<std::uint8_t>(shape)) return make(heights.image<std::uint8_t>());
  if (holds<std::uint16_t>(shape)) return make(heights.image<std::uint16_t>());
  return make(heights.image<float>());
}

}  // namespace threadscape
