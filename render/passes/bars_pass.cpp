#include "render/passes/bars_pass.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "compute/core/errors.h"
#include "render/passes/dispatch.h"

namespace threadscape::render {

namespace {

constexpr std::int64_t block_values = 256;  // as in shaders/sequence.glsl
constexpr std::int64_t group_threads = 64;
constexpr std::size_t span_bytes = 16, column_bytes = 32;

std::int64_t blocks_of(std::int64_t count) {
  return (count + block_values - 1) / block_values;
}

glm::ivec2 words_of(SequenceKey key) {
  return {std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(key >> 32)),
          std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(key))};
}

void bind(GLuint binding, const gl::Buffer& buffer) {
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer.id());
}

/// Binds `bytes` bytes from `first` on. The binding starts at a multiple of `alignment`; returns the number of 32-bit
/// words between its start and `first`.
int bind_part(GLuint binding, const gl::Buffer& buffer, std::int64_t first, std::int64_t bytes,
              std::int64_t alignment) {
  const std::int64_t begin = first / alignment * alignment;
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, buffer.id(), begin, first - begin + bytes);
  return static_cast<int>((first - begin) / 4);
}

}  // namespace

SequenceKey sequence_key(const std::byte* value, Element element) {
  std::uint64_t bits = 0;
  if (size_of(element) == 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, value, sizeof(word));
    bits = std::uint64_t{word} << 32;
  } else {
    std::memcpy(&bits, value, sizeof(bits));
  }
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  switch (element) {
    case Element::i32:
    case Element::i64:
      return bits ^ sign;
    case Element::f32:
      return bits & sign ? ~bits & 0xffffffff00000000u : bits | sign;
    case Element::f64:
      return bits & sign ? ~bits : bits | sign;
    default:
      return bits;
  }
}

double sequence_value(SequenceKey key, Element element) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto high = static_cast<std::uint32_t>(key >> 32);
  switch (element) {
    case Element::i32:
      return std::bit_cast<std::int32_t>(high ^ 0x80000000u);
    case Element::i64:
      return static_cast<double>(std::bit_cast<std::int64_t>(key ^ sign));
    case Element::f32:
      return static_cast<double>(std::bit_cast<float>(high & 0x80000000u ? high ^ 0x80000000u : ~high));
    case Element::f64:
      return std::bit_cast<double>(key & sign ? key ^ sign : ~key);
    default:
      return high;
  }
}

SequenceKey key_of_zero(Element element) {
  constexpr std::array<std::byte, 8> zero{};
  return sequence_key(zero.data(), element);
}

SequenceRange united(const SequenceRange& a, const SequenceRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

const std::optional<SequenceRange>& SequenceSummary::range() {
  if (!range_ && values_ != nullptr && fence_.passed()) wait();
  return range_;
}

void SequenceSummary::wait() {
  if (range_ || values_ == nullptr) return;
  fence_.wait();
  std::array<std::uint32_t, 4> words{};
  std::memcpy(words.data(), arrived_.data(), span_bytes);
  const auto key = [&](std::size_t i) { return SequenceKey{words[i]} << 32 | words[i + 1]; };
  range_ = {key(0), key(2)};
}

std::vector<glm::uvec2> column_ranges(double first, double end, int columns, std::int64_t count) {
  std::vector<glm::uvec2> ranges(static_cast<std::size_t>(columns), glm::uvec2(0));
  const double step = (end - first) / columns;
  for (int c = 0; c < columns; ++c) {
    // A column narrower than a value shows the value that it lies in; otherwise a value belongs to the column in which
    // it starts.
    const double left = first + step * c, right = first + step * (c + 1);
    std::int64_t from = static_cast<std::int64_t>(std::ceil(left)), to = static_cast<std::int64_t>(std::ceil(right));
    if (step <= 1.0) {
      from = static_cast<std::int64_t>(std::floor(left + step / 2));
      to = from + 1;
    }
    from = std::clamp<std::int64_t>(from, 0, count);
    to = std::clamp<std::int64_t>(to, from, count);
    if (right <= 0.0 || left >= static_cast<double>(count)) to = from;
    ranges[static_cast<std::size_t>(c)] = {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)};
  }
  return ranges;
}

