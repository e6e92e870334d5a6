#pragma once

#include <glm/vec4.hpp>

#include "render/gl/texture.h"

namespace threadscape::gl {

/// What everything is drawn into, with a window and without: an RGBA8 colour texture, and depth where a scene needs it.
/// Move-only. A new size is a new framebuffer.
class Framebuffer {
 public:
  enum class Depth : bool { no, yes };

  Framebuffer() = default;
  /// Throws EnvironmentError when GL cannot have it.
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
  /// GL's orientation: texture row 0 is the bottom of what was drawn.
  [[nodiscard]] const Texture& colour() const { return colour_; }

  /// Makes it the target of drawing, with the viewport over all of it.
  void bind() const;
  /// Colour, and depth to 1.
  void clear(const glm::vec4& colour) const;

 private:
  void swap(Framebuffer& other) noexcept;

  GLuint id_ = 0;
  GLuint depth_ = 0;
  Texture colour_;
};

/// Colour and depth with several samples per pixel, for scenes in three dimensions; what was drawn is then resolved
/// into a framebuffer. Move-only.
class MultisampleTarget {
 public:
  MultisampleTarget() = default;
  /// `samples` is lowered to what GL can do. Throws EnvironmentError when GL cannot have it.
  MultisampleTarget(int width, int height, int samples);
  ~MultisampleTarget();
  MultisampleTarget(MultisampleTarget&& other) noexcept { swap(other); }
  MultisampleTarget& operator=(MultisampleTarget&& other) noexcept {
    MultisampleTarget(std::move(other)).swap(*this);
    return *this;
  }

  /// Whether it was made with these arguments.
  [[nodiscard]] bool fits(int width, int height, int samples) const {
    return id_ != 0 && width == width_ && height == height_ && samples == samples_;
  }
  /// Makes it the target of drawing, with the viewport over all of it.
  void bind() const;
  /// `to` has the same size.
  void resolve(const Framebuffer& to) const;

 private:
  void swap(MultisampleTarget& other) noexcept;

  GLuint id_ = 0;
  GLuint colour_ = 0, depth_ = 0;
  int width_ = 0, height_ = 0, samples_ = 0;
};

/// Copies to the window's own framebuffer, which has `width` x `height` pixels; filtered when the sizes differ, as for
/// one frame after the window's size changed.
void blit_to_window(const Framebuffer& from, int width, int height);

}  // namespace threadscape::gl
