// Moving pictures on the desk: their times, recordings, and the comparison with B.

#include <algorithm>
#include <utility>

#include "app/shell/desk.h"
#include "compute/core/convert.h"
#include "compute/io/file_extension.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"
#include "compute/kernel/views.h"
#include "render/capture.h"

namespace threadscape::app {

bool Desk::plays() const {
  const FramePlayer& player = moving_.player();
  return player.playing() || player.awaits() || player.seconds_to_next(FramePlayer::Clock::now()).has_value();
}

double Desk::seconds_to_next() const {
  return std::min(moving_.player().seconds_to_next(FramePlayer::Clock::now()).value_or(Platform::max_wait),
                  Platform::max_wait);
}

void Desk::ask_record(bool view) {
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

void Desk::record(const std::filesystem::path& path, bool view) {
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

void Desk::stop_recording() {
  if (!recorder_ || recorder_->stopped()) return;
  recorder_->stop();
  recorder_->update();
  moving_.player().show_every_frame(every_before_);
}

void Desk::record_shown() {
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

void Desk::end_recording() {
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

bool Desk::advance() {
  follow_kernel_line();
  if (recorder_) {
    recorder_->update();
    if (recorder_->ended()) end_recording();
  }
  if (recorder_ && !moving_.active()) stop_recording();
  moving_.hold(recorder_ && recorder_->full());
  return moving_.update(workspace_, live_);
}

void Desk::note_shown() {
  const std::int64_t before = moving_.player().kept();
  moving_.drawn(workspace_, live_);
  if (recorder_ && moving_.player().kept() > before && live_.shows_wanted(workspace_)) record_shown();
}

void Desk::compare_with_b() {
  if (!workspace_.slot.filled()) {
    // A sketch is compared with the algorithm that it names.
    std::optional<Work> checked = sketch_.reference(workspace_.work());
    std::shared_ptr<const Source> input = checked ? workspace_.source() : nullptr;
    return live_.compare_with(std::move(checked), std::move(input));
  }
  std::optional<Work> work = workspace_.slot.work();
  std::shared_ptr<const Source> data = workspace_.slot.source();
  const auto picture = workspace_.picture();
  if (work && data && picture && picture->stream == data->id) {
    data = picture;
    work->source_id = picture->id;
  }
  live_.compare_with(std::move(work), std::move(data));
}

}  // namespace threadscape::app
