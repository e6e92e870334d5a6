#include "app/shell/frame_loop.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/platform/free_memory.h"
#include "compute/core/trace.h"
#include "compute/sketch/sketch_algorithm.h"
#include "render/gl/context_lost.h"

namespace threadscape::app {

namespace {

/// Number of frames drawn after an event: ImGui needs several until hover, layout and popups have settled.
constexpr int frames_after_event = 4;

/// Seconds of a frame above which it takes cores that a run on the CPU needs. A software renderer draws by those cores;
/// with a GPU, most of a frame may be spent on waiting for the screen.
constexpr double slow_frame = 0.025, slow_frame_of_software = 0.005;
/// Seconds within which two clicks are a double click, if frames take no time.
constexpr double double_click_seconds = 0.3;
/// Seconds that a run on the CPU has to itself when frames are slow: no frame is drawn meanwhile, unless the run ends,
/// so that each of many short runs costs one frame, while long runs leave the window answering.
constexpr double head_start = 0.2;
/// Seconds that a sketch is compiled, and that it runs, before a frame shows how far it is.
constexpr double head_start_of_sketch = 0.4;
/// Seconds that a run of a sketch has to itself before the next frame, as long as it takes: who writes the sketch may
/// be typing meanwhile.
constexpr double pause_of_typing = 0.025;

/// Returns whether the sketch of the window is compiled, or its kernels run.
bool works_on_sketch(const Workspace& workspace, const LiveView& live, Window& window) {
  return window.sketch().compiling() || (live.busy() && sketch::has_sketched_kernels(workspace.algorithm()));
}

}  // namespace

void run_frames(Platform& platform, gl::ShaderLibrary& shaders, Workspace& workspace, LiveView& live, Window& window,
                const QuitSignals& signals, const std::function<void()>& after_frame) {
  gl::Framebuffer frame;
  std::string title;
  int awake = frames_after_event;
  const double slow = platform.context().software() ? slow_frame_of_software : slow_frame;
  double frame_seconds = 0.0;  // Of the last frame.
  bool holds_freed = true;     // What was freed since the last return_free_memory() may still be held.
  while (!window.quit_requested() && signals.arrived() == 0) {
    const bool may_sleep = awake == 0;
    const bool plays = window.plays();
    const bool sketched = works_on_sketch(workspace, live, window);
    const bool has_cores = frame_seconds > slow && (live.busy() || sketched) && !live.needs_polling(workspace);
    // The last frames after an event, which only let the layout settle, wait until a sketch is compiled and has run,
    // unless something else happens.
    const bool waits = has_cores && sketched && !Window::item_needs_redraw();
    if (waits)
      platform.gather_events(pause_of_typing);
    else if (has_cores && !sketched)
      platform.gather_events(head_start - live.running_seconds());
    const Input input = platform.poll_for(may_sleep ? window.seconds_to_next() : waits ? head_start_of_sketch : 0.0);
    if (input.close_requested) break;
    // If poll() has waited for the maximum time there was no event; a single frame updates clocks and progress.
    const bool idle = may_sleep && input.delta > Platform::max_wait * 0.9;
    if (may_sleep) awake = (plays && input.only_woken) || idle ? 1 : frames_after_event;
    // The release of a button often arrives while the frames after its press are drawn.
    if (input.events) awake = frames_after_event;
    if (!idle) holds_freed = true;
    if (idle && !live.busy() && std::exchange(holds_freed, false)) return_free_memory();
    if (input.width <= 0 || input.height <= 0) {
      awake = 0;
      continue;
    }
    if (frame.id() == 0 || frame.width() != input.width || frame.height() != input.height)
      frame = gl::Framebuffer(input.width, input.height);

    const auto start = std::chrono::steady_clock::now();
    shaders.poll();
    live.update(workspace);
    // The run of a sketch begins before its frame is drawn, which would take the cores that it needs.
    if (frame_seconds > slow && input.only_woken && window.sketch().take_version(workspace)) {
      live.update(workspace);
      awake = frames_after_event;
      continue;
    }
    window.costs().add(FramePart::results, milliseconds_since(start));
    // The next frame of a moving picture is due, and nothing else has happened: its run begins, and what is drawn is
    // its result.
    if (may_sleep && plays && input.only_woken && window.advance()) {
      live.update(workspace);
      if (!live.needs_polling(workspace)) {
        awake = 0;
        continue;
      }
    }
    {
      const trace::Span span("frame", "frame");
      window.frame(input, frame);
    }
    const auto drawn = std::chrono::steady_clock::now();
    {
      const trace::Span span("to the screen", "frame");
      platform.present(frame);
    }
    gl::require_context();
    window.costs().add(FramePart::shown, milliseconds_since(drawn));
    frame_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    window.sketch().note_frame(frame_seconds * 1e3);
    // ImGui sees a press and its release in frames of their own, so slow frames part the clicks of a double click.
    ImGui::GetIO().MouseDoubleClickTime = static_cast<float>(double_click_seconds + 2 * std::min(frame_seconds, 0.5));
    // A run that the frame has asked for begins now, and the upload of what it has drawn is known to be done. Otherwise
    // one frame more would be drawn for each picture of a video or of a camera that is dragged, by cores that the run
    // needs.
    window.note_shown();
    window.advance();
    const std::uint64_t drawn_version = live.output_version();
    live.update(workspace);
    const bool has_changed = live.output_version() != drawn_version;
    after_frame();

    const auto source = workspace.source();
    std::string wanted =
        (source && !source->path.empty() ? source->path.filename().string() + " - " : std::string{}) + "Threadscape";
    if (wanted != title) platform.set_title(title = std::move(wanted));
    awake = has_changed || window.needs_redraw() ? std::max(awake - 1, 1) : awake - 1;
  }
}

}  // namespace threadscape::app
