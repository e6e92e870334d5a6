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

std::vector<render::SequenceKey> after_stages(const NetworkDiagram& network, std::vector<render::SequenceKey> keys,
                                              int stages) {
  for (int s = 0; s < std::min(stages, static_cast<int>(network.stages.size())); ++s)
    for (const auto& [lower, upper] : network.stages[static_cast<std::size_t>(s)].exchanges)
      if (keys[static_cast<std::size_t>(upper)] < keys[static_cast<std::size_t>(lower)])
        std::swap(keys[static_cast<std::size_t>(lower)], keys[static_cast<std::size_t>(upper)]);
  return keys;
}

std::vector<int> lanes_of(const NetworkDiagram::Stage& stage) {
  std::vector<int> lanes, reach;  // reach: the lowest wire that a lane is drawn down to
  for (const auto& [lower, upper] : stage.exchanges) {
    std::size_t lane = 0;
    while (lane < reach.size() && reach[lane] >= lower)
      ++lane;
    if (lane == reach.size()) reach.push_back(0);
    reach[lane] = upper;
    lanes.push_back(static_cast<int>(lane));
  }
  return lanes;
}

namespace {

float share(render::SequenceKey key, const render::SequenceRange& range, Element element) {
  const double low = render::sequence_value(range.low, element), high = render::sequence_value(range.high, element);
  const double value = render::sequence_value(key, element);
  if (!(high > low)) return 0.5f;
  const double part = (value - low) / (high - low);
  return std::isfinite(part) ? static_cast<float>(std::clamp(part, 0.0, 1.0)) : 1.0f;
}

struct Layout {
  float unit, left, right, top, bottom, pitch, lane;
  float wire(int place) const { return top + pitch * (static_cast<float>(place) + 0.5f); }
};

}  // namespace

