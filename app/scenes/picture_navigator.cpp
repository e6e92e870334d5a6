#include "app/scenes/picture_navigator.h"

#include <algorithm>
#include <cmath>

#include "app/ui/widgets.h"

namespace threadscape::app {

void PictureNavigator::begin(render::ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 picture) {
  if (picture != picture_) fitted_ = true;
  view_ = view;
  picture_ = picture;
  if (fitted_) render::fit(settings, view_, picture_);
}

void PictureNavigator::actual_size(render::ImageViewSettings& settings) {
  fitted_ = false;
  render::zoom_about(settings, view_, glm::vec2(view_) * 0.5f, 1.0f);
}

void PictureNavigator::place(render::ImageViewSettings& settings, float zoom, glm::vec2 centre) {
  fitted_ = false;
  settings.zoom = zoom;
  settings.centre = centre;
}

void PictureNavigator::go_to(render::ImageViewSettings& settings, glm::ivec2 pixel) {
  constexpr float magnified = 16.0f;
  fitted_ = false;
  settings.zoom = std::max(settings.zoom, magnified);
  settings.centre = glm::vec2(pixel) + 0.5f;
}

void PictureNavigator::mouse(render::ImageViewSettings& settings, ImVec2 origin, ImVec2 size, bool hovered,
                             bool taken) {
  const ImGuiIO& io = ImGui::GetIO();
  // On HiDPI screens the view's framebuffer has more pixels than its item has units.
  const float density = size.x > 0 ? static_cast<float>(view_.x) / size.x : 1.0f;
  const glm::vec2 at{(io.MousePos.x - origin.x) * density, (io.MousePos.y - origin.y) * density};
  if (hovered && !taken && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) panning_ = true;
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Middle)) panning_ = true;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseDown(ImGuiMouseButton_Middle)) panning_ = false;
  if (panning_ && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    settings.centre -= glm::vec2{io.MouseDelta.x, io.MouseDelta.y} * (density / settings.zoom);
    fitted_ = false;
  }
  if (hovered && io.MouseWheel != 0) {
    render::zoom_about(settings, view_, at, settings.zoom * std::pow(1.2f, io.MouseWheel));
    fitted_ = false;
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && !taken) fit();

  pixel_.reset();
  if (!hovered || picture_.x < 1) return;
  const glm::vec2 place = glm::floor(render::view_to_image(settings, view_, at));
  const glm::vec2 size_of_picture(picture_);
  if (place.x >= 0 && place.y >= 0 && place.x < size_of_picture.x && place.y < size_of_picture.y)
    pixel_ = glm::ivec2(place);
}

void PictureNavigator::keys(render::ImageViewSettings& settings) {
  if (ImGui::IsKeyPressed(ImGuiKey_F, false)) fit();
  if (ImGui::IsKeyPressed(ImGuiKey_1, false)) actual_size(settings);
}

bool keys_are_free() {
  return !ImGui::GetIO().WantTextInput && !modifier_held(ImGuiMod_Ctrl) &&
         !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
}

}  // namespace threadscape::app
