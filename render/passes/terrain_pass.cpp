#include "render/passes/terrain_pass.h"

#include <algorithm>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <vector>

#include "render/gl/renderer.h"

namespace threadscape::render {

namespace {

constexpr int side = TerrainLayout::side;
constexpr int row = side + 1;
constexpr int full_indices = 3 * TerrainLayout::full_triangles;
constexpr int half_indices = 3 * TerrainLayout::half_triangles;
constexpr int wall_indices = side * 6;

/// Texels along the longer side of the light map where the CPU computes it. A map of 512 takes less than half of the
/// time of the usual one of 768, and the edges of its shadows are 1.5 times as wide.
constexpr int light_texels_of_software = 512;

/// The vertex indices of a patch: its surface row by row, its surface with half of the points, and the wall along one
/// edge (terrain.vert defines the vertices). Diagonals meet at the centres of blocks of 2 x 2 cells, as
/// terrain_bounds.comp assumes.
std::vector<std::uint16_t> patch_indices() {
  std::vector<std::uint16_t> all;
  const auto add = [&all](std::initializer_list<int> corners) {
    for (const int corner : corners)
      all.push_back(static_cast<std::uint16_t>(corner));
  };
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int at = y * row + x;
      if ((x + y) % 2 == 0)
        add({at, at + row, at + row + 1, at, at + row + 1, at + 1});
      else
        add({at, at + row, at + 1, at + 1, at + row, at + row + 1});
    }
  for (int y = 0; y < side; y += 2)
    for (int x = 0; x < side; x += 2) {
      const int at = y * row + x, below = at + 2 * row, middle = at + row + 1;
      add({middle, at, below, middle, below, below + 2, middle, below + 2, at + 2, middle, at + 2, at});
    }
  for (int at = 0; at < 2 * side; at += 2)
    add({at, at + 1, at + 3, at, at + 3, at + 2});
  return all;
}

GLuint make_sampler(GLint minify, GLint magnify, GLint wrap) {
  GLuint sampler = 0;
  glCreateSamplers(1, &sampler);
  glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, minify);
  glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, magnify);
  glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, wrap);
  glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, wrap);
  return sampler;
}

float relief_of(const TerrainSettings& settings) {
  return base_relief * settings.exaggeration;
}

/// Returns whether water is drawn. It needs the sky of Light::outdoor, which it reflects.
bool has_water(const TerrainSettings& settings) {
  return settings.sea_level > 0.0f && settings.light == Light::outdoor && settings.wireframe != Wireframe::only;
}

/// Minimum distance in cells over which slopes are measured. Neighbouring 8-bit heights are mostly equal or a whole
/// step apart, so their slopes need a longer distance.
float min_step(const gl::Texture& heights) {
  return gl::info_of(heights.format()).element == Element::u8 ? 2.5f : 1.0f;
}

}  // namespace

/// What the parts of a picture are drawn from.
struct TerrainPass::Frame {
  const gl::Texture& heights;
  const TerrainTextures& textures;
  const TerrainSettings& settings;
  const glm::vec3& backdrop;
  TerrainCamera camera;
  TerrainSelection selection;
  glm::ivec2 size;
  float sea_height;
};

TerrainPass::TerrainPass(const gl::ShaderLibrary& library) : library_(library), bounds_(library), light_(library) {
  if (gl::is_software(gl::renderer_name())) light_.set_extent(light_texels_of_software);
  const std::vector<std::uint16_t> indices = patch_indices();
  indices_ = gl::Buffer(gl::BufferUse::device, indices.size() * sizeof(indices[0]), indices.data());
  glCreateVertexArrays(1, &empty_array_);
  glCreateVertexArrays(1, &vertex_array_);
  glVertexArrayElementBuffer(vertex_array_, indices_.id());
  glEnableVertexArrayAttrib(vertex_array_, 0);
  glVertexArrayAttribIFormat(vertex_array_, 0, 4, GL_INT, 0);
  glVertexArrayAttribBinding(vertex_array_, 0, 0);
  glVertexArrayBindingDivisor(vertex_array_, 0, 1);
  linear_ = make_sampler(GL_LINEAR, GL_LINEAR, GL_REPEAT);
  nearest_ = make_sampler(GL_NEAREST, GL_NEAREST, GL_REPEAT);
  mipmapped_ = make_sampler(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR, GL_REPEAT);
  clamped_ = make_sampler(GL_LINEAR, GL_LINEAR, GL_CLAMP_TO_EDGE);
}

TerrainPass::~TerrainPass() {
  for (const GLuint sampler : {linear_, nearest_, mipmapped_, clamped_})
    glDeleteSamplers(1, &sampler);
  glDeleteVertexArrays(1, &vertex_array_);
  glDeleteVertexArrays(1, &empty_array_);
}

