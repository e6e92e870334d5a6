// What a warp does with one instruction: its lanes with their values, and where they access memory.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "app/scenes/microscope/microscope_scene.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr int columns = 8, rows = 4;

/// The value of a lane in a few characters.
std::string lane_text(const warp::LaneValues& values, std::size_t lane) {
  const std::uint64_t bits = values.lanes[lane];
  std::array<char, 32> text{};
  const auto number = [&](double value) { std::snprintf(text.data(), text.size(), "%.4g", value); };
  switch (values.type) {
    case warp::Type::F32:
      number(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
      break;
    case warp::Type::F64:
      number(std::bit_cast<double>(bits));
      break;
    case warp::Type::B64:
    case warp::Type::U64:
    case warp::Type::S64:
      // Most are addresses, of which the last digits differ.
      if (bits >> 32 != 0 && ~bits >> 32 != 0)
        std::snprintf(text.data(), text.size(), "..%04llx", static_cast<unsigned long long>(bits & 0xffff));
      else
        std::snprintf(text.data(), text.size(), "%lld", static_cast<long long>(bits));
      break;
    case warp::Type::B16:
    case warp::Type::U16:
      std::snprintf(text.data(), text.size(), "%llu", static_cast<unsigned long long>(bits & 0xffff));
      break;
    default:
      std::snprintf(text.data(), text.size(), "%d", static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
      break;
  }
  return text.data();
}

std::string count_text(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  ImVec4 value = ImGui::ColorConvertU32ToFloat4(colour);
  value.w = alpha;
  return ImGui::ColorConvertFloat4ToU32(value);
}

}  // namespace

void MicroscopeScene::draw_step(ViewCanvas& canvas, const Box& box, float unit) const {
  const std::size_t length = stepper_->trace(static_cast<std::uint32_t>(view_.as<MicroscopeView>().warp)).size();
  canvas.text({box.low.x, box.low.y + 0.5f * unit},
              "block " + std::to_string(stepper_->block()) + ", warp " +
                  std::to_string(view_.as<MicroscopeView>().warp) + ": instruction " +
                  std::to_string(step_->number + 1) + " of " + std::to_string(length),
              unit * 0.95f, muted_ink(), Align::left, box.width());
  canvas.text({box.low.x, box.low.y + 1.9f * unit}, step_->text, unit, ink(), Align::left, box.width());
  const Box lanes{{box.low.x, box.low.y + 2.9f * unit}, box.high};
  const float end = draw_lanes(canvas, lanes, unit) + 0.6f * unit;
  if (!step_->memory || end + 4 * unit > box.high.y) return;
  const Box rest{{box.low.x, end}, box.high};
  if (step_->memory->space == warp::Space::Global) draw_sectors(canvas, rest, unit);
  if (step_->memory->space == warp::Space::Shared) draw_banks(canvas, rest, unit);
}

float MicroscopeScene::draw_lanes(ViewCanvas& canvas, const Box& box, float unit) const {
  // Results are worth more than what they are made from, if there is no room for all.
  std::vector<const warp::LaneValues*> shown;
  for (const bool results : {true, false})
    for (const warp::LaneValues& values : step_->values) {
      const bool known = std::ranges::any_of(shown, [&](const warp::LaneValues* other) {
        return other->name == values.name && other->result == values.result;
      });
      if (values.result == results && !known) shown.push_back(&values);
    }
  const float cell_height = unit * 1.25f, title = unit * 1.4f;
  const float group = title + cell_height * rows + 0.3f * unit;
  const float memory = step_->memory ? 10.0f * unit : 0.0f;
  const auto most = static_cast<std::size_t>(std::max(1.0f, (box.height() - memory) / group));
  if (shown.size() > most) shown.resize(most);
  std::ranges::reverse(shown);
  static const warp::LaneValues masks_alone;
  if (shown.empty()) shown.push_back(&masks_alone);
  const float cell = box.width() / columns;
  float top = box.low.y;
  for (const warp::LaneValues* const values : shown) {
    const std::string name = values->name.empty() ? "lanes" : values->name + (values->result ? ", written" : ", read");
    canvas.text({box.low.x, top + title / 2}, name, unit * 0.9f, values->result ? good_ink() : muted_ink(), Align::left,
                box.width());
    top += title;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const auto column = static_cast<float>(lane % columns), row = static_cast<float>(lane / columns);
      const ImVec2 low{box.low.x + column * cell, top + row * cell_height};
      const ImVec2 high{low.x + cell - 1, low.y + cell_height - 1};
      const bool executes = (step_->executes >> lane & 1) != 0, active = (step_->active >> lane & 1) != 0;
      if (executes)
        canvas.list().AddRectFilled(low, high, with_alpha(values->result ? good_ink() : accent_ink(), 0.28f));
      else
        canvas.list().AddRect(low, high, faint_ink());
      if ((step_->present >> lane & 1) == 0 || (step_->live >> lane & 1) == 0) {
        canvas.list().AddLine(low, high, faint_ink());
        continue;
      }
      const ImVec2 middle{(low.x + high.x) / 2, (low.y + high.y) / 2};
      const std::string text = values->name.empty() ? std::to_string(lane) : lane_text(*values, lane);
      if (executes || (active && !values->result))
        canvas.text(middle, text, unit * 0.85f, executes ? ink() : muted_ink(), Align::centre, cell - 4);
    }
    top += cell_height * rows + 0.3f * unit;
  }
  return top;
}

