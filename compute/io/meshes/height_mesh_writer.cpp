#include "compute/io/meshes/height_mesh_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/height_range.h"

namespace threadscape::io {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

using Position = std::array<float, 3>;

/// Collects what a file consists of, and writes it in large pieces.
class Pieces {
 public:
  explicit Pieces(FileWriter& writer) : writer_(writer) {}
  void text(std::string_view text) {
    bytes_ += text;
    if (bytes_.size() >= piece) flush();
  }
  template <class T>
  void value(const T& value) {
    text({reinterpret_cast<const char*>(&value), sizeof value});
  }
  void flush() {
    writer_.write(bytes_);
    bytes_.clear();
  }

 private:
  static constexpr std::size_t piece = 1 << 16;
  FileWriter& writer_;
  std::string bytes_;
};

/// The corners and triangles of a heightfield.
class Grid {
 public:
  explicit Grid(HostIn heights) : width_(heights.shape.width), height_(heights.shape.height) {
    if (width_ < 2 || height_ < 2) throw UsageError(to_string(heights.shape) + ": a model needs at least 2x2 heights");
    if (corners() > std::numeric_limits<std::int32_t>::max() / 2)
      throw UsageError(to_string(heights.shape) + ": models are written with up to 2^30 corners");
    heights_.reserve(static_cast<std::size_t>(corners()));
    with_heights(heights, [&](const auto& values) {
      for (int y = 0; y < values.height; ++y)
        for (int x = 0; x < values.width; ++x)
          heights_.push_back(static_cast<float>(values(x, y)));
    });
    low_ = height_range(heights).low;
    for_each_triangle([&](const auto&) { ++triangles_; });
  }

  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] std::int64_t height() const { return height_; }
  [[nodiscard]] std::int64_t corners() const { return width_ * height_; }
  [[nodiscard]] std::int64_t triangles() const { return triangles_; }
  /// The lowest height where there is a hole.
  [[nodiscard]] float at(std::int64_t column, std::int64_t row) const {
    const float height = heights_[static_cast<std::size_t>(row * width_ + column)];
    return std::isnan(height) ? low_ : height;
  }
  [[nodiscard]] Position upwards_y(std::int64_t corner) const {
    const std::int64_t column = corner % width_, row = corner / width_;
    return {static_cast<float>(column), at(column, row), static_cast<float>(row)};
  }
  [[nodiscard]] Position upwards_z(std::int64_t corner) const {
    const std::int64_t column = corner % width_, row = corner / width_;
    return {static_cast<float>(column), static_cast<float>(height_ - 1 - row), at(column, row)};
  }
  /// Calls f(corners) for all triangles, counter-clockwise seen from above. Those with a corner in a hole are left out
  /// unless the holes are closed.
  template <class F>
  void for_each_triangle(const F& f, bool closed = false) const {
    using Corners = std::array<std::uint32_t, 3>;
    const auto add = [&](const Corners& corners) {
      if (closed || std::ranges::none_of(corners, [&](std::uint32_t at) { return std::isnan(heights_[at]); }))
        f(corners);
    };
    for (std::int64_t row = 0; row + 1 < height_; ++row)
      for (std::int64_t column = 0; column + 1 < width_; ++column) {
        const auto a = static_cast<std::uint32_t>(row * width_ + column),
                   below = a + static_cast<std::uint32_t>(width_);
        add({a, below, a + 1});
        add({a + 1, below, below + 1});
      }
  }
  /// The corners at the rim, counter-clockwise seen from above.
  [[nodiscard]] std::vector<std::int64_t> rim() const {
    std::vector<std::int64_t> corners;
    for (std::int64_t row = 0; row + 1 < height_; ++row)
      corners.push_back(row * width_);
    for (std::int64_t column = 0; column + 1 < width_; ++column)
      corners.push_back((height_ - 1) * width_ + column);
    for (std::int64_t row = height_ - 1; row > 0; --row)
      corners.push_back(row * width_ + width_ - 1);
    for (std::int64_t column = width_ - 1; column > 0; --column)
      corners.push_back(column);
    return corners;
  }

 private:
  std::int64_t width_, height_;
  std::vector<float> heights_;
  float low_ = 0;
  std::int64_t triangles_ = 0;
};

/// A triangle of an STL: its normal, its corners, and two bytes without meaning.
void write_facet(Pieces& to, const Position& a, const Position& b, const Position& c) {
  std::array<double, 3> u{}, v{};
  for (std::size_t i = 0; i < 3; ++i) {
    u[i] = double{b[i]} - double{a[i]};
    v[i] = double{c[i]} - double{a[i]};
  }
  const std::array normal{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double length = std::hypot(normal[0], normal[1], normal[2]);
  for (const double part : normal)
    to.value(static_cast<float>(length > 0 ? part / length : 0.0));
  for (const Position& corner : {a, b, c})
    to.value(corner);
  to.value(std::uint16_t{0});
}

}  // namespace

