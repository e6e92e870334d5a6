#include "render/passes/image_pass.h"

#include <algorithm>
#include <cmath>

#include "render/passes/dispatch.h"

namespace threadscape::render {

namespace {

/// Size in view pixels of the pane of one picture.
glm::ivec2 pane(const ImageViewSettings& settings, glm::ivec2 view) {
  return settings.mode == ViewMode::side_by_side ? glm::ivec2(view.x / 2, view.y) : view;
}

float clamped_zoom(float zoom) {
  return std::clamp(zoom, ImageViewSettings::min_zoom, ImageViewSettings::max_zoom);
}

/// View coordinates of the top left corner of the image, rounded to integers: at integral zooms every image pixel then
/// covers whole view pixels, and panning does not shimmer.
glm::vec2 origin(const ImageViewSettings& settings, glm::ivec2 view) {
  const double zoom = clamped_zoom(settings.zoom);
  const auto along = [&](int extent, float centre) {
    return static_cast<float>(std::round(0.5 * extent - static_cast<double>(centre) * zoom));
  };
  const glm::ivec2 part = pane(settings, view);
  return {along(part.x, settings.centre.x), along(part.y, settings.centre.y)};
}

/// View coordinates relative to the pane in which the point lies.
glm::vec2 in_pane(const ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point) {
  const auto edge = static_cast<float>(divider(settings, view));
  const bool right = settings.mode == ViewMode::side_by_side && point.x >= edge;
  return right ? point - glm::vec2(edge, 0.0f) : point;
}

/// The definitions for shaders/image.frag that select the variant for these settings.
std::string image_defines(const ImageViewSettings& settings) {
  const float zoom = clamped_zoom(settings.zoom);
  const bool smooth = settings.filter == Magnify::smooth && zoom > 1.0f;
  // A view pixel of at most three image pixels reaches over at most four of them, for which two taps suffice.
  const int taps = smooth ? 1 : zoom >= 1.0f && zoom == std::round(zoom) ? 0 : zoom > 0.34f ? 2 : 8;
  const bool plain = settings.gamma == 1.0f && settings.colour_map == ColourMap::none && !settings.show_alpha_checker;
  return "#define TAPS " + std::to_string(taps) + (plain ? "\n#define PLAIN\n" : "\n");
}

}  // namespace

int divider(const ImageViewSettings& settings, glm::ivec2 view) {
  if (settings.mode == ViewMode::side_by_side) return pane(settings, view).x;
  return std::clamp(static_cast<int>(std::lround(settings.split * static_cast<float>(view.x))), 0, view.x);
}

glm::vec2 view_to_image(const ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point) {
  return (in_pane(settings, view, point) - origin(settings, view)) / clamped_zoom(settings.zoom);
}

glm::vec2 image_to_view(const ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point) {
  return origin(settings, view) + point * clamped_zoom(settings.zoom);
}

void fit(ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 image) {
  if (image.x < 1 || image.y < 1) return;
  const glm::vec2 ratio = glm::vec2(pane(settings, view)) / glm::vec2(image);
  settings.zoom = clamped_zoom(std::min(ratio.x, ratio.y));
  settings.centre = glm::vec2(image) * 0.5f;
}

void zoom_about(ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point, float zoom) {
  const glm::vec2 kept = view_to_image(settings, view, point);
  settings.zoom = clamped_zoom(zoom);
  const glm::vec2 middle = glm::vec2(pane(settings, view)) * 0.5f;
  settings.centre = kept - (in_pane(settings, view, point) - middle) / settings.zoom;
}

ImagePass::ImagePass(const gl::ShaderLibrary& library)
    : image_(library, "screen.vert", "image.frag", image_defines({.zoom = 0.5f})),
      difference_(library, "screen.vert", "difference.frag") {
  glCreateVertexArrays(1, &vertex_array_);
  glCreateSamplers(1, &sampler_);
  glSamplerParameteri(sampler_, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glSamplerParameteri(sampler_, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glSamplerParameteri(sampler_, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glSamplerParameteri(sampler_, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

ImagePass::~ImagePass() {
  glDeleteSamplers(1, &sampler_);
  glDeleteVertexArrays(1, &vertex_array_);
}

void ImagePass::set_view(gl::Program& program, const ImageViewSettings& settings, glm::ivec2 view) {
  const float zoom = clamped_zoom(settings.zoom);
  program.set("view", view);
  program.set("origin", origin(settings, view));
  program.set("zoom", zoom);
  program.set("divider", -1.0f);
  program.set("grid", settings.pixel_grid && zoom >= ImageViewSettings::grid_zoom);
  program.set("background", settings.background);
}

void ImagePass::draw_image(gl::Program& program, const gl::Texture& texture, glm::ivec2 extent) {
  program.set("extent", extent.x > 0 ? extent : glm::ivec2(texture.width(), texture.height()));
  program.set("grey", is_grey(texture));
  texture.bind(0);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void ImagePass::draw_images(const gl::Texture& a, const gl::Texture* b, const ImageViewSettings& settings,
                            glm::ivec2 view) {
  gl::Program& program = image_.use(a, image_defines(settings));
  set_view(program, settings, view);
  program.set("gain", std::exp2(settings.exposure));
  program.set("offset", settings.offset);
  program.set("inverse_gamma", 1.0f / std::max(settings.gamma, 0.01f));
  program.set("map", static_cast<int>(settings.colour_map));
  program.set("checker", settings.show_alpha_checker);
  if (!b) return draw_image(program, a, settings.extent);

  const int edge = divider(settings, view);
  glEnable(GL_SCISSOR_TEST);
  program.set("divider", edge > 0 && edge < view.x ? static_cast<float>(edge) : -1.0f);
  glScissor(0, 0, edge, view.y);
  draw_image(program, a);
  glScissor(edge, 0, view.x - edge, view.y);
  if (settings.mode == ViewMode::side_by_side)
    program.set("origin", origin(settings, view) + glm::vec2(static_cast<float>(edge), 0.0f));
  if (settings.second_tone) {
    program.set("gain", std::exp2(settings.second_tone->exposure));
    program.set("offset", settings.second_tone->offset);
  }
  draw_image(program, *b);
  glDisable(GL_SCISSOR_TEST);
}

void ImagePass::draw_difference(const gl::Texture& a, const gl::Texture& b, const ImageViewSettings& settings,
                                glm::ivec2 view) {
  gl::Program& program = difference_.use(a);
  set_view(program, settings, view);
  program.set("grey_a", is_grey(a));
  program.set("grey_b", is_grey(b));
  program.set("gain", settings.difference_gain);
  program.set("map", static_cast<int>(settings.difference_map));
  a.bind(0);
  b.bind(1);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void ImagePass::draw(const gl::Texture& a, const gl::Texture* b, const ImageViewSettings& settings, int view_width,
                     int view_height) {
  const glm::ivec2 view(view_width, view_height);
  ImageViewSettings shown = settings;
  if (!b) shown.mode = ViewMode::single;

  glViewport(0, 0, view_width, view_height);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_CULL_FACE);
  glBindVertexArray(vertex_array_);
  glBindSampler(0, sampler_);
  glBindSampler(1, sampler_);
  if (shown.mode == ViewMode::difference)
    draw_difference(a, *b, shown, view);
  else
    draw_images(a, shown.mode == ViewMode::single ? nullptr : b, shown, view);
  // Bound samplers override the state of textures, so they are unbound for whoever draws next.
  glBindSampler(0, 0);
  glBindSampler(1, 0);
  glBindVertexArray(0);
}

}  // namespace threadscape::render
