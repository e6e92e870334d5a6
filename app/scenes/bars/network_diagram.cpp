#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "app/scenes/bars/diagrams.h"

namespace threadscape::app {

std::string DiagramValues::text(std::size_t place) const {
  std::array<char, 40> text{};
  const double value = render::sequence_value(keys[place], element);
  const bool whole = element == Element::i32 || element == Element::u32 || element == Element::i64;
  std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.4g", value);
  return text.data();
}

DiagramValues values_of(HostIn data) {
  DiagramValues values;
  values.element = data.shape.element;
  const std::size_t bytes = size_of(values.element);
  for (std::size_t i = 0; i < static_cast<std::size_t>(data.shape.width); ++i)
    values.keys.push_back(render::sequence_key(data.data + i * bytes, values.element));
  return values;
}

namespace {

/// Applies the comparisons of a stage to the values of the wires.
void exchange(std::vector<render::SequenceKey>& keys, const NetworkDiagram::Stage& stage) {
  for (const auto& [lower, upper] : stage.exchanges)
    if (keys[static_cast<std::size_t>(upper)] < keys[static_cast<std::size_t>(lower)])
      std::swap(keys[static_cast<std::size_t>(lower)], keys[static_cast<std::size_t>(upper)]);
}

}  // namespace

std::vector<render::SequenceKey> after_stages(const NetworkDiagram& network, std::vector<render::SequenceKey> keys,
                                              int stages) {
  for (int s = 0; s < std::min(stages, static_cast<int>(network.stages.size())); ++s)
    exchange(keys, network.stages[static_cast<std::size_t>(s)]);
  return keys;
}

std::vector<int> lanes_of(const NetworkDiagram::Stage& stage) {
  std::vector<int> lanes;
  std::vector<int> reach;  // The element of each lane is the upper wire number of its last comparison.
  for (const auto& [lower, upper] : stage.exchanges) {
    std::size_t lane = 0;
    while (lane < reach.size() && reach[lane] >= std::min(lower, upper))
      ++lane;
    if (lane == reach.size()) reach.push_back(0);
    reach[lane] = std::max(lower, upper);
    lanes.push_back(static_cast<int>(lane));
  }
  return lanes;
}

namespace {

/// Position of a value within the range, from 0 to 1; 0.5 if all values are equal, 1 for values that are not finite.
float share(render::SequenceKey key, const render::SequenceRange& range, Element element) {
  const double low = render::sequence_value(range.low, element), high = render::sequence_value(range.high, element);
  const double value = render::sequence_value(key, element);
  if (!(high > low)) return 0.5f;
  const double part = (value - low) / (high - low);
  return std::isfinite(part) ? static_cast<float>(std::clamp(part, 0.0, 1.0)) : 1.0f;
}

/// Highest lane number of a stage plus one.
int lane_count(const std::vector<int>& lanes) {
  return lanes.empty() ? 0 : *std::ranges::max_element(lanes) + 1;
}

/// Draws a network from left to right: heading, input values, stages, result, legend. All lengths are in pixels of the
/// canvas.
class NetworkPicture {
 public:
  NetworkPicture(ViewCanvas& canvas, const NetworkDiagram& network, const DiagramValues& input,
                 const DiagramValues& result)
      : canvas_(canvas), list_(canvas.list()), network_(network), input_(input), result_(result), keys_(input.keys) {
    for (const render::SequenceKey key : input.keys)
      range_ = united(range_, {key, key});
    for (const auto& stage : network.stages)
      lanes_.push_back(lanes_of(stage));
    lay_out();
  }

  void draw() {
    heading();
    if (written_)
      for (int i = 0; i < network_.places; ++i)
        canvas_.text({left_ - 0.5f * unit_, wire(i)}, input_.text(static_cast<std::size_t>(i)), value_size_, ink(),
                     Align::right);
    float x = left_;
    wires(x, x + gap_lanes * lane_, true);
    x += gap_lanes * lane_;
    for (int s = 0; s < static_cast<int>(network_.stages.size()); ++s) {
      const float end = x + static_cast<float>(lane_count(lanes_[static_cast<std::size_t>(s)])) * lane_;
      stage(s, x, end);
      wires(end, end + gap_lanes * lane_, s < network_.done);
      x = end + gap_lanes * lane_;
    }
    results();
    canvas_.text({left_, 2.6f * unit_}, "input", unit_ * 0.85f, muted_ink(), Align::left);
    canvas_.text({width_ - unit_, 2.6f * unit_}, "the backend's array", unit_ * 0.85f, muted_ink(), Align::right);
    legend();
  }

