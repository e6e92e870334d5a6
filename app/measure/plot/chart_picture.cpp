#include "app/measure/plot/chart_picture.h"

#include <algorithm>
#include <cmath>

#include "app/measure/chart_layout.h"
#include "app/measure/plot/chart_plot.h"
#include "app/report/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui_context.h"
#include "compute/core/errors.h"
#include "compute/io/pictures/image_file.h"
#include "render/capture.h"

namespace threadscape::app {

namespace {

/// Pushes a font at `factor` times the usual size; null keeps the current font.
void push_font(ImFont* font, float factor) {
  ImGui::PushFont(font, ImGui::GetStyle().FontSizeBase * factor);
}

/// Draws a chart with its title above it and its sentences below.
void draw_part(const Chart& chart, const Fonts& fonts, const std::string& id, float width, float height) {
  const float pad = em(1.0f), inner = width - 2 * pad;
  ImGui::BeginChild(id.c_str(), {width, height}, ImGuiChildFlags_None, ImGuiWindowFlags_NoDecoration);
  ImGui::SetCursorPos({pad, em(0.5f)});
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(pad + inner);
  push_font(fonts.strong, 1.15f);
  ImGui::TextUnformatted(chart.title.c_str());
  ImGui::PopFont();
  push_font(nullptr, 0.88f);
  const std::string notes = joined(sentences_of(chart), "\n");
  const float below = notes.empty() ? 0.0f : ImGui::CalcTextSize(notes.c_str(), nullptr, false, inner).y + em(0.6f);
  ImGui::PopFont();
  FittedAxes fitted;
  draw_chart(chart, {inner, std::max(height - ImGui::GetCursorPosY() - below - em(0.6f), em(12.0f))}, fitted, true);
  push_font(nullptr, 0.88f);
  ImGui::PushStyleColor(ImGuiCol_Text, muted_text());
  if (!notes.empty()) ImGui::TextUnformatted(notes.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  ImGui::EndChild();
}

/// Draws the heading and all charts. Returns the height of the heading in pixels.
float draw_page(const ChartPage& page, const Fonts& fonts, int columns, float width, float height) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, em(0.2f)});
  ImGui::Begin("##page", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoMove);
  const float pad = em(1.0f);
  ImGui::SetCursorPos({pad, em(0.8f)});
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - pad);
  push_font(fonts.strong, 1.5f);
  ImGui::TextUnformatted(page.title.c_str());
  ImGui::PopFont();
  ImGui::TextUnformatted(page.source.c_str());
  if (!page.note.empty()) ImGui::TextUnformatted(page.note.c_str());
  if (!page.machines.empty()) ImGui::TextColored(muted_text(), "Measured on %s", joined(page.machines, "; ").c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  const float heading = std::ceil(ImGui::GetItemRectMax().y + em(0.4f));
  for (std::size_t i = 0; i < page.charts.size(); ++i) {
    const auto column = static_cast<float>(i % static_cast<std::size_t>(columns));
    const auto row = static_cast<float>(i / static_cast<std::size_t>(columns));
    ImGui::SetCursorPos({column * width, heading + row * height});
    draw_part(page.charts[i], fonts, "##chart" + std::to_string(i), width, height);
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  return heading;
}

}  // namespace

void require_pictures() {
  (void)make_headless(16, 16);
}

void save_page(const ChartPage& page, const std::filesystem::path& path, int width, int height) {
  constexpr int max_side = 16384;
  const int count = static_cast<int>(page.charts.size());
  const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  const int rows = (count + columns - 1) / columns;
  constexpr int heading_room = 1024;
  if (columns * width > max_side || rows * height + heading_room > max_side)
    throw UsageError("--size: " + std::to_string(count) + " plots of " + std::to_string(width) + "x" +
                     std::to_string(height) + " make a picture of more than 16384 pixels");
  const auto platform = make_headless(columns * width, rows * height + heading_room);
  UiContext ui(*platform, FontChoice::system, {});
  apply_theme(Theme::light, 1.2f * std::min(static_cast<float>(width) / 960.0f, static_cast<float>(height) / 640.0f));
  // The heading wraps its text, so its height is known only after the first layout. ImPlot aligns axes from the second
  // frame on.
  gl::Framebuffer frame(columns * width, rows * height + heading_room);
  const auto draw = [&] {
    (void)platform->poll(false);
    ui.begin_frame();
    const float heading = draw_page(page, ui.fonts(), columns, static_cast<float>(width), static_cast<float>(height));
    ui.end_frame(frame);
    return heading;
  };
  (void)draw();
  const int heading = std::min(static_cast<int>(draw()), heading_room);
  frame = gl::Framebuffer(columns * width, rows * height + heading);
  platform->resize(columns * width, rows * height + heading);
  for (int i = 0; i < 3; ++i)
    (void)draw();
  platform->context().check("plot");
  io::save_picture(path, render::capture(frame).view(), io::FileColour::rgb);
}

}  // namespace threadscape::app
