#include "app/ui/view_canvas.h"

#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/ui/theme.h"

namespace threadscape::app {

namespace {

/// Returns whether text of this height can be seen. ImGui ends the program if a font is asked for a height of 0 or
/// less, or one that is not a number.
bool is_legible(float size) {
  return size >= 1.0f;
}

}  // namespace

ViewCanvas::ViewCanvas(const gl::Framebuffer& target) : target_(target), list_(ImGui::GetDrawListSharedData()) {
  list_._ResetForNewFrame();
  list_.PushTexture(ImGui::GetIO().Fonts->TexRef);
  list_.PushClipRect({0, 0}, {width(), height()});
}

void ViewCanvas::finish() {
  ImDrawData data;
  data.Valid = true;
  data.AddDrawList(&list_);
  data.DisplaySize = {width(), height()};
  data.FramebufferScale = {1, 1};
  // Passing the textures uploads glyphs that are new in this frame; ImGui would upload them only at its end.
  ImVector<ImTextureData*> textures = ImGui::GetIO().Fonts->TexList;
  data.Textures = &textures;
  target_.bind();
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

float ViewCanvas::text_width(std::string_view text, float size) {
  if (!is_legible(size)) return 0.0f;
  return ImGui::GetFont()->CalcTextSizeA(size, 1e9f, 0, text.data(), text.data() + text.size()).x;
}

void ViewCanvas::text(ImVec2 at, std::string_view text, float size, ImU32 colour, Align align, float room) {
  float wide = text_width(text, size);
  if (wide > room && wide > 0) {
    size = std::floor(size * room / wide);
    wide = text_width(text, size);
  }
  if (!is_legible(size)) return;
  const float shift = align == Align::centre ? wide / 2 : align == Align::right ? wide : 0.0f;
  list_.AddText(ImGui::GetFont(), size, {std::round(at.x - shift), std::round(at.y - size / 2)}, colour, text.data(),
                text.data() + text.size());
}

void ViewCanvas::label(ImVec2 at, std::string_view words, float size, ImU32 colour, Align align) {
  const float wide = text_width(words, size), pad = size * 0.35f;
  const float shift = align == Align::centre ? wide / 2 : align == Align::right ? wide : 0.0f;
  list_.AddRectFilled({at.x - shift - pad, at.y - size * 0.68f}, {at.x - shift + wide + pad, at.y + size * 0.68f},
                      plate(), size * 0.3f);
  text(at, words, size, colour, align);
}

void ViewCanvas::label_lines(ImVec2 at, std::string_view text, float size, ImU32 colour, Align align, float room,
                             bool up) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = text.size();
    // A line has at least one word, even if the word is wider than the room.
    while (text_width(text.substr(0, end), size) > room) {
      const std::size_t space = text.rfind(' ', end - 1);
      if (space == std::string_view::npos || space == 0) break;
      end = space;
    }
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const float step = 1.36f * size;
  if (up && !lines.empty()) at.y -= step * static_cast<float>(lines.size() - 1);
  for (const std::string_view line : lines) {
    label(at, line, size, colour, align);
    at.y += step;
  }
}

void ViewCanvas::arrow(ImVec2 from, ImVec2 to, ImU32 colour, float weight, float head) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < 1e-3f) return;
  const ImVec2 way{(to.x - from.x) / length, (to.y - from.y) / length};
  const ImVec2 neck{to.x - way.x * head, to.y - way.y * head};
  list_.AddLine(from, neck, colour, weight);
  list_.AddTriangleFilled(to, {neck.x - way.y * head * 0.5f, neck.y + way.x * head * 0.5f},
                          {neck.x + way.y * head * 0.5f, neck.y - way.x * head * 0.5f}, colour);
}

namespace {

ImU32 faded_colour(ImVec4 colour, float alpha) {
  colour.w = alpha;
  return ImGui::ColorConvertFloat4ToU32(colour);
}

}  // namespace

ImU32 ink() {
  return faded_colour(ImGui::GetStyle().Colors[ImGuiCol_Text], 1.0f);
}
ImU32 muted_ink() {
  return faded_colour(muted_text(), 1.0f);
}
ImU32 faint_ink() {
  return faded_colour(muted_text(), 0.35f);
}
ImU32 accent_ink() {
  return faded_colour(backend_colour(Backend::openmp), 1.0f);
}
ImU32 warning_ink() {
  return faded_colour(warning_colour(), 1.0f);
}
ImU32 good_ink() {
  return faded_colour(backend_colour(Backend::cuda), 1.0f);
}
ImU32 fill_ink() {
  return faded_colour(canvas_colour(), 1.0f);
}
ImU32 plate() {
  return faded_colour(canvas_colour(), 0.82f);
}

ImU32 map_colour(float value) {
  // Nine of the colours in shaders/colour_map.glsl.
  constexpr std::array<unsigned, 9> viridis{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21908d,
                                            0x27ae80, 0x5cc963, 0xabdc32, 0xfde725};
  const float place = std::clamp(value, 0.0f, 1.0f) * (viridis.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
  const float part = place - static_cast<float>(low);
  const auto channel = [&](int shift) {
    const auto a = static_cast<float>(viridis[low] >> shift & 255u),
               b = static_cast<float>(viridis[low + 1] >> shift & 255u);
    return static_cast<unsigned>(a + (b - a) * part + 0.5f);
  };
  return IM_COL32(channel(16), channel(8), channel(0), 255);
}

}  // namespace threadscape::app
