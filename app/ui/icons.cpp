#include "app/ui/icons.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// Draws in a square whose corners are (0, 0) and (16, 16).
class Pen {
 public:
  Pen(ImDrawList& list, ImVec2 middle, float size, ImU32 colour)
      : list_(list),
        scale_(size / 16.0f),
        low_{std::floor(middle.x - size / 2) + 0.5f, std::floor(middle.y - size / 2) + 0.5f},
        weight_(std::max(1.0f, 1.5f * scale_)),
        colour_(colour) {}

  void line(std::initializer_list<ImVec2> points, bool closed = false) {
    for (const ImVec2 point : points)
      list_.PathLineTo(at(point));
    list_.PathStroke(colour_, closed ? ImDrawFlags_Closed : 0, weight_);
  }
  void fill(std::initializer_list<ImVec2> points) {
    for (const ImVec2 point : points)
      list_.PathLineTo(at(point));
    list_.PathFillConvex(colour_);
  }
  void box(ImVec2 low, ImVec2 high) { list_.AddRect(at(low), at(high), colour_, scale_, 0, weight_); }
  void disc(ImVec2 middle, float radius) { list_.AddCircleFilled(at(middle), radius * scale_, colour_); }
  /// An arc from one angle to another in degrees, clockwise from the right.
  void arc(ImVec2 middle, float radius, float from, float to) {
    constexpr float degree = 3.14159265f / 180.0f;
    list_.PathArcTo(at(middle), radius * scale_, from * degree, to * degree);
    list_.PathStroke(colour_, 0, weight_);
  }

 private:
  [[nodiscard]] ImVec2 at(ImVec2 point) const { return {low_.x + point.x * scale_, low_.y + point.y * scale_}; }

  ImDrawList& list_;
  float scale_;
  ImVec2 low_;
  float weight_;
  ImU32 colour_;
};

void draw_star(Pen& pen, bool filled) {
  std::array<ImVec2, 10> points{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float angle = (static_cast<float>(i) * 36.0f - 90.0f) * 3.14159265f / 180.0f,
                reach = i % 2 == 0 ? 7.0f : 3.0f;
    points[i] = {8.0f + reach * std::cos(angle), 8.4f + reach * std::sin(angle)};
  }
  const auto& p = points;
  if (!filled) return pen.line({p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9]}, true);
  pen.fill({p[1], p[3], p[5], p[7], p[9]});
  for (std::size_t i = 0; i < 10; i += 2)
    pen.fill({p[i], p[(i + 1) % 10], p[(i + 9) % 10]});
}

