#include "render/passes/fragment_convolution.h"

#include <algorithm>

#include "compute/core/errors.h"

namespace threadscape::render {

namespace {

std::string convolution_defines(const convolution::Plan& plan, const gl::Texture& picture, bool inside) {
  std::string defines = "#define SIZE " + std::to_string(plan.size) + "\n";
  if (!inside) defines += "#define BORDER " + std::to_string(static_cast<int>(plan.border)) + "\n";
  if (gl::info_of(picture.format()).element == Element::u8) defines += "#define WHITE 255.0\n";
  return defines;
}

}  // namespace

FragmentConvolution::FragmentConvolution(const gl::ShaderLibrary& library) : library_(library) {
  glCreateFramebuffers(1, &framebuffer_);
  glCreateVertexArrays(1, &vertex_array_);
}

FragmentConvolution::~FragmentConvolution() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteVertexArrays(1, &vertex_array_);
}

std::string FragmentConvolution::problem(const convolution::Plan& plan, const Shape& picture) {
  if (plan.size > convolution::max_small_size)
    return "masks up to " + std::to_string(convolution::max_small_size) + " pixels";
  if (plan.border > Border::wrap) return "the borders zero, clamp, mirror, reflect and wrap";
  if (plan.channels != Channels::each) return "each colour by itself";
  if (picture.element != Element::u8 && picture.element != Element::f32) return "pictures of 8 bits and of floats";
  if (std::max(picture.width, picture.height) > gl::texture_limit()) return "pictures that fit into one texture";
  return {};
}

void FragmentConvolution::set_target(std::size_t index, const Shape& shape) {
  gl::Resource& target = results_[index];
  if (!target.fits(shape)) {
    target = {};
    target = gl::Resource(shape);
  }
  glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, target.texture()->id(), 0);
  if (glCheckNamedFramebufferStatus(framebuffer_, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw EnvironmentError("OpenGL: nothing can be drawn into a texture of " + to_string(shape));
}

void FragmentConvolution::draw(gl::Program& program, const gl::Texture& picture, const convolution::Plan& plan, int x0,
                               int y0, int x1, int y1) {
  if (x0 >= x1 || y0 >= y1) return;
  const bool whole = gl::info_of(picture.format()).element == Element::u8;
  glUniform1fv(glGetUniformLocation(program.id(), "taps"), plan.size * plan.size, plan.taps);
  program.set("divisor", plan.finish.divisor);
  program.set("bias", whole ? plan.finish.bias : plan.finish.real_bias);
  program.set("absolute", plan.finish.absolute);
  program.set("keeps_alpha", gl::info_of(picture.format()).channels == 4);
  glScissor(x0, y0, x1 - x0, y1 - y0);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void FragmentConvolution::run(const gl::Texture& picture, const convolution::Plan& plan, int passes) {
  if (!program_)
    program_ = std::make_unique<TiledProgram>(library_, "screen.vert", "convolution.frag",
                                              convolution_defines(plan, picture, true));
  run_ms_ = 0.0;
  timer_.emplace();
  timer_->begin();
  glFlush();  // Mesa's software renderer notes both times at the end of a batch of commands that has all of them.
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, picture.width(), picture.height());
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glEnable(GL_SCISSOR_TEST);
  glBindVertexArray(vertex_array_);
  glBindSampler(0, 0);
  for (int pass = 0; pass < passes; ++pass) {
    const gl::Texture& from = pass == 0 ? picture : *results_[last_].texture();
    last_ = static_cast<std::size_t>(pass % 2);
    set_target(last_, picture.shape());
    convolve(from, plan);
  }
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(0);
  glFlush();
  timer_->end();
}

void FragmentConvolution::convolve(const gl::Texture& picture, const convolution::Plan& plan) {
  const int width = picture.width(), height = picture.height();
  picture.bind(0);
  // The interior; empty if the picture is smaller than the mask.
  const int x0 = std::min(plan.radius, width), y0 = std::min(plan.radius, height);
  const int x1 = std::max(width - plan.radius, x0), y1 = std::max(height - plan.radius, y0);
  draw(program_->use(picture, convolution_defines(plan, picture, true)), picture, plan, x0, y0, x1, y1);
  gl::Program& border = program_->use(picture, convolution_defines(plan, picture, false));
  draw(border, picture, plan, 0, 0, width, y0);
  draw(border, picture, plan, 0, y1, width, height);
  draw(border, picture, plan, 0, y0, x0, y1);
  draw(border, picture, plan, x1, y0, width, y1);
}

double FragmentConvolution::run_ms() {
  if (timer_)
    if (const std::optional<double> ms = timer_->poll_ms()) run_ms_ = *ms;
  return run_ms_;
}

}  // namespace threadscape::render
