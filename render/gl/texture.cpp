#include "render/gl/texture.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string>

#include "compute/core/errors.h"
#include "compute/core/kind_info.h"

namespace threadscape::gl {

namespace {

constexpr std::array<FormatInfo, format_count> formats{{
    {"r8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, Element::u8, 1, 1},
    {"rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, Element::u8, 4, 4},
    {"r16", GL_R16, GL_RED, GL_UNSIGNED_SHORT, Element::u16, 1, 2},
    {"rgba16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, Element::u16, 4, 8},
    {"r32f", GL_R32F, GL_RED, GL_FLOAT, Element::f32, 1, 4},
    {"rgba32f", GL_RGBA32F, GL_RGBA, GL_FLOAT, Element::f32, 4, 16},
}};

std::string size_text(std::int64_t width, std::int64_t height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

int driver_limit() {
  GLint limit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  return limit;
}

int checked_extent(std::int64_t extent, const Shape& shape) {
  if (extent < 1 || extent > (std::int64_t{1} << 30)) throw EnvironmentError("no texture can hold " + to_string(shape));
  return static_cast<int>(extent);
}

}  // namespace

const FormatInfo& info_of(Format format) {
  return formats[static_cast<std::size_t>(format)];
}

Format format_of(const Shape& shape) {
  if (info_of(shape.kind).dimensions == 2 && shape.depth == 1)
    for (int i = 0; i < format_count; ++i) {
      const auto& info = formats[static_cast<std::size_t>(i)];
      if (info.element == shape.element && info.channels == shape.channels) return static_cast<Format>(i);
    }
  throw UsageError("no texture format for " + to_string(shape) + "; u8, u16 and f32 with 1 or 4 channels have one");
}

int texture_limit() {
  const int limit = driver_limit();
  if (const char* lower = std::getenv("TS_TEXTURE_LIMIT"); lower != nullptr)
    return std::clamp(std::atoi(lower), 2, limit);
  return limit;
}

Texture::Texture(Format format, int width, int height, Levels levels)
    : width_(width), height_(height), format_(format) {
  const int limit = driver_limit();
  if (width < 1 || height < 1 || width > limit || height > limit)
    throw EnvironmentError("OpenGL: a texture of " + size_text(width, height) +
                           " cannot be made; this driver takes 1x1 to " + size_text(limit, limit));
  const int count = levels == Levels::one ? 1 : std::bit_width(static_cast<unsigned>(std::max(width, height)));
  allocate(width, height, count, 0);
}

Texture::Texture(const Shape& shape)
    : width_(checked_extent(shape.width, shape)),
      height_(checked_extent(shape.height, shape)),
      format_(format_of(shape)) {
  const int limit = texture_limit();
  if (width_ <= limit && height_ <= limit) {
    allocate(width_, height_, 1, 0);
    return;
  }
  // The step is a power of two, since the sides of terrains are one point longer than a power of two.
  tile_step_ = static_cast<int>(std::bit_floor(static_cast<unsigned>(limit - 1)));
  const auto [columns, rows] = tile_counts();
  allocate(std::min(tile_step_ + 1, width_), std::min(tile_step_ + 1, height_), 1, columns * rows);
}

void Texture::allocate(int width, int height, int levels, int layers) {
  while (glGetError() != GL_NO_ERROR) {
  }
  glCreateTextures(layers > 0 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D, 1, &id_);
  if (layers > 0)
    glTextureStorage3D(id_, levels, info_of(format_).internal, width, height, layers);
  else
    glTextureStorage2D(id_, levels, info_of(format_).internal, width, height);
  if (const GLenum error = glGetError(); error != GL_NO_ERROR) {
    glDeleteTextures(1, &id_);
    throw EnvironmentError("OpenGL: no memory for a texture of " + size_text(width_, height_) + " " +
                           std::string(info_of(format_).name));
  }
  glTextureParameteri(id_, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(id_, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  set_filter(Filter::nearest);
}

Texture::~Texture() {
  if (id_) glDeleteTextures(1, &id_);
}

std::array<int, 2> Texture::tile_counts() const {
  const auto along = [this](int extent) { return tiled() ? std::max((extent - 2) / tile_step_ + 1, 1) : 1; };
  return {along(width_), along(height_)};
}

std::vector<Tile> Texture::tiles() const {
  const auto [columns, rows] = tile_counts();
  const int max_side = tiled() ? tile_step_ + 1 : std::max(width_, height_);
  std::vector<Tile> all;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int x = column * tile_step_, y = row * tile_step_;
      all.push_back({row * columns + column, x, y, std::min(max_side, width_ - x), std::min(max_side, height_ - y)});
    }
  return all;
}

Shape Texture::shape() const {
  const auto& info = info_of(format_);
  return Shape::image(info.element, info.channels, width_, height_);
}

bool Texture::fits(const Shape& shape) const {
  const auto& info = info_of(format_);
  return shape.element == info.element && shape.channels == info.channels && shape.width == width_ &&
         shape.height == height_ && shape.depth == 1;
}

void Texture::set_filter(Filter filter) {
  const GLint mode = filter == Filter::linear ? GL_LINEAR : GL_NEAREST;
  glTextureParameteri(id_, GL_TEXTURE_MIN_FILTER, mode);
  glTextureParameteri(id_, GL_TEXTURE_MAG_FILTER, mode);
}

void Texture::show_grey() {
  constexpr std::array<GLint, 4> channels{GL_RED, GL_RED, GL_RED, GL_ONE};
  glTextureParameteriv(id_, GL_TEXTURE_SWIZZLE_RGBA, channels.data());
}

void Texture::clear(float r, float g, float b, float a) {
  const float channels[] = {r, g, b, a};
  glClearTexImage(id_, 0, GL_RGBA, GL_FLOAT, channels);
}

void Texture::write(HostIn pixels) {
  write_rows(pixels, 0, height_);
}

void Texture::write_rows(HostIn pixels, int first, int count) {
  if (!fits(pixels.shape))
    throw UsageError(to_string(pixels.shape) + " does not fit a texture of " + to_string(shape()));
  copy_rows_from(pixels.data, pixels.pitch, first, count);
}

void Texture::copy_rows_from(const std::byte* data, std::size_t pitch, int first, int count) {
  const auto& info = info_of(format_);
  const auto pixel = static_cast<std::size_t>(info.pixel_bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(data);  // an integer, since `data` may be an offset
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(pitch / pixel));
  for (const Tile& tile : tiles()) {
    const int begin = std::max(first, tile.y), rows = std::min(first + count, tile.y + tile.height) - begin;
    if (rows <= 0) continue;
    const int y = begin - tile.y;
    const auto* from = reinterpret_cast<const void*>(address + static_cast<std::size_t>(begin) * pitch +
                                                     static_cast<std::size_t>(tile.x) * pixel);
    if (tiled())
      glTextureSubImage3D(id_, 0, 0, y, tile.layer, tile.width, rows, 1, info.layout, info.type, from);
    else
      glTextureSubImage2D(id_, 0, 0, y, tile.width, rows, info.layout, info.type, from);
  }
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void Texture::copy_to(std::byte* data, std::size_t pitch) const {
  const auto& info = info_of(format_);
  const auto pixel = static_cast<std::size_t>(info.pixel_bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(data);  // an integer, since `data` may be an offset
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_ROW_LENGTH, static_cast<GLint>(pitch / pixel));
  const std::size_t bytes = pitch * static_cast<std::size_t>(height_);
  // GL takes the size of the buffer as a 32-bit int, so larger pictures are read in bands of rows.
  const auto rows = static_cast<int>(std::max<std::size_t>(1, (std::size_t{1} << 30) / pitch));
  for (const Tile& tile : tiles())
    for (int y = 0; y < tile.height; y += rows) {
      const std::size_t offset =
          pitch * static_cast<std::size_t>(tile.y + y) + static_cast<std::size_t>(tile.x) * pixel;
      const int count = std::min(rows, tile.height - y);
      const std::size_t room = std::min(bytes - offset, pitch * static_cast<std::size_t>(count));
      glGetTextureSubImage(id_, 0, 0, y, tile.layer, tile.width, count, 1, info.layout, info.type,
                           static_cast<GLsizei>(room), reinterpret_cast<void*>(address + offset));
    }
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
}

HostArray Texture::read() const {
  HostArray pixels(shape());
  copy_to(pixels.data(), pixels.pitch());
  return pixels;
}

}  // namespace threadscape::gl