/// An arrow that turns back, to the left or to the right.
void draw_turn(Pen& pen, bool left) {
  const auto x = [left](float value) { return left ? value : 16.0f - value; };
  pen.line({{x(6), 3}, {x(2.5f), 6.5f}, {x(6), 10}});
  pen.line({{x(2.5f), 6.5f},
            {x(10), 6.5f},
            {x(12.5f), 7.5f},
            {x(13.5f), 10},
            {x(12.5f), 12.5f},
            {x(10), 13.5f},
            {x(7), 13.5f}});
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 middle, float size, ImU32 colour) {
  Pen pen(list, middle, size, colour);
  switch (icon) {
    case Icon::open:
      pen.line({{1.5f, 13}, {1.5f, 3}, {6, 3}, {7.5f, 5}, {13, 5}, {13, 7}});
      return pen.line({{1.5f, 13}, {4, 7}, {15, 7}, {12.5f, 13}}, true);
    case Icon::save:
      pen.line({{8, 2}, {8, 10}});
      pen.line({{4.5f, 6.5f}, {8, 10}, {11.5f, 6.5f}});
      return pen.line({{2.5f, 10}, {2.5f, 13.5f}, {13.5f, 13.5f}, {13.5f, 10}});
    case Icon::undo:
      return draw_turn(pen, true);
    case Icon::redo:
      return draw_turn(pen, false);
    case Icon::play:
      return pen.fill({{4, 2.5f}, {13, 8}, {4, 13.5f}});
    case Icon::pause:
      pen.fill({{3.5f, 3}, {6.5f, 3}, {6.5f, 13}, {3.5f, 13}});
      return pen.fill({{9.5f, 3}, {12.5f, 3}, {12.5f, 13}, {9.5f, 13}});
    case Icon::reset:
      pen.arc({8, 8.5f}, 5.5f, -150, 140);
      return pen.line({{2.5f, 2}, {2.8f, 6.2f}, {7, 5.8f}});
    case Icon::fit:
      pen.line({{2, 6}, {2, 2}, {6, 2}});
      pen.line({{10, 2}, {14, 2}, {14, 6}});
      pen.line({{14, 10}, {14, 14}, {10, 14}});
      return pen.line({{6, 14}, {2, 14}, {2, 10}});
    case Icon::actual_size:
      pen.line({{2, 5}, {4, 3.5f}, {4, 12.5f}});
      pen.line({{11, 5}, {13, 3.5f}, {13, 12.5f}});
      pen.disc({8, 6}, 1.1f);
      return pen.disc({8, 11}, 1.1f);
    case Icon::sliders:
      for (const auto& [y, knob] : {std::pair{3.5f, 10.5f}, {8.0f, 5.0f}, {12.5f, 9.0f}}) {
        pen.line({{1.5f, y}, {14.5f, y}});
        pen.disc({knob, y}, 2.0f);
      }
      return;
    case Icon::exposure:
      pen.disc({8, 8}, 3.0f);
      for (int i = 0; i < 8; ++i) {
        const float angle = static_cast<float>(i) * 0.785398f, x = std::cos(angle), y = std::sin(angle);
        pen.line({{8 + 5.0f * x, 8 + 5.0f * y}, {8 + 7.0f * x, 8 + 7.0f * y}});
      }
      return;
    case Icon::compare:
      pen.fill({{2, 9}, {5, 9}, {5, 14}, {2, 14}});
      pen.fill({{6.5f, 2}, {9.5f, 2}, {9.5f, 14}, {6.5f, 14}});
      return pen.fill({{11, 6}, {14, 6}, {14, 14}, {11, 14}});
    case Icon::panels:
      pen.box({1.5f, 2.5f}, {14.5f, 13.5f});
      pen.line({{5, 2.5f}, {5, 13.5f}});
      return pen.line({{5, 10}, {14.5f, 10}});
    case Icon::screen:
      pen.box({1.5f, 2.5f}, {14.5f, 11});
      return pen.line({{5, 14}, {11, 14}});
    case Icon::cross:
      pen.line({{4, 4}, {12, 12}});
      return pen.line({{12, 4}, {4, 12}});
    case Icon::ruler:
      pen.line({{2, 14}, {14, 2}});
      pen.disc({2.5f, 13.5f}, 2.0f);
      return pen.disc({13.5f, 2.5f}, 2.0f);
    case Icon::region:
      pen.line({{6, 3}, {3, 3}, {3, 6}});
      pen.line({{10, 3}, {13, 3}, {13, 6}});
      pen.line({{13, 10}, {13, 13}, {10, 13}});
      pen.line({{6, 13}, {3, 13}, {3, 10}});
      return pen.disc({8, 8}, 1.6f);
    case Icon::doubt:
      pen.line({{8, 2}, {15, 14}, {1, 14}}, true);
      pen.line({{8, 6.5f}, {8, 10}});
      return pen.disc({8, 12}, 0.9f);
    case Icon::finding:
      pen.disc({8, 8}, 2.2f);
      return pen.arc({8, 8}, 5.5f, 0, 360);
    case Icon::star:
    case Icon::star_filled:
      return draw_star(pen, icon == Icon::star_filled);
    case Icon::code:
      pen.line({{5, 4}, {1.5f, 8}, {5, 12}});
      pen.line({{11, 4}, {14.5f, 8}, {11, 12}});
      return pen.line({{9.3f, 3}, {6.7f, 13}});
    case Icon::cube:
      pen.line({{8, 1.5f}, {14, 4.7f}, {14, 11.3f}, {8, 14.5f}, {2, 11.3f}, {2, 4.7f}}, true);
      pen.line({{2, 4.7f}, {8, 8}, {14, 4.7f}});
      return pen.line({{8, 8}, {8, 14.5f}});
    case Icon::chip:
      pen.box({4, 4}, {12, 12});
      for (const float at : {6.0f, 10.0f}) {
        pen.line({{at, 1.5f}, {at, 4}});
        pen.line({{at, 12}, {at, 14.5f}});
        pen.line({{1.5f, at}, {4, at}});
        pen.line({{12, at}, {14.5f, at}});
      }
      return;
    case Icon::crop:
      pen.line({{4, 1.5f}, {4, 12}, {14.5f, 12}});
      return pen.line({{1.5f, 4}, {12, 4}, {12, 14.5f}});
  }
}

float icon_button_width(const char* label, bool with_text) {
  const float height = ImGui::GetFrameHeight();
  if (!with_text) return height;
  return height + ImGui::CalcTextSize(label, nullptr, true).x + ImGui::GetStyle().FramePadding.x;
}

bool icon_button(Icon icon, const char* label, std::string_view tip, bool with_text, bool on) {
  const float height = ImGui::GetFrameHeight(), width = icon_button_width(label, with_text);
  const std::string id = "##" + std::string(label);
  if (on) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_HeaderActive));
  const bool pressed = ImGui::Button(id.c_str(), {width, height});
  if (on) ImGui::PopStyleColor();
  const ImVec2 low = ImGui::GetItemRectMin();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = ImGui::GetColorU32(ImGuiCol_Text);
  draw_icon(list, icon, {low.x + height / 2, low.y + height / 2}, ImGui::GetFontSize() * 0.94f, colour);
  if (with_text)
    list.AddText({low.x + height, low.y + ImGui::GetStyle().FramePadding.y}, colour, label,
                 ImGui::FindRenderedTextEnd(label));
  if (!tip.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(tip);
  return pressed;
}

}  // namespace threadscape::app