void encode_heights_obj(FileWriter& writer, HostIn heights, int) {
  const Grid grid(heights);
  Pieces to(writer);
  for (std::int64_t corner = 0; corner < grid.corners(); ++corner) {
    const Position point = grid.upwards_y(corner);
    to.text("v " + height_text(point[0]) + " " + height_text(point[1]) + " " + height_text(point[2]) + "\n");
  }
  grid.for_each_triangle([&](const auto& corners) {
    to.text("f " + std::to_string(corners[0] + 1) + " " + std::to_string(corners[1] + 1) + " " +
            std::to_string(corners[2] + 1) + "\n");
  });
  to.flush();
}

void encode_heights_glb(FileWriter& writer, HostIn heights, int) {
  const Grid grid(heights);
  const HeightRange range = height_range(heights);
  const std::int64_t position_bytes = 12 * grid.corners(), index_bytes = 12 * grid.triangles();
  const std::int64_t data_bytes = position_bytes + index_bytes;
  const std::string count = std::to_string(grid.corners()), last = std::to_string(position_bytes);
  std::string text =
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[)"
      R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":)" +
      count + R"(,"min":[0,)" + height_text(range.low) + R"(,0],"max":[)" + std::to_string(grid.width() - 1) + "," +
      height_text(range.high) + "," + std::to_string(grid.height() - 1) +
      R"(]},{"bufferView":1,"componentType":5125,"type":"SCALAR","count":)" + std::to_string(3 * grid.triangles()) +
      R"(}],"bufferViews":[{"buffer":0,"byteLength":)" + last + R"(,"target":34962},{"buffer":0,"byteOffset":)" + last +
      R"(,"byteLength":)" + std::to_string(index_bytes) + R"(,"target":34963}],"buffers":[{"byteLength":)" +
      std::to_string(data_bytes) + "}]}";
  text.append((4 - text.size() % 4) % 4, ' ');
  const std::int64_t bytes = 12 + 8 + static_cast<std::int64_t>(text.size()) + 8 + data_bytes;
  if (bytes > std::numeric_limits<std::uint32_t>::max())
    throw UsageError(to_string(heights.shape) + " becomes a GLB of " + std::to_string(bytes) +
                     " bytes, which holds up to 4 GiB: OBJ, PLY and STL hold more");
  Pieces to(writer);
  constexpr std::uint32_t version = 2;
  const auto chunk = [&](std::string_view type, std::int64_t length) {
    to.value(static_cast<std::uint32_t>(length));
    to.text(type);
  };
  to.text("glTF");
  to.value(version);
  to.value(static_cast<std::uint32_t>(bytes));
  chunk("JSON", static_cast<std::int64_t>(text.size()));
  to.text(text);
  chunk({"BIN\0", 4}, data_bytes);
  for (std::int64_t corner = 0; corner < grid.corners(); ++corner)
    to.value(grid.upwards_y(corner));
  grid.for_each_triangle([&](const auto& corners) { to.value(corners); });
  to.flush();
}

void encode_heights_ply(FileWriter& writer, HostIn heights, int) {
  const Grid grid(heights);
  Pieces to(writer);
  to.text("ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(grid.corners()) +
          "\nproperty float x\nproperty float y\nproperty float z\nelement face " + std::to_string(grid.triangles()) +
          "\nproperty list uchar int vertex_indices\nend_header\n");
  for (std::int64_t corner = 0; corner < grid.corners(); ++corner)
    to.value(grid.upwards_z(corner));
  grid.for_each_triangle([&](const auto& corners) {
    to.value(std::uint8_t{3});
    to.value(corners);
  });
  to.flush();
}

void encode_heights_stl(FileWriter& writer, HostIn heights, int) {
  const Grid grid(heights);
  const std::vector<std::int64_t> rim = grid.rim();
  const std::int64_t count = 2 * (grid.width() - 1) * (grid.height() - 1) + 3 * static_cast<std::int64_t>(rim.size());
  if (count > std::numeric_limits<std::uint32_t>::max())
    throw UsageError(to_string(heights.shape) + " becomes more triangles than STL holds: OBJ and PLY hold them");
  const auto longer = static_cast<float>(std::max(grid.width(), grid.height()) - 1);
  const float bottom = height_range(heights).low - longer / 20;
  Pieces to(writer);
  to.text(std::string(80, ' '));
  to.value(static_cast<std::uint32_t>(count));
  grid.for_each_triangle(
      [&](const auto& corners) {
        write_facet(to, grid.upwards_z(corners[0]), grid.upwards_z(corners[1]), grid.upwards_z(corners[2]));
      },
      true);
  const Position centre{static_cast<float>(grid.width() - 1) / 2, static_cast<float>(grid.height() - 1) / 2, bottom};
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const Position p = grid.upwards_z(rim[i]), q = grid.upwards_z(rim[(i + 1) % rim.size()]);
    const Position under_p{p[0], p[1], bottom}, under_q{q[0], q[1], bottom};
    write_facet(to, p, under_p, under_q);
    write_facet(to, p, under_q, q);
    write_facet(to, centre, under_q, under_p);
  }
  to.flush();
}

}  // namespace threadscape::io
