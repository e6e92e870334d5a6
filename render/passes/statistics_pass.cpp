#include "render/passes/statistics_pass.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "render/passes/dispatch.h"

namespace threadscape::render {

namespace {

constexpr int statistics_group = 16;   // invocations of a work group along each axis
constexpr int histogram_stretch = 16;  // pixels per invocation along x
constexpr int window_radius = 5;
constexpr int similarity_cost = 4;  // approximate cost of the similarity of a pixel relative to that of the histogram
constexpr std::size_t histogram_bytes = sizeof(Histogram::counts);
constexpr std::array<std::uint32_t, 2> no_range{0xffffffff, 0};

/// The float of a key of shaders/ordered.glsl.
double from_ordered(std::uint32_t key) {
  return std::bit_cast<float>((key & 0x80000000u) != 0 ? key & 0x7fffffffu : ~key);
}

const gl::Texture* unless_empty(const gl::Texture* texture) {
  return texture != nullptr && !texture->empty() ? texture : nullptr;
}

}  // namespace

double Similarity::psnr() const {
  return mean_squared_error > 0.0 ? -10.0 * std::log10(mean_squared_error) : std::numeric_limits<double>::infinity();
}

StatisticsPass::StatisticsPass(const gl::ShaderLibrary& library)
    : histogram_(library, "histogram.comp"),
      value_range_(library, "value_range.comp"),
      similarity_(library, "similarity.comp") {
  for (gl::Buffer& buffer : counts_)
    buffer = gl::Buffer(gl::BufferUse::download, histogram_bytes);
  for (gl::Buffer& buffer : ranges_)
    buffer = gl::Buffer(gl::BufferUse::download, sizeof(no_range));
}

StatisticsPass::Identity StatisticsPass::identity_of(const gl::Texture* texture) {
  if (unless_empty(texture) == nullptr) return {};
  return {texture->id(), texture->width(), texture->height()};
}

void StatisticsPass::begin(const gl::Texture* first, const gl::Texture* second, bool ranged) {
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);  // shaders of an abandoned run may still write to the buffers
  given_ = {first, second};
  identities_ = {identity_of(first), identity_of(second)};
  first_ = unless_empty(first);
  second_ = unless_empty(second);
  ranged_ = ranged;
  const GLuint zero = 0;
  for (const gl::Buffer& buffer : counts_)
    glClearNamedBufferData(buffer.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
  for (const gl::Buffer& buffer : ranges_)
    glClearNamedBufferData(buffer.id(), GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, no_range.data());
  stage_ = Stage::idle;
  next_stage();
}

bool StatisticsPass::comparable() const {
  return first_ != nullptr && second_ != nullptr && first_->width() == second_->width() &&
         first_->height() == second_->height();
}

void StatisticsPass::next_stage() {
  row_ = 0;
  const auto nothing_to_do = [this](Stage stage) {
    switch (stage) {
      case Stage::first_range:
        return first_ == nullptr || !has_range(*first_);
      case Stage::first:
        return first_ == nullptr;
      case Stage::second_range:
        return second_ == nullptr || !has_range(*second_);
      case Stage::second:
        return second_ == nullptr;
      case Stage::both:
        return !comparable();
      default:
        return false;
    }
  };
  do
    stage_ = static_cast<Stage>(static_cast<int>(stage_) + 1);
  while (nothing_to_do(stage_));
  if (stage_ == Stage::both) {
    const std::size_t tiles = static_cast<std::size_t>(groups_for(first_->width(), statistics_group)) *
                              static_cast<std::size_t>(groups_for(first_->height(), statistics_group));
    if (tiles_.size() < tiles * 2 * sizeof(float))
      tiles_ = gl::Buffer(gl::BufferUse::download, tiles * 2 * sizeof(float));
  }
  if (stage_ == Stage::arriving) {
    glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    fence_.place();
  }
}

void StatisticsPass::step(std::int64_t pixels) {
  // A texture that was created anew may have another size, and one whose memory was freed has none.
  if (stage_ != Stage::idle && identities_ != std::array{identity_of(given_[0]), identity_of(given_[1])})
    begin(given_[0], given_[1], ranged_);
  switch (stage_) {
    case Stage::idle:
      return;
    case Stage::first_range:
      if (count(value_range_, *first_, 0, pixels)) next_stage();
      return;
    case Stage::first:
      if (count(histogram_, *first_, 0, pixels)) next_stage();
      return;
    case Stage::second_range:
      if (count(value_range_, *second_, 1, pixels)) next_stage();
      return;
    case Stage::second:
      if (count(histogram_, *second_, 1, pixels)) next_stage();
      return;
    case Stage::both:
      if (compare(pixels)) next_stage();
      return;
    case Stage::arriving:
      if (fence_.passed()) take();
      return;
  }
}

bool StatisticsPass::has_range(const gl::Texture& texture) const {
  return ranged_ && texture.format() == gl::Format::r32f;
}

bool StatisticsPass::count(TiledProgram& with, const gl::Texture& texture, std::size_t which, std::int64_t pixels) {
  const std::int64_t wanted =
      std::max<std::int64_t>(pixels / texture.width() / statistics_group * statistics_group, statistics_group);
  const auto rows = static_cast<int>(std::min<std::int64_t>(wanted, texture.height() - row_));
  gl::Program& program = with.use(texture);
  program.set("grey", is_grey(texture));
  program.set("ranged", has_range(texture));
  program.set("first_row", row_);
  program.set("rows", rows);
  glBindTextureUnit(0, texture.id());
  glBindSampler(0, 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, counts_[which].id());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, ranges_[which].id());
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);  // the range has to be complete before the histogram uses it
  glDispatchCompute(static_cast<GLuint>(groups_for(texture.width(), statistics_group * histogram_stretch)),
                    static_cast<GLuint>(groups_for(rows, statistics_group)), 1);
  row_ += rows;
  return row_ >= texture.height();
}

