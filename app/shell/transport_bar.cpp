#include "app/shell/transport_bar.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// Width of a view, in heights of the text, from which everything stands in one row.
constexpr float wide = 62.0f;

bool in_one_row(float width) {
  return width >= em(wide);
}

}  // namespace

std::string format_time(double seconds) {
  std::array<char, 48> text{};
  const double minutes = std::floor(seconds / 60);
  if (minutes < 1)
    std::snprintf(text.data(), text.size(), "%.2f s", seconds);
  else
    std::snprintf(text.data(), text.size(), "%.0f:%04.1f", minutes, std::min(seconds - minutes * 60, 59.9));
  return text.data();
}

float TransportBar::height(float width) {
  const float rows = in_one_row(width) ? 1.0f : 2.0f;
  return rows * (ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y);
}

void TransportBar::draw(FramePlayer& player, float width, float reserved) {
  ImGui::PushID("transport");
  draw_buttons(player);
  ImGui::SameLine();
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  if (in_one_row(width)) {
    draw_scrub(player, std::max(ImGui::GetContentRegionAvail().x - em(28) - reserved - spacing, em(6)));
    ImGui::SameLine();
  } else {
    draw_scrub(player, ImGui::GetContentRegionAvail().x);
  }
  draw_details(player, reserved);
  ImGui::PopID();
}

void TransportBar::draw_buttons(FramePlayer& player) {
  const auto known = player.info();
  const bool seekable = known && known->seekable;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x * 0.5f;
  ImGui::BeginDisabled(!seekable);
  if (ImGui::ArrowButton("back", ImGuiDir_Left)) player.step(-1);
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip(seekable || !known ? "The frame before (J)" : "A camera shows only what it sees now");
  ImGui::SameLine(0, gap);
  if (ImGui::Button(player.playing() ? "Pause" : "Play", {em(3.6f), 0})) {
    if (player.playing())
      player.pause();
    else
      player.play(FramePlayer::Clock::now());
  }
  if (ImGui::IsItemHovered()) tooltip("Play the moving picture, or stand still (V)");
  ImGui::SameLine(0, gap);
  if (ImGui::ArrowButton("forward", ImGuiDir_Right)) player.step(1);
  if (ImGui::IsItemHovered()) tooltip("The next frame (L)");
  ImGui::SameLine();
  bool loop = player.loop();
  ImGui::BeginDisabled(!seekable);
  if (ImGui::Checkbox("loop", &loop)) player.set_loop(loop);
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip("Behind the last frame the first one follows (Shift+V)");
}

void TransportBar::draw_scrub(FramePlayer& player, float width) {
  const auto known = player.info();
  if (!known || !known->seekable || known->frames < 2) {
    const std::string text = known ? "frame " + std::to_string(player.index() + 1) : "opening";
    ImGui::SetNextItemWidth(width);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(elided(text, width).c_str());
    // The next item stands where it would stand behind a slider.
    ImGui::SameLine(0, std::max(0.0f, width - ImGui::CalcTextSize(text.c_str()).x));
    ImGui::Dummy({0, 0});
    return;
  }
  const auto last = static_cast<int>(std::min<std::int64_t>(known->frames, std::numeric_limits<int>::max()));
  int number = static_cast<int>(std::min<std::int64_t>(player.aim() + 1, last));
  const std::string format = "%d of " + std::to_string(last);
  ImGui::SetNextItemWidth(width);
  if (slider_int("##scrub", &number, 1, last, format.c_str(), ImGuiSliderFlags_AlwaysClamp)) player.seek(number - 1);
  if (ImGui::IsItemHovered()) tooltip("Any frame: drag, or double-click to type its number");
}

void TransportBar::draw_details(FramePlayer& player, float reserved) {
  const auto known = player.info();
  std::string time = format_time(player.seconds());
  if (known && known->frames > 0)
    time += " of " + format_time(static_cast<double>(known->frames) / std::max(known->frames_per_second, 1e-3));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(time.c_str());
  if (ImGui::IsItemHovered()) tooltip("The time of the frame in the moving picture");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(em(4.6f));
  auto speed = static_cast<float>(player.speed());
  if (slider_float("##speed", &speed, static_cast<float>(FramePlayer::min_speed),
                   static_cast<float>(FramePlayer::max_speed), "%.3gx",
                   ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
    player.set_speed(static_cast<double>(speed), FramePlayer::Clock::now());
  if (ImGui::IsItemHovered()) tooltip("Speed in times of its own; double-click to type it");
  ImGui::SameLine();
  const std::string counts = std::to_string(player.kept()) + " shown, " + std::to_string(player.dropped()) + " dropped";
  // Where there is no room for both, the number of dropped frames says whether the computer is fast enough.
  const float room = ImGui::GetContentRegionAvail().x - reserved;
  const bool fits = ImGui::CalcTextSize(counts.c_str()).x <= room;
  const std::string fitting = elided(fits ? counts : std::to_string(player.dropped()) + " dropped", room);
  if (player.dropped() > 0)
    ImGui::TextColored(warning_colour(), "%s", fitting.c_str());
  else
    ImGui::TextDisabled("%s", fitting.c_str());
  if (ImGui::IsItemHovered())
    tooltip(counts +
            ": frames are left out whose time has passed before the one ahead of them was on the screen. The tab Video "
            "has a switch that shows every frame.");
}

void TransportBar::keys(FramePlayer& player) {
  const bool shift = modifier_held(ImGuiMod_Shift);
  const auto known = player.info();
  const bool seekable = known && known->seekable;
  if (ImGui::IsKeyPressed(ImGuiKey_V, false)) {
    if (shift)
      player.set_loop(!player.loop());
    else if (player.playing())
      player.pause();
    else
      player.play(FramePlayer::Clock::now());
  }
  if (ImGui::IsKeyPressed(ImGuiKey_J) && seekable) {
    player.pause();
    shift ? player.seek(0) : player.step(-1);
  }
  if (ImGui::IsKeyPressed(ImGuiKey_L)) player.step(1);
}

}  // namespace threadscape::app
