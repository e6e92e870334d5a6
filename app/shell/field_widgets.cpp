#include "app/shell/field_widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/shell/advanced_fields.h"
#include "app/shell/field_names.h"
#include "app/shell/file_browser.h"
#include "app/shell/step_editor.h"
#include "app/ui/theme.h"
#include "app/ui/value_names.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// The allowed value (lo, lo + step, ... up to hi) for `wanted`, rounded away from `current`, so that a small move of
/// the slider in either direction reaches the next one.
int on_grid(int wanted, int current, const IntValue& range) {
  wanted = std::clamp(wanted, range.lo, range.hi);
  const int up = wanted > current ? range.step - 1 : 0;
  return std::min(range.lo + (wanted - range.lo + up) / range.step * range.step, range.hi);
}

/// The word that the help states for a value below all others: "all" of "-1 = all"; "" if it states none.
template <class T>
std::string word_for_lowest(const FieldRef& field, T value) {
  constexpr std::string_view mark = "-1 = ";
  const std::size_t at = value == T{-1} ? field.help.find(mark) : std::string_view::npos;
  if (at == std::string_view::npos) return {};
  const std::string_view rest = field.help.substr(at + mark.size());
  return std::string(rest.substr(0, rest.find_first_of(" ;,")));
}

/// The format of a number, followed by its unit and by what the value 0 stands for, if it is 0: "0 (unchanged)". What
/// does not fit into the next widget is left out; the tip has it. In the place of -1 stands what it means.
template <class T>
std::string explained(const std::string& format, std::string_view unit, const FieldRef& field, T value) {
  if (std::string word = word_for_lowest(field, value); !word.empty()) return word;
  const std::string_view zero = value == T{} ? field.zero : std::string_view{};
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), format.c_str(), value);
  const float room = ImGui::CalcItemWidth() - 2 * ImGui::GetStyle().FramePadding.x;
  const auto fits = [&](const std::string& more) {
    return ImGui::CalcTextSize((number.data() + more).c_str()).x <= room && more.find('%') == std::string::npos;
  };
  const std::string with_unit = unit.empty() ? std::string{} : " " + std::string(unit);
  const std::string meaning = zero.empty() ? std::string{} : " (" + std::string(zero) + ")";
  for (const std::string& more : {with_unit + meaning, meaning})
    if (fits(more)) return format + more;
  if (zero.find('%') == std::string_view::npos && !zero.empty() &&
      ImGui::CalcTextSize(zero.data(), zero.data() + zero.size()).x <= room)
    return std::string(zero);
  return fits(with_unit) ? format + with_unit : format;
}

bool draw_value(const FieldRef& field, const IntValue& v) {
  int value = *v.value;
  const std::string format = explained("%d", "", field, value);
  const bool few = (v.hi - v.lo) / v.step <= 16;
  const bool touched =
      few ? slider_int("##value", &value, v.lo, v.hi, format.c_str(), ImGuiSliderFlags_AlwaysClamp)
          : drag_int("##value", &value, static_cast<float>(v.step) * 0.25f, v.lo, v.hi, v.step, format.c_str());
  value = on_grid(value, *v.value, v);
  const bool changed = touched && value != *v.value;
  if (changed) *v.value = value;
  return changed;
}

bool draw_value(const FieldRef& field, const FloatValue& v) {
  float value = *v.value;
  const bool bounded = v.hi - v.lo <= 1000.0f;
  const std::string format = explained("%.4g", field.unit, field, value);
  const bool touched =
      bounded ? slider_float("##value", &value, v.lo, v.hi, format.c_str(), ImGuiSliderFlags_AlwaysClamp)
              : drag_float("##value", &value, std::max(0.02f, std::abs(value) * 0.005f), v.lo, v.hi, format.c_str());
  if (!touched || !std::isfinite(value) || value == *v.value) return false;
  *v.value = value;
  return true;
}

bool draw_value(const FieldRef&, const BoolValue& v) {
  return ImGui::Checkbox("##value", v.value);
}

bool draw_value(const FieldRef&, const ChoiceValue& v) {
  const int chosen = v.get();
  bool changed = false;
  if (begin_list("##value", value_title(v.choices[static_cast<std::size_t>(chosen)]), ImGui::CalcItemWidth())) {
    for (int i = 0; i < static_cast<int>(v.choices.size()); ++i) {
      const std::string_view name = v.choices[static_cast<std::size_t>(i)];
      const bool clicked = ImGui::Selectable(value_title(name).c_str(), i == chosen);
      if (ImGui::IsItemHovered()) tooltip("In scripts: " + std::string(name));
      if (!clicked || i == chosen) continue;
      v.set(i);
      changed = true;
    }
    ImGui::EndCombo();
  }
  return changed;
}

