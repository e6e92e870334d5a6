#include "app/shell/preview_editor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

using Cells = Preview::Cells;

constexpr Rgba8 nothing{0, 0, 0, 0};
constexpr Rgba8 grey(int level) {
  const auto value = static_cast<std::uint8_t>(level);
  return {value, value, value, 255};
}

// These colours are used in both themes. White, black and every grey are distinct from the colours of empty cells.
constexpr Rgba8 empty_dark{52, 62, 80, 255}, empty_light{66, 78, 100, 255};
constexpr ImU32 origin_colour = IM_COL32(240, 130, 50, 255), outline_colour = IM_COL32(20, 24, 32, 255);
constexpr ImU32 grid_colour = IM_COL32(20, 24, 32, 150);

/// Column and row of the cell at the mouse, which may lie outside the picture.
ImVec2 cell_at(ImVec2 origin, float cell) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {std::floor((mouse.x - origin.x) / cell), std::floor((mouse.y - origin.y) / cell)};
}

std::string caption(const Preview& preview, int highest) {
  const auto cells = preview.picture.image<Rgba8>();
  int parts = 0, lowest = 255;
  for (int y = 0; y < cells.height; ++y)
    for (int x = 0; x < cells.width; ++x) {
      const Rgba8 cell = cells(x, y);
      if (cell.a == 0 || (preview.cells == Cells::parts_and_background && cell.r == 0)) continue;
      ++parts;
      lowest = std::min<int>(lowest, cell.r);
    }
  std::string text = std::to_string(cells.width) + " x " + std::to_string(cells.height) + ", " + std::to_string(parts) +
                     (parts == 1 ? " part" : " parts");
  if (preview.cells == Cells::levels && parts > 0)
    text += "\nlevels " + std::to_string(lowest) + ".." + std::to_string(highest);
  if (preview.origin_x >= 0)
    text += "\norigin " + std::to_string(preview.origin_x) + ", " + std::to_string(preview.origin_y);
  return text;
}

std::string tip(const Preview& preview, int x, int y, bool paintable) {
  const Rgba8 cell = preview.picture.image<Rgba8>()(x, y);
  std::string text = "x " + std::to_string(x - std::max(preview.origin_x, 0)) + ", y " +
                     std::to_string(y - std::max(preview.origin_y, 0));
  if (preview.origin_x >= 0) text += " from the origin";
  text += cell.a == 0                      ? ": no part"
          : preview.cells == Cells::levels ? ": level " + std::to_string(cell.r)
          : cell.r == 0                    ? ": background"
          : preview.cells == Cells::parts  ? ": part"
                                           : ": foreground";
  if (paintable)
    text += std::string("\n\nleft: paint\nright or Ctrl: clear\nShift: the origin") +
            (preview.cells == Cells::levels ? "\nmiddle: take this level" : "");
  return text;
}

/// Calls `visit` with every cell on the line between two cells, both ends included.
template <class Visit>
void along(ImVec2 from, ImVec2 to, const Visit& visit) {
  const int steps = static_cast<int>(std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)));
  for (int i = 0; i <= steps; ++i) {
    const float t = steps == 0 ? 0.0f : static_cast<float>(i) / static_cast<float>(steps);
    visit(static_cast<int>(std::lround(from.x + (to.x - from.x) * t)),
          static_cast<int>(std::lround(from.y + (to.y - from.y) * t)));
  }
}

}  // namespace

