#include "render/passes/mesh_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <numeric>
#include <string>
#include <utility>

#include "compute/core/errors.h"

namespace threadscape::render {

namespace {

using rasterize::Plan;

/// The maps of a material in the order of the texture units of mesh.frag.
std::array<std::uint32_t, 5> maps_of(const MeshMaterial& material) {
  return {material.colour_map, material.normal_map, material.specular_map, material.alpha_map, material.overlay_map};
}

/// The texture unit of the environment map in mesh.frag, behind those of the material's maps.
constexpr GLuint environment_unit = 5;

bool is_transparent(const MeshMaterial& material) {
  return material.opacity < 1.0f || material.alpha_map != no_map;
}

/// GLM stores columns, the plan rows.
glm::mat4 columns_of(const rasterize::Matrix& rows) {
  glm::mat4 matrix;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      matrix[column][row] = rows.m[4 * row + column];
  return matrix;
}

glm::vec3 vector_of(const Float3& v) {
  return {v.x, v.y, v.z};
}

/// Window depth of the farthest corner of each triangle, or more than 1 for one that reaches behind the camera.
std::vector<float> farthest_depths(const MeshView& mesh, const rasterize::Matrix& clip) {
  std::vector<float> depths(mesh.triangles());
  const float* const m = clip.m;
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t) {
    float farthest = 0.0f;
    for (int i = 0; i < 3; ++i) {
      const Float3 p = mesh.position(mesh.corner(t, i));
      const float z = ((m[8] * p.x + m[9] * p.y) + m[10] * p.z) + m[11];
      const float w = ((m[12] * p.x + m[13] * p.y) + m[14] * p.z) + m[15];
      farthest = std::max(farthest, w > 0.0f ? z / w * 0.5f + 0.5f : 2.0f);
    }
    depths[t] = farthest;
  }
  return depths;
}

/// -1 if the upper left 3 x 3 of the matrix mirrors, else 1.
float handedness_of(const rasterize::Matrix& rows) {
  const float* const m = rows.m;
  const float determinant =
      m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
  return determinant < 0.0f ? -1.0f : 1.0f;
}

glm::vec3 position_of(const MeshView& mesh, std::uint32_t triangle, int corner) {
  return vector_of(mesh.position(mesh.corner(triangle, corner)));
}

/// The centre of a triangle and its normal, in the space of the mesh.
std::array<glm::vec3, 2> flat_facet(const MeshView& mesh, std::uint32_t triangle) {
  const glm::vec3 a = position_of(mesh, triangle, 0), b = position_of(mesh, triangle, 1),
                  c = position_of(mesh, triangle, 2);
  return {(a + b + c) * (1.0f / 3.0f), glm::cross(b - a, c - a)};
}

/// The directions in which texture coordinates grow, in the space of the mesh; 0 if they are the same everywhere.
std::array<glm::vec3, 2> tangents(const MeshView& mesh, std::uint32_t triangle) {
  if (!mesh.has_texcoords()) return {};
  const auto texcoord = [&](int corner) {
    const Float2 uv = mesh.texcoord(mesh.corner(triangle, corner));
    return glm::vec2(uv.x, uv.y);
  };
  const glm::vec3 a = position_of(mesh, triangle, 0), e1 = position_of(mesh, triangle, 1) - a,
                  e2 = position_of(mesh, triangle, 2) - a;
  const glm::vec2 uv = texcoord(0), d1 = texcoord(1) - uv, d2 = texcoord(2) - uv;
  const float area = d1.x * d2.y - d2.x * d1.y;
  if (!(std::fabs(area) > 1e-30f)) return {};
  return {(e1 * d2.y - e2 * d1.y) / area, (e2 * d1.x - e1 * d2.x) / area};
}

void set_blending(rasterize::Blend blend) {
  glEnablei(GL_BLEND, 0);
  // Alpha of the picture stays 1.
  if (blend == rasterize::Blend::over)
    glBlendFuncSeparatei(0, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  else if (blend == rasterize::Blend::additive)
    glBlendFuncSeparatei(0, GL_SRC_ALPHA, GL_ONE, GL_ZERO, GL_ONE);
  else
    glBlendFuncSeparatei(0, GL_DST_COLOR, GL_ZERO, GL_ZERO, GL_ONE);
}

}  // namespace

MeshTarget::MeshTarget(glm::ivec2 size, rasterize::DepthBits depth_bits)
    : colour_(gl::Format::rgba8, size.x, size.y), size_(size), depth_bits_(depth_bits) {
  // OpenGL has no depths of fewer than 16 bits.
  constexpr std::array<GLenum, 5> formats{GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT16,
                                          GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT16};
  glCreateTextures(GL_TEXTURE_2D, 1, &depth_);
  glTextureStorage2D(depth_, 1, formats[static_cast<std::size_t>(depth_bits)], size.x, size.y);
  glCreateTextures(GL_TEXTURE_2D, 1, &triangles_);
  glTextureStorage2D(triangles_, 1, GL_R32UI, size.x, size.y);
  glCreateFramebuffers(1, &id_);
  glNamedFramebufferTexture(id_, GL_COLOR_ATTACHMENT0, colour_.id(), 0);
  glNamedFramebufferTexture(id_, GL_COLOR_ATTACHMENT1, triangles_, 0);
  glNamedFramebufferTexture(id_, GL_DEPTH_ATTACHMENT, depth_, 0);
  if (glCheckNamedFramebufferStatus(id_, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return;
  MeshTarget incomplete;
  swap(incomplete);
  throw EnvironmentError("OpenGL: no framebuffer of " + std::to_string(size.x) + "x" + std::to_string(size.y) +
                         " with numbers of triangles");
}

MeshTarget::~MeshTarget() {
  if (id_ != 0) glDeleteFramebuffers(1, &id_);
  for (const GLuint texture : {depth_, triangles_})
    if (texture != 0) glDeleteTextures(1, &texture);
}

void MeshTarget::swap(MeshTarget& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(depth_, other.depth_);
  std::swap(triangles_, other.triangles_);
  std::swap(colour_, other.colour_);
  std::swap(size_, other.size_);
  std::swap(depth_bits_, other.depth_bits_);
}

MeshPass::MeshPass(const gl::ShaderLibrary& library) : library_(library) {
  glCreateSamplers(1, &sampler_);
}

MeshPass::~MeshPass() {
  glDeleteSamplers(1, &sampler_);
  glDeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
  glDeleteTextures(1, &environment_);
}

void MeshPass::set_mesh(const HostIn& mesh) {
  buffers_.set(MeshView(mesh));
  mesh_ = HostArray(mesh.shape);
  copy(mesh, mesh_.view());
  order_cause_.reset();
  facets_ = Facets::none;
  facet_vectors_ = {};
  const MeshView view(std::as_const(mesh_).view());
  transparent_ = false;
  for (std::uint32_t t = 0; t < view.triangles() && !transparent_; ++t)
    transparent_ = is_transparent(view.material(view.material_index(t)));
  const MeshHeader& header = view.header();
  one_material_ = header.triangle_materials_at == 0 || header.materials == 1;
  normal_maps_ = false;
  for (std::uint32_t i = 0; i < header.materials; ++i)
    normal_maps_ = normal_maps_ || view.material(i).normal_map != no_map;
  upload_textures(view);
}

MeshPass::Facets MeshPass::facets_for(const Plan& plan) const {
  if (plan.shading == rasterize::Shading::flat) return Facets::flat;
  return plan.shading == rasterize::Shading::phong && normal_maps_ && plan.textures ? Facets::tangents : Facets::none;
}

void MeshPass::make_facets(Facets facets) {
  if (facets == facets_) return;
  facets_ = Facets::none;
  facet_vectors_ = {};
  if (facets == Facets::none) return;
  const MeshView mesh(mesh_.view());
  check_storage(std::size_t{6} * mesh.triangles() * sizeof(float), "normals or tangents");
  std::vector<float> vectors;
  vectors.reserve(std::size_t{6} * mesh.triangles());
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t)
    for (const glm::vec3& v : facets == Facets::flat ? flat_facet(mesh, t) : tangents(mesh, t))
      vectors.insert(vectors.end(), {v.x, v.y, v.z});
  facet_vectors_ = gl::Buffer(gl::BufferUse::device, vectors.size() * sizeof(float), vectors.data());
  facets_ = facets;
}

void MeshPass::upload_textures(const MeshView& mesh) {
  glDeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
  textures_.assign(mesh.header().textures, 0);
  if (textures_.empty()) return;
  glCreateTextures(GL_TEXTURE_2D, static_cast<GLsizei>(textures_.size()), textures_.data());
  for (std::uint32_t i = 0; i < mesh.header().textures; ++i) {
    const MeshTexture& texture = mesh.texture(i);
    const auto side = [](std::uint32_t side0, std::uint32_t level) {
      return static_cast<GLsizei>(MeshView::side(side0, level));
    };
    glTextureStorage2D(textures_[i], static_cast<GLsizei>(texture.levels), GL_RGBA8, side(texture.width, 0),
                       side(texture.height, 0));
    for (std::uint32_t level = 0; level < texture.levels; ++level)
      glTextureSubImage2D(textures_[i], static_cast<GLint>(level), 0, 0, side(texture.width, level),
                          side(texture.height, level), GL_RGBA, GL_UNSIGNED_BYTE, mesh.level(texture, level));
  }
}

void MeshPass::upload_environment(const rasterize::Environment& environment) {
  if (environment_version_ == environment.version) return;
  environment_version_ = environment.version;
  glDeleteTextures(1, &environment_);
  glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &environment_);
  const GLsizei pitch = environment.side + 2;
  glTextureStorage3D(environment_, 1, GL_RGBA8, pitch, pitch, 6);
  glTextureSubImage3D(environment_, 0, 0, 0, 0, pitch, pitch, 6, GL_RGBA, GL_UNSIGNED_BYTE, environment.texels);
  glTextureParameteri(environment_, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(environment_, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(environment_, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(environment_, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void MeshPass::make_order(const Plan& plan) {
  const bool painter = plan.visibility == rasterize::Visibility::painter;
  // Without a transparent triangle, the order does not depend on the camera.
  const bool by_depth = painter || plan.order != rasterize::Order::given;
  const OrderCause cause{painter, transparent_ && by_depth, plan.shading == rasterize::Shading::gouraud,
                         plan.camera.clip};
  const bool sorted = cause.sorted_opaque || cause.sorted_transparent;
  if (order_cause_ && order_cause_->sorted_opaque == cause.sorted_opaque &&
      order_cause_->sorted_transparent == cause.sorted_transparent &&
      order_cause_->by_shininess == cause.by_shininess &&
      (!sorted || std::memcmp(order_cause_->clip.m, cause.clip.m, sizeof cause.clip.m) == 0))
    return;
  const MeshView mesh(mesh_.view());
  std::vector<std::uint32_t> order(mesh.triangles());
  std::iota(order.begin(), order.end(), 0u);
  const auto middle = std::stable_partition(order.begin(), order.end(), [&](std::uint32_t t) {
    return !is_transparent(mesh.material(mesh.material_index(t)));
  });
  if (sorted) {
    const std::vector<float> depths = farthest_depths(mesh, plan.camera.clip);
    const auto farther = [&](std::uint32_t a, std::uint32_t b) { return depths[a] > depths[b]; };
    if (cause.sorted_opaque) std::stable_sort(order.begin(), middle, farther);
    if (cause.sorted_transparent) std::stable_sort(middle, order.end(), farther);
  }
  order_cause_ = cause;
  upload_order(order);
  make_batches(order, static_cast<std::size_t>(middle - order.begin()));
  ++orders_made_;
}

void MeshPass::upload_order(const std::vector<std::uint32_t>& order) {
  const MeshView mesh(mesh_.view());
  in_order_ = std::ranges::is_sorted(order);
  order_ = {};
  elements_ = {};
  if (in_order_) return buffers_.draw_triangles_of(buffers_.triangles());
  check_storage(order.size() * sizeof(std::uint32_t), "places in the order of drawing");
  std::vector<std::uint32_t> elements;
  elements.reserve(3 * order.size());
  for (const std::uint32_t t : order)
    for (int i = 0; i < 3; ++i)
      elements.push_back(mesh.corner(t, i));
  order_ = gl::Buffer(gl::BufferUse::device, order.size() * sizeof(std::uint32_t), order.data());
  elements_ = gl::Buffer(gl::BufferUse::device, elements.size() * sizeof(std::uint32_t), elements.data());
  buffers_.draw_triangles_of(elements_);
}

void MeshPass::make_batches(const std::vector<std::uint32_t>& order, std::size_t opaque) {
  const MeshView mesh(mesh_.view());
  batches_.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t material = mesh.material_index(order[i]);
    const bool transparent = i >= opaque;
    const auto differs = [&](const Batch& batch) {
      const MeshMaterial &before = mesh.material(batch.material), &now = mesh.material(material);
      return batch.transparent != transparent || maps_of(before) != maps_of(now) ||
             (order_cause_->by_shininess && before.shininess != now.shininess);
    };
    if (batches_.empty() || differs(batches_.back()))
      batches_.push_back({static_cast<std::uint32_t>(i), 0, material, transparent});
    ++batches_.back().count;
  }
}

void MeshPass::choose_program(const Plan& plan, bool numbered) {
  std::string defines = "#define SHADING " + std::to_string(static_cast<int>(plan.shading)) + "\n#define LIGHTING " +
                        std::to_string(static_cast<int>(plan.lighting)) + "\n";
  if (plan.interpolation == rasterize::Interpolation::affine) defines += "#define AFFINE\n";
  if (facets_ != Facets::none) defines += "#define FACETS\n";
  if (one_material_) defines += "#define ONE_MATERIAL\n";
  if (rasterize::shows_environment(plan)) defines += "#define ENVIRONMENT\n";
  if (numbered) defines += "#define NUMBERED\n";
  if (program_.id() == 0 || defines != defines_) {
    program_ = gl::Program(library_, "mesh.vert", "mesh.frag", defines);
    defines_ = defines;
  }
  program_.use();
}

void MeshPass::set_uniforms(const Plan& plan) {
  const rasterize::Camera& camera = plan.camera;
  for (int row = 0; row < 4; ++row) {
    const float* const m = camera.clip.m + 4 * row;
    program_.set("clip_row[" + std::to_string(row) + "]", glm::vec4(m[0], m[1], m[2], m[3]));
  }
  program_.set("model", columns_of(camera.model));
  const float* const n = camera.normal;
  program_.set("normal_matrix",
               columns_of({{n[0], n[1], n[2], 0, n[3], n[4], n[5], 0, n[6], n[7], n[8], 0, 0, 0, 0, 1}}));
  program_.set("handedness", handedness_of(camera.model));
  program_.set("in_order", in_order_);
  program_.set("eye", vector_of(camera.eye));
  program_.set("towards_eye", vector_of(camera.towards_eye));
  program_.set("perspective", plan.projection == rasterize::Projection::perspective);
  program_.set("light", vector_of(plan.light));
  program_.set("textures", plan.textures);
  const auto one = [](bool on) { return on ? 1.0f : 0.0f; };
  program_.set("terms", glm::vec4(one(plan.emission), one(plan.ambient), one(plan.diffuse), one(plan.specular)));
  if (rasterize::shows_environment(plan)) {
    const rasterize::Environment& environment = plan.environment;
    program_.set("environment_side", static_cast<float>(environment.side));
    program_.set("reflection", environment.reflection);
    program_.set("refraction", environment.refraction);
    program_.set("eta", environment.eta);
    program_.set("straight", environment.straight);
    program_.set("fresnel", environment.fresnel);
  }
  constexpr std::array<GLint, 4> minified{GL_NEAREST, GL_LINEAR, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_LINEAR};
  constexpr std::array<GLint, 3> wraps{GL_CLAMP_TO_EDGE, GL_REPEAT, GL_MIRRORED_REPEAT};
  const GLint wrap = wraps[static_cast<std::size_t>(plan.wrap)];
  glSamplerParameteri(sampler_, GL_TEXTURE_MIN_FILTER, minified[static_cast<std::size_t>(plan.filter)]);
  glSamplerParameteri(sampler_, GL_TEXTURE_MAG_FILTER,
                      plan.filter == rasterize::Filter::nearest ? GL_NEAREST : GL_LINEAR);
  glSamplerParameteri(sampler_, GL_TEXTURE_WRAP_S, wrap);
  glSamplerParameteri(sampler_, GL_TEXTURE_WRAP_T, wrap);
}

void MeshPass::bind_maps(const Batch& batch) {
  const auto maps = maps_of(MeshView(mesh_.view()).material(batch.material));
  for (GLuint unit = 0; unit < maps.size(); ++unit) {
    glBindTextureUnit(unit, maps[unit] == no_map ? 0 : textures_[maps[unit]]);
    glBindSampler(unit, sampler_);
  }
}

void MeshPass::draw_batches(const Plan& plan, bool transparent) {
  const MeshView mesh(mesh_.view());
  program_.set("multiply", transparent && plan.blend == rasterize::Blend::multiply);
  for (const Batch& batch : batches_) {
    if (batch.transparent != transparent) continue;
    bind_maps(batch);
    program_.set("first_triangle", static_cast<int>(batch.first));
    if (order_cause_->by_shininess) program_.set("shininess", mesh.material(batch.material).shininess);
    const std::size_t first = std::size_t{3} * batch.first * sizeof(std::uint32_t);
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * batch.count), GL_UNSIGNED_INT,
                   reinterpret_cast<const void*>(first));
  }
}

void MeshPass::draw(const Plan& plan, bool numbered) {
  const glm::ivec2 size{plan.width, plan.height};
  if (!target_.fits(size, plan.depth_bits)) {
    target_ = {};
    target_ = MeshTarget(size, plan.depth_bits);
  }
  const bool timed = timer_.begin();
  constexpr std::array<GLenum, 2> attachments{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glNamedFramebufferDrawBuffers(target_.id(), numbered ? 2 : 1, attachments.data());
  glBindFramebuffer(GL_FRAMEBUFFER, target_.id());
  glViewport(0, 0, size.x, size.y);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  const auto channel = [&](int shift) { return static_cast<float>((plan.background >> shift) & 255u) / 255.0f; };
  const std::array<float, 4> background{channel(0), channel(8), channel(16), 1.0f};
  const std::array<GLuint, 4> nothing{};
  const float far = 1.0f;
  glDepthMask(GL_TRUE);
  glClearNamedFramebufferfv(target_.id(), GL_COLOR, 0, background.data());
  if (numbered) glClearNamedFramebufferuiv(target_.id(), GL_COLOR, 1, nothing.data());
  glClearNamedFramebufferfv(target_.id(), GL_DEPTH, 0, &far);
  if (!mesh_.empty() && buffers_.tables().id() != 0) {
    make_order(plan);
    make_facets(facets_for(plan));
    if (rasterize::shows_environment(plan)) upload_environment(plan.environment);
    choose_program(plan, numbered);
    set_uniforms(plan);
    // Row 0 of the textures becomes the top row, and rounding on the screen has the same direction as in software.
    glClipControl(GL_UPPER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    if (plan.visibility != rasterize::Visibility::painter) glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    if (plan.culling != rasterize::Culling::none) glEnable(GL_CULL_FACE);
    glCullFace(plan.culling == rasterize::Culling::front ? GL_FRONT : GL_BACK);
    if (plan.wireframe) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glBindVertexArray(buffers_.vertex_array());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers_.tables().id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, order_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, facet_vectors_.id());
    glVertexAttrib2f(2, 0.0f, 0.0f);  // Of meshes without texture coordinates, and without colours.
    glVertexAttrib3f(3, 1.0f, 1.0f, 1.0f);
    if (rasterize::shows_environment(plan)) glBindTextureUnit(environment_unit, environment_);
    draw_batches(plan, false);
    set_blending(plan.blend);
    glDepthMask(GL_FALSE);
    glColorMaski(1, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_batches(plan, true);
    glColorMaski(1, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glDisablei(GL_BLEND, 0);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_CULL_FACE);
    glCullFace(GL_BACK);
    glDisable(GL_DEPTH_TEST);
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    for (GLuint unit = 0; unit <= environment_unit; ++unit) {
      glBindSampler(unit, 0);
      glBindTextureUnit(unit, 0);
    }
    glBindVertexArray(0);
  }
  timer_.end();
  if (!timed) return;
  while (const auto ms = timer_.poll_ms())
    draw_ms_ = *ms;
}

double MeshPass::draw_ms() {
  while (const auto ms = timer_.poll_ms())
    draw_ms_ = *ms;
  return draw_ms_;
}

std::vector<std::uint32_t> MeshPass::read_triangles() const {
  std::vector<std::uint32_t> triangles(static_cast<std::size_t>(target_.size().x) *
                                       static_cast<std::size_t>(target_.size().y));
  if (triangles.empty()) return triangles;
  glGetTextureImage(target_.triangles(), 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
                    static_cast<GLsizei>(triangles.size() * sizeof(std::uint32_t)), triangles.data());
  return triangles;
}

std::vector<float> MeshPass::read_depths() const {
  std::vector<float> depths(static_cast<std::size_t>(target_.size().x) * static_cast<std::size_t>(target_.size().y));
  if (depths.empty()) return depths;
  glGetTextureImage(target_.depth(), 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                    static_cast<GLsizei>(depths.size() * sizeof(float)), depths.data());
  return depths;
}

}  // namespace threadscape::render
