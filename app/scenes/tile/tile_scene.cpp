#include "app/scenes/tile/tile_scene.h"

#include <algorithm>
#include <cmath>

#include "app/scenes/kernel_choice.h"
#include "app/scenes/picture_navigator.h"
#include "app/ui/widgets.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

constexpr std::array<KeyHelp, 2> key_help{{
    {"T / C", "what a thread copies / the turns in which values are copied"},
    {"mouse over the block", "marks the thread of that pixel"},
}};

/// Height in pixels of a line of text, chosen by the size of the view.
float line_of_text(const ViewCanvas& canvas) {
  return std::clamp(std::min(canvas.width() / 62.0f, canvas.height() / 33.0f), 11.0f, 48.0f);
}

/// The first CUDA variant with a tile, which is drawn while another backend runs.
int first_with_tile(const AlgorithmInfo& algorithm, const ParamBox& params, const Shape& input) {
  const auto count = static_cast<int>(algorithm.variants_of(Backend::cuda).size());
  for (int variant = 0; variant < count; ++variant)
    if (diagrams_of(algorithm).tile(params, input, variant)) return variant;
  return 0;
}

std::string size_text(const TileDiagram& tile) {
  return std::to_string(tile.width()) + " x " + std::to_string(tile.height()) + " values of " +
         std::to_string(tile.value_bytes) + (tile.value_bytes == 1 ? " byte = " : " bytes = ") +
         format_grouped(tile.bytes()) + " bytes of shared memory";
}

int halo_values(const TileDiagram& tile) {
  return tile.values() - tile.block_width * tile.block_height;
}

/// What the block reads from global memory with the tile, and what its threads would read without it.
std::string reads_text(const TileDiagram& tile) {
  const double reads = static_cast<double>(tile.block_width * tile.block_height) * tile.window_values;
  // A tile without rows above and below is copied again for each row of the window.
  const bool by_rows = tile.height() == tile.block_height && tile.window_values > tile.left + tile.right + 1;
  const std::string with_tile = format_grouped(tile.values()) + " values read from global memory" +
                                (by_rows ? " for each row of the element" : "");
  return with_tile + "; without a tile " + format_grouped(static_cast<std::int64_t>(reads)) +
         (by_rows ? " for all rows" : "");
}

}  // namespace

/// Grey for what other threads copy. In turns, neighbouring rectangles of the size of the block differ.
ImU32 TileScene::colour_at(int x, int y) const {
  const TileDiagram& tile = *tile_;
  const int turn_x = x / tile.block_width, turn_y = y / tile.block_height;
  if (show_ == TileShow::turns) {
    const std::array inks{accent_ink(), good_ink(), warning_ink(), muted_ink()};
    return inks[static_cast<std::size_t>(turn_x % 2 + 2 * (turn_y % 2))];
  }
  const TileView& view = view_.as<TileView>();
  const bool own = x % tile.block_width == view.thread_x && y % tile.block_height == view.thread_y;
  return own ? accent_ink() : faint_ink();
}

void TileScene::draw_tile(ViewCanvas& canvas, ImVec2 corner, ImVec2 room) {
  const TileDiagram& tile = *tile_;
  const TileView& view = view_.as<TileView>();
  cell_ = std::max(1.0f, std::floor(std::min(room.x / static_cast<float>(tile.width()),
                                             room.y / static_cast<float>(tile.height()))));
  corner_ = {std::floor(corner.x + (room.x - cell_ * static_cast<float>(tile.width())) / 2),
             std::floor(corner.y + (room.y - cell_ * static_cast<float>(tile.height())) / 2)};
  const auto at = [this](int x, int y) {
    return ImVec2{corner_.x + cell_ * static_cast<float>(x), corner_.y + cell_ * static_cast<float>(y)};
  };
  const float gap = cell_ >= 4.0f ? std::max(0.5f, cell_ * 0.06f) : 0.0f;
  ImDrawList& list = canvas.list();
  for (int y = 0; y < tile.height(); ++y)
    for (int x = 0; x < tile.width(); ++x) {
      const ImVec2 low = at(x, y), high = at(x + 1, y + 1);
      list.AddRectFilled({low.x + gap, low.y + gap}, {high.x - gap, high.y - gap}, colour_at(x, y));
    }
  const float weight = std::max(1.5f, cell_ * 0.12f);
  // The pixels of the block.
  list.AddRect(at(tile.left, tile.above), at(tile.left + tile.block_width, tile.above + tile.block_height), ink(), 0, 0,
               weight);
  // The pixel of the marked thread, and the values that it reads.
  const int x = tile.left + view.thread_x, y = tile.above + view.thread_y;
  list.AddRectFilled(at(x, y), at(x + 1, y + 1), warning_ink());
  list.AddRect(at(x - tile.left, y - tile.above), at(x + tile.right + 1, y + tile.below + 1), warning_ink(), 0, 0,
               weight);
}

void TileScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  const ImVec4 background = canvas_colour();
  target.bind();
  target.clear({background.x, background.y, background.z, 1.0f});
  ViewCanvas canvas(target);
  const float unit = line_of_text(canvas), room = canvas.width() - 2 * unit;
  tile_.reset();
  drawn_.reset();
  if (const Work* work = live.shown();
      work != nullptr && can_show(*work->algorithm) && live.displayed_source() != nullptr) {
    const Shape input = live.displayed_source()->picture.pixels.shape();
    const int kernel =
        drawn_kernel(*work, view_.as<TileView>().kernel, first_with_tile(*work->algorithm, work->params, input));
    tile_ = diagrams_of(*work->algorithm).tile(work->params, input, kernel);
    drawn_ = DrawnCode{Backend::cuda, kernel, std::string(tile_show_names[static_cast<std::size_t>(show_)])};
    if (tile_)
      tile_->title = kernel_title(*work, kernel, tile_->title);
    else
      canvas.text({unit, 1.2f * unit}, "This kernel copies no tile to shared memory: choose another kernel.", unit,
                  warning_ink(), Align::left, room);
  }
  if (tile_) {
    TileView view = view_.as<TileView>();
    view.thread_x = std::min(view.thread_x, tile_->block_width - 1);
    view.thread_y = std::min(view.thread_y, tile_->block_height - 1);
    view_ = ParamBox::of(view);
    canvas.text({unit, 1.1f * unit}, tile_->title, unit * 1.05f, ink(), Align::left, room);
    canvas.text({unit, 2.5f * unit},
                "Block of " + std::to_string(tile_->block_width) + " x " + std::to_string(tile_->block_height) +
                    " threads, " + size_text(*tile_) + ", copied " + tile_->copied,
                unit * 0.95f, accent_ink(), Align::left, room);
    canvas.text({unit, 3.8f * unit}, reads_text(*tile_), unit * 0.95f, muted_ink(), Align::left, room);
    draw_tile(canvas, {unit, 5.2f * unit}, {room, canvas.height() - 9.0f * unit});
    const std::string thread = std::to_string(view.thread_x) + "," + std::to_string(view.thread_y);
    canvas.text({unit, canvas.height() - 2.5f * unit},
                "Large frame: the pixels of the block, one for each thread; around it the halo, which neighbouring "
                "blocks copy, too",
                unit * 0.9f, muted_ink(), Align::left, room);
    canvas.text({unit, canvas.height() - 1.2f * unit},
                show_ == TileShow::turns
                    ? "Colours: the turns in which all threads copy one value each, from left to right and down"
                    : "Blue: what thread " + thread + " copies; orange: its pixel, and the frame of what it reads",
                unit * 0.9f, muted_ink(), Align::left, room);
  }
  canvas.finish();
}

void TileScene::toolbar(const Workspace& workspace) {
  const std::array<Segment, 2> segments{{{"Thread", true, "What one thread copies and reads (T)"},
                                         {"Turns", true, "The turns in which the values are copied (C)"}}};
  if (const int clicked = segmented("show", segments, static_cast<int>(show_), em(9)); clicked >= 0)
    show_ = static_cast<TileShow>(clicked);
  TileView view = view_.as<TileView>();
  if (const auto kernel = kernel_list(workspace.wanted(), view.kernel)) {
    view.kernel = *kernel;
    view_ = ParamBox::of(view);
  }
}

void TileScene::interact(const LiveView&, ImVec2 origin, ImVec2 size, bool hovered) {
  if (keys_are_free()) {
    if (ImGui::IsKeyPressed(ImGuiKey_T, false)) show_ = TileShow::threads;
    if (ImGui::IsKeyPressed(ImGuiKey_C, false)) show_ = TileShow::turns;
  }
  if (!hovered || !tile_ || size.x <= 0) return;
  density_ = ImGui::GetIO().DisplayFramebufferScale.x;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int x = static_cast<int>(std::floor(((mouse.x - origin.x) * density_ - corner_.x) / cell_)) - tile_->left;
  const int y = static_cast<int>(std::floor(((mouse.y - origin.y) * density_ - corner_.y) / cell_)) - tile_->above;
  if (x < 0 || y < 0 || x >= tile_->block_width || y >= tile_->block_height) return;
  TileView view = view_.as<TileView>();
  view.thread_x = x;
  view.thread_y = y;
  view_ = ParamBox::of(view);
}

std::span<const KeyHelp> TileScene::help() const {
  return key_help;
}

void TileScene::panel(const Workspace&, const LiveView&, const Fonts& fonts) {
  heading(fonts.strong, "Tile");
  if (!tile_) return;
  ImGui::Text("%d x %d values", tile_->width(), tile_->height());
  ImGui::TextDisabled("%s in the halo",
                      format_percent(static_cast<double>(halo_values(*tile_)) / tile_->values()).c_str());
  ImGui::TextDisabled("at most %d copied by a thread", tile_->most_copied());
  ImGui::TextDisabled("%d read by each", tile_->window_values);
}

std::vector<std::pair<std::string, double>> TileScene::figures() const {
  if (!tile_) return {};
  return {{"values", tile_->values()},
          {"bytes", tile_->bytes()},
          {"halo", halo_values(*tile_)},
          {"copied", tile_->most_copied()}};
}

}  // namespace threadscape::app
