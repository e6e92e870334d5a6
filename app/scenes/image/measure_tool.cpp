#include "app/scenes/image/measure_tool.h"

#include <imgui.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "app/ui/icons.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<ImVec4, 3> channel_colours{
    {{0.90f, 0.34f, 0.36f, 1.0f}, {0.36f, 0.74f, 0.42f, 1.0f}, {0.36f, 0.56f, 0.95f, 1.0f}}};

/// A picture that is read in every frame of a drag has at most so many pixels.
constexpr std::int64_t small_picture = 1 << 21;

void draw_profile(const LineProfile& profile) {
  constexpr ImPlotFlags quiet = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
  if (!ImPlot::BeginPlot("##profile", {-1, em(6)}, quiet)) return;
  ImPlot::SetupAxes(nullptr, nullptr, ImPlotAxisFlags_None, ImPlotAxisFlags_AutoFit);
  ImPlot::SetupAxisLimits(ImAxis_X1, 0.0, std::max(profile.length, 1.0), ImPlotCond_Always);
  const int colours = profile.channels == 1 ? 1 : 3;  // Without the alpha.
  for (int c = 0; c < colours; ++c) {
    std::vector<double> values;
    for (std::size_t i = 0; i < profile.at.size(); ++i)
      values.push_back(profile.values[i * static_cast<std::size_t>(profile.channels) + static_cast<std::size_t>(c)]);
    ImPlotSpec spec;
    spec.LineColor =
        colours == 1 ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : channel_colours[static_cast<std::size_t>(c)];
    spec.LineWeight = em(0.1f);
    ImPlot::PlotLine(("##" + std::to_string(c)).c_str(), profile.at.data(), values.data(),
                     static_cast<int>(values.size()), spec);
  }
  ImPlot::EndPlot();
}

void draw_region(const RegionStatistics& region, const Fonts& fonts) {
  const int shown = region.channels == 4 ? 3 : region.channels;
  if (!ImGui::BeginTable("region", shown + 1, ImGuiTableFlags_SizingStretchSame)) return;
  constexpr std::array<const char*, 4> names{"mean", "dev.", "min", "max"};
  const std::array<const std::array<double, 4>*, 4> rows{&region.mean, &region.deviation, &region.minimum,
                                                         &region.maximum};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", names[row]);
    ImGui::PushFont(fonts.mono, 0.0f);
    for (int c = 0; c < shown; ++c) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(format_value((*rows[row])[static_cast<std::size_t>(c)]).c_str());
    }
    ImGui::PopFont();
  }
  ImGui::EndTable();
  if (region.ignored > 0)
    disabled_sentence((std::to_string(region.ignored) + " values that are not finite are left out").c_str());
}

}  // namespace

void MeasureTool::choose(MeasureKind kind) {
  kind_ = kind;
  places_.reset();
  dragging_ = false;
  found_ = {};
  asked_.reset();
}

void MeasureTool::mouse(glm::vec2 place, bool hovered) {
  if (kind_ == MeasureKind::none) return;
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    dragging_ = true;
    places_ = {place, place};
  }
  if (dragging_ && places_) places_->to = place;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragging_ = false;
}

void MeasureTool::follow(const gl::Texture& picture, std::uint64_t version, const std::string& title) {
  if (result_.valid() && result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    Found found = result_.get();
    read_.reset();
    if (asked_) {  // Nothing else was chosen meanwhile.
      found_ = std::move(found);
      title_ = title_asked_;
    }
  }
  if (read_ && !result_.valid())
    if (const std::optional<HostIn> contents = read_->poll()) {
      const bool line = kind_ == MeasureKind::line;
      const MeasuredPlaces places = asked_ ? asked_->places : MeasuredPlaces{};
      result_ = std::async(std::launch::async, [contents = *contents, places, line]() -> Found {
        if (line) return profile_of(contents, places);
        return statistics_of(contents, places);
      });
    }
  if (kind_ == MeasureKind::none || !places_ || read_ || result_.valid()) return;
  const Asked wanted{*places_, picture.id(), version};
  const std::int64_t pixels = std::int64_t{picture.width()} * picture.height();
  if (wanted == asked_ || (dragging_ && pixels > small_picture)) return;
  asked_ = wanted;
  title_asked_ = title;
  read_.emplace(picture);
}

void MeasureTool::draw(ViewCanvas& canvas, const render::ImageViewSettings& settings, glm::ivec2 view) const {
  if (kind_ == MeasureKind::none || !places_) return;
  const glm::vec2 from = render::image_to_view(settings, view, places_->from);
  const glm::vec2 to = render::image_to_view(settings, view, places_->to);
  ImDrawList& list = canvas.list();
  // Light on dark, so that it is seen on every picture.
  for (const auto& [colour, weight] : {std::pair{IM_COL32(0, 0, 0, 200), 3.5f}, {IM_COL32(255, 230, 90, 255), 1.5f}}) {
    if (kind_ == MeasureKind::line) {
      list.AddLine({from.x, from.y}, {to.x, to.y}, colour, weight);
      for (const glm::vec2 end : {from, to})
        list.AddCircle({end.x, end.y}, 4.0f, colour, 0, weight);
    } else {
      list.AddRect({std::min(from.x, to.x), std::min(from.y, to.y)}, {std::max(from.x, to.x), std::max(from.y, to.y)},
                   colour, 0.0f, 0, weight);
    }
  }
}

void MeasureTool::draw_panel(const Fonts& fonts) const {
  heading(fonts.strong, kind_ == MeasureKind::line ? "Line" : "Region");
  if (std::holds_alternative<std::monostate>(found_)) {
    disabled_sentence(pending() ? "measuring" : "drag over the picture");
    return;
  }
  std::string table;
  ImGui::SameLine();
  if (const auto* const profile = std::get_if<LineProfile>(&found_)) {
    table = table_of(*profile);
    ImGui::TextDisabled("%s px, %s\u00b0 of the %s", format_value(profile->length).c_str(),
                        format_value(profile->degrees).c_str(), title_.c_str());
    draw_profile(*profile);
  } else {
    const auto& region = std::get<RegionStatistics>(found_);
    table = table_of(region);
    ImGui::TextDisabled("%d x %d px of the %s", region.width, region.height, title_.c_str());
    if (region.width > 0 && region.height > 0) draw_region(region, fonts);
  }
  if (ImGui::Button("Copy")) ImGui::SetClipboardText(table.c_str());
  if (ImGui::IsItemHovered()) tooltip("The figures as a table, for spreadsheets");
}

}  // namespace threadscape::app
