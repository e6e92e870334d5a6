// Coverage of the software rasteriser against OpenGL: how many of 10,000 random triangles cover each pixel.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize_math.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using rasterize::ClipVertex;

constexpr int width = 257, height = 193;

/// Corners of triangles in clip space, three after another.
using Triangles = std::vector<ClipVertex>;

/// Counts by OpenGL, row by row from the top. The picture is drawn upside down, so that the first row in the memory of
/// the framebuffer is the top row of the picture: which of two triangles gets a pixel on a shared horizontal edge
/// depends on that order in most drivers.
class GlCounter {
 public:
  GlCounter() {
    program_ = glCreateProgram();
    add(GL_VERTEX_SHADER, "#version 450 core\nlayout(location = 0) in vec4 at;\nvoid main() { gl_Position = at; }\n");
    add(GL_FRAGMENT_SHADER, "#version 450 core\nout float count;\nvoid main() { count = 1.0; }\n");
    glLinkProgram(program_);
    glCreateTextures(GL_TEXTURE_2D, 1, &texture_);
    glTextureStorage2D(texture_, 1, GL_R32F, width, height);
    glCreateFramebuffers(1, &framebuffer_);
    glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, texture_, 0);
    glCreateVertexArrays(1, &array_);
    glCreateBuffers(1, &buffer_);
  }
  ~GlCounter() {
    glDeleteBuffers(1, &buffer_);
    glDeleteVertexArrays(1, &array_);
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteTextures(1, &texture_);
    glDeleteProgram(program_);
  }
  GlCounter(const GlCounter&) = delete;
  GlCounter& operator=(const GlCounter&) = delete;

  [[nodiscard]] std::vector<float> counts(Triangles triangles) const {
    for (ClipVertex& v : triangles)
      v.y = -v.y;
    glNamedFramebufferDrawBuffer(framebuffer_, GL_COLOR_ATTACHMENT0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width, height);
    const float zero[4] = {};
    glClearNamedFramebufferfv(framebuffer_, GL_COLOR, 0, zero);
    glNamedBufferData(buffer_, static_cast<GLsizeiptr>(triangles.size() * sizeof(ClipVertex)), triangles.data(),
                      GL_STATIC_DRAW);
    glVertexArrayVertexBuffer(array_, 0, buffer_, 0, sizeof(ClipVertex));
    glEnableVertexArrayAttrib(array_, 0);
    glVertexArrayAttribFormat(array_, 0, 4, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(array_, 0, 0);
    glBindVertexArray(array_);
    glUseProgram(program_);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(triangles.size()));
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    std::vector<float> result(static_cast<std::size_t>(width) * height);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glGetTextureImage(texture_, 0, GL_RED, GL_FLOAT, static_cast<GLsizei>(result.size() * sizeof(float)),
                      result.data());
    return result;
  }

 private:
  void add(GLenum type, const char* text) const {
    const GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    glAttachShader(program_, shader);
    glDeleteShader(shader);
  }

  GLuint program_ = 0, texture_ = 0, framebuffer_ = 0, array_ = 0, buffer_ = 0;
};

std::vector<float> own_counts(const Triangles& triangles) {
  rasterize::Plan plan;
  plan.width = width;
  plan.height = height;
  plan.culling = rasterize::Culling::none;
  std::vector<float> result(static_cast<std::size_t>(width) * height);
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3)
    for_each_piece(triangles[i], triangles[i + 1], triangles[i + 2], plan,
                   [&](const rasterize::Piece& piece, const rasterize::Polygon&, bool) {
                     const rasterize::ScreenTriangle& t = piece.screen;
                     for (int y = t.y0; y <= t.y1; ++y)
                       for (int x = t.x0; x <= t.x1; ++x)
                         if (covers(t, x, y)) result[static_cast<std::size_t>(y * width + x)] += 1.0f;
                   });
  return result;
}

/// Pixels at which the counts differ.
int differences(const std::vector<float>& a, const std::vector<float>& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    count += a[i] != b[i] ? 1 : 0;
  return count;
}

float uniform(std::mt19937& random, float low, float high) {
  return low + (high - low) * (static_cast<float>(random() >> 8) * 0x1p-24f);
}

