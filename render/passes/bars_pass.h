#pragma once
// Draws sequences from the buffer that a backend wrote, as bars or as a strip of colours. The cost of a picture hardly
// grows with the length of the sequence: a column of the view takes the ranges of whole blocks from a summary.

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <vector>

#include "compute/core/shape.h"
#include "render/gl/buffer.h"
#include "render/gl/framebuffer.h"
#include "render/gl/program.h"
#include "render/passes/image_pass.h"

namespace threadscape::render {

/// A value encoded as an integer of the same order, as in shaders/sequence.glsl. Values of 32 bits are in the high
/// word.
using SequenceKey = std::uint64_t;
[[nodiscard]] SequenceKey sequence_key(const std::byte* value, Element element);
[[nodiscard]] double sequence_value(SequenceKey key, Element element);
[[nodiscard]] SequenceKey key_of_zero(Element element);

/// The minimum and the maximum finite value; low > high if there is none.
struct SequenceRange {
  SequenceKey low = ~SequenceKey{0}, high = 0;
  [[nodiscard]] bool empty() const { return low > high; }
  friend bool operator==(const SequenceRange&, const SequenceRange&) = default;
};
/// The smallest range that contains both.
[[nodiscard]] SequenceRange united(const SequenceRange& a, const SequenceRange& b);

/// The ranges of blocks of the first row of a sequence, of blocks of blocks, and of all values, computed by BarsPass.
class SequenceSummary {
 public:
  /// The range of all values; empty until it is available, usually a frame or two after BarsPass::summarise().
  [[nodiscard]] const std::optional<SequenceRange>& range();
  /// Returns whether the range is pending.
  [[nodiscard]] bool awaited() const { return values_ != nullptr && !range_; }
  /// Waits for the range.
  void wait();
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const gl::Buffer* values() const { return values_; }

 private:
  friend class BarsPass;
  const gl::Buffer* values_ = nullptr;
  Shape shape_;
  gl::Buffer spans_;    ///< The ranges of all levels, the finest first.
  gl::Buffer arrived_;  ///< The range of the last level, readable by the CPU.
  gl::Fence fence_;
  std::optional<SequenceRange> range_;
};

enum class BarColour : std::uint8_t { value, place, plain };
inline constexpr std::array<std::string_view, 3> bar_colour_names{"value", "place", "plain"};

/// How a sequence is drawn.
struct BarsSettings {
  double first = 0.0, end = 1.0;  ///< The places at the left and the right edge of the view, end > first.
  SequenceRange range;            ///< The values at the bottom and at the top.
  bool from_zero = false;         ///< If true, bars start at zero; otherwise they start at the bottom.
  bool strip = false;             ///< If true, values are drawn as a strip of colours instead of bars.
  /// What the colour of a bar tells: its value, or the number in the second row of the sequence (without one, its
  /// place).
  BarColour colour = BarColour::value;
  ColourMap map = ColourMap::viridis;
  glm::vec4 plain{0.36f, 0.62f, 0.96f, 1.0f};
  glm::vec4 background{0.1f, 0.1f, 0.11f, 1.0f};
  std::optional<std::int64_t> marked;  ///< Place of a bar that is drawn in the colour `mark`.
  glm::vec4 mark{0.94f, 0.64f, 0.37f, 1.0f};
};

/// The places [first, second) that each of `columns` columns shows, at least one, also where a value is wider than a
/// column. Columns outside of 0 .. count are empty.
[[nodiscard]] std::vector<glm::uvec2> column_ranges(double first, double end, int columns, std::int64_t count);

/// Summarises and draws sequences.
class BarsPass {
 public:
  /// The library must outlive the pass. Buffers larger than `max_bytes`, or than the driver can bind, are processed in
  /// parts.
  explicit BarsPass(const gl::ShaderLibrary& library, std::int64_t max_bytes = std::int64_t{1} << 30);
  ~BarsPass();
  BarsPass(const BarsPass&) = delete;
  BarsPass& operator=(const BarsPass&) = delete;

  /// Queues the summary of the current values, up to 2^32 - 1 values of a Kind::sequence. `values` must stay valid
  /// while the summary is used. Throws UsageError for other shapes.
  void summarise(SequenceSummary& summary, const gl::Buffer& values, const Shape& shape);
  /// Fills a rectangle of the bound framebuffer, which is `target_height` pixels high. `corner` is the top left corner
  /// of the rectangle in pixels from that of the framebuffer.
  void draw(const SequenceSummary& summary, const BarsSettings& settings, glm::ivec2 corner, glm::ivec2 size,
            int target_height);
  /// The place of the first value with this key, if there is one. Waits for the GPU, so it is called once per result.
  [[nodiscard]] std::optional<std::int64_t> find(const SequenceSummary& summary, SequenceKey key);

 private:
  void fill_columns(const SequenceSummary& summary, const BarsSettings& settings, int columns);

  gl::Program blocks_, columns_, find_, bars_;
  gl::Buffer ranges_buffer_, columns_buffer_;
  GLuint vertex_array_ = 0;
  std::int64_t max_part_bytes_ = 0;  ///< Maximum size in bytes of a buffer range that is bound.
  std::int64_t alignment_ = 256;     ///< Alignment in bytes of the start of a buffer range.
};

}  // namespace threadscape::render
