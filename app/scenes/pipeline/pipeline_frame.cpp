#include "app/scenes/pipeline/pipeline_frame.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace threadscape::app {

namespace {

/// Calls use(piece, x, y) for the pixels that a triangle covers.
template <class Use>
void for_each_fragment(const rasterize::TriangleStages& triangle, const Use& use) {
  for (const rasterize::Piece& piece : triangle.pieces) {
    const rasterize::ScreenTriangle& t = piece.screen;
    for (int y = t.y0; y <= t.y1; ++y)
      for (int x = t.x0; x <= t.x1; ++x)
        if (rasterize::covers(t, x, y)) use(piece, x, y);
  }
}

float farthest(const rasterize::TriangleStages& triangle) {
  float depth = 0.0f;
  for (const rasterize::Piece& piece : triangle.pieces)
    depth = std::max(depth, piece.screen.z_high);
  return depth;
}

}  // namespace

void PipelineFrame::begin(const rasterize::Plan& plan, const MeshView& mesh, std::size_t fragments) {
  plan_ = plan;
  mesh_ = mesh;
  max_fragments_ = fragments;
  triangles_.clear();
  triangles_.reserve(mesh.triangles());
  lowest_ = 1.0f;
  highest_ = 0.0f;
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t) {
    triangles_.push_back(rasterize::triangle_stages(plan, mesh, t));
    for (const rasterize::Piece& piece : triangles_.back().pieces) {
      lowest_ = std::min(lowest_, piece.screen.z_low);
      highest_ = std::max(highest_, piece.screen.z_high);
    }
  }
  if (lowest_ > highest_) lowest_ = 0.0f, highest_ = 1.0f;
  order_.resize(mesh.triangles());
  std::iota(order_.begin(), order_.end(), 0u);
  const auto middle = std::stable_partition(order_.begin(), order_.end(), [&](std::uint32_t t) {
    return !rasterize::is_transparent(mesh.material(mesh.material_index(t)));
  });
  opaque_ = static_cast<std::size_t>(middle - order_.begin());
  const auto farther = [&](std::uint32_t a, std::uint32_t b) {
    return farthest(triangles_[a]) > farthest(triangles_[b]);
  };
  if (plan.order != rasterize::Order::given) std::stable_sort(middle, order_.end(), farther);
  if (plan.visibility == rasterize::Visibility::painter) std::stable_sort(order_.begin(), middle, farther);
  picture_ = HostArray(Shape::image(Element::u8, 4, plan.width, plan.height));
  opaque_picture_ = {};
  layers_ = {};  // The memory of the fragments is returned.
  layers_left_out_ = false;
  most_layers_ = 0;
  most_fragments_ = -1;
  clear();
}

std::uint32_t& PipelineFrame::pixel(std::size_t place) {
  const auto width = static_cast<std::size_t>(plan_.width);
  return *reinterpret_cast<std::uint32_t*>(picture_.data() + place / width * picture_.pitch() + place % width * 4);
}

void PipelineFrame::clear() {
  const std::size_t pixels = static_cast<std::size_t>(plan_.width) * static_cast<std::size_t>(plan_.height);
  keys_.assign(pixels, rasterize::depth_key(1.0f, plan_.depth_bits));
  seen_.assign(pixels, 0);
  for (std::size_t i = 0; i < pixels; ++i)
    pixel(i) = plan_.background;
  drawn_ = 0;
  matches_ = true;
  blended_.reset();
  ++version_;
}

void PipelineFrame::draw_triangle(std::uint32_t triangle, bool colours) {
  const rasterize::TriangleStages& stages = triangles_[triangle];
  const bool transparent = rasterize::is_transparent(mesh_.material(mesh_.material_index(triangle)));
  for_each_fragment(stages, [&](const rasterize::Piece& piece, int x, int y) {
    const std::size_t at = place(x, y);
    const std::uint32_t key = rasterize::depth_key(rasterize::depth_at(piece.screen, x, y), plan_.depth_bits);
    const bool painter = plan_.visibility == rasterize::Visibility::painter && !transparent;
    if (!painter && key >= keys_[at]) return;
    if (colours) {
      const rasterize::Colour colour =
          rasterize::fragment_colour(plan_, mesh_, triangle, piece, stages.polygon, x, y, nullptr);
      pixel(at) = transparent ? rasterize::blended(pixel(at), colour, plan_.blend) : rasterize::packed(colour);
    }
    if (transparent) return;
    keys_[at] = key;
    seen_[at] = triangle + 1;
  });
}

void PipelineFrame::draw(std::size_t count) {
  count = std::min(count, order_.size());
  if (!matches_ || count < drawn_) clear();
  if (count == drawn_) return;
  for (; drawn_ < count; ++drawn_)
    draw_triangle(order_[drawn_], true);
  ++version_;
}

void PipelineFrame::find_seen() {
  // Transparent triangles change neither depths nor the triangles that are seen.
  if (drawn_ >= opaque_) return;
  for (; drawn_ < opaque_; ++drawn_)
    draw_triangle(order_[drawn_], false);
  matches_ = false;
}