BarsPass::BarsPass(const gl::ShaderLibrary& library, std::int64_t max_bytes)
    : blocks_(library, "bars_blocks.comp"),
      columns_(library, "bars_columns.comp"),
      find_(library, "bars_find.comp"),
      bars_(library, "screen.vert", "bars.frag") {
  glCreateVertexArrays(1, &vertex_array_);
  GLint64 max_block = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &max_block);
  GLint alignment = 0;
  glGetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &alignment);
  alignment_ = std::max(alignment, 4);
  // A part has room for the alignment, and starts at a block.
  constexpr std::int64_t unit = block_values * 8;
  max_part_bytes_ = (std::min<std::int64_t>(max_block, max_bytes) - alignment_) / unit * unit;
}

BarsPass::~BarsPass() {
  glDeleteVertexArrays(1, &vertex_array_);
}

void BarsPass::summarise(SequenceSummary& summary, const gl::Buffer& values, const Shape& shape) {
  if (shape.kind != Kind::sequence || shape.channels != 1 || size_of(shape.element) < 4)
    throw UsageError("bars are drawn of a sequence of 4-byte or 8-byte numbers, not of " + to_string(shape));
  if (shape.width > 0xffffffff)
    throw UsageError("bars are drawn of up to 2^32 - 1 values, not of " + std::to_string(shape.width));
  std::vector<std::int64_t> levels{blocks_of(std::max<std::int64_t>(shape.width, 1))};
  while (levels.back() > 1)
    levels.push_back(blocks_of(levels.back()));
  std::size_t entries = 0;
  for (const std::int64_t level : levels)
    entries += static_cast<std::size_t>(level);
  if (summary.spans_.size() != entries * span_bytes)
    summary.spans_ = gl::Buffer(gl::BufferUse::device, entries * span_bytes);
  if (summary.arrived_.id() == 0) summary.arrived_ = gl::Buffer(gl::BufferUse::download, span_bytes);
  summary.values_ = &values;
  summary.shape_ = shape;
  summary.range_.reset();

  const auto value_bytes = static_cast<std::int64_t>(size_of(shape.element));
  const std::int64_t part = max_part_bytes_ / value_bytes;
  blocks_.use();
  blocks_.set("element", static_cast<int>(shape.element));
  blocks_.set("leaves", true);
  bind(1, summary.spans_);
  for (std::int64_t first = 0; first < shape.width; first += part) {
    const std::int64_t count = std::min(part, shape.width - first);
    blocks_.set("first_word", bind_part(0, values, first * value_bytes, count * value_bytes, alignment_));
    blocks_.set("count", static_cast<int>(count));
    blocks_.set("target_first", static_cast<int>(first / block_values));
    dispatch_row(blocks_of(count), group_threads);
  }
  blocks_.set("leaves", false);
  std::int64_t source = 0;
  for (std::size_t level = 1; level < levels.size(); ++level) {
    blocks_.set("count", static_cast<int>(levels[level - 1]));
    blocks_.set("source_first", static_cast<int>(source));
    source += levels[level - 1];
    blocks_.set("target_first", static_cast<int>(source));
    dispatch_row(levels[level], group_threads);
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  glCopyNamedBufferSubData(summary.spans_.id(), summary.arrived_.id(),
                           static_cast<GLintptr>((entries - 1) * span_bytes), 0, span_bytes);
  summary.fence_.place();
}

void BarsPass::fill_columns(const SequenceSummary& summary, const BarsSettings& settings, int columns) {
  const Shape& shape = summary.shape_;
  const std::vector<glm::uvec2> ranges = column_ranges(settings.first, settings.end, columns, shape.width);
  // Every picture gets new buffers, since the GPU may still be reading those of the previous one.
  ranges_buffer_ = gl::Buffer(gl::BufferUse::device, ranges.size() * sizeof(glm::uvec2), ranges.data());
  columns_buffer_ = gl::Buffer(gl::BufferUse::device, ranges.size() * column_bytes);

  const auto value_bytes = static_cast<std::int64_t>(size_of(shape.element));
  const std::int64_t part = max_part_bytes_ / value_bytes;
  const bool has_companions = shape.height > 1 && value_bytes == 4;
  columns_.use();
  columns_.set("element", static_cast<int>(shape.element));
  columns_.set("column_count", columns);
  columns_.set("has_companions", has_companions);
  bind(1, summary.spans_);
  bind(2, ranges_buffer_);
  bind(3, columns_buffer_);
  for (std::int64_t first = 0; first < shape.width; first += part) {
    const std::int64_t count = std::min(part, shape.width - first);
    const auto bind_row = [&](GLuint binding, std::int64_t row) {
      return bind_part(binding, *summary.values_, (row * shape.width + first) * value_bytes, count * value_bytes,
                       alignment_);
    };
    columns_.set("first_word", bind_row(0, 0));
    columns_.set("first_companion", bind_row(4, has_companions ? 1 : 0));
    columns_.set("part_first", static_cast<int>(static_cast<std::uint32_t>(first)));
    columns_.set("part_count", static_cast<int>(count));
    dispatch_row(columns, group_threads);
  }
}

void BarsPass::draw(const SequenceSummary& summary, const BarsSettings& settings, glm::ivec2 corner, glm::ivec2 size,
                    int target_height) {
  if (size.x < 1 || size.y < 1) return;
  const glm::ivec2 origin{corner.x, target_height - corner.y - size.y};
  glViewport(origin.x, origin.y, size.x, size.y);
  glEnable(GL_SCISSOR_TEST);
  glScissor(origin.x, origin.y, size.x, size.y);
  glClearColor(settings.background.r, settings.background.g, settings.background.b, settings.background.a);
  glClear(GL_COLOR_BUFFER_BIT);
  const Shape& shape = summary.shape_;
  if (shape.width > 0 && summary.values_ != nullptr) {
    fill_columns(summary, settings, size.x);
    // Only the columns that show values are drawn.
    const double per_value = size.x / (settings.end - settings.first);
    const auto column_of = [&](double place) {
      return static_cast<int>(std::clamp(std::round((place - settings.first) * per_value), 0.0, double(size.x)));
    };
    const int left = column_of(0.0), right = column_of(static_cast<double>(shape.width));
    glScissor(origin.x + left, origin.y, std::max(right - left, 0), size.y);

    const SequenceKey zero = key_of_zero(shape.element);
    SequenceRange range = settings.range;
    if (settings.from_zero && !range.empty()) range = united(range, {zero, zero});
    const auto count = static_cast<double>(shape.width);
    bars_.use();
    bars_.set("origin", origin);
    bars_.set("size", size);
    bars_.set("element", static_cast<int>(shape.element));
    bars_.set("low_key", words_of(range.low));
    bars_.set("high_key", words_of(range.high));
    bars_.set("base_key", words_of(settings.from_zero ? zero : range.low));
    bars_.set("strip", settings.strip);
    bars_.set("colouring", static_cast<int>(settings.colour));
    bars_.set("map", static_cast<int>(settings.map));
    bars_.set("companions", static_cast<float>(count));
    bars_.set("plain", settings.plain);
    bars_.set("background", settings.background);
    bars_.set("gaps", per_value >= 4.0);
    bars_.set("mark", settings.mark);
    glm::ivec2 marked{-1, -1};
    if (settings.marked) {
      const auto place = static_cast<double>(*settings.marked);
      marked = {column_of(place), std::max(column_of(place + 1.0), column_of(place) + 1)};
    }
    bars_.set("marked", marked);
    bind(3, columns_buffer_);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(vertex_array_);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
  }
  glDisable(GL_SCISSOR_TEST);
}

std::optional<std::int64_t> BarsPass::find(const SequenceSummary& summary, SequenceKey key) {
  const Shape& shape = summary.shape_;
  if (summary.values_ == nullptr) return {};
  constexpr std::uint32_t nowhere = 0xffffffff;
  const gl::Buffer found(gl::BufferUse::device, sizeof(nowhere), &nowhere);
  const auto value_bytes = static_cast<std::int64_t>(size_of(shape.element));
  const std::int64_t part = max_part_bytes_ / value_bytes;
  find_.use();
  find_.set("element", static_cast<int>(shape.element));
  find_.set("wanted", words_of(key));
  bind(1, summary.spans_);
  bind(2, found);
  for (std::int64_t first = 0; first < shape.width; first += part) {
    const std::int64_t count = std::min(part, shape.width - first);
    find_.set("first_word", bind_part(0, *summary.values_, first * value_bytes, count * value_bytes, alignment_));
    find_.set("part_first", static_cast<int>(static_cast<std::uint32_t>(first)));
    find_.set("part_count", static_cast<int>(count));
    dispatch_row(blocks_of(count), group_threads);
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  std::uint32_t place = nowhere;
  glGetNamedBufferSubData(found.id(), 0, sizeof(place), &place);
  return place == nowhere ? std::nullopt : std::optional<std::int64_t>(place);
}

}  // namespace threadscape::render
