#include "app/ui/theme.h"

#include <implot.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>

namespace threadscape::app {

namespace {

constexpr std::array font_sizes{11.0f, 15.0f, 20.0f};  // Of TypeSize.
constexpr float font_size = font_sizes[1];
Theme current_theme = Theme::dark;

ImVec4 rgb(unsigned hex, float alpha = 1.0f) {
  return {((hex >> 16) & 255) / 255.0f, ((hex >> 8) & 255) / 255.0f, (hex & 255) / 255.0f, alpha};
}

/// Loads a font whose digits all have the advance of the widest one, so that numbers that change do not move what
/// stands beside them. Returns null if the file is no font.
ImFont* tabular_font(const char* path) {
  static constexpr std::array<ImWchar, 3> digits{'0', '9', 0};
  static constexpr std::array<ImWchar, 5> others{0x01, '0' - 1, '9' + 1, 0xffff, 0};
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFont* const measured = atlas.AddFontFromFileTTF(path, font_size);
  if (measured == nullptr) return nullptr;
  float widest = 0.0f;
  for (ImWchar digit = '0'; digit <= '9'; ++digit)
    widest = std::max(widest, measured->GetFontBaked(font_size)->GetCharAdvance(digit));
  atlas.RemoveFont(measured);
  ImFontConfig letters;
  letters.GlyphExcludeRanges = digits.data();
  ImFont* const font = atlas.AddFontFromFileTTF(path, font_size, &letters);
  ImFontConfig figures;
  figures.MergeMode = true;
  figures.GlyphExcludeRanges = others.data();
  figures.GlyphMinAdvanceX = figures.GlyphMaxAdvanceX = widest;
  atlas.AddFontFromFileTTF(path, font_size, &figures);
  return font;
}

ImFont* first_font(std::initializer_list<const char*> paths) {
  for (const char* path : paths) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) continue;
    if (ImFont* font = tabular_font(path)) return font;
  }
  return nullptr;
}

struct Palette {
  ImVec4 canvas, window, panel, popup, raised, hover, active, border, text, muted, accent, warning;
};

Palette palette_of(Theme theme) {
  // A field differs from the panel and the popup behind it by a contrast of 1.4, and text of every colour from what is
  // behind it by 4.5, as WCAG 2.1 counts; the test of the theme states where.
  if (theme == Theme::dark)
    return {.canvas = rgb(0x101216),
            .window = rgb(0x171a20),
            .panel = rgb(0x1d2128),
            .popup = rgb(0x14171c),
            .raised = rgb(0x363d49),
            .hover = rgb(0x414957),
            .active = rgb(0x4c5564),
            .border = rgb(0x000000, 0.45f),
            .text = rgb(0xe6eaf0),
            .muted = rgb(0xa9b2c0),
            .accent = rgb(0x6aa8f8),
            .warning = rgb(0xf2ab6b)};
  return {.canvas = rgb(0xffffff),
          .window = rgb(0xe8eaee),
          .panel = rgb(0xf3f4f6),
          .popup = rgb(0xfbfcfd),
          .raised = rgb(0xcacfd6),
          .hover = rgb(0xbcc3cc),
          .active = rgb(0xadb6c1),
          .border = rgb(0x1a2230, 0.16f),
          .text = rgb(0x161b22),
          .muted = rgb(0x4a5361),
          .accent = rgb(0x1d58b0),
          .warning = rgb(0x8a4204)};
}

ImVec4 faded(ImVec4 colour, float alpha) {
  colour.w = alpha;
  return colour;
}

