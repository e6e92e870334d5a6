// Layout and drawing of the comparison of volumes: cuts and their difference, profile, figures, and the input.

#include <algorithm>
#include <cmath>

#include "app/scenes/compare/compare_scene.h"

namespace threadscape::app {

namespace {

constexpr std::array cuts{Cut::z, Cut::y, Cut::x};

// The following lengths are multiples of the height of a line of text.
constexpr float title_height = 1.7f, scale_height = 2.6f, gap = 0.8f;
constexpr float table_height = 7.6f, table_width = 27.0f, small_table_width = 16.0f;
constexpr float min_side = 20.0f;    ///< Minimum width of the column beside the pictures.
constexpr float min_picture = 6.0f;  ///< Minimum height of a picture if all three cuts are shown.
/// Minimum sides of a picture if there is anything beside or below the pictures.
constexpr float min_shared_picture = 2.5f;
constexpr float min_plot = 7.0f, max_plot = 24.0f;  ///< Minimum and maximum height of the profile.

/// A layout of pictures in rows and columns, in cells of equal size.
struct Grid {
  int columns = 1, rows = 1;
  float min_ratio = 1.0f, max_ratio = 1.0f;  ///< Minimum and maximum of the pictures' ratios of width to height.
  /// The size of a cell in pixels for which all cells with titles and a scale fit into `room`.
  [[nodiscard]] glm::vec2 cell(glm::vec2 room, float unit) const {
    const float space = gap * unit;
    const auto down = static_cast<float>(rows), across = static_cast<float>(columns);
    glm::vec2 cell{(room.x - (across - 1) * space) / across,
                   (room.y - scale_height * unit - (down - 1) * space) / down - title_height * unit};
    cell.y = std::min(cell.y, cell.x / min_ratio);
    cell.x = std::min(cell.x, cell.y * max_ratio);
    return glm::floor(glm::max(cell, glm::vec2(0.0f)));
  }
};

/// The axes of a cut's picture: to the right, and up.
std::pair<ProfileAxis, ProfileAxis> axes_of(Cut cut) {
  return {cut == Cut::x ? ProfileAxis::y : ProfileAxis::x, cut == Cut::z ? ProfileAxis::y : ProfileAxis::z};
}

/// The cut across this axis.
Cut across(ProfileAxis axis) {
  return axis == ProfileAxis::x ? Cut::x : axis == ProfileAxis::y ? Cut::y : Cut::z;
}

ImVec2 corner_of(const render::ViewRect& rect) {
  return {static_cast<float>(rect.corner.x), static_cast<float>(rect.corner.y)};
}

}  // namespace

void CompareScene::add_pane(Picture picture, Cut cut, glm::ivec2 corner, glm::ivec2 size, float unit) {
  const int title = static_cast<int>(title_height * unit);
  const render::ViewRect rect{{corner.x, corner.y + title}, {size.x, size.y - title}};
  if (rect.size.x < 8 || rect.size.y < 8) return;
  Pane pane{{}, picture, cut};
  glm::vec2 ratio = cut_sides(cut, sides());
  if (picture == Picture::view) ratio = {views_->size().x, views_->size().y};
  if (picture == Picture::sinogram)
    ratio = rect.size;  // A sinogram fills its pane, since its sides have different units.
  static_cast<FlatPane&>(pane) = FlatPane::fitted(rect, ratio, zooms_[pane.zoom()]);
  panes_.push_back(pane);
}

/// Makes the pictures as large as possible, with profile, figures and input beside or below them, whichever leaves the
/// larger pictures.
void CompareScene::lay_out(float unit) {
  const bool compared = truth() != nullptr;
  std::vector<Cut> shown(cuts.begin(), cuts.end());
  if (show_ != CompareShow::all) shown = {static_cast<Cut>(static_cast<int>(show_) - 1)};
  // If three rows would be too small, the cut that was used last is shown alone.
  const auto large_enough = [&] {
    const auto rows = static_cast<float>(shown.size());
    return static_cast<float>(size_.y) > (scale_height + rows * (title_height + min_picture + gap)) * unit;
  };
  if (compared && !large_enough()) shown = {focus_};
  std::vector<Picture> pictures{Picture::result};
  if (compared) pictures = {Picture::truth, Picture::result, Picture::difference};

  Grid grid;
  grid.columns = static_cast<int>(compared ? pictures.size() : shown.size());
  grid.rows = static_cast<int>(compared ? shown.size() : 1);
  grid.min_ratio = grid.max_ratio = cut_sides(shown.front(), sides()).x / cut_sides(shown.front(), sides()).y;
  for (const Cut cut : shown) {
    const glm::vec2 size = cut_sides(cut, sides());
    grid.min_ratio = std::min(grid.min_ratio, size.x / size.y);
    grid.max_ratio = std::max(grid.max_ratio, size.x / size.y);
  }

  const CompareView& v = look();
  bool more = v.profile || (v.figures && compared) || (v.input && views_ != nullptr);
  const float space = gap * unit;
  const glm::vec2 room = glm::vec2(size_) - 2.0f * space;
  const float strip = std::clamp(0.3f * room.y, 8.0f * unit, 18.0f * unit);
  glm::vec2 cell = grid.cell(room, unit);
  bool beside = false;
  if (more) {
    const glm::vec2 left = grid.cell({room.x - (min_side + 2 * gap) * unit, room.y}, unit);
    const glm::vec2 above = grid.cell({room.x, room.y - strip - space}, unit);
    beside = left.y >= above.y;
    const glm::vec2 rest = beside ? left : above;
    more = std::min(rest.x, rest.y) >= min_shared_picture * unit;
    if (more) cell = rest;
  }
  const glm::vec2 step = cell + glm::vec2(space, space + title_height * unit);
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      const auto picture = pictures[static_cast<std::size_t>(compared ? column : 0)];
      const auto cut = shown[static_cast<std::size_t>(compared ? row : column)];
      const glm::vec2 corner = space + glm::vec2(column, row) * step;
      add_pane(picture, cut, corner, cell + glm::vec2(0.0f, title_height * unit), unit);
    }
  const float bottom = space + static_cast<float>(grid.rows) * step.y - space;
  const float wide = static_cast<float>(grid.columns) * step.x - space;
  const int top = static_cast<int>(bottom + 0.5f * unit), high = static_cast<int>(0.6f * unit);
  const float values_wide = compared ? 2 * step.x - space : std::min(step.x - space, 24 * unit);
  scales_[0] = {{static_cast<int>(space), top}, {static_cast<int>(values_wide), high}};
  scales_[1] = {{static_cast<int>(space + 2 * step.x), top}, {compared ? static_cast<int>(cell.x) : 0, high}};
  if (!more) return;
  if (beside) {
    const float x = space + wide + 2 * space;
    lay_out_beside(glm::vec2(x, space), glm::vec2(room.x + space - x, room.y), unit);
  } else {
    const float y = bottom + scale_height * unit + space;
    lay_out_below(glm::vec2(space, y), glm::vec2(room.x, room.y + space - y), unit);
  }
}