/// Draws one number of a grid. The colour of the background shows its sign, the opacity its magnitude relative to
/// `largest`. Returns whether the number was changed.
bool draw_tap(const GridValue& grid, int index, float cell, float largest) {
  float& value = (*grid.values)[static_cast<std::size_t>(index)];
  const float weight = std::sqrt(std::abs(value) / largest) * 0.55f;
  const ImVec4 tint = backend_colour(value < 0 ? Backend::serial : Backend::openmp);
  ImGui::PushID(index);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, value == 0 ? ImGui::GetStyle().Colors[ImGuiCol_FrameBg]
                                                     : ImVec4{tint.x, tint.y, tint.z, weight});
  ImGui::SetNextItemWidth(cell);
  float edited = value;
  const bool changed = ImGui::DragFloat("##tap", &edited, 0.05f, grid.lo, grid.hi, "%.4g") && std::isfinite(edited);
  if (changed) value = std::clamp(edited, grid.lo, grid.hi);
  ImGui::PopStyleColor();
  ImGui::PopID();
  return changed;
}

constexpr int max_fitting_side = 9;

/// Draws the cells of a grid too large for the panel in a region that scrolls in both directions. Only visible cells
/// are drawn, because there can be thousands.
bool draw_scrolling_taps(const GridValue& grid, float gap, float largest) {
  const int side = *grid.side;
  const float cell = em(2.1f), height = ImGui::GetFrameHeight();
  const float across = cell + gap, down = height + gap;
  const float shown = std::min(down * static_cast<float>(side), ImGui::GetContentRegionAvail().x);
  bool changed = false;
  if (ImGui::BeginChild("##taps", {0, shown + ImGui::GetStyle().ScrollbarSize}, ImGuiChildFlags_None,
                        ImGuiWindowFlags_HorizontalScrollbar)) {
    // Scroll to the middle at first, because most masks have their largest values there.
    if (ImGui::IsWindowAppearing()) {
      ImGui::SetScrollX((across * static_cast<float>(side) - ImGui::GetWindowWidth()) * 0.5f);
      ImGui::SetScrollY((down * static_cast<float>(side) - ImGui::GetWindowHeight()) * 0.5f);
    }
    const ImVec2 start = ImGui::GetCursorPos();
    const auto in_sight = [side](float scroll, float extent, float pitch) {
      const int first = static_cast<int>(scroll / pitch), last = static_cast<int>((scroll + extent) / pitch) + 1;
      return std::pair{std::clamp(first, 0, side), std::clamp(last, 0, side)};
    };
    const auto [left, right] = in_sight(ImGui::GetScrollX(), ImGui::GetWindowWidth(), across);
    const auto [top, bottom] = in_sight(ImGui::GetScrollY(), ImGui::GetWindowHeight(), down);
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x) {
        ImGui::SetCursorPos({start.x + across * static_cast<float>(x), start.y + down * static_cast<float>(y)});
        changed = draw_tap(grid, y * side + x, cell, largest) || changed;
      }
    ImGui::SetCursorPos(
        {start.x + across * static_cast<float>(side) - gap, start.y + down * static_cast<float>(side) - gap});
    ImGui::Dummy({0, 0});  // Tells ImGui the extent of all cells.
  }
  ImGui::EndChild();
  return changed;
}

/// Draws a grid as a table of numbers. Returns whether a number was changed.
bool draw_value(const FieldRef&, const GridValue& v) {
  const int side = *v.side;
  if (static_cast<int>(v.values->size()) != side * side) {
    ImGui::TextColored(warning_colour(), "%zu values for %d x %d", v.values->size(), side, side);
    return false;
  }
  float largest = 1e-6f;
  for (const float value : *v.values)
    largest = std::max(largest, std::abs(value));

  const float gap = std::max(1.0f, std::floor(em(0.13f)));
  const bool fits = side <= max_fitting_side;
  const float cell = fits ? std::floor((ImGui::GetContentRegionAvail().x - gap * static_cast<float>(side - 1)) /
                                       static_cast<float>(side))
                          : em(2.1f);
  bool changed = false;
  // Nine columns fit only if the numbers are drawn in a smaller font with less padding.
  push_type(cell < em(2.6f) ? TypeSize::small : TypeSize::normal);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {std::min(em(0.3f), cell * 0.08f), em(0.25f)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  if (!fits) changed = draw_scrolling_taps(v, gap, largest);
  for (int y = 0; y < side && fits; ++y)
    for (int x = 0; x < side; ++x) {
      if (x > 0) ImGui::SameLine();
      changed = draw_tap(v, y * side + x, cell, largest) || changed;
    }
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  ImGui::Spacing();
  return changed;
}

/// The width of the button behind the path of a file, and of the gap in front of it.
float file_button_width() {
  return ImGui::GetFrameHeight() * 1.4f + ImGui::GetStyle().ItemInnerSpacing.x;
}

/// Draws a line of text, and for paths a button that opens the file browser. Returns whether the text was changed.
bool draw_text(const FieldRef& field, const TextValue& text, const FieldContext& context) {
  if (!text.is_path) return input_text("##value", *text.value);
  ImGui::SetNextItemWidth(-file_button_width());
  const bool changed = input_path("##value", *text.value);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::Button("...", {ImGui::GetFrameHeight() * 1.4f, 0}))
    context.files.open("Choose a file", FileBrowser::Purpose::open,
                       [name = std::string(field.name), change = context.change](const auto& path) {
                         // Throws for a value that is not accepted, and the dialog says why.
                         change([&](ParamBox& params) { params.assign(name, path.string()); });
                         return FileBrowser::Progress::done;
                       });
  return changed;
}

