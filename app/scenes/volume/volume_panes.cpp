// Layout of the volume scene, and its flat pictures: view, sinogram, cuts through the object, profile, colour scale.

#include <algorithm>
#include <cmath>

#include "app/scenes/volume/volume_scene.h"

namespace threadscape::app {

const VolumeScene::Body& VolumeScene::body_of(PaneKind kind) const {
  return kind == PaneKind::view || kind == PaneKind::sinogram ? views_ : object_;
}

render::VolumeSlice VolumeScene::slice_of(PaneKind kind) const {
  switch (kind) {
    case PaneKind::view:
      return {{0, 1, middle_of(view(), view_count())}, {1, 0, 0}, {0, -1, 0}};
    case PaneKind::sinogram:
      return {{0, middle_of(row(), rows()), 0}, {1, 0, 0}, {0, 0, 1}};
    case PaneKind::across_y:
      return slice_at(Cut::y, place_of(Cut::y));
    case PaneKind::across_x:
      return slice_at(Cut::x, place_of(Cut::x));
    default:
      return slice_at(Cut::z, place_of(Cut::z));
  }
}

glm::vec2 VolumeScene::sides_of(PaneKind kind) const {
  switch (kind) {
    case PaneKind::view:
      return {columns(), rows()};
    case PaneKind::across_y:
      return cut_sides(Cut::y, half_sides());
    case PaneKind::across_x:
      return cut_sides(Cut::x, half_sides());
    default:
      return cut_sides(Cut::z, half_sides());
  }
}

/// Adds a pane unless there is nothing to show in it or it would be too small. The picture fits into the pane, and is
/// zoomed from there.
void VolumeScene::add_pane(PaneKind kind, glm::ivec2 corner, glm::ivec2 size, float unit) {
  if (kind != PaneKind::space && body_of(kind).texture == nullptr) return;
  const int title = kind == PaneKind::space ? 0 : static_cast<int>(1.7f * unit);
  const render::ViewRect rect{{corner.x, corner.y + title}, {size.x, size.y - title}};
  if (rect.size.x < 8 || rect.size.y < 8) return;
  // A sinogram fills its pane, since its sides have different units.
  const bool filling = kind == PaneKind::space || kind == PaneKind::sinogram;
  const PaneZoom zoom = kind == PaneKind::space ? PaneZoom{} : zooms_[static_cast<std::size_t>(kind)];
  panes_.push_back({FlatPane::fitted(rect, filling ? glm::vec2(rect.size) : sides_of(kind), zoom), kind});
}

void VolumeScene::lay_out(float unit) {
  const VolumeShow show = displayed();
  const int pad = static_cast<int>(unit), foot = static_cast<int>(0.8f * unit);
  const glm::ivec2 all = size_ - glm::ivec2(2 * pad, pad + foot);
  if (show == VolumeShow::scene) {
    const bool insets = look().insets && views_.texture != nullptr && has_room_for_insets(size_);
    const int column = insets ? std::min(size_.x * 27 / 100, size_.y * 46 / 100) : 0;
    add_pane(PaneKind::space, {0, 0}, {size_.x - column - (insets ? pad : 0), size_.y}, unit);
    if (!insets) return;
    const int left = size_.x - pad - column, half = (size_.y - pad - foot) / 2;
    add_pane(PaneKind::view, {left, pad / 2}, {column, half}, unit);
    add_pane(PaneKind::sinogram, {left, pad / 2 + half}, {column, half}, unit);
    return;
  }
  if (show == VolumeShow::slices) {
    const int wide = (all.x - pad) / 2, high = (all.y - pad) / 2;
    const glm::ivec2 step{wide + pad, high + pad};
    const glm::ivec2 first{pad, pad / 2};
    if (object_.texture == nullptr) return;
    add_pane(PaneKind::across_z, first, {wide, high}, unit);
    add_pane(PaneKind::space, first + glm::ivec2(step.x, 0), {wide, high}, unit);
    add_pane(PaneKind::across_y, first + glm::ivec2(0, step.y), {wide, high}, unit);
    add_pane(PaneKind::across_x, first + step, {wide, high}, unit);
    return;
  }
  const int curve = look().profile ? std::clamp(all.y / 5, static_cast<int>(4 * unit), static_cast<int>(11 * unit)) : 0;
  // The right part of the pane is reserved for the scale.
  const int scale = static_cast<int>(6.5f * unit);
  const PaneKind kind = show == VolumeShow::view ? PaneKind::view : PaneKind::sinogram;
  add_pane(kind, {pad, pad / 2}, {all.x - scale, all.y - curve - (curve > 0 ? pad : 0)}, unit);
  if (curve > 0) profile_ = render::ViewRect{{pad, size_.y - foot - curve}, {all.x - scale, curve}};
}

void VolumeScene::draw_pane(Pane& pane, const gl::Framebuffer& target, ViewCanvas& canvas, float unit) {
  if (pane.kind == PaneKind::space) return draw_space(pane, target, canvas, unit);
  const Body& body = body_of(pane.kind);
  const bool of_views = &body == &views_;
  const render::VolumeTone tone = of_views ? views_tone() : object_tone();
  const bool smooth = look().smooth && pane.kind != PaneKind::sinogram;
  target.bind();
  slices_.draw(*body.texture, slice_of(pane.kind), tone, smooth ? render::Magnify::smooth : render::Magnify::nearest,
               pane.rect, pane.corner, pane.extent, backdrop(), target.height());

  const float x = static_cast<float>(pane.rect.corner.x), y = static_cast<float>(pane.rect.corner.y);
  const float wide = static_cast<float>(pane.rect.size.x);
  std::string title, detail;
  switch (pane.kind) {
    case PaneKind::view:
      title = "view " + std::to_string(view() + 1) + " of " + std::to_string(view_count());
      if (const auto degrees = angle(view())) detail = format_text("%.5g deg", *degrees);
      break;
    case PaneKind::sinogram:
      title = "sinogram of row " + std::to_string(row());
      detail = std::to_string(columns()) + " x " + std::to_string(view_count());
      break;
    default: {
      const glm::ivec3 size = body.texture->size();
      const bool z = pane.kind == PaneKind::across_z, y_cut = pane.kind == PaneKind::across_y;
      const float part = z ? place_of(Cut::z) : y_cut ? place_of(Cut::y) : place_of(Cut::x);
      const int count = z ? size.y : y_cut ? size.z : size.x;
      title = format_text("%s = %d",
                          z       ? "z"
                          : y_cut ? "y"
                                  : "x",
                          std::min(static_cast<int>(part * static_cast<float>(count)), count - 1));
      detail = z ? "x right, y up" : y_cut ? "x right, z up" : "y right, z up";
    }
  }
  canvas.text({x, y - 0.85f * unit}, title, unit * 0.95f, ink());
  if (const float room = wide - ViewCanvas::text_width(title, unit) - unit; room > 4 * unit)
    canvas.text({x + wide, y - 0.85f * unit}, detail, unit * 0.85f, muted_ink(), Align::right, room);
  ImDrawList& list = canvas.list();
  list.PushClipRect({x, y}, {x + wide, y + static_cast<float>(pane.rect.size.y)}, true);
  draw_marks(pane, canvas, unit);
  list.PopClipRect();
  const bool alone = pane.kind == PaneKind::view || pane.kind == PaneKind::sinogram;
  if (alone && displayed() != VolumeShow::scene) {
    const int left = pane.rect.corner.x + pane.rect.size.x + static_cast<int>(1.2f * unit);
    draw_scale({{left, pane.rect.corner.y}, {static_cast<int>(1.1f * unit), pane.rect.size.y}}, tone, target, canvas,
               unit);
  }
}

/// Marks what is chosen: row and angle, the pixel of the ray, the positions of the other cuts.
void VolumeScene::draw_marks(const Pane& pane, ViewCanvas& canvas, float unit) {
  ImDrawList& list = canvas.list();
  const float weight = std::max(1.0f, 0.09f * unit);
  const auto across = [&](float place, ImU32 colour) {
    marked_line(list, pane.pixel({0, place}), pane.pixel({1, place}), colour, weight);
  };
  const auto down = [&](float place, ImU32 colour) {
    marked_line(list, pane.pixel({place, 0}), pane.pixel({place, 1}), colour, weight);
  };
  const VolumeView& v = look();
  const float column = ray_ ? middle_of(v.ray_column, columns()) : -1.0f;
  switch (pane.kind) {
    case PaneKind::view:
      if (rows() > 1) across(1.0f - middle_of(row(), rows()), accent_ink());
      if (ray_) {
        const ImVec2 at = pane.pixel({column, 1.0f - middle_of(v.ray_row >= 0 ? v.ray_row : row(), rows())});
        list.AddCircle(at, 0.45f * unit, IM_COL32(0, 0, 0, 110), 0, weight + 2.0f);
        list.AddCircle(at, 0.45f * unit, warning_ink(), 0, weight * 1.4f);
      }
      break;
    case PaneKind::sinogram:
      across(middle_of(view(), view_count()), accent_ink());
      if (ray_) {
        const ImVec2 at = pane.pixel({column, middle_of(view(), view_count())});
        list.AddCircle(at, 0.45f * unit, warning_ink(), 0, weight * 1.4f);
      }
      break;
    case PaneKind::across_z:
      across(1.0f - place_of(Cut::y), accent_ink());
      down(place_of(Cut::x), accent_ink());
      break;
    case PaneKind::across_y:
      across(1.0f - place_of(Cut::z), accent_ink());
      down(place_of(Cut::x), accent_ink());
      break;
    default:
      across(1.0f - place_of(Cut::z), accent_ink());
      down(place_of(Cut::y), accent_ink());
      break;
  }
}

void VolumeScene::draw_profile(const gl::Framebuffer& target, ViewCanvas& canvas, float unit) {
  if (panes_.empty()) return;
  const Pane& pane = panes_.front();
  const render::VolumeTone tone = views_tone();
  const float x = static_cast<float>(profile_->corner.x), y = static_cast<float>(profile_->corner.y);
  const float wide = static_cast<float>(profile_->size.x), high = static_cast<float>(profile_->size.y);
  ImDrawList& list = canvas.list();
  for (int i = 0; i <= 4; ++i) {
    const float at = y + high * static_cast<float>(i) / 4.0f;
    list.AddLine({x, at}, {x + wide, at}, faint_ink(), i == 4 ? 1.5f : 1.0f);
    if (i % 2 == 0) {
      const double value = static_cast<double>(tone.high + (tone.low - tone.high) * static_cast<float>(i) / 4.0f);
      canvas.text({x + wide + 0.5f * unit, at}, format_text("%.5g", value), 0.8f * unit, muted_ink());
    }
  }
  // The profile marks the row and view that the picture marks.
  const float r = (static_cast<float>(row()) + 0.5f) / static_cast<float>(rows());
  const float a = (static_cast<float>(view()) + 0.5f) / static_cast<float>(std::max(view_count(), 1));
  target.bind();
  render::VolumeTone plain = tone;
  plain.inverted = false;
  slices_.draw_profile(*views_.texture, {{0, r, a}, {1, 0, 0}, {}}, plain, *profile_,
                       static_cast<float>(pane.rect.corner.x - profile_->corner.x) + pane.corner.x, pane.extent.x,
                       std::max(1.5f, 0.13f * unit), rgba(accent_ink()), target.height());
  const std::string title = "row " + std::to_string(row());
  canvas.text({x + 0.4f * unit, y + 0.8f * unit}, title, 0.85f * unit, muted_ink());
}

void VolumeScene::draw_scale(const render::ViewRect& rect, const render::VolumeTone& tone,
                             const gl::Framebuffer& target, ViewCanvas& canvas, float unit) {
  if (rect.size.x < 2 || rect.size.y < 2) return;
  scale_.draw(slices_, rect, tone, target);
  const float x = static_cast<float>(rect.corner.x), y = static_cast<float>(rect.corner.y);
  const float wide = static_cast<float>(rect.size.x), high = static_cast<float>(rect.size.y);
  const bool upright = high > wide;
  ImDrawList& list = canvas.list();
  list.AddRect({x, y}, {x + wide, y + high}, faint_ink(), 0.0f, 0, 1.0f);
  const int ticks = std::max(high, wide) > 14 * unit ? 4 : 2;
  for (int i = 0; i <= ticks; ++i) {
    const float part = static_cast<float>(i) / static_cast<float>(ticks);
    const std::string text = scale_text(tone.low + (tone.high - tone.low) * part, tone.high - tone.low);
    if (upright) {
      const float at = y + high * (1.0f - part);
      list.AddLine({x + wide, at}, {x + wide + 0.3f * unit, at}, muted_ink(), 1.0f);
      canvas.text({x + wide + 0.5f * unit, std::clamp(at, y + 0.4f * unit, y + high - 0.4f * unit)}, text, 0.8f * unit,
                  muted_ink());
    } else {
      const Align align = i == 0 ? Align::left : i == ticks ? Align::right : Align::centre;
      canvas.text({x + wide * part, y + high + 0.8f * unit}, text, 0.8f * unit, muted_ink(), align);
    }
  }
}

}  // namespace threadscape::app