/// Places, from top to bottom, figures, their history, profile and input.
void CompareScene::lay_out_beside(glm::ivec2 corner, glm::ivec2 size, float unit) {
  const CompareView& v = look();
  const int space = static_cast<int>(gap * unit);
  const auto take = [&](int height) {
    const render::ViewRect rect{corner, {size.x, height}};
    corner.y += height + space;
    size.y -= height + space;
    return rect;
  };
  const auto fits = [&](float units) { return static_cast<float>(size.y) >= units * unit; };
  if (v.figures && truth() != nullptr && fits(table_height)) table_ = take(static_cast<int>(table_height * unit));
  if (v.figures && history_.size() > 1 && fits(24.0f)) course_ = take(static_cast<int>(7.0f * unit));
  const int wide = (size.x - space) / 2;
  const bool input = v.input && views_ != nullptr && fits(v.profile ? 15.0f : 7.0f);
  int input_height = input ? wide + static_cast<int>(title_height * unit) : 0;
  if (v.profile && fits(min_plot)) {
    if (input) input_height = std::min(input_height, size.y / 2);
    profile_ = take(std::min(size.y - input_height - (input ? space : 0), static_cast<int>(max_plot * unit)));
  }
  if (!input) return;
  input_height = std::min(input_height, size.y);
  add_pane(Picture::view, Cut::z, corner, {wide, input_height}, unit);
  add_pane(Picture::sinogram, Cut::z, corner + glm::ivec2(wide + space, 0), {wide, input_height}, unit);
}