void draw_network(ViewCanvas& canvas, const NetworkDiagram& network, const DiagramValues& input,
                  const DiagramValues& result) {
  ImDrawList& list = canvas.list();
  const float w = canvas.width(), h = canvas.height();
  const float unit = std::clamp(std::min(w / 60.0f, h / 32.0f), 10.0f, 64.0f);  // height of a line of text
  const auto places = static_cast<float>(network.places);
  render::SequenceRange range;
  for (const render::SequenceKey key : input.keys)
    range = united(range, {key, key});

  // Columns: as many lanes as each stage needs, and a gap behind it.
  constexpr float gap_lanes = 1.6f;
  std::vector<std::vector<int>> lanes;
  float all_lanes = gap_lanes;
  for (const auto& stage : network.stages) {
    lanes.push_back(lanes_of(stage));
    const int most = lanes.back().empty() ? 0 : *std::ranges::max_element(lanes.back()) + 1;
    all_lanes += static_cast<float>(most) + gap_lanes;
  }
  const bool worded = (h - 6.2f * unit) / places >= 0.55f * unit;
  float words = 0.0f;
  const float value_size = std::clamp((h - 6.2f * unit) / places * 0.8f, 6.0f, unit * 0.9f);
  if (worded)
    for (std::size_t i = 0; i < input.keys.size(); ++i)
      words = std::max(words, ViewCanvas::text_width(input.text(i), value_size));
  Layout at{};
  at.unit = unit;
  at.left = unit + (worded ? words + 0.6f * unit : 0.4f * unit);
  const float bars = std::max(5.0f * unit, w * 0.12f);
  at.right = w - unit - bars - (worded ? words + 0.8f * unit : 0.4f * unit);
  at.top = 3.4f * unit;
  at.bottom = h - 2.8f * unit;
  at.pitch = (at.bottom - at.top) / places;
  at.lane = (at.right - at.left) / all_lanes;
  const float thick = std::clamp(at.pitch * 0.16f, 1.0f, unit * 0.22f);
  const float dot = std::clamp(std::min(at.pitch * 0.24f, at.lane * 0.42f), 1.2f, unit * 0.32f);

  const int stages = static_cast<int>(network.stages.size());
  const bool begun = network.done > 0;
  const std::string now = begun ? network.stages[static_cast<std::size_t>(network.done) - 1].title : "";
  canvas.text({unit, 1.2f * unit},
              network.title + ", " + std::to_string(network.places) + " places: stage " + std::to_string(network.done) +
                  " of " + std::to_string(stages),
              unit * 1.15f, ink(), Align::left, w * 0.6f);
  canvas.text({w - unit, 1.2f * unit}, now, unit, accent_ink(), Align::right, w * 0.36f);

  std::vector<render::SequenceKey> keys = input.keys;
  const auto wire_colour = [&](int place) {
    return map_colour(share(keys[static_cast<std::size_t>(place)], range, input.element));
  };
  if (worded)
    for (int i = 0; i < network.places; ++i)
      canvas.text({at.left - 0.5f * unit, at.wire(i)}, input.text(static_cast<std::size_t>(i)), value_size, ink(),
                  Align::right);

  float x = at.left;
  const auto run_wires = [&](float to, bool done) {
    for (int i = 0; i < network.places; ++i)
      list.AddLine({x, at.wire(i)}, {to, at.wire(i)}, done ? wire_colour(i) : faint_ink(), done ? thick : 1.0f);
    x = to;
  };
  run_wires(x + gap_lanes * at.lane, true);
  for (int s = 0; s < stages; ++s) {
    const auto& stage = network.stages[static_cast<std::size_t>(s)];
    const auto& columns = lanes[static_cast<std::size_t>(s)];
    const bool done = s < network.done, current = s + 1 == network.done;
    const int most = columns.empty() ? 0 : *std::ranges::max_element(columns) + 1;
    const float from = x, to = x + static_cast<float>(most) * at.lane;
    const float edge = gap_lanes * at.lane * 0.45f;
    if (current)
      list.AddRectFilled({from - edge, at.top - 0.3f * unit}, {to + edge, at.bottom + 0.3f * unit},
                         (accent_ink() & ~IM_COL32_A_MASK) | (46u << IM_COL32_A_SHIFT), 0.3f * unit);
    // Every wire keeps its colour up to its own comparison, and has the new one behind it.
    std::vector<float> crossing(static_cast<std::size_t>(network.places), to);
    for (std::size_t e = 0; e < stage.exchanges.size(); ++e) {
      const float lane_x = from + (static_cast<float>(columns[e]) + 0.5f) * at.lane;
      crossing[static_cast<std::size_t>(stage.exchanges[e].lower)] = lane_x;
      crossing[static_cast<std::size_t>(stage.exchanges[e].upper)] = lane_x;
    }
    for (int i = 0; i < network.places; ++i)
      list.AddLine({from, at.wire(i)}, {crossing[static_cast<std::size_t>(i)], at.wire(i)},
                   done ? wire_colour(i) : faint_ink(), done ? thick : 1.0f);
    const std::vector<render::SequenceKey> before = keys;
    if (done)
      for (const auto& [lower, upper] : stage.exchanges)
        if (keys[static_cast<std::size_t>(upper)] < keys[static_cast<std::size_t>(lower)])
          std::swap(keys[static_cast<std::size_t>(lower)], keys[static_cast<std::size_t>(upper)]);
    for (int i = 0; i < network.places; ++i)
      list.AddLine({crossing[static_cast<std::size_t>(i)], at.wire(i)}, {to, at.wire(i)},
                   done ? wire_colour(i) : faint_ink(), done ? thick : 1.0f);
    for (std::size_t e = 0; e < stage.exchanges.size(); ++e) {
      const auto& [lower, upper] = stage.exchanges[e];
      const bool moved = keys[static_cast<std::size_t>(lower)] != before[static_cast<std::size_t>(lower)];
      const ImU32 colour = !done ? faint_ink() : current ? (moved ? warning_ink() : ink()) : muted_ink();
      const float lane_x = from + (static_cast<float>(columns[e]) + 0.5f) * at.lane;
      const float weight = current ? std::max(1.5f, dot * 0.5f) : std::max(1.0f, dot * 0.3f);
      list.AddCircleFilled({lane_x, at.wire(lower)}, dot * 0.8f, colour);
      canvas.arrow({lane_x, at.wire(lower)}, {lane_x, at.wire(upper) + dot * 0.6f}, colour, weight,
                   std::min(2.4f * dot, at.pitch * 0.8f));
    }
    x = to;
    run_wires(to + gap_lanes * at.lane, done);
  }

  // What the backend left there: a bar for each value.
  const float bar_left = w - unit - bars;
  for (int i = 0; i < network.places && static_cast<std::size_t>(i) < result.keys.size(); ++i) {
    const render::SequenceKey key = result.keys[static_cast<std::size_t>(i)];
    const float part = share(key, range, result.element), half = std::max(at.pitch * 0.4f, 0.5f);
    list.AddRectFilled({bar_left, at.wire(i) - half}, {bar_left + bars * (0.02f + 0.98f * part), at.wire(i) + half},
                       map_colour(part), std::min(2.0f, half * 0.4f));
    if (worded)
      canvas.text({bar_left - 0.4f * unit, at.wire(i)}, result.text(static_cast<std::size_t>(i)), value_size, ink(),
                  Align::right);
  }
  canvas.text({at.left, 2.6f * unit}, "input", unit * 0.85f, muted_ink(), Align::left);
  canvas.text({w - unit, 2.6f * unit}, "the backend's array", unit * 0.85f, muted_ink(), Align::right);

  // Legend.
  const float y = h - 1.2f * unit, size = unit * 0.85f;
  float lx = unit;
  const auto word = [&](std::string_view text) {
    canvas.text({lx, y}, text, size, muted_ink());
    lx += ViewCanvas::text_width(text, size) + 1.4f * unit;
  };
  for (int i = 0; i < 24; ++i)
    list.AddRectFilled({lx + 0.14f * unit * static_cast<float>(i), y - 0.28f * unit},
                       {lx + 0.14f * unit * static_cast<float>(i + 1) + 0.5f, y + 0.28f * unit},
                       map_colour(static_cast<float>(i) / 23.0f));
  lx += 24 * 0.14f * unit + 0.5f * unit;
  word("small to large");
  const auto sample = [&](ImU32 colour, std::string_view text) {
    list.AddCircleFilled({lx + 0.25f * unit, y - 0.4f * unit}, 0.16f * unit, colour);
    canvas.arrow({lx + 0.25f * unit, y - 0.4f * unit}, {lx + 0.25f * unit, y + 0.55f * unit}, colour,
                 std::max(1.0f, 0.09f * unit), 0.36f * unit);
    lx += 0.9f * unit;
    word(text);
  };
  sample(ink(), "compared: the larger goes to the arrow");
  sample(warning_ink(), "and exchanged");
}

}  // namespace threadscape::app
