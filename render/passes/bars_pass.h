#pragma once
// Sequences on the screen, drawn from the very buffer that a backend wrote: as bars, or as a strip of colours. The
// cost of a picture does not grow with the length: a column of the view takes whole blocks from a summary.

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

/// Two words, the high one first, that compare as the values do: shaders/sequence.glsl.
using SequenceKey = std::uint64_t;
[[nodiscard]] SequenceKey sequence_key(const std::byte* value, Element element);
[[nodiscard]] double sequence_value(SequenceKey key, Element element);
[[nodiscard]] SequenceKey key_of_zero(Element element);

/// The least and the largest finite value; low > high when there is none.
struct SequenceRange {
  SequenceKey low = ~SequenceKey{0}, high = 0;
  [[nodiscard]] bool empty() const { return low > high; }
  friend bool operator==(const SequenceRange&, const SequenceRange&) = default;
};
[[nodiscard]] SequenceRange united(const SequenceRange& a, const SequenceRange& b);

/// Least and largest values of blocks of a sequence's first row, of blocks of blocks, and of all; made by BarsPass.
class SequenceSummary {
 public:
  /// Of all values, once it has arrived: a frame or two after BarsPass::summarise().
  [[nodiscard]] const std::optional<SequenceRange>& range();
  /// It is under way.
  [[nodiscard]] bool awaited() const { return values_ != nullptr && !range_; }
  /// Waits for it.
  void wait();
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const gl::Buffer* values() const { return values_; }

 private:
  friend class BarsPass;
  const gl::Buffer* values_ = nullptr;
  Shape shape_;
  gl::Buffer spans_;    ///< all levels, the finest first
  gl::Buffer arrived_;  ///< of the last level
  gl::Fence fence_;
  std::optional<SequenceRange> range_;
};

enum class BarColour : std::uint8_t { value, place, plain };
inline constexpr std::array<std::string_view, 3> bar_colour_names{"value", "place", "plain"};

struct BarsSettings {
  double first = 0.0, end = 1.0;  ///< the places that the view spans, end > first
  SequenceRange range;            ///< bottom and top
  bool from_zero = false;         ///< bars begin at zero, else at the least value
  bool strip = false;
  BarColour colour = BarColour::value;  ///< place: the second row's number, or the value's own place without one
  ColourMap map = ColourMap::viridis;
  glm::vec4 plain{0.36f, 0.62f, 0.96f, 1.0f};
  glm::vec4 background{0.1f, 0.1f, 0.11f, 1.0f};
  std::optional<std::int64_t> marked;  ///< place of a bar that stands out
  glm::vec4 mark{0.94f, 0.64f, 0.37f, 1.0f};
};

/// Places [first, second) that each of `columns` columns shows: at least one value, also where a value is wider than a
/// column. Outside of 0 .. count it is empty.
[[nodiscard]] std::vector<glm::uvec2> column_ranges(double first, double end, int columns, std::int64_t count);

class BarsPass {
 public:
  /// The library must outlive the pass. Buffers larger than `most_bytes`, or than the driver can bind, are worked
  /// through in parts.
  explicit BarsPass(const gl::ShaderLibrary& library, std::int64_t most_bytes = std::int64_t{1} << 30);
  ~BarsPass();
  BarsPass(const BarsPass&) = delete;
  BarsPass& operator=(const BarsPass&) = delete;

  /// Queues the summary of the values as they are now. `values` must stay while the summary is used. Up to 2^32 - 1
  /// values of a Kind::sequence.
  void summarise(SequenceSummary& summary, const gl::Buffer& values, const Shape& shape);
  /// Draws into the rectangle (pixels, from the target's top left corner) of the bound framebuffer, `target_height`
  /// pixels high. All of the rectangle is written.
  void draw(const SequenceSummary& summary, const BarsSettings& settings, glm::ivec2 corner, glm::ivec2 size,
            int target_height);
  /// Place of the first value with this key; none if there is none. Waits for the GPU: ask once per result.
  [[nodiscard]] std::optional<std::int64_t> find(const SequenceSummary& summary, SequenceKey key);

 private:
  void fill_columns(const SequenceSummary& summary, const BarsSettings& settings, int columns);

  gl::Program blocks_, columns_, find_, bars_;
  gl::Buffer ranges_buffer_, columns_buffer_;
  GLuint vertex_array_ = 0;
  std::int64_t largest_part_ = 0;  ///< bytes that can be bound at once
  std::int64_t alignment_ = 256;   ///< of where they begin
};

}  // namespace threadscape::render