/// Places, from left to right, profile, figures and input.
void CompareScene::lay_out_below(glm::ivec2 corner, glm::ivec2 size, float unit) {
  const CompareView& v = look();
  const int space = static_cast<int>(gap * unit);
  const auto take_right = [&](int width) {
    size.x -= width + space;
    return render::ViewRect{corner + glm::ivec2(size.x + space, 0), {width, size.y}};
  };
  const auto fits = [&](float units) { return static_cast<float>(size.x) >= units * unit; };
  const float picture = static_cast<float>(size.y) / unit - title_height;
  if (v.input && views_ != nullptr && fits(2 * picture + (v.profile ? 50.0f : 0.0f))) {
    for (const Picture one : {Picture::sinogram, Picture::view}) {
      const render::ViewRect rect = take_right(static_cast<int>(picture * unit));
      add_pane(one, Cut::z, rect.corner, rect.size, unit);
    }
  }
  if (v.figures && truth() != nullptr && fits(v.profile ? small_table_width + 20.0f : small_table_width))
    table_ = take_right(static_cast<int>((fits(table_width + 24.0f) ? table_width : small_table_width) * unit));
  if (v.profile) profile_ = render::ViewRect{corner, size};
}

void CompareScene::draw_pane(const Pane& pane, const gl::Framebuffer& target, ViewCanvas& canvas, float unit) {
  const gl::VolumeTexture* texture = texture_of(pane);
  if (texture == nullptr) return;
  const CompareView& v = look();
  const bool difference = pane.picture == Picture::difference;
  const render::VolumeTone tone = pane.of_input() ? tone_over(views_values_, 1.0f, 0.5f, v.map, false)
                                  : difference    ? difference_tone()
                                                  : this->tone();
  const bool smooth = v.smooth && pane.picture != Picture::sinogram;
  target.bind();
  slices_.draw_difference(*texture, difference ? truth() : nullptr, slice_of(pane), tone,
                          smooth ? render::Magnify::smooth : render::Magnify::nearest, pane.rect, pane.corner,
                          pane.extent, backdrop(), target.height());

  std::string title, detail;
  switch (pane.picture) {
    case Picture::view:
      title = "view " + std::to_string(view() + 1) + " of " + std::to_string(view_count());
      break;
    case Picture::sinogram:
      title = "sinogram, row " + std::to_string(row());
      break;
    default:
      title = pane.picture == Picture::truth ? "phantom" : difference ? "difference" : "result";
      detail = std::string(cut_names[static_cast<std::size_t>(pane.cut)]) + " = " + std::to_string(index_of(pane.cut));
  }
  const ImVec2 at = corner_of(pane.rect);
  const auto wide = static_cast<float>(pane.rect.size.x), high = static_cast<float>(pane.rect.size.y);
  const float title_wide = ViewCanvas::text_width(title, 0.95f * unit);
  canvas.text({at.x, at.y - 0.8f * unit}, title, 0.95f * unit, ink(), Align::left, wide);
  if (title_wide + ViewCanvas::text_width(detail, 0.85f * unit) + 0.5f * unit < wide)
    canvas.text({at.x + wide, at.y - 0.8f * unit}, detail, 0.85f * unit, muted_ink(), Align::right);
  ImDrawList& list = canvas.list();
  list.PushClipRect(at, {at.x + wide, at.y + high}, true);
  draw_marks(pane, canvas, unit);
  list.PopClipRect();
}

/// Draws lines where the other cuts are, the one of the profile in colour, or the row or view of the input.
void CompareScene::draw_marks(const Pane& pane, ViewCanvas& canvas, float unit) {
  ImDrawList& list = canvas.list();
  const float weight = std::max(1.0f, 0.08f * unit);
  const auto line = [&](bool level, float place, bool strong) {
    ImVec2 a = pane.pixel({0, 0}), b = pane.pixel({1, 1});
    const ImVec2 at = pane.pixel({place, place});
    // The line is on whole pixels, so that it is sharp.
    if (level)
      a.y = b.y = std::floor(at.y);
    else
      a.x = b.x = std::floor(at.x);
    if (strong)
      marked_line(list, a, b, accent_ink(), weight);
    else
      list.AddLine(a, b, IM_COL32(128, 128, 128, 150), weight);
  };
  if (pane.picture == Picture::view) return line(true, 1.0f - middle_of(row(), rows()), true);
  if (pane.picture == Picture::sinogram) return line(true, middle_of(view(), view_count()), true);
  const auto [right, up] = axes_of(pane.cut);
  line(true, 1.0f - place_of(across(up)), look().line == right);
  line(false, place_of(across(right)), look().line == up);
}