/// A vertex at a place in normalised coordinates, with a w from 0.5 to 4.
ClipVertex vertex_at(std::mt19937& random, float x, float y) {
  const float w = uniform(random, 0.5f, 4.0f), z = uniform(random, -0.99f, 0.99f);
  return {x * w, y * w, z * w, w};
}

/// The pixels that may differ. None with llvmpipe, whose rounding in the viewport the rasteriser has; other drivers may
/// round corners to another 1/256 pixel, which changes few of the hundred thousands of fragments.
int allowed_differences() {
  const auto* const renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return renderer && std::string(renderer).find("llvmpipe") != std::string::npos ? 0 : 500;
}

class RasterizeCoverageTest : public testing::GlTest {};

/// Triangles inside of the view, in normalised coordinates: any size, slivers, and smaller than a pixel.
Triangles inside(int kind, int count) {
  std::mt19937 random(static_cast<unsigned>(kind) + 1);
  Triangles triangles;
  for (int i = 0; i < count; ++i) {
    const float x = uniform(random, -0.98f, 0.98f), y = uniform(random, -0.98f, 0.98f);
    const float size = kind == 0 ? 2.0f : kind == 1 ? 0.3f : 0.008f;
    for (int corner = 0; corner < 3; ++corner) {
      // A sliver is long, and at most a tenth of a pixel wide.
      const float along = uniform(random, -size, size), across = uniform(random, -0.0004f, 0.0004f);
      const float dx = kind == 1 ? along : uniform(random, -size, size);
      const float dy = kind == 1 ? along * 0.7f + across : uniform(random, -size, size);
      triangles.push_back(
          vertex_at(random, std::fmin(std::fmax(x + dx, -0.99f), 0.99f), std::fmin(std::fmax(y + dy, -0.99f), 0.99f)));
    }
  }
  return triangles;
}

TEST_F(RasterizeCoverageTest, TenThousandTrianglesInsideOfTheViewCoverTheSamePixels) {
  const GlCounter counter;
  for (const auto& [kind, count] : {std::pair{0, 2000}, {1, 4000}, {2, 4000}}) {
    const Triangles triangles = inside(kind, count);
    EXPECT_LE(differences(own_counts(triangles), counter.counts(triangles)), allowed_differences()) << "kind " << kind;
  }
}

TEST_F(RasterizeCoverageTest, SharedEdgesThroughPixelCentresFollowTheSameRule) {
  // All corners are at centres of pixels, so every edge goes through centres.
  std::mt19937 random(5);
  Triangles triangles;
  for (int i = 0; i < 3000; ++i) {
    const auto x = static_cast<float>(random() % width), y = static_cast<float>(random() % height);
    triangles.push_back({(2.0f * x + 1.0f) / static_cast<float>(width) - 1.0f,
                         1.0f - (2.0f * y + 1.0f) / static_cast<float>(height), 0.0f, 1.0f});
  }
  const GlCounter counter;
  EXPECT_LE(differences(own_counts(triangles), counter.counts(triangles)), allowed_differences());
}

/// Triangles that cross each of the six planes, most of them several.
Triangles crossing() {
  std::mt19937 random(9);
  Triangles triangles;
  for (int i = 0; i < 3 * 2000; ++i)
    triangles.push_back({uniform(random, -4.0f, 4.0f), uniform(random, -4.0f, 4.0f), uniform(random, -2.0f, 2.0f),
                         uniform(random, -1.0f, 2.0f)});
  return triangles;
}

TEST_F(RasterizeCoverageTest, TrianglesThatCrossThePlanesCoverTheSamePixelsButForRoundedCorners) {
  // OpenGL does not say in which order the planes cut and how the new corners are rounded. One corner that moves by
  // 1/256 pixel changes a few pixels of its edges, so each triangle may differ by a few of its thousands of pixels.
  const Triangles triangles = crossing();
  const std::vector<float> own = own_counts(triangles), gl = GlCounter().counts(triangles);
  double different = 0, all = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    different += static_cast<double>(std::fabs(own[i] - gl[i]));
    all += static_cast<double>(own[i]);
  }
  RecordProperty("different", std::to_string(different));
  RecordProperty("fragments", std::to_string(all));
  EXPECT_LT(different, 0.001 * all);
}

}  // namespace
}  // namespace threadscape
