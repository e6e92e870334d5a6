#pragma once
// Two-dimensional textures in the formats of results.

#include <glad/gl.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/data.h"

namespace threadscape::gl {

/// A shader reads integers normalised, 0..255 and 0..65535 as 0..1, and floats as they are. There is no format with
/// three channels, since CUDA cannot write one.
enum class Format : std::uint8_t { r8, rgba8, r16, rgba16, r32f, rgba32f };

inline constexpr int format_count = 6;

struct FormatInfo {
  std::string_view name;
  GLenum internal;  ///< Sized internal format.
  GLenum layout;    ///< GL_RED or GL_RGBA.
  GLenum type;      ///< Type of a channel in memory.
  Element element;
  int channels;
  int pixel_bytes;
};
[[nodiscard]] const FormatInfo& info_of(Format format);
/// The format of pictures and heightfields of u8, u16 or f32 with 1 or 4 channels. Throws UsageError for other shapes.
[[nodiscard]] Format format_of(const Shape& shape);

enum class Filter : std::uint8_t { nearest, linear };
enum class Levels : std::uint8_t { one, all };

/// A part of a texture in a layer of its own.
struct Tile {
  int layer;
  int x, y, width, height;  ///< The rectangle of the picture that the tile shows, in pixels.
};

/// The maximum side of a texture. The environment variable TS_TEXTURE_LIMIT reduces it, for tests of tiles.
[[nodiscard]] int texture_limit();

/// A texture with immutable storage and clamped edges, with one level unless all mip levels are asked for. Row 0 is the
/// top row of the picture. Move-only.
///
/// A picture larger than the maximum texture is tiled: it is an array texture with a tile in each layer. Tiles start
/// tile_step() pixels apart and overlap by one row or column, so that linear filtering finds all its pixels in one tile
/// (shaders/tiles.glsl).
///
///   x:    0             step            2 step
///         +---------------+                            tile 0: pixels 0 .. step
///                         +---------------+            tile 1: pixels step .. 2 step; both hold pixel `step`
class Texture {
 public:
  Texture() = default;
  /// The contents are undefined. Throws EnvironmentError if the size exceeds the limit of GL or there is not enough
  /// memory.
  Texture(Format format, int width, int height, Levels levels = Levels::one);
  /// A texture with the format and size of `shape`, tiled if necessary. Throws as format_of() and the constructor
  /// above.
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
  /// Number of tiles along each axis.
  [[nodiscard]] std::array<int, 2> tile_counts() const;
  /// All tiles in the order of layers. A texture that is not tiled is one tile.
  [[nodiscard]] std::vector<Tile> tiles() const;
  /// The shape of the texture as a picture (Kind::image).
  [[nodiscard]] Shape shape() const;
  /// Returns whether data of this shape has this texture's size and format.
  [[nodiscard]] bool fits(const Shape& shape) const;

  void set_filter(Filter filter);
  void bind(GLuint unit) const { glBindTextureUnit(unit, id_); }
  /// Sets every pixel to channel values as a shader reads them.
  void clear(float r, float g, float b, float a);
  /// Copies from host memory, for pictures that are set once; HostUploader is for repeated uploads. Throws UsageError
  /// if the shape does not fit.
  void write(HostIn pixels);
  /// Copies the rows first .. first + count - 1 of a picture of this texture's size. Throws UsageError if the shape
  /// does not fit.
  void write_rows(HostIn pixels, int first, int count);
  /// Copies all pixels from `data`: an address, or an offset into the buffer bound to GL_PIXEL_UNPACK_BUFFER. `pitch`
  /// is in bytes and a multiple of the size of a pixel.
  void copy_from(const std::byte* data, std::size_t pitch) { copy_rows_from(data, pitch, 0, height_); }
  /// Queues the copy of all pixels to `data`: an offset into the buffer bound to GL_PIXEL_PACK_BUFFER, or an address,
  /// in which case the call waits for the GPU. `pitch` is in bytes and a multiple of the size of a pixel.
  void copy_to(std::byte* data, std::size_t pitch) const;
  /// Makes shaders read the one channel as red, green and blue.
  void show_grey();
  /// Computes the other mip levels from the first.
  void make_mips() { glGenerateTextureMipmap(id_); }
  /// Reads all pixels back, for tests and renders without a window. Waits for the GPU; PendingRead does not.
  [[nodiscard]] HostArray read() const;

 private:
  /// Allocates a two-dimensional texture, or an array texture if `layers` is not 0.
  void allocate(int width, int height, int levels, int layers);
  /// Copies some rows; `data` is the address or offset of row 0 of the picture.
  void copy_rows_from(const std::byte* data, std::size_t pitch, int first, int count);
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
  int tile_step_ = 0;  ///< Distance of tiles in pixels; 0 if the texture is not tiled.
  Format format_ = Format::rgba8;
};

}  // namespace threadscape::gl
