// What the window does with moving pictures: the bar that plays them, the tab with their times, and the list of
// sources.

#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/window/notices.h"
#include "app/window/widgets/widgets.h"
#include "app/window/window.h"
#include "compute/core/convert.h"
#include "compute/io/file_extension.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"
#include "compute/kernel/views.h"
#include "render/capture.h"

namespace threadscape::app {

namespace {

/// A name with its explanation and a value, in the next two columns of the table with the times.
void figure_cell(const char* name, const std::string& value, const char* explanation) {
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  if (ImGui::IsItemHovered()) tooltip(explanation);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

/// The first two columns of a new row.
void figure_row(const char* name, const std::string& value, const char* explanation) {
  ImGui::TableNextRow();
  figure_cell(name, value, explanation);
}

double last_of(const std::vector<double>& times) {
  return times.empty() ? 0.0 : times.back();
}

}  // namespace

bool Window::plays() const {
  const FramePlayer& player = moving_.player();
  return player.playing() || player.awaits() || player.seconds_to_next(FramePlayer::Clock::now()).has_value();
}

double Window::seconds_to_next() const {
  return std::min(moving_.player().seconds_to_next(FramePlayer::Clock::now()).value_or(Platform::max_wait),
                  Platform::max_wait);
}

float Window::transport_height(float width) const {
  return moving_.active() && moving_.why_ignored().empty() ? TransportBar::height(width) : 0.0f;
}

void Window::draw_transport() {
  const float width = ImGui::GetContentRegionAvail().x;
  if (transport_height(width) == 0) return;
  const float button = em(5.2f);
  const float left = ImGui::GetCursorPosX();
  TransportBar::draw(moving_.player(), width, button + ImGui::GetStyle().ItemSpacing.x);
  ImGui::SameLine(left + width - button);
  draw_record_button();
}

void Window::draw_record_button() {
  const float width = ImGui::GetContentRegionAvail().x;
  if (recorder_) {
    const std::string label = recorder_->stopped() ? "Ending" : "Stop " + std::to_string(recorder_->frames());
    ImGui::PushStyleColor(ImGuiCol_Text, warning_colour());
    ImGui::BeginDisabled(recorder_->stopped());
    if (ImGui::Button((label + "###record").c_str(), {width, 0})) stop_recording();
    ImGui::EndDisabled();
    ImGui::PopStyleColor();
    if (ImGui::IsItemHovered())
      tooltip("Recording " + recorder_->path().string() + ": " + std::to_string(recorder_->frames()) + " frames");
    return;
  }
  if (ImGui::Button("Record###record", {width, 0})) ImGui::OpenPopup("record what");
  if (ImGui::IsItemHovered())
    tooltip("Write each frame from now on into a video while it is shown; none is dropped meanwhile");
  if (!ImGui::BeginPopup("record what")) return;
  if (ImGui::MenuItem("The result...")) ask_record(false);
  if (ImGui::MenuItem("The view...")) ask_record(true);
  ImGui::EndPopup();
}

void Window::ask_record(bool view) {
  const auto picture = workspace_.picture();
  const std::string stem = picture ? io::stem_of(picture->path) : std::string("moving");
  std::vector<std::string> extensions;
  for (const std::string_view extension : io::frame_extensions())
    extensions.emplace_back(extension);
  const std::string name = (stem == "test:" ? "test" : stem) + "-" + std::string(workspace_.algorithm().name);
  files_.open(
      view ? "Record the view" : "Record the result", FileBrowser::Purpose::save_picture,
      [this, view](const std::filesystem::path& path) {
        record(path, view);
        return FileBrowser::Progress::done;
      },
      name + extensions.front(), extensions);
}

void Window::record(const std::filesystem::path& path, bool view) {
  if (recorder_) throw UsageError("another recording is going on: stop it first");
  if (!moving_.active()) throw UsageError("there is nothing to record: open a video, a camera or the test scene");
  FramePlayer& player = moving_.player();
  const auto known = player.info();
  io::FrameWriterOptions options{.frames_per_second = known ? known->frames_per_second : 25.0};
  const bool from_start = player.index() == 0;
  if (known && known->audio) {
    const std::string why = !from_start ? "the recording does not begin with the first frame" : io::why_no_sound(path);
    if (why.empty())
      options.sound_from = workspace_.picture()->path;
    else
      workspace_.log.info("the recording has no sound: " + why);
  }
  recorder_ = std::make_unique<FrameRecorder>(path, options, [this] { platform_.wake(); });
  // Frames that are shown from now on are recorded. The first one is on display already, unless its result is awaited.
  if (!options.sound_from.empty() && !player.awaits()) player.seek(0);
  records_view_ = view;
  every_before_ = moving_.player().shows_every_frame();
  moving_.player().show_every_frame(true);
}

void Window::stop_recording() {
  if (!recorder_ || recorder_->stopped()) return;
  recorder_->stop();
  recorder_->update();
  moving_.player().show_every_frame(every_before_);
}

void Window::record_shown() {
  try {
    if (records_view_)
      return recorder_->add(render::begin_capture(view_), [](HostIn rows) { return render::flip_rows(rows); });
    if (live_.output() == nullptr) return;
    const auto to_frame = [](HostIn result) {
      const bool exact = result.shape.element == Element::u8 || result.shape.element == Element::u16;
      if (!exact) return convert_picture(result, Element::u8);
      HostArray frame(result.shape);
      copy(result, frame.view());
      return frame;
    };
    if (std::optional<SceneResult> shown = scene().result(live_))
      recorder_->add(std::move(shown->contents), [to_frame, convert = std::move(shown->convert)](HostIn contents) {
        const HostArray result = convert(contents);
        return to_frame(result.view());
      });
    else
      recorder_->add(live_.output()->begin_read(), to_frame);
  } catch (const Error& error) {
    workspace_.log.error("the recording ends: " + std::string(error.what()));
    stop_recording();
  }
}

void Window::end_recording() {
  const std::string file = recorder_->path().string();
  const std::string frames = std::to_string(recorder_->frames()) + " frames";
  if (recorder_->failed()) {
    workspace_.log.error("the recording has ended after " + frames + ": " + recorder_->trouble());
  } else {
    workspace_.log.info("recorded " + file + ", " + frames, {{Offer::Action::copy_text, "Copy path", file}});
    if (!recorder_->trouble().empty()) workspace_.log.warning(recorder_->trouble());
  }
  if (!recorder_->stopped()) moving_.player().show_every_frame(every_before_);
  recorder_.reset();
}

bool Window::advance() {
  if (recorder_) {
    recorder_->update();
    if (recorder_->ended()) end_recording();
  }
  if (recorder_ && !moving_.active()) stop_recording();
  moving_.hold(recorder_ && recorder_->full());
  return moving_.update(workspace_, live_);
}

void Window::note_shown() {
  const std::int64_t before = moving_.player().kept();
  moving_.drawn(workspace_, live_);
  if (recorder_ && moving_.player().kept() > before && live_.shows_wanted(workspace_)) record_shown();
}

void Window::draw_ignored(ImVec2 low, float width) {
  if (!moving_.active() || moving_.why_ignored().empty() || !workspace_.problem().empty()) return;
  const AlgorithmInfo& other = workspace_.picture_algorithm();
  const std::vector<Offer> offers{
      {Offer::Action::choose_algorithm, "Use " + std::string(other.title), std::string(other.name)}};
  if (const auto offer = draw_refusal(moving_.why_ignored(), offers, low, width)) accept(*offer);
}

void Window::compare_with_b() {
  if (!workspace_.slot.filled()) return live_.compare_with({}, nullptr);
  std::optional<Work> work = workspace_.slot.work();
  std::shared_ptr<const Source> data = workspace_.slot.source();
  const auto picture = workspace_.picture();
  if (work && data && picture && picture->stream == data->id) {
    data = picture;
    work->source_id = picture->id;
  }
  live_.compare_with(std::move(work), std::move(data));
}

void Window::draw_moving_sources() {
  if (ImGui::IsWindowAppearing() || moving_sources_.empty()) moving_sources_ = io::frame_source_kinds();
  for (const io::FrameSourceKind& kind : moving_sources_) {
    const bool usable = kind.why.empty();
    if (ImGui::MenuItem(kind.name.c_str(), nullptr, false, usable)) {
      if (!kind.open.empty())
        open(kind.open);
      else
        ask_open();
    }
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      tooltip(!usable ? kind.why : kind.open.empty() ? "Choose a file" : "Open " + kind.open);
  }
}

void Window::draw_video() {
  if (!moving_.active()) return;
  const ImGuiWindow* const timings = ImGui::FindWindowByName("Timings###timings");
  if (timings != nullptr && timings->DockId != 0) ImGui::SetNextWindowDockID(timings->DockId, ImGuiCond_FirstUseEver);
  constexpr const char* title = "Video###video";
  if (ImGui::Begin(title, nullptr, ImGuiWindowFlags_NoFocusOnAppearing)) {
    FramePlayer& player = moving_.player();
    const auto now = FramePlayer::Clock::now();
    if (const auto known = player.info())
      ImGui::TextUnformatted(elided(known->what, ImGui::GetContentRegionAvail().x).c_str());
    bool every = player.shows_every_frame();
    if (ImGui::Checkbox("show every frame", &every)) player.show_every_frame(every);
    if (ImGui::IsItemHovered())
      tooltip("No frame is dropped: the video plays slower where the computer is not fast enough");
    if (ImGui::BeginTable("video", 4, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg)) {
      const auto rate = [](double per_second) { return format_value(per_second) + " /s"; };
      const TimingSample* const last = workspace_.timings.latest();
      const StageTimes times = last != nullptr ? last->times : StageTimes{};
      const double drawn = last_of(costs_.of(FramePart::panels)) + last_of(costs_.of(FramePart::picture)) +
                           last_of(costs_.of(FramePart::interface)) + last_of(costs_.of(FramePart::shown));
      figure_row("in", rate(player.decoded_per_second(now)), "Frames that were decoded in the last second");
      figure_cell("decode", format_ms(player.decode_ms()),
                  "Decoding a frame and converting it to a picture, on a thread of its own");
      figure_row("out", rate(player.shown_per_second(now)),
                 "Frames whose results were on the screen in the last second");
      figure_cell(
          "upload", format_ms(times.upload_ms),
          "Copying the frame to the device of CUDA, and converting it there; the copy overlaps the frame before");
      figure_row("latency", format_ms(player.latency_ms()), "From the decoded frame to its result on the screen");
      figure_cell("kernels", format_ms(times.compute_ms), "The algorithm itself");
      figure_row("its turn", format_ms(player.turn_ms()), "The part of the latency since the frame was due");
      figure_cell("present", format_ms(times.present_ms + times.download_ms),
                  "Copying the result to the texture that is drawn");
      figure_row("ahead", std::to_string(player.ready()) + " frames",
                 "Frames that are decoded and wait for their turn");
      figure_cell("draw", format_ms(drawn), "Drawing the window and showing it");
      ImGui::EndTable();
    }
  }
  ImGui::End();
  const ImGuiWindow* const window = ImGui::FindWindowByName(title);
  if (wanted_panel_ == video_panel_name && window != nullptr && window->WasActive) {
    ImGui::SetWindowFocus(title);
    wanted_panel_ = {};
  }
}

}  // namespace threadscape::app