bool StatisticsPass::compare(std::int64_t pixels) {
  const int columns = groups_for(first_->width(), statistics_group),
            all = groups_for(first_->height(), statistics_group);
  const std::int64_t wanted =
      std::max<std::int64_t>(pixels / similarity_cost / (statistics_group * statistics_group) / columns, 1);
  const auto rows = static_cast<int>(std::min<std::int64_t>(wanted, all - row_));
  gl::Program& program = similarity_.use(*first_);
  program.set("grey_a", is_grey(*first_));
  program.set("grey_b", is_grey(*second_));
  program.set("first_tile_row", row_);
  glBindTextureUnit(0, first_->id());
  glBindTextureUnit(1, second_->id());
  glBindSampler(0, 0);
  glBindSampler(1, 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, tiles_.id());
  glDispatchCompute(static_cast<GLuint>(columns), static_cast<GLuint>(rows), 1);
  row_ += rows;
  return row_ >= all;
}

void StatisticsPass::take() {
  stage_ = Stage::idle;
  result_ = {};
  const auto histogram = [this](std::size_t i) {
    Histogram h;
    std::memcpy(h.counts.data(), counts_[i].data(), histogram_bytes);
    std::array<std::uint32_t, 2> range{};
    std::memcpy(range.data(), ranges_[i].data(), sizeof(range));
    if (range[0] <= range[1]) {
      h.ranged = true;
      h.low = from_ordered(range[0]);
      h.high = from_ordered(range[1]);
    }
    return h;
  };
  if (first_ != nullptr) result_.first = histogram(0);
  if (second_ != nullptr) result_.second = histogram(1);
  if (!comparable()) return;
  const double width = first_->width(), height = first_->height();
  const std::size_t tiles = static_cast<std::size_t>(groups_for(first_->width(), statistics_group)) *
                            static_cast<std::size_t>(groups_for(first_->height(), statistics_group));
  double squares = 0.0, similarities = 0.0;
  for (std::size_t i = 0; i < tiles; ++i) {
    std::array<float, 2> tile{};
    std::memcpy(tile.data(), tiles_.data() + i * sizeof(tile), sizeof(tile));
    squares += static_cast<double>(tile[0]);
    similarities += static_cast<double>(tile[1]);
  }
  Similarity similarity{.mean_squared_error = squares / (3.0 * width * height), .ssim = {}};
  const double windows = (width - 2 * window_radius) * (height - 2 * window_radius);
  if (width > 2 * window_radius && height > 2 * window_radius) similarity.ssim = similarities / windows;
  result_.similarity = similarity;
}

}  // namespace threadscape::render