void PipelineFrame::collect_layers() {
  layers_.clear();  // Memory may have run out during a call before.
  for (std::size_t i = opaque_; i < order_.size() && !layers_left_out_; ++i) {
    const std::uint32_t triangle = order_[i];
    for_each_fragment(triangles_[triangle], [&](const rasterize::Piece& piece, int x, int y) {
      if (layers_left_out_) return;
      const std::size_t at = place(x, y);
      if (rasterize::depth_key(rasterize::depth_at(piece.screen, x, y), plan_.depth_bits) >= keys_[at]) return;
      layers_left_out_ = layers_.size() >= max_fragments_;
      if (layers_left_out_) return;
      const std::uint64_t key =
          plan_.order == rasterize::Order::given ? triangle : rasterize::layer_key(plan_, piece.screen, triangle, x, y);
      layers_.push_back(
          {at, key,
           rasterize::fragment_colour(plan_, mesh_, triangle, piece, triangles_[triangle].polygon, x, y, nullptr)});
    });
  }
  std::ranges::stable_sort(
      layers_, [](const Layer& a, const Layer& b) { return a.pixel != b.pixel ? a.pixel < b.pixel : a.key < b.key; });
  for (std::size_t i = 0, first = 0; i < layers_.size(); ++i) {
    if (layers_[i].pixel != layers_[first].pixel) first = i;
    most_layers_ = std::max(most_layers_, static_cast<int>(i - first) + 1);
  }
}

void PipelineFrame::blend(int layers) {
  if (blended_ == layers) return;
  if (opaque_picture_.empty()) {
    if (!matches_ || drawn_ > opaque_) clear();
    draw(opaque_);
    collect_layers();
    opaque_picture_ = picture_.clone();
  } else {
    find_seen();
    copy(std::as_const(opaque_picture_).view(), picture_.view());
  }
  int done = 0;
  rasterize::Layers here{};
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    done = i > 0 && layers_[i].pixel == layers_[i - 1].pixel ? done + 1 : 0;
    if (done >= layers) continue;
    if (done == 0) here = rasterize::no_layers(pixel(layers_[i].pixel));
    rasterize::add_layer(plan_, here, layers_[i].colour);
    pixel(layers_[i].pixel) = rasterize::pixel_of(plan_, here);
  }
  matches_ = false;
  blended_ = layers;
  ++version_;
}

int PipelineFrame::most_layers() {
  if (opaque_picture_.empty()) blend(0);
  return most_layers_;
}

PipelineFrame::FragmentCounts PipelineFrame::count_fragments(std::uint32_t triangle) const {
  FragmentCounts counts;
  rasterize::PixelRange box{plan_.width, plan_.height, -1, -1};
  for (const rasterize::Piece& piece : triangles_[triangle].pieces) {
    const rasterize::ScreenTriangle& t = piece.screen;
    box = {std::min(box.x0, t.x0), std::min(box.y0, t.y0), std::max(box.x1, t.x1), std::max(box.y1, t.y1)};
  }
  if (box.x1 < box.x0 || box.y1 < box.y0) return counts;
  const auto width = static_cast<std::size_t>(box.x1 - box.x0 + 1);
  const std::size_t pixels = width * static_cast<std::size_t>(box.y1 - box.y0 + 1);
  std::vector<std::uint32_t> keys(pixels, rasterize::depth_key(1.0f, plan_.depth_bits));
  std::vector<bool> own(pixels);  // The pixel shows the triangle.
  const auto is_transparent = [&](std::uint32_t t) {
    return rasterize::is_transparent(mesh_.material(mesh_.material_index(t)));
  };
  for (const std::uint32_t t : order_) {
    const bool chosen = t == triangle, transparent = is_transparent(t);
    if (transparent && !chosen) continue;  // It changes no depth.
    const bool painter = plan_.visibility == rasterize::Visibility::painter && !transparent;
    for (const rasterize::Piece& piece : triangles_[t].pieces) {
      const rasterize::ScreenTriangle& s = piece.screen;
      for (int y = std::max(s.y0, box.y0); y <= std::min(s.y1, box.y1); ++y)
        for (int x = std::max(s.x0, box.x0); x <= std::min(s.x1, box.x1); ++x) {
          if (!rasterize::covers(s, x, y)) continue;
          if (chosen) ++counts.covered;
          const std::size_t at = static_cast<std::size_t>(y - box.y0) * width + static_cast<std::size_t>(x - box.x0);
          const std::uint32_t key = rasterize::depth_key(rasterize::depth_at(s, x, y), plan_.depth_bits);
          if (!painter && key >= keys[at]) continue;
          if (chosen) ++counts.passed;
          own[at] = chosen;
          if (!transparent) keys[at] = key;
        }
    }
  }
  counts.visible = static_cast<std::uint64_t>(std::ranges::count(own, true));
  return counts;
}

int PipelineFrame::most_fragments() {
  if (most_fragments_ >= 0) return most_fragments_;
  std::vector<int> counts(keys_.size());
  for (const rasterize::TriangleStages& triangle : triangles_)
    for_each_fragment(triangle, [&](const rasterize::Piece&, int x, int y) { ++counts[place(x, y)]; });
  most_fragments_ = counts.empty() ? 0 : *std::ranges::max_element(counts);
  return most_fragments_;
}

}  // namespace threadscape::app
