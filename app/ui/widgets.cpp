#include "app/ui/widgets.h"

#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>

#include "app/ui/theme.h"

namespace threadscape::app {

namespace {

/// The value with up to two decimals, for three significant digits, followed by the unit.
std::string three_digits(double value, const char* unit) {
  std::array<char, 48> text{};
  const double magnitude = std::abs(value);
  const int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2;
  std::snprintf(text.data(), text.size(), "%.*f%s", decimals, value, unit);
  return text.data();
}

/// Called behind a slider that had the value `before`. If it was double-clicked, gives it the value that it had before
/// the first click, lets its number be typed from the next frame on, and returns true.
template <class T>
bool types_after_double_click(T before, T* value) {
  static_assert(sizeof(T) == sizeof(int));
  const ImGuiID id = ImGui::GetItemID();
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID key = ImHashStr("value before the first click", 0, id);
  const bool twice = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (ImGui::IsItemActivated() && !twice) storage.SetInt(key, std::bit_cast<int>(before));
  if (!twice || !ImGui::IsItemHovered() || ImGui::GetCurrentContext()->TempInputId == id) return false;
  *value = std::bit_cast<T>(storage.GetInt(key, std::bit_cast<int>(before)));
  ImGui::ActivateItemByID(id);
  ImGui::GetCurrentContext()->NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
  return true;
}

}  // namespace

int segmented(const char* id, std::span<const Segment> segments, int chosen, float width) {
  const auto count = static_cast<int>(segments.size());
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float height = ImGui::GetFrameHeight();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(origin, {origin.x + width, origin.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                     style.FrameRounding);
  // The width that the labels leave is distributed evenly. If they do not fit, all segments have the same width.
  const auto text_width = [](const Segment& segment) {
    return ImGui::CalcTextSize(segment.label.data(), segment.label.data() + segment.label.size()).x;
  };
  float text = 0;
  for (const Segment& segment : segments)
    text += text_width(segment);
  const float spare = (width - text) / static_cast<float>(count);
  int clicked = -1;
  float end = 0;
  ImGui::PushID(id);
  for (int i = 0; i < count; ++i) {
    const Segment& segment = segments[static_cast<std::size_t>(i)];
    const float left = std::floor(end);
    end += spare > 0 ? text_width(segment) + spare : width / static_cast<float>(count);
    const float right = std::floor(end + 0.01f);
    ImGui::SetCursorScreenPos({origin.x + left, origin.y});
    ImGui::PushID(i);
    ImGui::BeginDisabled(!segment.enabled);
    if (ImGui::InvisibleButton("segment", {right - left, height}) && segment.enabled) clicked = i;
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 low{origin.x + left, origin.y};
    const ImVec2 high{origin.x + right, origin.y + height};
    if (i == chosen) {
      const ImVec4 accent = segment.accent.w > 0 ? segment.accent : style.Colors[ImGuiCol_CheckMark];
      draw.AddRectFilled(low, high, ImGui::GetColorU32({accent.x, accent.y, accent.z, 0.30f}), style.FrameRounding);
      draw.AddRectFilled({low.x + style.FrameRounding, high.y - std::max(2.0f, height * 0.08f)},
                         {high.x - style.FrameRounding, high.y}, ImGui::GetColorU32(accent));
    } else if (hovered && segment.enabled) {
      draw.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBgHovered), style.FrameRounding);
    }
    const std::string label = elided(segment.label, right - left);
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    draw.AddText({std::floor((low.x + high.x - size.x) / 2), std::floor((low.y + high.y - size.y) / 2)},
                 ImGui::GetColorU32(segment.enabled ? ImGuiCol_Text : ImGuiCol_TextDisabled), label.c_str());
    ImGui::EndDisabled();
    if (!segment.tooltip.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(segment.tooltip);
    ImGui::PopID();
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({width, height});
  return clicked;
}

bool label_left(std::string_view label, std::string_view help, float label_width) {
  const float start = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  const std::string text = elided(label, label_width - em(0.5f));
  ImGui::TextUnformatted(text.c_str());
  if (!help.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(help);
  const bool clicked = ImGui::IsItemClicked();
  ImGui::SameLine(start + label_width);
  ImGui::SetNextItemWidth(-1);
  return clicked;
}

bool fits_behind(float width) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  return ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right;
}

void flow(float width) {
  if (fits_behind(width)) ImGui::SameLine();
}

bool modifier_held(ImGuiKey modifier) {
  return ImGui::IsKeyDown(modifier) || ImGui::IsKeyReleased(modifier);
}

bool slider_int(const char* id, int* value, int low, int high, const char* format, ImGuiSliderFlags flags) {
  const int before = *value;
  const bool changed = ImGui::SliderInt(id, value, low, high, format, flags);
  return types_after_double_click(before, value) || changed;
}

bool slider_float(const char* id, float* value, float low, float high, const char* format, ImGuiSliderFlags flags) {
  const float before = *value;
  const bool changed = ImGui::SliderFloat(id, value, low, high, format, flags);
  return types_after_double_click(before, value) || changed;
}

bool input_text(const char* id, std::string& text) {
  const auto grow = [](ImGuiInputTextCallbackData* data) {
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
      auto& target = *static_cast<std::string*>(data->UserData);
      target.resize(static_cast<std::size_t>(data->BufTextLen));
      data->Buf = target.data();
    }
    return 0;
  };
  ImGui::InputText(id, text.data(), text.capacity() + 1, ImGuiInputTextFlags_CallbackResize, grow, &text);
  return ImGui::IsItemDeactivatedAfterEdit();
}

void tooltip(std::string_view text) {
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushTextWrapPos(em(26));
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void plot_note(std::string_view text) {
  const ImVec2 low = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const float wrap = std::max(size.x - em(1), em(3));
  const char* end = text.data() + text.size();
  const ImVec2 extent = ImGui::CalcTextSize(text.data(), end, false, wrap);
  ImPlot::PushPlotClipRect();
  ImPlot::GetPlotDrawList()->AddText(
      ImGui::GetFont(), ImGui::GetFontSize(),
      {std::floor(low.x + (size.x - extent.x) / 2), std::floor(low.y + (size.y - extent.y) / 2)},
      ImGui::GetColorU32(ImGuiCol_TextDisabled), text.data(), end, wrap);
  ImPlot::PopPlotClipRect();
}

void heading(ImFont* strong, std::string_view text) {
  ImGui::PushFont(strong, 0.0f);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopFont();
}

void leave_focus() {
  ImGui::SetWindowFocus(nullptr);
  ImGui::SetNavCursorVisible(false);
}

void disabled_sentence(const char* text) {
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextDisabled("%s", text);
  ImGui::PopTextWrapPos();
}

std::string elided(std::string_view text, float width) {
  const auto measure = [](std::string_view t) { return ImGui::CalcTextSize(t.data(), t.data() + t.size()).x; };
  if (text.empty() || measure(text) <= width) return std::string(text);
  const auto inside_character = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;  // in UTF-8
  };
  const auto cut = [&](std::size_t keep) {
    std::size_t begin = (keep + 1) / 2, end = text.size() - keep / 2;
    while (begin > 0 && inside_character(begin))
      --begin;
    while (inside_character(end))
      ++end;
    return std::string(text.substr(0, begin)) + "..." + std::string(text.substr(end));
  };
  std::size_t fits = std::min<std::size_t>(2, text.size() - 1), too_long = text.size();
  while (too_long - fits > 1) {
    const std::size_t keep = (fits + too_long) / 2;
    (measure(cut(keep)) <= width ? fits : too_long) = keep;
  }
  return cut(fits);
}

std::string format_ms(double milliseconds) {
  if (milliseconds >= 1000) return three_digits(milliseconds / 1000, " s");
  if (milliseconds >= 1 || milliseconds == 0) return three_digits(milliseconds, " ms");
  return three_digits(milliseconds * 1000, " us");
}

std::string format_value(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), std::abs(value) < 999.5 ? "%.3g" : "%.0f", value);
  return text.data();
}

std::string format_percent(double share) {
  return format_value(share * 100) + "%";
}

std::string format_grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t end = text.size(); end > sign + 3; end -= 3)
    text.insert(end - 3, ",");
  return text;
}

std::string format_count(double count) {
  if (count >= 1e9) return three_digits(count / 1e9, " G");
  if (count >= 1e6) return three_digits(count / 1e6, " M");
  if (count >= 1e4) return three_digits(count / 1e3, " k");
  return three_digits(count, " ");
}

std::string format_bytes(double bytes) {
  if (bytes >= 1024.0 * 1024 * 1024) return three_digits(bytes / (1024.0 * 1024 * 1024), " GiB");
  if (bytes >= 1024.0 * 1024) return three_digits(bytes / (1024.0 * 1024), " MiB");
  return three_digits(bytes / 1024.0, " KiB");
}

}  // namespace threadscape::app