void PreviewEditor::refresh(Sheet& sheet, const AlgorithmInfo& algorithm, const ParamBox& params) {
  if (sheet.algorithm == &algorithm && sheet.params == params) return;
  sheet.algorithm = &algorithm;
  sheet.params = params;
  sheet.trouble.clear();
  sheet.preview.reset();
  try {
    sheet.preview = algorithm.preview->make(params);
  } catch (const Error& error) {
    sheet.trouble = error.what();
    return;
  }
  const Preview& preview = *sheet.preview;
  const auto cells = preview.picture.image<Rgba8>();
  sheet.max_level = 255;
  if (preview.cells == Cells::levels) {
    // Levels are drawn relative to the highest one, because low levels would all look black.
    sheet.max_level = 0;
    for (int y = 0; y < cells.height; ++y)
      for (int x = 0; x < cells.width; ++x)
        sheet.max_level = std::max<int>(sheet.max_level, cells(x, y).r);
    if (!sheet.level) sheet.level = std::max(sheet.max_level, 1);
  }
  HostArray texels(Shape::image(Element::u8, 4, 2 * cells.width, 2 * cells.height));
  const auto out = texels.image<Rgba8>();
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const Rgba8 cell = cells(x / 2, y / 2);
      out(x, y) = cell.a != 0   ? grey(cell.r * 255 / std::max(sheet.max_level, 1))
                  : (x + y) % 2 ? empty_dark
                                : empty_light;
    }
  if (!sheet.texture.fits(texels.shape()) || sheet.texture.empty()) sheet.texture = gl::Texture(texels.shape());
  sheet.texture.write(texels.view());
  sheet.texture.set_filter(gl::Filter::nearest);
}

void PreviewEditor::refresh_all() {
  for (auto& [id, sheet] : sheets_)
    sheet.algorithm = nullptr;
}

bool PreviewEditor::can_paint(const Sheet& sheet) {
  return sheet.algorithm->painting && sheet.preview &&
         std::max(sheet.preview->width(), sheet.preview->height()) <= Preview::max_painted;
}

bool PreviewEditor::draw(const AlgorithmInfo& algorithm, ParamBox& params, LogBook& log) {
  if (!algorithm.preview) return false;
  ImGui::PushID("preview");
  const ImGuiID id = ImGui::GetID("sheet");
  Sheet& sheet = sheets_[id];
  refresh(sheet, algorithm, params);
  bool painted = false;
  if (sheet.preview) {
    painted |= draw_cells(sheet, std::min(em(8.6f), ImGui::GetContentRegionAvail().x * 0.6f));
    ImGui::SameLine();
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(caption(*sheet.preview, sheet.max_level).c_str());
    if (can_paint(sheet)) {
      draw_brush(sheet);
      painted |= draw_buttons(sheet, 2);
    } else if (algorithm.painting) {
      ImGui::TextDisabled("painted up to %d x %d", Preview::max_painted, Preview::max_painted);
    }
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
  } else {
    // A problem of the parameters is not repeated here, because it is written below them.
    const bool known = !params.problem().empty();
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextDisabled("no preview%s", known ? "" : (": " + sheet.trouble).c_str());
    ImGui::PopTextWrapPos();
  }
  if (sheet.large && sheet.preview) painted |= draw_large(sheet, id);
  ImGui::PopID();
  if (!painted) return false;
  sheet.algorithm = nullptr;  // From the next frame on, the preview of the new parameters is shown.
  try {
    algorithm.painting->take(params, *sheet.preview);
  } catch (const Error& error) {
    log.error(error.what());
    return false;
  }
  return true;
}