void CompareScene::draw_scales(const gl::Framebuffer& target, ViewCanvas& canvas, float unit) {
  const std::array tones{tone(), difference_tone()};
  for (std::size_t i = 0; i < scales_.size(); ++i) {
    const render::ViewRect& rect = scales_[i];
    if (rect.size.x < static_cast<int>(4 * unit) || rect.size.y < 2) continue;
    scale_.draw(slices_, rect, tones[i], target);
    const ImVec2 at = corner_of(rect);
    const auto wide = static_cast<float>(rect.size.x), high = static_cast<float>(rect.size.y);
    canvas.list().AddRect(at, {at.x + wide, at.y + high}, faint_ink());
    for (const auto& [part, align] : {std::pair{0.0f, Align::left}, {0.5f, Align::centre}, {1.0f, Align::right}}) {
      if (align == Align::centre && wide < 10 * unit) continue;
      const float value = tones[i].low + (tones[i].high - tones[i].low) * part;
      canvas.text({at.x + part * wide, at.y + high + 0.75f * unit}, scale_text(value, tones[i].high - tones[i].low),
                  0.8f * unit, muted_ink(), align);
    }
  }
}

void CompareScene::draw_figures(ViewCanvas& canvas, float unit) const {
  const ImVec2 at = corner_of(*table_);
  const auto wide = static_cast<float>(table_->size.x);
  canvas.text({at.x, at.y + 0.8f * unit}, "how far the result is off", 0.95f * unit, ink(), Align::left, wide);
  if (errors_found_.empty()) return;
  // All cuts are shown if there is room, else the one that was used last.
  std::vector<std::size_t> shown{0, static_cast<std::size_t>(focus_) + 1};
  if (wide >= (table_width - 4.0f) * unit) shown = {0, 1, 2, 3};
  const float names = 5.2f * unit, column = std::min((wide - names) / static_cast<float>(shown.size()), 7.0f * unit);
  const float line = 1.45f * unit, first = at.y + 2.5f * unit;
  for (int row = 0; row < 3; ++row) {
    constexpr std::array titles{"RMSE", "relative", "largest"};
    canvas.text({at.x, first + line * static_cast<float>(row + 1)}, titles[static_cast<std::size_t>(row)], 0.85f * unit,
                muted_ink());
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const render::VolumeError& error = errors_found_[shown[i]];
    const float right = at.x + names + column * static_cast<float>(i + 1);
    const auto cell = [&](int row, const std::string& text, ImU32 colour) {
      canvas.text({right, first + line * static_cast<float>(row)}, text, 0.85f * unit, colour, Align::right,
                  column - 0.4f * unit);
    };
    const Cut cut = cuts[shown[i] == 0 ? 0 : shown[i] - 1];
    cell(0,
         shown[i] == 0 ? "volume"
                       : std::string(cut_names[static_cast<std::size_t>(cut)]) + " = " + std::to_string(index_of(cut)),
         muted_ink());
    if (error.voxels == 0.0) continue;  // Nothing of the volume or cut is computed yet.
    cell(1, format_text("%.4g", error.rmse()), ink());
    cell(2, format_text("%.3g %%", 100.0 * error.relative()), ink());
    cell(3, format_text("%.4g", error.largest), ink());
  }
}