void TerrainPass::set_common(gl::Program& program, const gl::Texture& heights, const TerrainSettings& settings) const {
  program.set("points", glm::ivec2(heights.width(), heights.height()));
  set_tiles(program, heights);
  program.set("relief", relief_of(settings));
  program.set("min_step", min_step(heights));
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, bounds_.range().id());
  heights.bind(0);
  glBindSampler(0, clamped_);
}

void TerrainPass::update(const gl::Texture& heights, std::uint64_t version, const TerrainSettings& settings) {
  const glm::ivec2 size{heights.width(), heights.height()};
  if (auto arrived = bounds_.take(false)) tree_ = std::move(*arrived);
  if (!known_ || version != version_ || tree_.empty() || size != tree_.layout().size()) {
    if (!known_ || version != version_ || !bounds_.pending()) bounds_.begin(heights);
    version_ = version;
    known_ = true;
    // The bounds of earlier heights serve for a frame or two, unless they have another size.
    if (tree_.empty() || size != tree_.layout().size()) tree_ = *bounds_.take(true);
  }
  if (complete_ && bounds_.pending()) tree_ = *bounds_.take(true);
  unfinished_ = bounds_.pending();
  if (!settings.shadows) return;
  const TerrainLightMap::Cause cause{version, direction(settings.sun_azimuth, settings.sun_elevation),
                                     relief_of(settings), size.x, size.y};
  do {
    light_.step(heights, cause, [&](gl::Program& program) { set_common(program, heights, settings); });
  } while (complete_ && !light_.ready(cause));
  unfinished_ = unfinished_ || !light_.ready(cause);
}

void TerrainPass::set_light(gl::Program& program, const Frame& frame) const {
  const TerrainSettings& s = frame.settings;
  program.set("sun", direction(s.sun_azimuth, s.sun_elevation));
  program.set("eye", frame.camera.eye);
  program.set("forward", frame.camera.forward);
  program.set("orthographic", frame.camera.orthographic);
  program.set("ambient", s.ambient);
  program.set("diffuse", s.diffuse);
  program.set("specular", s.specular);
  program.set("shininess", s.shininess);
  program.set("fog", s.fog);
  if (s.shadows) {
    light_.map().bind(1);
    glBindSampler(1, clamped_);
  }
}