/// Width in pixels of the label of a field: that of the column, or less where the name of a choice or the path of a
/// file needs the room.
float label_room(const FieldRef& field, float column) {
  std::string value;
  float beside = 0.0f;
  if (const auto* choice = std::get_if<ChoiceValue>(&field.value)) {
    value = value_title(choice->choices[static_cast<std::size_t>(choice->get())]);
    beside = list_padding() + em(0.2f);
  } else if (const auto* text = std::get_if<TextValue>(&field.value); text != nullptr && text->is_path) {
    value = *text->value;
    beside = file_button_width() + 2 * ImGui::GetStyle().FramePadding.x;
  }
  if (value.empty()) return column;
  const float needed = ImGui::CalcTextSize(value.c_str()).x + beside;
  const float label = ImGui::CalcTextSize(title_of(field).c_str()).x + em(0.6f);
  return std::max(std::min(column, ImGui::GetContentRegionAvail().x - needed), std::min(label, column));
}

/// Draws what stands in the place of a value that has no effect, in a field that looks like the others: numbers at the
/// right edge, names at the left one.
void draw_derived(const std::string& value) {
  const bool number = value.find_first_of("0123456789") <= 1;
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyle().Colors[ImGuiCol_FrameBg]);
  ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {number ? 1.0f : 0.0f, 0.5f});
  ImGui::Button((value + "##value").c_str(), {-1, 0});
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

bool draw_field(const FieldRef& field, const FieldContext& context) {
  if (const auto* steps = std::get_if<StepsValue>(&field.value)) return draw_steps(*steps->steps, field.name, context);
  if (const auto* grid = std::get_if<GridValue>(&field.value)) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(title_of(field).c_str());
    if (ImGui::IsItemClicked()) ImGui::SetClipboardText(script_text(field).c_str());
    if (ImGui::IsItemHovered()) tooltip(tip_of(field) + "\nDrag a number, or double-click to type it");
    return draw_value(field, *grid);
  }
  const std::optional<IdleField> idle = context.idle ? context.idle(field) : std::nullopt;
  if (idle) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
  if (label_left(title_of(field), (idle ? idle->why + "\n\n" : std::string{}) + tip_of(field),
                 label_room(field, context.labels)))
    ImGui::SetClipboardText(script_text(field).c_str());
  if (idle) ImGui::PopStyleColor();
  ImGui::BeginDisabled(idle.has_value());
  bool changed = false;
  if (idle && !idle->value.empty())
    draw_derived(idle->value);
  else if (const auto* text = std::get_if<TextValue>(&field.value))
    changed = draw_text(field, *text, context);
  else
    changed = std::visit(
        [&field](const auto& value) {
          if constexpr (requires { draw_value(field, value); })
            return draw_value(field, value);
          else
            return false;
        },
        field.value);
  ImGui::EndDisabled();
  if (idle && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(idle->why);
  return changed;
}

/// Draws the line of a section that folds. Returns whether it is open.
bool begin_section(const std::string& title, const char* id, bool open) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
  ImGui::PushStyleColor(ImGuiCol_Header, {0, 0, 0, 0});
  const bool is_open = ImGui::TreeNodeEx(
      (title + "###" + id).c_str(), ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth |
                                        ImGuiTreeNodeFlags_FramePadding | (open ? ImGuiTreeNodeFlags_DefaultOpen : 0));
  ImGui::PopStyleColor(2);
  return is_open;
}

}  // namespace

float label_width() {
  return std::floor(std::min(em(7.2f), ImGui::GetContentRegionAvail().x * 0.49f));
}

bool draw_fields(ParamBox& params, const FieldContext& context) {
  FieldContext own = context;
  bool changed = false;
  if (own.labels <= 0.0f) own.labels = label_width();
  const std::vector<FieldRef> fields = params.fields();
  const auto draw = [&](const FieldRef& field) {
    ImGui::PushID(field.name.data());
    if (draw_field(field, own)) {
      params.edited(field.name);
      changed = true;
    }
    if (own.below) own.below(field);
    ImGui::PopID();
  };
  const AdvancedFields* const advanced = context.advanced;
  const bool sections = advanced != nullptr && advanced->any();
  if (!sections || begin_section("Basic", "basic", true))
    for (const FieldRef& field : fields)
      if (!sections || !advanced->has(field)) draw(field);
  if (!sections) return changed;
  if (advanced->needed(fields)) ImGui::SetNextItemOpen(true);
  if (begin_section(advanced->title(fields), "advanced", false))
    for (const FieldRef& field : fields)
      if (advanced->has(field)) draw(field);
  return changed;
}

}  // namespace threadscape::app