 private:
  static constexpr float gap_lanes = 1.6f;  ///< Room behind each stage, in lanes.

  /// Divides the width into as many lanes as the stages need with a gap behind each, and the height into wires.
  void lay_out() {
    width_ = canvas_.width();
    height_ = canvas_.height();
    unit_ = std::clamp(std::min(width_ / 60.0f, height_ / 32.0f), 10.0f, 64.0f);
    const auto places = static_cast<float>(network_.places);
    float all_lanes = gap_lanes;
    for (const auto& lanes : lanes_)
      all_lanes += static_cast<float>(lane_count(lanes)) + gap_lanes;
    written_ = (height_ - 6.2f * unit_) / places >= 0.55f * unit_;
    value_size_ = std::clamp((height_ - 6.2f * unit_) / places * 0.8f, 6.0f, unit_ * 0.9f);
    float text_width = 0.0f;
    if (written_)
      for (std::size_t i = 0; i < input_.keys.size(); ++i)
        text_width = std::max(text_width, ViewCanvas::text_width(input_.text(i), value_size_));
    left_ = unit_ + (written_ ? text_width + 0.6f * unit_ : 0.4f * unit_);
    bars_ = std::max(5.0f * unit_, width_ * 0.12f);
    const float right = width_ - unit_ - bars_ - (written_ ? text_width + 0.8f * unit_ : 0.4f * unit_);
    top_ = 3.4f * unit_;
    bottom_ = height_ - 2.8f * unit_;
    pitch_ = (bottom_ - top_) / places;
    lane_ = (right - left_) / all_lanes;
    thick_ = std::clamp(pitch_ * 0.16f, 1.0f, unit_ * 0.22f);
    dot_ = std::clamp(std::min(pitch_ * 0.24f, lane_ * 0.42f), 1.2f, unit_ * 0.32f);
  }

  [[nodiscard]] float wire(int place) const { return top_ + pitch_ * (static_cast<float>(place) + 0.5f); }
  [[nodiscard]] ImU32 wire_colour(int place) const {
    return map_colour(share(keys_[static_cast<std::size_t>(place)], range_, input_.element));
  }

  void heading() {
    const bool begun = network_.done > 0;
    const std::string now = begun ? network_.stages[static_cast<std::size_t>(network_.done) - 1].title : "";
    canvas_.text({unit_, 1.2f * unit_},
                 network_.title + ", " + std::to_string(network_.places) + " places: stage " +
                     std::to_string(network_.done) + " of " + std::to_string(network_.stages.size()),
                 unit_ * 1.15f, ink(), Align::left, width_ * 0.6f);
    canvas_.text({width_ - unit_, 1.2f * unit_}, now, unit_, accent_ink(), Align::right, width_ * 0.36f);
  }

  /// A piece of the wire at `place`, in the colour of its value if the stage is done.
  void wire_piece(int place, float from, float to, bool done) {
    list_.AddLine({from, wire(place)}, {to, wire(place)}, done ? wire_colour(place) : faint_ink(),
                  done ? thick_ : 1.0f);
  }

  void wires(float from, float to, bool done) {
    for (int i = 0; i < network_.places; ++i)
      wire_piece(i, from, to, done);
  }

  /// The comparisons of stage `s` between x = from and x = to. A wire keeps its colour up to its own comparison and has
  /// the colour of the new value behind it.
  void stage(int s, float from, float to) {
    const auto& stage = network_.stages[static_cast<std::size_t>(s)];
    const auto& lanes = lanes_[static_cast<std::size_t>(s)];
    const bool done = s < network_.done, current = s + 1 == network_.done;
    const float edge = gap_lanes * lane_ * 0.45f;
    if (current)
      list_.AddRectFilled({from - edge, top_ - 0.3f * unit_}, {to + edge, bottom_ + 0.3f * unit_},
                          (accent_ink() & ~IM_COL32_A_MASK) | (46u << IM_COL32_A_SHIFT), 0.3f * unit_);
    std::vector<float> crossing(static_cast<std::size_t>(network_.places), to);
    for (std::size_t e = 0; e < stage.exchanges.size(); ++e) {
      const float lane_x = from + (static_cast<float>(lanes[e]) + 0.5f) * lane_;
      crossing[static_cast<std::size_t>(stage.exchanges[e].lower)] = lane_x;
      crossing[static_cast<std::size_t>(stage.exchanges[e].upper)] = lane_x;
    }
    for (int i = 0; i < network_.places; ++i)
      wire_piece(i, from, crossing[static_cast<std::size_t>(i)], done);
    const std::vector<render::SequenceKey> before = keys_;
    if (done) exchange(keys_, stage);
    for (int i = 0; i < network_.places; ++i)
      wire_piece(i, crossing[static_cast<std::size_t>(i)], to, done);
    for (const auto& [lower, upper] : stage.exchanges) {
      const bool moved = keys_[static_cast<std::size_t>(lower)] != before[static_cast<std::size_t>(lower)];
      const ImU32 colour = !done ? faint_ink() : current ? (moved ? warning_ink() : ink()) : muted_ink();
      const float lane_x = crossing[static_cast<std::size_t>(lower)];
      const float weight = current ? std::max(1.5f, dot_ * 0.5f) : std::max(1.0f, dot_ * 0.3f);
      list_.AddCircleFilled({lane_x, wire(lower)}, dot_ * 0.8f, colour);
      const float beyond = upper > lower ? dot_ * 0.6f : -dot_ * 0.6f;
      canvas_.arrow({lane_x, wire(lower)}, {lane_x, wire(upper) + beyond}, colour, weight,
                    std::min(2.4f * dot_, pitch_ * 0.8f));
    }
  }

