#include "app/scenes/launch/launch_scene.h"

#include <algorithm>

#include "app/scenes/kernel_choice.h"
#include "app/scenes/picture_navigator.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<KeyHelp, 1> key_help{{{"B / C / T", "cells and threads / cells / threads"}}};

/// The variant that is drawn while another backend than CUDA runs.
constexpr int first_with_launches = 1;

int threads_x(const LaunchDiagram& launch) {
  return launch.block_width * launch.blocks_x;
}
int threads_y(const LaunchDiagram& launch) {
  return launch.block_height * launch.blocks_y;
}

/// The colour of a thread and of its cell: rows of threads alternate, as rows and columns of cells do in some launches.
ImU32 colour_of(int thread_y) {
  return thread_y % 2 == 0 ? accent_ink() : good_ink();
}

std::string pair_text(int a, int b) {
  return std::to_string(a) + "," + std::to_string(b);
}

std::string blocks_text(const LaunchDiagram& launch) {
  return std::to_string(launch.blocks_x) + " x " + std::to_string(launch.blocks_y) + " blocks of " +
         std::to_string(launch.block_width) + " x " + std::to_string(launch.block_height) + " threads";
}

std::string work_text(const LaunchDiagram& launch) {
  return std::to_string(launch.working.size()) + " of " + std::to_string(threads_x(launch) * threads_y(launch)) +
         " threads have work";
}

/// A grid of square boxes, centred in a rectangle below a line of text.
struct Boxes {
  ImVec2 corner;
  float size;
  Boxes(ImVec2 at, ImVec2 room, float title, int columns, int rows)
      : corner(at), size(std::min(room.x / static_cast<float>(columns), (room.y - title) / static_cast<float>(rows))) {
    corner.x += (room.x - size * static_cast<float>(columns)) / 2;
    corner.y += title;
  }
  [[nodiscard]] ImVec2 at(int x, int y) const {
    return {corner.x + size * static_cast<float>(x), corner.y + size * static_cast<float>(y)};
  }
  void draw(ViewCanvas& canvas, int x, int y, ImU32 fill, const std::string& text) const {
    const ImVec2 low = at(x, y), high = at(x + 1, y + 1);
    const float gap = std::max(0.5f, size * 0.04f);
    if (fill != 0) canvas.list().AddRectFilled({low.x + gap, low.y + gap}, {high.x - gap, high.y - gap}, fill);
    if (fill == 0) canvas.list().AddRect({low.x + gap, low.y + gap}, {high.x - gap, high.y - gap}, faint_ink());
    if (!text.empty() && size >= 14.0f)
      canvas.text({(low.x + high.x) / 2, (low.y + high.y) / 2}, text, size * 0.42f, fill_ink(), Align::centre,
                  size * 0.86f);
  }
};

/// Height in pixels of a line of text, chosen by the size of the view.
float text_unit(const ViewCanvas& canvas) {
  return std::clamp(std::min(canvas.width() / 62.0f, canvas.height() / 33.0f), 11.0f, 48.0f);
}

}  // namespace

void LaunchScene::draw_cells(ViewCanvas& canvas, ImVec2 corner, ImVec2 size) const {
  const float unit = text_unit(canvas);
  canvas.text({corner.x + size.x / 2, corner.y + unit * 0.6f}, "Cells of the matrix, with the thread x,y of each",
              unit * 0.95f, ink(), Align::centre, size.x);
  const Boxes boxes(corner, size, 1.8f * unit, launch_->side, launch_->side);
  for (int y = 0; y < launch_->side; ++y)
    for (int x = 0; x < launch_->side; ++x) {
      const bool known = launch_->known[static_cast<std::size_t>(y) * static_cast<std::size_t>(launch_->side) +
                                        static_cast<std::size_t>(x)];
      boxes.draw(canvas, x, y, known ? muted_ink() : 0, "");
    }
  for (const LaunchDiagram::Work& work : launch_->working)
    boxes.draw(canvas, work.x, work.y, colour_of(work.thread_y), pair_text(work.thread_x, work.thread_y));
}

void LaunchScene::draw_threads(ViewCanvas& canvas, ImVec2 corner, ImVec2 size) const {
  const float unit = text_unit(canvas);
  canvas.text({corner.x + size.x / 2, corner.y + unit * 0.6f}, "Threads of the launch, with the cell x,y of each",
              unit * 0.95f, ink(), Align::centre, size.x);
  const int columns = threads_x(*launch_), rows = threads_y(*launch_);
  const Boxes boxes(corner, size, 1.8f * unit, columns, rows);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      boxes.draw(canvas, x, y, 0, "");
  for (const LaunchDiagram::Work& work : launch_->working)
    boxes.draw(canvas, work.thread_x, work.thread_y, colour_of(work.thread_y), pair_text(work.x, work.y));
  for (int y = 0; y < launch_->blocks_y; ++y)
    for (int x = 0; x < launch_->blocks_x; ++x)
      canvas.list().AddRect(boxes.at(x * launch_->block_width, y * launch_->block_height),
                            boxes.at((x + 1) * launch_->block_width, (y + 1) * launch_->block_height), warning_ink(),
                            0.0f, 0, std::max(1.0f, unit * 0.1f));
}

void LaunchScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  const ImVec4 background = canvas_colour();
  target.bind();
  target.clear({background.x, background.y, background.z, 1.0f});
  ViewCanvas canvas(target);
  const float unit = text_unit(canvas);
  launch_.reset();
  drawn_.reset();
  if (const Work* work = live.shown(); work != nullptr && can_show(*work->algorithm)) {
    const auto launch = diagrams_of(*work->algorithm).launch;
    const int kernel = drawn_kernel(*work, view_.as<LaunchView>().kernel, first_with_launches);
    launch_ = launch(work->params, kernel);
    drawn_ = DrawnCode{Backend::cuda, kernel, ""};
    // Behind "Level 4: ".
    if (launch_) drawn_->step = launch_->step.substr(std::min(launch_->step.find(':') + 2, launch_->step.size()));
    if (launch_)
      launch_->title = kernel_title(*work, kernel, launch_->title);
    else
      canvas.text({unit, 1.2f * unit}, "There is no launch for a single step to draw: choose another kernel.", unit,
                  warning_ink(), Align::left, canvas.width() - 2 * unit);
  }
  if (launch_) {
    const float room = canvas.width() - 2 * unit;
    canvas.text({unit, 1.1f * unit}, launch_->title, unit * 1.05f, ink(), Align::left, room);
    canvas.text({unit, 2.5f * unit}, launch_->step + ".   " + blocks_text(*launch_) + "; " + work_text(*launch_),
                unit * 0.95f, accent_ink(), Align::left, room);
    const float top = 3.8f * unit, height = canvas.height() - top - 2.6f * unit;
    const float half = (room - 2 * unit) / 2;
    if (show_ == LaunchShow::both) {
      draw_cells(canvas, {unit, top}, {half, height});
      draw_threads(canvas, {half + 3 * unit, top}, {half, height});
    } else if (show_ == LaunchShow::cells) {
      draw_cells(canvas, {unit, top}, {room, height});
    } else {
      draw_threads(canvas, {unit, top}, {room, height});
    }
    canvas.text({unit, canvas.height() - 1.2f * unit},
                "grey: known before the step; blue and green: even and odd rows of threads; outlines: no work",
                unit * 0.9f, muted_ink(), Align::left, room);
  }
  canvas.finish();
}

void LaunchScene::toolbar(const Workspace& workspace) {
  const std::array<Segment, 3> segments{{{"Both", true, "Cells and threads side by side (B)"},
                                         {"Cells", true, "The cells of the matrix (C)"},
                                         {"Threads", true, "The threads of the launch (T)"}}};
  if (const int clicked = segmented("show", segments, static_cast<int>(show_), em(13)); clicked >= 0)
    show_ = static_cast<LaunchShow>(clicked);
  if (const auto kernel = kernel_list(workspace.wanted(), view_.as<LaunchView>().kernel))
    view_ = ParamBox::of(LaunchView{.kernel = *kernel});
}

void LaunchScene::interact(const LiveView&, ImVec2, ImVec2, bool) {
  if (!keys_are_free()) return;
  constexpr std::array<std::pair<ImGuiKey, LaunchShow>, 3> keys{
      {{ImGuiKey_B, LaunchShow::both}, {ImGuiKey_C, LaunchShow::cells}, {ImGuiKey_T, LaunchShow::threads}}};
  for (const auto& [key, show] : keys)
    if (ImGui::IsKeyPressed(key, false)) show_ = show;
}

std::span<const KeyHelp> LaunchScene::help() const {
  return key_help;
}

void LaunchScene::panel(const Workspace&, const LiveView&, const Fonts& fonts) {
  heading(fonts.strong, "Launch");
  if (!launch_) return;
  ImGui::TextUnformatted(launch_->step.c_str());
  ImGui::TextUnformatted(blocks_text(*launch_).c_str());
  ImGui::TextUnformatted(work_text(*launch_).c_str());
}

std::vector<std::pair<std::string, double>> LaunchScene::figures() const {
  if (!launch_) return {};
  return {{"threads", static_cast<double>(threads_x(*launch_) * threads_y(*launch_))},
          {"working", static_cast<double>(launch_->working.size())}};
}

}  // namespace threadscape::app