/// Draws the values of result and phantom along a line, over the range of the window and 15 % beyond its ends.
void CompareScene::draw_profile(const gl::Framebuffer& target, ViewCanvas& canvas, float unit) {
  const ProfileAxis axis = look().line;
  const Cut cut_along = across(axis);
  render::VolumeSlice slice{{place_of(Cut::x), place_of(Cut::z), place_of(Cut::y)}, glm::vec3(0.0f), {}};
  const int texture_axis = cut_along == Cut::x ? 0 : cut_along == Cut::z ? 1 : 2;
  slice.origin[texture_axis] = 0.0f;
  slice.across[texture_axis] = 1.0f;

  const ImVec2 at = corner_of(*profile_);
  render::ViewRect plot;
  plot.corner = {profile_->corner.x + static_cast<int>(3.6f * unit),
                 profile_->corner.y + static_cast<int>(title_height * unit)};
  plot.size = profile_->corner + profile_->size - plot.corner -
              glm::ivec2(static_cast<int>(0.3f * unit), static_cast<int>(1.5f * unit));
  if (plot.size.x < 8 || plot.size.y < 8) return;
  const float x = static_cast<float>(plot.corner.x), y = static_cast<float>(plot.corner.y);
  const float wide = static_cast<float>(plot.size.x), high = static_cast<float>(plot.size.y);
  render::VolumeTone tone = this->tone();
  const float margin = 0.15f * (tone.high - tone.low);
  const auto height_of = [&, low = tone.low - margin, all = tone.high - tone.low + 2 * margin](float value) {
    return y + high * (1.0f - (value - low) / all);
  };
  ImDrawList& list = canvas.list();
  for (int i = 0; i <= 4; ++i) {
    const float value = tone.low + (tone.high - tone.low) * static_cast<float>(i) / 4.0f;
    list.AddLine({x, height_of(value)}, {x + wide, height_of(value)}, faint_ink(), 1.0f);
    if (i % 2 == 0)
      canvas.text({x - 0.4f * unit, height_of(value)}, scale_text(value, tone.high - tone.low), 0.8f * unit,
                  muted_ink(), Align::right, 3.2f * unit);
  }
  list.AddRect({x, y}, {x + wide, y + high}, faint_ink());
  const int count = count_of(cut_along);
  const float name_y = y + high + 0.75f * unit;
  for (const auto& [index, align] :
       {std::pair{0, Align::left}, std::pair{count / 2, Align::centre}, std::pair{count - 1, Align::right}})
    canvas.text({x + wide * (align == Align::left    ? 0.0f
                             : align == Align::right ? 1.0f
                                                     : middle_of(index, count)),
                 name_y},
                std::to_string(index), 0.8f * unit, muted_ink(), align);
  const float here = x + wide * place_of(cut_along);
  list.AddLine({here, y}, {here, y + high}, faint_ink(), std::max(1.0f, 0.08f * unit));

  tone.low -= margin;
  tone.high += margin;
  target.bind();
  const float weight = std::max(1.5f, 0.13f * unit);
  const auto curve = [&](const gl::VolumeTexture& volume, ImU32 colour) {
    slices_.draw_profile(volume, slice, tone, plot, 0.0f, wide, weight, rgba(colour), target.height());
  };
  if (truth() != nullptr) curve(*truth(), warning_ink());
  curve(*result_, accent_ink());

  std::string title = "along " + std::string(profile_axis_names[static_cast<std::size_t>(axis)]) + ":";
  for (const Cut cut : {Cut::x, Cut::y, Cut::z})
    if (cut != cut_along)
      title += " " + std::string(cut_names[static_cast<std::size_t>(cut)]) + " = " + std::to_string(index_of(cut));
  float right = at.x + static_cast<float>(profile_->size.x) - 0.3f * unit;
  const float title_y = at.y + 0.8f * unit;
  const auto entry = [&](const char* name, ImU32 colour) {
    canvas.text({right, title_y}, name, 0.85f * unit, colour, Align::right);
    right -= ViewCanvas::text_width(name, 0.85f * unit) + 1.0f * unit;
  };
  entry("result", accent_ink());
  if (truth() != nullptr) entry("phantom", warning_ink());
  canvas.text({at.x, title_y}, title, 0.95f * unit, ink(), Align::left, right - at.x);
}

/// Draws how the error fell while the result was computed.
void CompareScene::draw_history(ViewCanvas& canvas, float unit) const {
  const ImVec2 at = corner_of(*course_);
  const float x = at.x + 3.6f * unit, y = at.y + title_height * unit;
  const float right = at.x + static_cast<float>(course_->size.x) - 0.3f * unit;
  const float bottom = at.y + static_cast<float>(course_->size.y);
  canvas.text({at.x, at.y + 0.8f * unit}, "RMSE while it was computed", 0.95f * unit, ink(), Align::left, right - at.x);
  double max_rmse = 1e-30;
  for (const glm::dvec2& point : history_)
    max_rmse = std::max(max_rmse, point.y);
  ImDrawList& list = canvas.list();
  list.AddRect({x, y}, {right, bottom}, faint_ink());
  canvas.text({x - 0.4f * unit, y + 0.4f * unit}, format_text("%.3g", max_rmse), 0.8f * unit, muted_ink(), Align::right,
              3.2f * unit);
  canvas.text({x - 0.4f * unit, bottom - 0.4f * unit}, "0", 0.8f * unit, muted_ink(), Align::right);
  std::vector<ImVec2> points;
  for (const glm::dvec2& point : history_)
    points.push_back({x + (right - x) * static_cast<float>(point.x),
                      bottom - (bottom - y) * static_cast<float>(point.y / max_rmse)});
  list.AddPolyline(points.data(), static_cast<int>(points.size()), accent_ink(), 0, std::max(1.5f, 0.13f * unit));
}

}  // namespace threadscape::app
