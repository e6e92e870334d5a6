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

/// Copies to the window's own framebuffer, which has `width` x `height` pixels; filtered when the sizes differ, as for
/// one frame after the window's size changed.
void blit_to_window(const Framebuffer& from, int width, int height);

}  // namespace threadscape::gl