/// Sets the lengths of the style, in pixels at scale 1.
void set_metrics(ImGuiStyle& style) {
  style.WindowPadding = {8, 8};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 8};
  style.ItemInnerSpacing = {4, 4};
  style.CellPadding = {8, 4};
  style.WindowRounding = 0;
  style.ChildRounding = 4;
  style.FrameRounding = 4;
  style.PopupRounding = 6;
  style.GrabRounding = 4;
  style.TabRounding = 4;
  style.ScrollbarRounding = 6;
  style.ScrollbarSize = 11;
  style.GrabMinSize = 10;
  style.WindowBorderSize = 0;
  style.FrameBorderSize = 0;
  style.PopupBorderSize = 1;
  style.TabBarBorderSize = 1;
  style.DockingSeparatorSize = 3;
  style.SeparatorTextBorderSize = 1;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.DisabledAlpha = 0.45f;
}

void set_colours(ImGuiStyle& style, Theme theme, const Palette& p) {
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = p.text;
  c[ImGuiCol_TextDisabled] = p.muted;
  c[ImGuiCol_WindowBg] = p.panel;
  c[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  // Fields are drawn in the colour `raised`, so popups must have another one.
  c[ImGuiCol_PopupBg] = p.popup;
  c[ImGuiCol_Border] = theme == Theme::dark ? p.active : p.border;
  c[ImGuiCol_FrameBg] = p.raised;
  c[ImGuiCol_FrameBgHovered] = p.hover;
  c[ImGuiCol_FrameBgActive] = p.active;
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = p.window;
  c[ImGuiCol_MenuBarBg] = p.window;
  c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  c[ImGuiCol_ScrollbarGrab] = p.hover;
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = p.active;
  c[ImGuiCol_CheckMark] = p.accent;
  c[ImGuiCol_TextLink] = p.accent;
  c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = p.accent;
  c[ImGuiCol_Button] = p.raised;
  c[ImGuiCol_ButtonHovered] = p.hover;
  c[ImGuiCol_ButtonActive] = p.active;
  c[ImGuiCol_Header] = faded(p.accent, 0.28f);
  c[ImGuiCol_HeaderHovered] = faded(p.accent, 0.18f);
  c[ImGuiCol_HeaderActive] = faded(p.accent, 0.40f);
  c[ImGuiCol_Separator] = p.border;
  c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = p.accent;
  c[ImGuiCol_ResizeGrip] = {0, 0, 0, 0};
  c[ImGuiCol_Tab] = p.window;
  c[ImGuiCol_TabHovered] = p.hover;
  c[ImGuiCol_TabSelected] = p.panel;
  c[ImGuiCol_TabSelectedOverline] = p.accent;
  c[ImGuiCol_TabDimmed] = p.window;
  c[ImGuiCol_TabDimmedSelected] = p.panel;
  c[ImGuiCol_TabDimmedSelectedOverline] = faded(p.accent, 0.5f);
  c[ImGuiCol_DockingPreview] = faded(p.accent, 0.5f);
  c[ImGuiCol_DockingEmptyBg] = p.canvas;
  c[ImGuiCol_PlotHistogram] = faded(p.accent, 0.35f);  // The percentage of a bar stands on it.
  c[ImGuiCol_TextSelectedBg] = faded(p.accent, 0.35f);
  c[ImGuiCol_TableHeaderBg] = p.window;
  c[ImGuiCol_TableBorderLight] = c[ImGuiCol_TableBorderStrong] = p.border;
  c[ImGuiCol_TableRowBgAlt] = faded(p.text, 0.03f);
  c[ImGuiCol_NavCursor] = p.accent;
  c[ImGuiCol_ModalWindowDimBg] = rgb(0x000000, 0.45f);
}

void set_plot_style(const Palette& p, float scale) {
  ImPlotStyle& plot = ImPlot::GetStyle();
  plot = ImPlotStyle{};
  ImPlot::StyleColorsAuto(&plot);
  plot.PlotPadding = {8 * scale, 6 * scale};
  plot.PlotBorderSize = 0;
  plot.LegendPadding = {6 * scale, 4 * scale};
  plot.LabelPadding = {4 * scale, 3 * scale};
  plot.Colors[ImPlotCol_FrameBg] = {0, 0, 0, 0};
  plot.Colors[ImPlotCol_PlotBg] = p.window;
  plot.Colors[ImPlotCol_AxisGrid] = faded(p.text, 0.10f);
  plot.Colors[ImPlotCol_AxisText] = p.muted;
  plot.Colors[ImPlotCol_LegendBg] = faded(p.panel, 0.85f);
  plot.Colors[ImPlotCol_LegendBorder] = {0, 0, 0, 0};
}

}  // namespace

