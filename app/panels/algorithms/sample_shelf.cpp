#include "app/panels/algorithms/sample_shelf.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include "app/session/workspace.h"
#include "app/shell/thumbnail.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::app {

namespace {

constexpr int thumbnail_side = 128;  // Side of a thumbnail in pixels.

/// The thumbnail of a picture; none if it cannot be read or its channels are no bytes. Such a picture has an empty
/// tile; if it cannot be read, a click on the tile reports the reason.
std::optional<HostArray> load_thumbnail(const std::filesystem::path& path) {
  try {
    const io::Loaded picture = io::load_picture(path);
    const Shape& shape = picture.pixels.shape();
    if (shape.element != Element::u8) return {};
    // The square in the middle.
    const auto width = static_cast<int>(shape.width), height = static_cast<int>(shape.height);
    const int side = std::min(width, height);
    return shrink(picture.pixels.view(), {(width - side) / 2, (height - side) / 2}, {side, side},
                  {thumbnail_side, thumbnail_side});
  } catch (const std::exception&) {  // This includes std::bad_alloc.
    return {};
  }
}

}  // namespace

SampleShelf::SampleShelf() {
  for (const auto& path : sample_pictures())
    samples_.push_back({path, path.stem().string(), {}, false});
}

bool SampleShelf::load_next() {
  if (loaded_.valid()) {
    if (loaded_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return true;
    if (const std::optional<HostArray> small = loaded_.get()) {
      loading_->thumbnail = gl::Texture(small->shape());
      loading_->thumbnail.write(small->view());
      loading_->thumbnail.set_filter(gl::Filter::linear);
    }
  }
  const auto next = std::ranges::find_if(samples_, [](const Sample& sample) { return !sample.tried; });
  if (next == samples_.end()) return false;
  next->tried = true;
  loading_ = &*next;
  loaded_ = std::async(std::launch::async, load_thumbnail, next->path);
  return true;
}

void SampleShelf::load_all() {
  while (load_next())
    loaded_.wait();
}

std::optional<std::filesystem::path> SampleShelf::draw(const std::filesystem::path& current) const {
  std::optional<std::filesystem::path> clicked;
  const float gap = em(0.4f);
  const float width = ImGui::GetContentRegionAvail().x;
  const int columns = std::max(2, static_cast<int>((width + gap) / (em(4.6f) + gap)));
  const float side = std::floor((width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  int column = 0;
  for (const Sample& sample : samples_) {
    if (column > 0) ImGui::SameLine();
    column = (column + 1) % columns;
    ImGui::PushID(sample.name.c_str());
    if (ImGui::InvisibleButton("sample", {side, side})) clicked = sample.path;
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const float rounding = ImGui::GetStyle().FrameRounding;
    if (sample.thumbnail.empty())
      draw.AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
    else
      draw.AddImageRounded(static_cast<ImTextureID>(sample.thumbnail.id()), low, high, {0, 0}, {1, 1}, IM_COL32_WHITE,
                           rounding);
    if (sample.path == current)
      draw.AddRect(low, high, ImGui::GetColorU32(ImGuiCol_CheckMark), rounding, 0, em(0.15f));
    else if (ImGui::IsItemHovered())
      draw.AddRect(low, high, ImGui::GetColorU32(ImGuiCol_Text), rounding);
    if (ImGui::IsItemHovered()) tooltip(sample.name);
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  return clicked;
}

}  // namespace threadscape::app
