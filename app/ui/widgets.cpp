#include "app/ui/widgets.h"

#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/ui/theme.h"

namespace threadscape::app {

namespace {

/// The text without what is too much for `width` around the place, from 0 to 1, where an ellipsis stands for it.
std::string without_middle(std::string_view text, float width, double place) {
  const auto measure = [](std::string_view t) { return ImGui::CalcTextSize(t.data(), t.data() + t.size()).x; };
  if (text.empty() || measure(text) <= width) return std::string(text);
  const auto inside_character = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;  // in UTF-8
  };
  const auto cut = [&](std::size_t keep) {
    std::size_t begin = static_cast<std::size_t>(std::ceil(place * static_cast<double>(keep)));
    std::size_t end = text.size() - (keep - begin);
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

/// Lets ImGui draw only the frame of a slider or a drag, while its number is not being typed. Text and track are drawn
/// over the frame afterwards.
class QuietFrame {
 public:
  explicit QuietFrame(const char* id) : typed_(ImGui::GetCurrentContext()->TempInputId == ImGui::GetID(id)) {
    if (typed_) return;
    for (const ImGuiCol colour : {ImGuiCol_Text, ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive})
      ImGui::PushStyleColor(colour, {0, 0, 0, 0});
  }
  void end() const {
    if (!typed_) ImGui::PopStyleColor(3);
  }
  /// Writes the text at the right edge of the last item: words with digits in the colour of text, and what explains
  /// them, such as a unit, in grey. A text that is too long loses its first words.
  void draw_text(std::string_view text) const {
    if (typed_) return;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect({low.x + padding.x / 2, low.y}, {high.x - padding.x / 2, high.y}, true);
    ImVec2 at{high.x - padding.x, low.y + padding.y};
    while (!text.empty()) {  // From the last word to the first.
      const std::size_t space = text.find_last_of(' ', text.size() - 1);
      const std::string_view word = text.substr(space == std::string_view::npos ? 0 : space);
      text.remove_suffix(word.size());
      const bool number = word.find_first_of("0123456789") != std::string_view::npos;
      at.x -= ImGui::CalcTextSize(word.data(), word.data() + word.size()).x;
      if (!number && at.x < low.x + padding.x / 2) break;
      list.AddText({std::floor(at.x), at.y}, ImGui::GetColorU32(number ? ImGuiCol_Text : ImGuiCol_TextDisabled),
                   word.data(), word.data() + word.size());
    }
    list.PopClipRect();
  }

 private:
  bool typed_;  ///< If true, ImGui draws a field of text.
};

template <class T>
std::string number_text(const char* format, T value) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// The place of a value between the ends of a slider, from 0 to 1.
template <class T>
float share_of(T value, T low, T high, ImGuiSliderFlags flags) {
  const auto v = static_cast<float>(value), from = static_cast<float>(low), to = static_cast<float>(high);
  if (!(to > from)) return 0.0f;
  const bool logarithmic = (flags & ImGuiSliderFlags_Logarithmic) != 0 && from > 0.0f && v > 0.0f;
  return std::clamp(logarithmic ? std::log(v / from) / std::log(to / from) : (v - from) / (to - from), 0.0f, 1.0f);
}

/// Draws the track of a slider along the lower edge of the last item, below its text, filled up to `share`.
void draw_track(float share) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float thick = std::max(2.0f, std::floor(em(0.14f))), inset = ImGui::GetStyle().FrameRounding;
  const float left = low.x + inset, right = high.x - inset, y = high.y - thick - 1.0f;
  const float x = left + share * (right - left);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec4 rail = ImGui::GetStyleColorVec4(ImGuiCol_Text);
  rail.w = 0.22f;
  list.AddRectFilled({left, y}, {right, y + thick}, ImGui::GetColorU32(rail));
  list.AddRectFilled({left, y}, {x, y + thick}, ImGui::GetColorU32(ImGuiCol_SliderGrab));
  list.AddRectFilled({x - thick, y - 1.0f}, {x + thick, y + thick + 1.0f}, ImGui::GetColorU32(ImGuiCol_SliderGrab),
                     thick / 2);
}

/// The width of an arrow at the left edge of a field of this height.
float arrow_width(float height) {
  return std::floor(height * 0.6f);
}

/// The flags of the next drag: two quick clicks on an arrow are two steps, and do not let the number be typed. A number
/// that is being typed has no arrows.
ImGuiSliderFlags flags_of_drag(const char* id) {
  const float reach = ImGui::GetMousePos().x - ImGui::GetCursorScreenPos().x;
  const float arrow = arrow_width(ImGui::GetFrameHeight());
  const bool on_arrows = reach >= 0 && reach < 2 * arrow && ImGui::CalcItemWidth() >= 4 * arrow &&
                         !ImGui::TempInputIsActive(ImGui::GetID(id));
  return ImGuiSliderFlags_AlwaysClamp | (on_arrows ? ImGuiSliderFlags_NoInput : ImGuiSliderFlags_None);
}

/// Draws, while the mouse is over the last item and its number is not being typed, two arrows at its left edge. Returns
/// -1 or 1 if one is clicked, else 0.
int draw_arrows() {
  if (!ImGui::IsItemHovered() || ImGui::TempInputIsActive(ImGui::GetItemID())) return 0;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float side = arrow_width(high.y - low.y), middle = (low.y + high.y) / 2;
  if (high.x - low.x < 4 * side) return 0;
  const float mouse = ImGui::GetMousePos().x - low.x;
  const int over = mouse < side ? -1 : mouse < 2 * side ? 1 : 0;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const int way : {-1, 1}) {
    const float x = low.x + (way < 0 ? 0.5f : 1.5f) * side, reach = 0.28f * side;
    const ImU32 colour = ImGui::GetColorU32(way == over ? ImGuiCol_Text : ImGuiCol_TextDisabled);
    list.AddTriangleFilled({x + static_cast<float>(way) * reach, middle},
                           {x - static_cast<float>(way) * reach, middle - reach},
                           {x - static_cast<float>(way) * reach, middle + reach}, colour);
  }
  return over != 0 && ImGui::IsMouseClicked(ImGuiMouseButton_Left) ? over : 0;
}

/// Draws the segments as a list of which the chosen one is shown.
int segment_list(const char* id, std::span<const Segment> segments, int chosen, float width) {
  int clicked = -1;
  const bool known = chosen >= 0 && chosen < static_cast<int>(segments.size());
  const std::string_view current = known ? segments[static_cast<std::size_t>(chosen)].label : std::string_view{};
  ImGui::PushID(id);
  if (begin_list("##list", current, width)) {
    for (int i = 0; i < static_cast<int>(segments.size()); ++i) {
      const Segment& segment = segments[static_cast<std::size_t>(i)];
      const std::string label(segment.label);
      if (ImGui::Selectable(label.c_str(), i == chosen,
                            segment.enabled ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled))
        clicked = i;
      if (!segment.tooltip.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        tooltip(segment.tooltip);
    }
    ImGui::EndCombo();
  }
  ImGui::PopID();
  return clicked;
}

float reach_of_small_arrow() {
  return std::round(em(0.27f));
}

}  // namespace

float list_padding() {
  return ImGui::GetStyle().FramePadding.x + 3.5f * reach_of_small_arrow();
}

bool begin_list(const char* id, std::string_view chosen, float width) {
  const float padding = ImGui::GetStyle().FramePadding.x, height = ImGui::GetFrameHeight();
  const std::string text(chosen);
  ImGui::SetNextItemWidth(width);
  if (ImGui::CalcTextSize(text.c_str()).x <= width - height - 2 * padding) return ImGui::BeginCombo(id, text.c_str());
  const float reach = reach_of_small_arrow();
  const ImVec2 right{ImGui::GetCursorScreenPos().x + width - 2 * reach, ImGui::GetCursorScreenPos().y + height / 2};
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const std::string shown = shortened(text, width - list_padding());
  const bool open = ImGui::BeginCombo(id, shown.c_str(), ImGuiComboFlags_NoArrowButton);
  if (!open && shown != text && ImGui::IsItemHovered()) tooltip(text);
  list->AddTriangleFilled({right.x - reach, right.y - reach / 2}, {right.x, right.y + reach / 2},
                          {right.x + reach, right.y - reach / 2}, ImGui::GetColorU32(ImGuiCol_Text));
  return open;
}

int segmented(const char* id, std::span<const Segment> segments, int chosen, float width) {
  const auto count = static_cast<int>(segments.size());
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float height = ImGui::GetFrameHeight();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  // The width that the labels leave is distributed evenly. Labels that do not fit become the entries of a list.
  const auto text_width = [](const Segment& segment) {
    return ImGui::CalcTextSize(segment.label.data(), segment.label.data() + segment.label.size()).x;
  };
  float text = 0;
  for (const Segment& segment : segments)
    text += text_width(segment);
  const float spare = (width - text) / static_cast<float>(count);
  if (spare < em(0.35f) && count > 1) return segment_list(id, segments, chosen, width);
  int clicked = -1;
  float end = 0;
  draw.AddRectFilled(origin, {origin.x + width, origin.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                     style.FrameRounding);
  struct Place {
    float left = 0, right = 0;
    bool hovered = false;
  };
  std::vector<Place> places;
  ImGui::PushID(id);
  for (int i = 0; i < count; ++i) {
    const Segment& segment = segments[static_cast<std::size_t>(i)];
    const float left = std::floor(end);
    end += text_width(segment) + spare;
    const float right = std::floor(end + 0.01f);
    ImGui::SetCursorScreenPos({origin.x + left, origin.y});
    ImGui::PushID(i);
    ImGui::BeginDisabled(!segment.enabled);
    if (ImGui::InvisibleButton("segment", {right - left, height}) && segment.enabled) clicked = i;
    places.push_back({origin.x + left, origin.x + right, ImGui::IsItemHovered()});
    ImGui::EndDisabled();
    if (!segment.tooltip.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(segment.tooltip);
    ImGui::PopID();
  }
  ImGui::PopID();
  // A click is seen in its own frame.
  const int marked = clicked >= 0 ? clicked : chosen;
  for (int i = 0; i < count; ++i) {
    const Segment& segment = segments[static_cast<std::size_t>(i)];
    const Place& place = places[static_cast<std::size_t>(i)];
    const ImVec2 low{place.left, origin.y}, high{place.right, origin.y + height};
    ImGui::BeginDisabled(!segment.enabled);
    if (i == marked) {
      const ImVec4 accent = segment.accent.w > 0 ? segment.accent : style.Colors[ImGuiCol_CheckMark];
      draw.AddRectFilled(low, high, ImGui::GetColorU32({accent.x, accent.y, accent.z, 0.30f}), style.FrameRounding);
      draw.AddRectFilled({low.x + style.FrameRounding, high.y - std::max(2.0f, height * 0.08f)},
                         {high.x - style.FrameRounding, high.y}, ImGui::GetColorU32(accent));
    } else if (place.hovered && segment.enabled) {
      draw.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBgHovered), style.FrameRounding);
    }
    const std::string label = elided(segment.label, high.x - low.x);
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    draw.AddText({std::floor((low.x + high.x - size.x) / 2), std::floor((low.y + high.y - size.y) / 2)},
                 ImGui::GetColorU32(segment.enabled ? ImGuiCol_Text : ImGuiCol_TextDisabled), label.c_str());
    ImGui::EndDisabled();
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({width, height});
  return clicked;
}

bool label_left(std::string_view label, std::string_view help, float label_width) {
  const float start = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  const std::string text = shortened(label, label_width - em(0.5f));
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
  const QuietFrame frame(id);
  const bool changed = ImGui::SliderInt(id, value, low, high, format, flags);
  frame.end();
  draw_track(share_of(*value, low, high, flags));
  frame.draw_text(number_text(format, *value));
  return types_after_double_click(before, value) || changed;
}

bool slider_float(const char* id, float* value, float low, float high, const char* format, ImGuiSliderFlags flags) {
  const float before = *value;
  const QuietFrame frame(id);
  const bool changed = ImGui::SliderFloat(id, value, low, high, format, flags);
  frame.end();
  draw_track(share_of(*value, low, high, flags));
  frame.draw_text(number_text(format, *value));
  return types_after_double_click(before, value) || changed;
}

bool drag_int(const char* id, int* value, float speed, int low, int high, int step, const char* format) {
  const int before = *value;
  const QuietFrame frame(id);
  bool changed = ImGui::DragInt(id, value, speed, low, high, format, flags_of_drag(id));
  frame.end();
  if (const int by = draw_arrows(); by != 0) {
    *value = std::clamp(before + by * step, low, high);
    changed = *value != before;
  }
  frame.draw_text(number_text(format, *value));
  return changed;
}

bool drag_float(const char* id, float* value, float speed, float low, float high, const char* format) {
  const float before = *value;
  const QuietFrame frame(id);
  bool changed = ImGui::DragFloat(id, value, speed, low, high, format, flags_of_drag(id));
  frame.end();
  if (const int by = draw_arrows(); by != 0) {
    *value = std::clamp(before + static_cast<float>(by) * speed, low, high);
    changed = *value != before;
  }
  frame.draw_text(number_text(format, *value));
  return changed;
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

bool input_path(const char* id, std::string& path) {
  const float padding = ImGui::GetStyle().FramePadding.x;
  const std::string end = without_middle(path, ImGui::CalcItemWidth() - 2 * padding, 0.0);
  const bool typed = ImGui::GetActiveID() == ImGui::GetID(id);
  if (end == path || typed) return input_text(id, path);
  ImGui::PushStyleColor(ImGuiCol_Text, {0, 0, 0, 0});
  const bool changed = input_text(id, path);
  ImGui::PopStyleColor();
  const ImVec2 low = ImGui::GetItemRectMin();
  ImGui::GetWindowDrawList()->AddText({low.x + padding, low.y + ImGui::GetStyle().FramePadding.y},
                                      ImGui::GetColorU32(ImGuiCol_Text), end.c_str());
  if (ImGui::IsItemHovered()) tooltip(path);
  return changed;
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
  return without_middle(text, width, 0.5);
}

std::string shortened(std::string_view text, float width) {
  return without_middle(text, width, 1.0);
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