float pixels_of(TypeSize size) {
  return font_sizes[static_cast<std::size_t>(size)];
}

void push_type(TypeSize size, ImFont* font) {
  ImGui::PushFont(font, ImGui::GetStyle().FontSizeBase * pixels_of(size) / font_size);
}

Fonts load_fonts(FontChoice choice) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  Fonts fonts;
  if (choice == FontChoice::built_in) {
    fonts.regular = fonts.strong = fonts.mono = atlas.AddFontDefault();
    return fonts;
  }
  fonts.regular = first_font({"/usr/share/fonts/opentype/inter/Inter-Regular.otf",
                              "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
                              "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"});
  if (fonts.regular == nullptr) fonts.regular = atlas.AddFontDefault();
  fonts.strong = first_font({"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
                             "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
                             "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"});
  if (fonts.strong == nullptr) fonts.strong = fonts.regular;
  fonts.mono = first_font({"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"});
  if (fonts.mono == nullptr) fonts.mono = fonts.regular;
  return fonts;
}

ImFont* mono_font() {
  for (ImFont* const font : ImGui::GetIO().Fonts->Fonts)
    if (std::string_view(font->GetDebugName()).find("Mono") != std::string_view::npos) return font;
  return ImGui::GetFont();
}

void apply_theme(Theme theme, float scale) {
  current_theme = theme;
  const Palette p = palette_of(theme);
  ImGuiStyle style;  // A default style, so that repeated scaling does not accumulate.
  if (theme == Theme::dark)
    ImGui::StyleColorsDark(&style);
  else
    ImGui::StyleColorsLight(&style);

  set_metrics(style);
  style.ScaleAllSizes(scale);
  style.FontSizeBase = font_size;
  style.FontScaleDpi = scale;
  set_colours(style, theme, p);
  // The whole style is replaced, so other code must not store settings in it.
  ImGui::GetStyle() = style;
  set_plot_style(p, scale);
}

ImVec4 theme_colour(Theme theme, ImGuiCol colour) {
  ImGuiStyle style;
  set_colours(style, theme, palette_of(theme));
  return style.Colors[colour];
}

ImVec4 backend_colour(Backend backend) {
  return backend_colour(current_theme, backend);
}

ImVec4 backend_colour(Theme theme, Backend backend) {
  static constexpr std::array<unsigned, 3> dark{0xe3a857, 0x6aa8f8, 0x7ac678};
  static constexpr std::array<unsigned, 3> light{0x84530c, 0x1d58b0, 0x1f6b2a};
  return rgb((theme == Theme::dark ? dark : light)[static_cast<std::size_t>(backend)]);
}

ImVec4 stage_colour(int stage) {
  static constexpr std::array<unsigned, 12> colours{0x9b7fe6, 0x4fb3a9, 0xd9789c, 0xcfb15a, 0x5b9df5, 0xb5761a,
                                                    0x9fd67a, 0x8a3f6b, 0xe8743b, 0x2f8f3c, 0x88ccee, 0x9a9a9a};
  return rgb(colours[static_cast<std::size_t>(stage) % colours.size()]);
}

ImVec4 muted_text() {
  return ImGui::GetStyle().Colors[ImGuiCol_TextDisabled];
}
ImVec4 warning_colour() {
  return warning_colour(current_theme);
}
ImVec4 warning_colour(Theme theme) {
  return palette_of(theme).warning;
}
ImVec4 canvas_colour() {
  return canvas_colour(current_theme);
}
ImVec4 canvas_colour(Theme theme) {
  return palette_of(theme).canvas;
}

}  // namespace threadscape::app
