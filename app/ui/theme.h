#pragma once
// Colours, spacing and fonts of the window. One accent colour per backend, the same in buttons and plots.

#include <imgui.h>

#include <cstdint>

#include "compute/core/backend.h"

namespace threadscape::app {

enum class Theme : std::uint8_t { dark, light };

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* strong = nullptr;  ///< For headings.
  ImFont* mono = nullptr;    ///< For numbers that change while they are read.
};

/// The sizes of type of panels. Diagrams have sizes of their own, which follow their pictures.
enum class TypeSize : std::uint8_t { small, normal, large };
/// The height of a font in pixels at scale 1.
[[nodiscard]] float pixels_of(TypeSize size);
/// Writes in this size, and in this font unless it is null, until ImGui::PopFont().
void push_type(TypeSize size, ImFont* font = nullptr);

enum class FontChoice : std::uint8_t {
  system,    ///< Inter, else DejaVu Sans, else ImGui's own font.
  built_in,  ///< ImGui's own font, which is the same on every machine.
};
/// Loads the fonts into the current ImGui context; called once per context.
Fonts load_fonts(FontChoice choice);
/// The font of the current ImGui context whose characters have one width; the regular one if there is none.
[[nodiscard]] ImFont* mono_font();
/// Sets every style value for this theme; `scale` is the monitor's content scale times the user's choice.
void apply_theme(Theme theme, float scale);

/// A colour of ImGui's style in this theme.
[[nodiscard]] ImVec4 theme_colour(Theme theme, ImGuiCol colour);
[[nodiscard]] ImVec4 backend_colour(Backend backend);
[[nodiscard]] ImVec4 backend_colour(Theme theme, Backend backend);
/// Colours of the stages upload, compute, download, present.
[[nodiscard]] ImVec4 stage_colour(int stage);
[[nodiscard]] ImVec4 muted_text();
[[nodiscard]] ImVec4 warning_colour();
[[nodiscard]] ImVec4 warning_colour(Theme theme);
/// The background around the picture.
[[nodiscard]] ImVec4 canvas_colour();
[[nodiscard]] ImVec4 canvas_colour(Theme theme);

/// A length in the unit that everything is laid out in: the height of a line of text.
[[nodiscard]] inline float em(float n) {
  return n * ImGui::GetFontSize();
}

}  // namespace threadscape::app