  /// The array that the backend left, a bar for each value.
  void results() {
    const float bar_left = width_ - unit_ - bars_;
    for (int i = 0; i < network_.places && static_cast<std::size_t>(i) < result_.keys.size(); ++i) {
      const render::SequenceKey key = result_.keys[static_cast<std::size_t>(i)];
      const float part = share(key, range_, result_.element), half = std::max(pitch_ * 0.4f, 0.5f);
      list_.AddRectFilled({bar_left, wire(i) - half}, {bar_left + bars_ * (0.02f + 0.98f * part), wire(i) + half},
                          map_colour(part), std::min(2.0f, half * 0.4f));
      if (written_)
        canvas_.text({bar_left - 0.4f * unit_, wire(i)}, result_.text(static_cast<std::size_t>(i)), value_size_, ink(),
                     Align::right);
    }
  }

  void legend() {
    const float y = height_ - 1.2f * unit_, size = unit_ * 0.85f;
    float x = unit_;
    const auto word = [&](std::string_view text) {
      canvas_.text({x, y}, text, size, muted_ink());
      x += ViewCanvas::text_width(text, size) + 1.4f * unit_;
    };
    for (int i = 0; i < 24; ++i)
      list_.AddRectFilled({x + 0.14f * unit_ * static_cast<float>(i), y - 0.28f * unit_},
                          {x + 0.14f * unit_ * static_cast<float>(i + 1) + 0.5f, y + 0.28f * unit_},
                          map_colour(static_cast<float>(i) / 23.0f));
    x += 24 * 0.14f * unit_ + 0.5f * unit_;
    word("small to large");
    const auto sample = [&](ImU32 colour, std::string_view text) {
      list_.AddCircleFilled({x + 0.25f * unit_, y - 0.4f * unit_}, 0.16f * unit_, colour);
      canvas_.arrow({x + 0.25f * unit_, y - 0.4f * unit_}, {x + 0.25f * unit_, y + 0.55f * unit_}, colour,
                    std::max(1.0f, 0.09f * unit_), 0.36f * unit_);
      x += 0.9f * unit_;
      word(text);
    };
    sample(ink(), "compared: the larger goes to the arrow");
    sample(warning_ink(), "and exchanged");
  }

  ViewCanvas& canvas_;
  ImDrawList& list_;
  const NetworkDiagram& network_;
  const DiagramValues &input_, &result_;
  std::vector<render::SequenceKey> keys_;  ///< Values of the wires after the stages that were drawn so far.
  render::SequenceRange range_;            ///< Range of the values of the input.
  std::vector<std::vector<int>> lanes_;    ///< The result of lanes_of() for each stage.
  float width_ = 0, height_ = 0;           ///< Size of the canvas.
  float unit_ = 0;                         ///< Height of a line of text.
  float left_ = 0, top_ = 0, bottom_ = 0;  ///< Edges of the network.
  float pitch_ = 0;                        ///< Distance between two wires.
  float lane_ = 0;                         ///< Width of a lane.
  float bars_ = 0;                         ///< Length of the longest bar of the result.
  float thick_ = 0;                        ///< Width of a wire behind stages that are done.
  float dot_ = 0;                          ///< Size of the dots and arrows of comparisons.
  bool written_ = false;                   ///< If true, values are written beside their wires.
  float value_size_ = 0;                   ///< Height of these values.
};

}  // namespace

void draw_network(ViewCanvas& canvas, const NetworkDiagram& network, const DiagramValues& input,
                  const DiagramValues& result) {
  NetworkPicture(canvas, network, input, result).draw();
}

}  // namespace threadscape::app
