#include "render/passes/volume_error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <glm/vec4.hpp>

#include "render/passes/dispatch.h"

namespace threadscape::render {

namespace {

constexpr int error_group_threads = 64;  // as in shaders/volume_errors.comp
// Maximum number of partial sums per box: enough threads for a large GPU, and few voxels for each, so that sums of
// floats are precise enough.
constexpr int max_sums = 1 << 15;
constexpr std::int64_t voxels_per_sum = 64;

int sums_of(const VolumeBox& box) {
  const std::int64_t voxels = std::int64_t{box.size.x} * box.size.y * box.size.z;
  return static_cast<int>(std::clamp<std::int64_t>(voxels / voxels_per_sum, error_group_threads, max_sums));
}

}  // namespace

double VolumeError::rmse() const {
  return voxels > 0.0 ? std::sqrt(squares / voxels) : 0.0;
}

double VolumeError::relative() const {
  return truth_squares > 0.0 ? std::sqrt(squares / truth_squares) : 0.0;
}

void VolumeErrorPass::begin(const gl::VolumeTexture& volume, const gl::VolumeTexture& truth,
                            std::span<const VolumeBox> boxes) {
  constexpr std::size_t bytes = max_boxes * max_sums * sizeof(glm::vec4);
  if (sums_.id() == 0) {
    sums_ = gl::Buffer(gl::BufferUse::device, bytes);
    arriving_ = gl::Buffer(gl::BufferUse::download, bytes);
  }
  asked_.clear();
  program_.use();
  volume.bind(0);
  truth.bind(1);
  glBindSampler(0, 0);
  glBindSampler(1, 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, sums_.id());
  int first = 0;
  for (const VolumeBox& box : boxes.first(std::min(boxes.size(), max_boxes))) {
    const int count = sums_of(box);
    program_.set("low", box.low);
    program_.set("size", box.size);
    program_.set("first", first);
    program_.set("count", count);
    glDispatchCompute(static_cast<GLuint>(groups_for(count, error_group_threads)), 1, 1);
    asked_.push_back(count);
    first += count;
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  glCopyNamedBufferSubData(sums_.id(), arriving_.id(), 0, 0, static_cast<GLsizeiptr>(first) * sizeof(glm::vec4));
  fence_.place();
}

std::optional<std::vector<VolumeError>> VolumeErrorPass::poll() {
  if (asked_.empty() || !fence_.passed()) return {};
  std::vector<VolumeError> errors;
  const std::byte* from = arriving_.data();
  for (const int count : asked_) {
    VolumeError& error = errors.emplace_back();
    for (int i = 0; i < count; ++i, from += sizeof(glm::vec4)) {
      glm::vec4 sum;
      std::memcpy(&sum, from, sizeof(sum));
      error.squares += static_cast<double>(sum.x);
      error.truth_squares += static_cast<double>(sum.y);
      error.largest = std::max(error.largest, static_cast<double>(sum.z));
      error.voxels += static_cast<double>(sum.w);
    }
  }
  asked_.clear();
  return errors;
}

}  // namespace threadscape::render
