#include "app/panels/video/video_panel.h"

#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// A name with its explanation and a value, in the next two columns of the table with the times.
void cell(const char* name, const std::string& value, const char* explanation) {
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  if (ImGui::IsItemHovered()) tooltip(explanation);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

/// The first two columns of a new row.
void row(const char* name, const std::string& value, const char* explanation) {
  ImGui::TableNextRow();
  cell(name, value, explanation);
}

double last_of(const std::vector<double>& times) {
  return times.empty() ? 0.0 : times.back();
}

}  // namespace

void VideoPanel::draw(Desk& desk) {
  FramePlayer& player = desk.moving().player();
  const FrameCosts& costs = desk.costs();
  const auto now = FramePlayer::Clock::now();
  if (const auto known = player.info())
    ImGui::TextUnformatted(elided(known->what, ImGui::GetContentRegionAvail().x).c_str());
  bool every = player.shows_every_frame();
  if (ImGui::Checkbox("show every frame", &every)) player.show_every_frame(every);
  if (ImGui::IsItemHovered())
    tooltip("No frame is dropped: the video plays slower where the computer is not fast enough");
  if (ImGui::BeginTable("video", 4, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg)) {
    const auto rate = [](double per_second) { return format_value(per_second) + " /s"; };
    const TimingSample* const last = desk.workspace().timings.latest();
    const StageTimes times = last != nullptr ? last->times : StageTimes{};
    const double drawn = last_of(costs.of(FramePart::panels)) + last_of(costs.of(FramePart::picture)) +
                         last_of(costs.of(FramePart::interface)) + last_of(costs.of(FramePart::shown));
    row("in", rate(player.decoded_per_second(now)), "Frames that were decoded in the last second");
    cell("decode", format_ms(player.decode_ms()),
         "Decoding a frame and converting it to a picture, on a thread of its own");
    row("out", rate(player.shown_per_second(now)), "Frames whose results were on the screen in the last second");
    cell("upload", format_ms(times.upload_ms),
         "Copying the frame to the device of CUDA, and converting it there; the copy overlaps the frame before");
    row("latency", format_ms(player.latency_ms()), "From the decoded frame to its result on the screen");
    cell("kernels", format_ms(times.compute_ms), "The algorithm itself");
    row("display delay", format_ms(player.turn_ms()), "The part of the latency since the frame was due");
    cell("present", format_ms(times.present_ms + times.download_ms), "Copying the result to the texture that is drawn");
    row("ahead", std::to_string(player.ready()) + " frames", "Frames that are decoded and wait for their turn");
    cell("draw", format_ms(drawn), "Drawing the window and showing it");
    ImGui::EndTable();
  }
}

}  // namespace threadscape::app
