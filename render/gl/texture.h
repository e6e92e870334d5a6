#pragma once
// Two-dimensional textures of the formats that results have.

#include <glad/gl.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/data.h"

namespace threadscape::gl {

/// Integers are normalised (0..255 and 0..65535 read as 0..1 in a shader), floats are as they are. There is no format
/// with three channels: CUDA cannot write one.
enum class Format : std::uint8_t { r8, rgba8, r16, rgba16, r32f, rgba32f };

inline constexpr int format_count = 6;

struct FormatInfo {
  std::string_view name;
  GLenum internal;  ///< sized internal format
  GLenum layout;    ///< GL_RED or GL_RGBA
  GLenum type;      ///< of one channel in memory
  Element element;
  int channels;
  int pixel_bytes;
};
[[nodiscard]] const FormatInfo& info_of(Format format);
/// Of pictures and heightfields with u8, u16 or f32 and 1 or 4 channels; throws UsageError for anything else.
[[nodiscard]] Format format_of(const Shape& shape);

enum class Filter : std::uint8_t { nearest, linear };
enum class Levels : std::uint8_t { one, all };

/// A part of a texture that is in a layer of its own.
struct Tile {
  int layer;
  int x, y, width, height;  ///< in the whole picture
};

/// The longest side of a texture; TS_TEXTURE_LIMIT in the environment makes it smaller, for tests of tiles.
[[nodiscard]] int texture_limit();

/// One level unless all mip levels are asked for, immutable storage, edges clamped. Row 0 is the top row of the
/// picture. Move-only.
///
/// What is larger than a texture may be is tiled: an array of layers, a tile in each. Tiles begin tile_step() apart and
/// share the row or column where they meet, so that filters find all that they need in one (shaders/tiles.glsl).
class Texture {
 public:
  Texture() = default;
  /// Contents start undefined. Throws EnvironmentError when the size is beyond what GL can do, or memory is short.
  Texture(Format format, int width, int height, Levels levels = Levels::one);
  /// The format and size of `shape`, in tiles if need be.
  explicit Texture(const Shape& shape);
  ~Texture();
  Texture(Texture&& other) noexcept { swap(other); }
  Texture& operator=(Texture&& other) noexcept {
    Texture(std::move(other)).swap(*this);
    return *this;
  }

  [[nodiscard]] GLuint id() const { return id_; }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] Format format() const { return format_; }
  [[nodiscard]] bool empty() const { return id_ == 0; }
  [[nodiscard]] bool tiled() const { return tile_step_ > 0; }
  [[nodiscard]] int tile_step() const { return tile_step_; }
  /// Tiles along each axis.
  [[nodiscard]] std::array<int, 2> tile_counts() const;
  /// All tiles by layer; the whole picture when it is not tiled.
  [[nodiscard]] std::vector<Tile> tiles() const;
  /// As a picture (Kind::image).
  [[nodiscard]] Shape shape() const;
  /// Whether data of this shape has this texture's size and format.
  [[nodiscard]] bool fits(const Shape& shape) const;

  void set_filter(Filter filter);
  void bind(GLuint unit) const { glBindTextureUnit(unit, id_); }
  /// Sets every pixel; channels as a shader sees them.
  void clear(float r, float g, float b, float a);
  /// Copies from host memory at once; for pictures that are set once. Repeated uploads go through HostUploader. Throws
  /// UsageError when the shape does not fit.
  void write(HostIn pixels);
  /// Copies all pixels from `data`, an address or, with a pixel unpack buffer bound, a place in that. `pitch` is in
  /// bytes and a multiple of the pixel's.
  void copy_from(const std::byte* data, std::size_t pitch);
  /// Shaders see the only channel as red, green and blue.
  void show_grey();
  /// Fills the other levels from the first.
  void make_mips() { glGenerateTextureMipmap(id_); }
  /// Reads all pixels back; waits for the GPU. For files and tests.
  [[nodiscard]] HostArray read() const;

 private:
  /// Storage of a two-dimensional texture or, with `layers`, of an array.
  void allocate(int width, int height, int levels, int layers);
  void swap(Texture& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    std::swap(tile_step_, other.tile_step_);
    std::swap(format_, other.format_);
  }

  GLuint id_ = 0;
  int width_ = 0;
  int height_ = 0;
  int tile_step_ = 0;  ///< 0: not tiled
  Format format_ = Format::rgba8;
};

}  // namespace threadscape::gl