bool PreviewEditor::draw_large(Sheet& sheet, ImGuiID id) {
  bool painted = false;
  // Beside the panel the window hides little of the result.
  const ImVec2 room = ImGui::GetMainViewport()->WorkSize;
  const float side = std::min({em(26), room.x * 0.6f, room.y * 0.7f});
  const float top = std::min(ImGui::GetItemRectMin().y, room.y - side);
  ImGui::SetNextWindowSize({side, side + 2 * ImGui::GetFrameHeightWithSpacing()}, ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowPos({ImGui::GetWindowPos().x - em(1), top}, ImGuiCond_FirstUseEver, {1, 0});
  const std::string title = std::string(sheet.algorithm->title) + ": preview###large preview " + std::to_string(id);
  if (ImGui::Begin(title.c_str(), &sheet.large,
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    const bool paints = can_paint(sheet);
    const float below = !paints                                ? 0.0f
                        : sheet.preview->cells == Cells::parts ? ImGui::GetFrameHeightWithSpacing()
                                                               : 2 * ImGui::GetFrameHeightWithSpacing();
    const ImVec2 inside = ImGui::GetContentRegionAvail();
    painted |= draw_cells(sheet, std::max(em(4), std::min(inside.x, inside.y - below)));
    if (paints) {
      draw_brush(sheet);
      painted |= draw_buttons(sheet, 3);
    }
  }
  ImGui::End();
  return painted;
}

/// Draws the choice of what the left button paints: a grey level, or foreground or background.
void PreviewEditor::draw_brush(Sheet& sheet) {
  if (sheet.preview->cells == Cells::levels) {
    int level = sheet.level.value_or(255);
    ImGui::SetNextItemWidth(-1);
    if (slider_int("##level", &level, 0, 255, "level %d", ImGuiSliderFlags_AlwaysClamp)) sheet.level = level;
    if (ImGui::IsItemHovered()) tooltip("Grey level that is painted; the middle button takes one from a cell");
  } else if (sheet.preview->cells == Cells::parts_and_background) {
    const std::array<Segment, 2> brushes{
        {{"white", true, "Paint what must be foreground"}, {"black", true, "Paint what must be background"}}};
    const int clicked = segmented("brush", brushes, sheet.background ? 1 : 0);
    if (clicked >= 0) sheet.background = clicked == 1;
  }
}

Rgba8 PreviewEditor::brush(const Sheet& sheet) {
  if (sheet.preview->cells == Cells::levels) return grey(sheet.level.value_or(255));
  return grey(sheet.preview->cells == Cells::parts_and_background && sheet.background ? 0 : 255);
}

/// Draws the buttons that change all cells, in rows of `columns`. With two columns, as below the small preview, there
/// is also the button that opens the large one. Returns whether the cells were changed.
bool PreviewEditor::draw_buttons(Sheet& sheet, int columns) {
  const auto cells = sheet.preview->picture.image<Rgba8>();
  const auto change = [&](const auto& f) {
    for (int y = 0; y < cells.height; ++y)
      for (int x = 0; x < cells.width; ++x)
        cells(x, y) = f(cells(x, y));
    return true;
  };
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float room = ImGui::GetContentRegionAvail().x;
  const auto width_of = [room, gap](int count) {
    return std::floor((room - gap * static_cast<float>(count - 1)) / static_cast<float>(count));
  };
  // If the window is narrow, the padding of the buttons is reduced so that the texts fit, or each gets a line.
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  const float widest = std::max(ImGui::CalcTextSize("Invert").x, ImGui::CalcTextSize("Large").x);
  const bool stacked = width_of(columns) < widest + 2;
  const float width = stacked ? room : width_of(columns);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {std::clamp((width - widest) / 2, 0.0f, padding.x), padding.y});
  bool painted = false;
  if (ImGui::Button("Clear", {width, 0})) painted = change([](Rgba8) { return nothing; });
  if (!stacked) ImGui::SameLine(0, gap);
  if (ImGui::Button("Fill", {width, 0})) painted = change([&](Rgba8) { return brush(sheet); });
  if (columns > 2 && !stacked) ImGui::SameLine(0, gap);
  if (ImGui::Button("Invert", {width, 0}))
    painted = change([&](Rgba8 cell) {
      if (sheet.preview->cells != Cells::parts_and_background) return cell.a == 0 ? brush(sheet) : nothing;
      return cell.a == 0 ? cell : grey(255 - cell.r);
    });
  if (columns == 2) {
    if (!stacked) ImGui::SameLine(0, gap);
    if (ImGui::Button("Large", {width, 0})) sheet.large = !sheet.large;
  }
  ImGui::PopStyleVar();
  if (columns == 2 && ImGui::IsItemHovered()) tooltip("A window to paint in");
  return painted;
}

bool PreviewEditor::draw_cells(Sheet& sheet, float side) {
  const Preview& preview = *sheet.preview;
  const int width = preview.width(), height = preview.height();
  // A cell has a whole number of screen pixels, so that all have the same size, unless there are more cells than
  // pixels.
  float cell = side / static_cast<float>(std::max(width, height));
  if (cell >= 1.0f) cell = std::floor(cell);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 size{cell * static_cast<float>(width), cell * static_cast<float>(height)};
  const ImVec2 end{origin.x + size.x, origin.y + size.y};
  ImGui::InvisibleButton(
      "cells", size,
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  origin_ = origin;
  cell_ = cell;

  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddImage(static_cast<ImTextureID>(sheet.texture.id()), origin, end);
  const float min_grid_cell = 5.0f;
  if (cell >= min_grid_cell) {
    for (int x = 1; x < width; ++x)
      draw.AddLine({origin.x + cell * static_cast<float>(x), origin.y},
                   {origin.x + cell * static_cast<float>(x), end.y}, grid_colour);
    for (int y = 1; y < height; ++y)
      draw.AddLine({origin.x, origin.y + cell * static_cast<float>(y)},
                   {end.x, origin.y + cell * static_cast<float>(y)}, grid_colour);
  }
  if (preview.cells == Cells::levels && cell >= em(1.9f)) {
    const auto cells = preview.picture.image<Rgba8>();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const Rgba8 value = cells(x, y);
        if (value.a == 0) continue;
        const std::string text = std::to_string(value.r);
        const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
        const ImVec2 middle = cell_on_screen(x, y);
        draw.AddText({std::floor(middle.x - extent.x / 2), std::floor(middle.y - extent.y / 2)},
                     2 * value.r > sheet.max_level ? IM_COL32_BLACK : IM_COL32_WHITE, text.c_str());
      }
  }
  if (preview.origin_x >= 0) {
    const ImVec2 middle = cell_on_screen(preview.origin_x, preview.origin_y);
    const float half = std::max(std::floor(cell / 2) - 1.0f, 2.0f), thick = std::max(1.0f, em(0.14f));
    draw.AddRect({middle.x - half - 1, middle.y - half - 1}, {middle.x + half + 1, middle.y + half + 1}, outline_colour,
                 0, 0, thick + 2);
    draw.AddRect({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, origin_colour, 0, 0, thick);
  }

  const bool paints = can_paint(sheet);
  if (ImGui::IsItemHovered() && !ImGui::IsAnyMouseDown()) {
    const ImVec2 at = cell_at(origin, cell);
    if (at.x >= 0 && at.y >= 0 && at.x < static_cast<float>(width) && at.y < static_cast<float>(height))
      tooltip(tip(preview, static_cast<int>(at.x), static_cast<int>(at.y), paints));
  }
  if (ImGui::IsItemActive() && paints && ImGui::IsMousePosValid()) return paint_cells(sheet, origin, cell);
  if (!ImGui::IsAnyMouseDown()) sheet.last.reset();
  return false;
}

/// Changes the cells under the mouse while a button is held. Returns whether anything was changed.
bool PreviewEditor::paint_cells(Sheet& sheet, ImVec2 origin, float cell) {
  Preview& preview = *sheet.preview;
  const auto cells = preview.picture.image<Rgba8>();
  const ImVec2 at = cell_at(origin, cell);
  const auto inside = [&](int x, int y) { return x >= 0 && y >= 0 && x < cells.width && y < cells.height; };
  const int column = static_cast<int>(at.x), row = static_cast<int>(at.y);

  if (modifier_held(ImGuiMod_Shift)) {
    if (!inside(column, row) || preview.origin_x < 0 || (preview.origin_x == column && preview.origin_y == row))
      return false;
    preview.origin_x = column;
    preview.origin_y = row;
    return true;
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Middle)) {
    if (inside(column, row) && cells(column, row).a != 0) sheet.level = cells(column, row).r;
    return false;
  }
  const bool clears = ImGui::IsMouseDown(ImGuiMouseButton_Right) || modifier_held(ImGuiMod_Ctrl);
  const Rgba8 value = clears ? nothing : brush(sheet);
  bool changed = false;
  along(sheet.last.value_or(at), at, [&](int x, int y) {
    if (!inside(x, y) || cells(x, y) == value) return;
    cells(x, y) = value;
    changed = true;
  });
  sheet.last = at;
  return changed;
}

ImVec2 PreviewEditor::cell_on_screen(int x, int y) const {
  return {origin_.x + cell_ * (static_cast<float>(x) + 0.5f), origin_.y + cell_ * (static_cast<float>(y) + 0.5f)};
}

}  // namespace threadscape::app