void TerrainPass::draw_sky(const Frame& frame) {
  glDisable(GL_DEPTH_TEST);
  gl::Program& program = variant("screen.vert", "terrain_sky.frag", frame, 0);
  const float aspect = static_cast<float>(frame.size.x) / static_cast<float>(frame.size.y);
  const glm::mat4 lens = glm::perspective(glm::radians(frame.settings.fov), aspect, 0.1f, 1.0f);
  const glm::mat4 turned = glm::mat4(glm::mat3(frame.camera.view));
  program.set("unproject", glm::inverse(lens * turned));
  program.set("view_size", glm::vec2(frame.size));
  program.set("backdrop", frame.backdrop);
  glBindVertexArray(empty_array_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void TerrainPass::draw_patches(const std::vector<TerrainPatch>& patches, int first_index, int indices) {
  if (patches.empty()) return;
  // Every draw gets a new buffer, since the GPU may still be reading the previous one.
  instances_ = gl::Buffer(gl::BufferUse::device, patches.size() * sizeof(TerrainPatch), patches.data());
  glVertexArrayVertexBuffer(vertex_array_, 0, instances_.id(), 0, sizeof(TerrainPatch));
  glBindVertexArray(vertex_array_);
  glDrawElementsInstanced(GL_TRIANGLES, indices, GL_UNSIGNED_SHORT,
                          reinterpret_cast<const void*>(static_cast<std::size_t>(first_index) * sizeof(std::uint16_t)),
                          static_cast<GLsizei>(patches.size()));
  figures_.triangles += static_cast<std::int64_t>(patches.size()) * indices / 3;
}

gl::Program& TerrainPass::variant(const char* vertex, const char* fragment, const Frame& frame, int wall) {
  const TerrainSettings& s = frame.settings;
  const auto define = [](const char* name, const std::string& value) {
    return "#define " + std::string(name) + " " + value + "\n";
  };
  const auto flag = [](bool on) { return std::string(on ? "true" : "false"); };
  const std::string defines =
      tile_defines(frame.heights) + define("SHADING", std::to_string(static_cast<int>(s.shading))) +
      define("OUTDOOR", flag(s.light == Light::outdoor)) +
      define("SURFACE", std::to_string(static_cast<int>(s.surface))) + define("WALL", std::to_string(wall)) +
      define("LIT", flag(s.shadows)) + define("DRAPED", flag(frame.textures.drape != nullptr)) +
      define("DETAILED", flag(frame.textures.detail != nullptr)) + define("CONTOURED", flag(s.contours > 0.0f));
  const auto [found, is_new] = programs_.try_emplace(fragment + ("\n" + defines));
  if (is_new) found->second = gl::Program(library_, vertex, fragment, defines);
  found->second.use();
  set_light(found->second, frame);
  return found->second;
}

void TerrainPass::draw_surface(const Frame& frame, int wall, float wire) {
  const TerrainSettings& s = frame.settings;
  gl::Program& program = variant("terrain.vert", "terrain.frag", frame, wall);
  set_common(program, frame.heights, s);
  program.set("clip", frame.camera.clip());
  program.set("floor_level", -wall_depth);
  program.set("sea_height", frame.sea_height);
  program.set("sea_line", s.sea_level > 0.0f ? s.sea_level : -1.0f);
  program.set("contours", s.contours);
  program.set("detail_repeat", s.detail_repeat);
  program.set("wire", wire);
  if (frame.textures.drape != nullptr) frame.textures.drape->bind(2);
  if (frame.textures.detail != nullptr) frame.textures.detail->bind(3);
  glBindSampler(2, s.drape_filter == DrapeFilter::nearest    ? nearest_
                   : s.drape_filter == DrapeFilter::bilinear ? linear_
                                                             : mipmapped_);
  glBindSampler(3, mipmapped_);
  if (wall > 0) return draw_patches(frame.selection.rim, full_indices + half_indices, wall_indices);
  draw_patches(frame.selection.full, 0, full_indices);
  draw_patches(frame.selection.half, full_indices, half_indices);
}

void TerrainPass::draw_ground(const Frame& frame) {
  const TerrainSettings& s = frame.settings;
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  if (s.wireframe != Wireframe::only) {
    if (s.cull) glEnable(GL_CULL_FACE);
    draw_surface(frame, 0, 0.0f);
    glDisable(GL_CULL_FACE);
    if (s.walls) draw_surface(frame, 1, 0.0f);
  }
  if (s.wireframe == Wireframe::off) return;
  if (s.cull) glEnable(GL_CULL_FACE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  glEnable(GL_POLYGON_OFFSET_LINE);
  glPolygonOffset(-1.0f, -1.0f);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);  // The picture stays opaque.
  draw_surface(frame, 0, s.wireframe == Wireframe::only ? 1.0f : 0.4f);
  glDisable(GL_BLEND);
  glDisable(GL_POLYGON_OFFSET_LINE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glDisable(GL_CULL_FACE);
}

void TerrainPass::draw_water(const Frame& frame) {
  const TerrainSettings& s = frame.settings;
  if (!has_water(s)) return;
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);  // The picture stays opaque.
  if (s.walls) {
    // A side of the sea shares its lower edge with the ground, and there both have the same depth up to rounding. The
    // sea is in front of it.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(-1.0f, -1.0f);
    draw_surface(frame, 2, 0.0f);
    glDisable(GL_POLYGON_OFFSET_FILL);
  }
  gl::Program& program = variant("terrain_water.vert", "terrain_water.frag", frame, 0);
  set_common(program, frame.heights, s);
  program.set("clip", frame.camera.clip());
  program.set("sea_height", frame.sea_height);
  glBindVertexArray(empty_array_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDisable(GL_BLEND);
}

void TerrainPass::draw(const gl::Texture& heights, std::uint64_t version, const TerrainTextures& textures,
                       const TerrainSettings& asked, const glm::vec3& backdrop, const gl::Framebuffer& target) {
  const glm::ivec2 size{target.width(), target.height()};
  const TerrainSettings settings = with_distance(asked, static_cast<float>(size.x) / static_cast<float>(size.y));
  update(heights, version, settings);
  samples_ = settings.samples;
  if (!surface_.fits(size.x, size.y, settings.samples)) {
    surface_ = {};
    surface_ = gl::MultisampleTarget(size.x, size.y, settings.samples);
  }
  const float relief = relief_of(settings);
  Frame frame{heights,
              textures,
              settings,
              backdrop,
              TerrainCamera(settings, size, tree_.low_corner(relief), tree_.high_corner(relief)),
              {},
              size,
              settings.sea_level * relief};
  frame.selection = tree_.select(frame.camera, {.pixel_error = settings.pixel_error,
                                                .max_triangles = std::int64_t{settings.budget} * 1000,
                                                .relief = relief,
                                                .water = has_water(settings) ? frame.sea_height : -1.0f,
                                                .walls = settings.walls,
                                                .cull = cull_patches_ && !bounds_.pending()});
  figures_ = {.triangles = 0,
              .patches = static_cast<std::int64_t>(frame.selection.full.size() + frame.selection.half.size()),
              .pixel_error = frame.selection.pixel_error};

  surface_.bind();
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDepthMask(GL_TRUE);
  glClear(GL_DEPTH_BUFFER_BIT);
  draw_sky(frame);
  draw_ground(frame);
  draw_water(frame);
  surface_.resolve(target);
  target.bind();
  for (GLuint unit = 0; unit < 4; ++unit)
    glBindSampler(unit, 0);
  glBindVertexArray(0);
  glDisable(GL_DEPTH_TEST);
}

bool TerrainPass::draw_again(const gl::Framebuffer& target) const {
  if (!surface_.fits(target.width(), target.height(), samples_)) return false;
  surface_.resolve(target);
  target.bind();
  return true;
}

}  // namespace threadscape::render
