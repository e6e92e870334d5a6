#include "app/ui/interface_painter.h"

#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cstddef>
#include <glm/gtc/type_ptr.hpp>
#include <vector>

namespace threadscape::app {

namespace {

WindowRect pixels_of(const gl::Framebuffer& target) {
  return {0, 0, target.width(), target.height()};
}

/// The pixels of a clip rectangle of ImGui. ImGui's OpenGL code truncates the lower left corner and the size of each
/// rectangle, so that a fraction that is cut off before would move the edges.
WindowRect pixels_of(const ImVec4& clip, ImVec2 corner, int height) {
  const auto left = static_cast<int>(clip.x - corner.x);
  const auto bottom = height - static_cast<int>(static_cast<float>(height) - (clip.w - corner.y));
  return {left, bottom - static_cast<int>(clip.w - clip.y), left + static_cast<int>(clip.z - clip.x), bottom};
}

ImVec4 clip_of(const WindowRect& rect, ImVec2 corner) {
  return {corner.x + static_cast<float>(rect.left), corner.y + static_cast<float>(rect.top),
          corner.x + static_cast<float>(rect.right), corner.y + static_cast<float>(rect.bottom)};
}

}  // namespace

void InterfacePainter::add_picture(const gl::Framebuffer& picture, glm::ivec2 corner) {
  picture_ = &picture;
  place_ = {corner.x, corner.y, corner.x + picture.width(), corner.y + picture.height()};
  ImGui::GetWindowDrawList()->AddCallback(copy_picture, this);
}

/// Copies the part of the picture that is being drawn.
void InterfacePainter::copy_picture(const ImDrawList* /*list*/, const ImDrawCmd* command) {
  const auto& painter = *static_cast<const InterfacePainter*>(command->UserCallbackData);
  const WindowRect& place = painter.place_;
  const WindowRect part = intersection(place, painter.part_);
  if (part.empty()) return;
  GLint target = 0, viewport[4]{};
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  glGetIntegerv(GL_VIEWPORT, viewport);
  // The first row of framebuffers is the bottom row.
  const int top = place.bottom - part.top, bottom = place.bottom - part.bottom;
  glDisable(GL_SCISSOR_TEST);
  glBlitNamedFramebuffer(painter.picture_->id(), static_cast<GLuint>(target), part.left - place.left, bottom,
                         part.right - place.left, top, part.left, viewport[3] - part.bottom, part.right,
                         viewport[3] - part.top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glEnable(GL_SCISSOR_TEST);
}

void InterfacePainter::paint(const gl::Framebuffer& target, const glm::vec4& background) {
  ImDrawData& data = *ImGui::GetDrawData();
  target.bind();
  if (draws_ == Draws::everything) {
    paint_everything(data, target, background);
  } else {
    const WindowRect place = picture_pixels(data, target);
    const bool all = needs_everything(data, target, background);
    painted_ = tiles_.update(data, target.width(), target.height(), place);
    if (all) {
      paint_everything(data, target, background);
    } else {
      for (const WindowRect& part : painted_) {
        glEnable(GL_SCISSOR_TEST);
        glScissor(part.left, target.height() - part.bottom, part.right - part.left, part.bottom - part.top);
        glClearNamedFramebufferfv(target.id(), GL_COLOR, 0, glm::value_ptr(background));
        paint_part(data, part, false);
      }
      if (!place.empty()) {
        paint_part(data, place, true);
        painted_.push_back(place);
      }
      glDisable(GL_SCISSOR_TEST);
    }
    target_ = target.serial();
    background_ = background;
  }
  part_ = pixels_of(target);
}

/// The pixels of the target that the picture covers; none if ImGui does not draw its window in this frame.
WindowRect InterfacePainter::picture_pixels(const ImDrawData& data, const gl::Framebuffer& target) const {
  for (const ImDrawList* list : data.CmdLists)
    for (const ImDrawCmd& command : list->CmdBuffer)
      if (command.UserCallback == copy_picture) {
        const WindowRect place = intersection(place_, pixels_of(target));
        return place.empty() ? WindowRect{} : place;
      }
  return {};
}

bool InterfacePainter::needs_everything(const ImDrawData& data, const gl::Framebuffer& target,
                                        const glm::vec4& background) const {
  if (target.serial() != target_ || background != background_) return true;
  // Parts are cut at whole pixels, which fractions of units are not.
  if (data.FramebufferScale.x != 1.0f || data.FramebufferScale.y != 1.0f) return true;
  if (data.Textures != nullptr)
    for (const ImTextureData* texture : *data.Textures)
      if (texture->Status != ImTextureStatus_OK) return true;
  for (const ImDrawList* list : data.CmdLists)
    for (const ImDrawCmd& command : list->CmdBuffer)
      if (command.UserCallback != nullptr && command.UserCallback != copy_picture) return true;
  return false;
}

void InterfacePainter::paint_everything(ImDrawData& data, const gl::Framebuffer& target, const glm::vec4& background) {
  part_ = pixels_of(target);
  target.clear(background);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  painted_ = {part_};
}

/// Draws the pixels of `part`. If `hidden_below_picture`, the picture covers all of them, so that only what comes after
/// it is drawn.
void InterfacePainter::paint_part(ImDrawData& data, const WindowRect& part, bool hidden_below_picture) {
  part_ = part;
  std::vector<ImVec4> clips;
  ImDrawData piece = data;
  piece.CmdLists.clear();
  bool hidden = hidden_below_picture;
  const auto height = static_cast<int>(data.DisplaySize.y);
  for (ImDrawList* list : data.CmdLists) {
    bool touches = false;
    for (ImDrawCmd& command : list->CmdBuffer) {
      clips.push_back(command.ClipRect);
      if (command.UserCallback != nullptr) {
        hidden = false;
        touches = true;
        continue;
      }
      const WindowRect clip =
          hidden ? WindowRect{} : intersection(pixels_of(command.ClipRect, data.DisplayPos, height), part);
      touches = touches || !clip.empty();
      command.ClipRect = clip.empty() ? ImVec4{} : clip_of(clip, data.DisplayPos);
    }
    if (touches) piece.CmdLists.push_back(list);
  }
  piece.CmdListsCount = piece.CmdLists.Size;
  ImGui_ImplOpenGL3_RenderDrawData(&piece);
  std::size_t at = 0;
  for (ImDrawList* list : data.CmdLists)
    for (ImDrawCmd& command : list->CmdBuffer)
      command.ClipRect = clips[at++];
}

}  // namespace threadscape::app
