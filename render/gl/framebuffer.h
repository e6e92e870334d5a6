#pragma once
// Framebuffers: the targets of all drawing.

#include <cstdint>
#include <glm/vec4.hpp>

#include "render/gl/texture.h"

namespace threadscape::gl {

/// The target of all drawing, with a window and without: an RGBA8 colour texture, and a depth buffer if the scene needs
/// it. The size is fixed. Move-only.
class Framebuffer {
 public:
  enum class Depth : bool { no, yes };

  Framebuffer() = default;
  /// Throws EnvironmentError if GL cannot create it.
  Framebuffer(int width, int height, Depth depth = Depth::no);
  ~Framebuffer();
  Framebuffer(Framebuffer&& other) noexcept { swap(other); }
  Framebuffer& operator=(Framebuffer&& other) noexcept {
    Framebuffer(std::move(other)).swap(*this);
    return *this;
  }

  [[nodiscard]] GLuint id() const { return id_; }
  [[nodiscard]] int width() const { return colour_.width(); }
  [[nodiscard]] int height() const { return colour_.height(); }
  /// A number that no other framebuffer of this process has, unlike id(), which OpenGL gives again; 0 if it has none.
  [[nodiscard]] std::uint64_t serial() const { return serial_; }
  /// The colours in the orientation of GL: row 0 of the texture is the bottom of the picture.
  [[nodiscard]] const Texture& colour() const { return colour_; }

  /// Makes it the target of drawing, and sets the viewport to its size.
  void bind() const;
  /// Sets all pixels to `colour`, and the depth to 1.
  void clear(const glm::vec4& colour) const;

 private:
  void swap(Framebuffer& other) noexcept;

  GLuint id_ = 0;
  GLuint depth_ = 0;
  std::uint64_t serial_ = 0;
  Texture colour_;
};

/// A target with several samples of colour and depth per pixel, for scenes in three dimensions. It is resolved to a
/// framebuffer. Move-only.
class MultisampleTarget {
 public:
  MultisampleTarget() = default;
  /// `samples` is limited to the maximum of the driver. Throws EnvironmentError if GL cannot create the target.
  MultisampleTarget(int width, int height, int samples);
  ~MultisampleTarget();
  MultisampleTarget(MultisampleTarget&& other) noexcept { swap(other); }
  MultisampleTarget& operator=(MultisampleTarget&& other) noexcept {
    MultisampleTarget(std::move(other)).swap(*this);
    return *this;
  }

  /// Returns whether the target was created with these arguments.
  [[nodiscard]] bool fits(int width, int height, int samples) const {
    return id_ != 0 && width == width_ && height == height_ && samples == samples_;
  }
  /// Makes it the target of drawing, and sets the viewport to its size.
  void bind() const;
  /// Averages the samples of each pixel and writes `to`, which must have the same size.
  void resolve(const Framebuffer& to) const;

 private:
  void swap(MultisampleTarget& other) noexcept;

  GLuint id_ = 0;
  GLuint colour_ = 0, depth_ = 0;
  int width_ = 0, height_ = 0, samples_ = 0;
};

/// Copies to the framebuffer of the window, which has `width` x `height` pixels. If the sizes differ, as in the frame
/// after the window was resized, the picture is scaled with linear filtering.
void blit_to_window(const Framebuffer& from, int width, int height);

}  // namespace threadscape::gl