void MicroscopeScene::draw_sectors(ViewCanvas& canvas, const Box& box, float unit) const {
  const warp::LaneAddresses& memory = *step_->memory;
  const auto lanes = static_cast<std::size_t>(std::popcount(memory.mask));
  const std::size_t best = std::max<std::size_t>(1, (lanes * static_cast<std::size_t>(memory.bytes) + 31) / 32);
  canvas.text({box.low.x, box.low.y + 0.6f * unit},
              std::string(memory.writes ? "store to " : "load from ") +
                  (memory.allocation.empty() ? "no allocation" : memory.allocation) + ": " +
                  count_text(memory.sectors.size(), "sector", "sectors") + " of 32 bytes, " + std::to_string(best) +
                  " would hold the bytes",
              unit * 0.95f, memory.sectors.size() > best ? warning_ink() : good_ink(), Align::left, box.width());
  // Lines of 128 bytes as rows of four sectors; a sector says how many lanes begin in it.
  std::map<std::uint64_t, std::array<int, 4>> lines;
  for (const std::uint64_t sector : memory.sectors)
    lines[sector / 4][sector % 4] = 0;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((memory.mask >> lane & 1) != 0) ++lines[memory.at[lane] / 128][memory.at[lane] / 32 % 4];
  const std::set<std::uint64_t> touched(memory.sectors.begin(), memory.sectors.end());
  const float row = 1.35f * unit, top = box.low.y + 1.5f * unit;
  const auto per_column = static_cast<std::size_t>(std::max(1.0f, (box.high.y - top) / row));
  const std::size_t stacks = std::clamp<std::size_t>((lines.size() + per_column - 1) / per_column, 1, 4);
  const float wide = box.width() / static_cast<float>(stacks);
  const float label = stacks <= 2 ? std::min(6.0f * unit, wide * 0.4f) : 0.0f;
  const float side = std::min((wide - label - unit) / 4, 5 * unit);
  std::size_t i = 0;
  for (const auto& [line, counts] : lines) {
    const std::size_t stack = i / per_column;
    if (stack >= stacks) break;
    const ImVec2 at{box.low.x + static_cast<float>(stack) * wide, top + static_cast<float>(i % per_column) * row};
    ++i;
    if (label > 0) {
      std::array<char, 32> text{};
      std::snprintf(text.data(), text.size(), "+%llu",
                    static_cast<unsigned long long>(line * 128 - memory.begin / 128 * 128));
      canvas.text({at.x, at.y + row / 2}, text.data(), unit * 0.85f, muted_ink(), Align::left, label - 4);
    }
    for (std::size_t sector = 0; sector < 4; ++sector) {
      const ImVec2 low{at.x + label + static_cast<float>(sector) * side, at.y + 1};
      const ImVec2 high{low.x + side - 2, low.y + row - 2};
      if (!touched.contains(line * 4 + sector)) {
        canvas.list().AddRect(low, high, faint_ink());
        continue;
      }
      canvas.list().AddRectFilled(low, high, with_alpha(accent_ink(), 0.3f));
      canvas.text({(low.x + high.x) / 2, (low.y + high.y) / 2}, std::to_string(counts[sector]), unit * 0.85f, ink(),
                  Align::centre, side - 4);
    }
  }
}

void MicroscopeScene::draw_banks(ViewCanvas& canvas, const Box& box, float unit) const {
  const warp::LaneAddresses& memory = *step_->memory;
  canvas.text({box.low.x, box.low.y + 0.6f * unit},
              std::string(memory.writes ? "store to" : "load from") + " shared memory: " +
                  count_text(static_cast<std::size_t>(memory.wavefronts.all), "wavefront", "wavefronts") + ", " +
                  std::to_string(memory.wavefronts.best) + " without conflicts",
              unit * 0.95f, memory.wavefronts.all > memory.wavefronts.best ? warning_ink() : good_ink(), Align::left,
              box.width());
  // A column for each of the 32 banks, a box for each word that lanes access in it.
  std::array<std::set<std::uint64_t>, 32> words;
  std::size_t highest = 1;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((memory.mask >> lane & 1) == 0) continue;
    for (int byte = 0; byte < memory.bytes; byte += 4) {
      const std::uint64_t word = memory.at[lane] / 4 + static_cast<std::uint64_t>(byte / 4);
      words[word % 32].insert(word);
      highest = std::max(highest, words[word % 32].size());
    }
  }
  const float top = box.low.y + 1.5f * unit, bottom = box.high.y - 1.2f * unit;
  const float wide = box.width() / 32;
  const float height = std::clamp((bottom - top) / static_cast<float>(highest), 2.0f, 1.2f * unit);
  for (std::size_t bank = 0; bank < 32; ++bank) {
    const float x = box.low.x + static_cast<float>(bank) * wide;
    canvas.list().AddRect({x, bottom - 2}, {x + wide - 1, bottom}, faint_ink());
    for (std::size_t i = 0; i < words[bank].size(); ++i) {
      const float y = bottom - 3 - static_cast<float>(i + 1) * height;
      if (y < top) break;
      canvas.list().AddRectFilled({x, y}, {x + wide - 2, y + height - 1},
                                  with_alpha(i == 0 ? accent_ink() : warning_ink(), 0.6f));
    }
    if (bank % 8 == 0) canvas.text({x, bottom + 0.6f * unit}, std::to_string(bank), unit * 0.8f, muted_ink());
  }
  canvas.text({box.high.x, bottom + 0.6f * unit}, "banks", unit * 0.8f, muted_ink(), Align::right);
}

}  // namespace threadscape::app
