#include "app/scenes/image/crop_tool.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace threadscape::app {

namespace {

constexpr std::array<std::string_view, 4> names{"left", "top", "width", "height"};

/// The number in this field; null if there is no such field.
int* field_of(const std::vector<FieldRef>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &FieldRef::name);
  const auto* const number = found == fields.end() ? nullptr : std::get_if<IntValue>(&found->value);
  return number == nullptr ? nullptr : number->value;
}

}  // namespace

bool CropTool::fits(const ParamBox& params) {
  const std::vector<FieldRef> fields = params.fields();
  return std::ranges::all_of(names, [&](std::string_view name) { return field_of(fields, name) != nullptr; });
}

void CropTool::write(ParamBox& params, const PixelRect& rect) {
  const std::vector<FieldRef> fields = params.fields();
  const std::array values{rect.x, rect.y, rect.width, rect.height};
  for (std::size_t i = 0; i < names.size(); ++i)
    *field_of(fields, names[i]) = values[i];
}

glm::ivec2 CropTool::corner_of(const ParamBox& params) {
  const std::vector<FieldRef> fields = params.fields();
  return {*field_of(fields, "left"), *field_of(fields, "top")};
}

PixelRect CropTool::rect() const {
  const auto side = [](float a, float b, int size) {
    const auto limit = [size](float at) { return std::clamp(static_cast<int>(at), 0, size); };
    const int low = limit(std::floor(std::min(a, b))), high = limit(std::ceil(std::max(a, b)));
    return std::pair{low, high - low};
  };
  const auto [x, width] = side(from_->x, to_.x, size_.x);
  const auto [y, height] = side(from_->y, to_.y, size_.y);
  return {x, y, width, height};
}

std::optional<PixelRect> CropTool::mouse(glm::vec2 place, glm::ivec2 size, bool hovered) {
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) from_ = place;
  if (!from_) return {};
  to_ = place;
  size_ = size;
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return {};
  const PixelRect drawn = rect();
  const bool moved = glm::ivec2(*from_) != glm::ivec2(to_);
  from_.reset();
  if (!moved || drawn.width < 1 || drawn.height < 1) return {};
  return drawn;
}

void CropTool::draw(ViewCanvas& canvas, const render::ImageViewSettings& settings, glm::ivec2 view) const {
  if (!from_) return;
  const PixelRect drawn = rect();
  const glm::vec2 low = render::image_to_view(settings, view, glm::vec2(drawn.x, drawn.y));
  const glm::vec2 high =
      render::image_to_view(settings, view, glm::vec2(drawn.x + drawn.width, drawn.y + drawn.height));
  const auto width = static_cast<float>(view.x), height = static_cast<float>(view.y);
  ImDrawList& list = canvas.list();
  constexpr ImU32 shade = IM_COL32(0, 0, 0, 130);
  list.AddRectFilled({0, 0}, {width, low.y}, shade);
  list.AddRectFilled({0, high.y}, {width, height}, shade);
  list.AddRectFilled({0, low.y}, {low.x, high.y}, shade);
  list.AddRectFilled({high.x, low.y}, {width, high.y}, shade);
  list.AddRect({low.x, low.y}, {high.x, high.y}, IM_COL32(255, 230, 90, 255), 0.0f, 0, 1.5f);
  const std::string size = std::to_string(drawn.width) + " x " + std::to_string(drawn.height);
  const float unit = ImGui::GetFontSize() * ImGui::GetIO().DisplayFramebufferScale.x;
  canvas.label({low.x, low.y > 2 * unit ? low.y - unit : high.y + unit}, size, unit, ink());
}

}  // namespace threadscape::app
