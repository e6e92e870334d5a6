#include "app/scenes/image/image_scene.h"

#include <algorithm>
#include <cmath>

#include "app/ui/widgets.h"

namespace threadscape::app {

void ImageScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  const glm::ivec2 view{target.width(), target.height()};
  const ImVec4 canvas = canvas_colour();
  settings_.background = {canvas.x, canvas.y, canvas.z, 1.0f};
  apply_look();
  ramp_.update();
  const gl::Texture* input = input_of(live);
  const gl::Resource* twin = look().fragments ? fragment_twin_.follow(live, input, look().fragment_passes) : nullptr;
  target.bind();

  if (const gl::Texture* preview = texture_of(live.preview()); preview != nullptr && wants_preview()) {
    const Shape& whole = live.previewed_shape();
    return draw_preview(*preview, {static_cast<int>(whole.width), static_cast<int>(whole.height)}, target);
  }
  if (twin != nullptr) input = twin->texture();
  const gl::Texture* result = texture_of(live.output());
  const gl::Texture* first = show_ == ImageShow::input || result == nullptr ? input : result;
  const gl::Texture* second = nullptr;
  settings_.mode = render::ViewMode::single;
  compares_b_ = live.compares_other() && twin == nullptr;
  const gl::Texture* reference = twin != nullptr ? input : texture_of(live.reference());
  sizes_differ_ = result != nullptr && reference != nullptr &&
                  (result->width() != reference->width() || result->height() != reference->height());
  if (result != nullptr && show_ == ImageShow::difference) {
    second = sizes_differ_ ? nullptr : reference;
    if (second != nullptr) settings_.mode = render::ViewMode::difference;
  } else if (result != nullptr && compares_b_ && combines()) {
    second = sizes_differ_ ? nullptr : reference;
    if (second != nullptr)
      settings_.mode = show_ == ImageShow::split ? render::ViewMode::split : render::ViewMode::side_by_side;
  } else if (result != nullptr && input != nullptr && (show_ == ImageShow::split || show_ == ImageShow::side_by_side)) {
    first = input;
    second = result;
    settings_.mode = show_ == ImageShow::split ? render::ViewMode::split : render::ViewMode::side_by_side;
  }
  if (first == nullptr) {
    target.clear(settings_.background);
    return rest();
  }
  count_differences(live, twin != nullptr ? twin : live.reference());
  navigator_.begin(settings_, view, {first->width(), first->height()});
  apply_place();
  const render::ImageViewSettings toned = settings_for(live, {first, second});
  pass_.draw(*first, second, toned, view.x, view.y);
  copy_values({first, second});
  annotate(live, {first, second}, toned, target);
  measure_.follow(*first, live.output_version() + live.input_version(), first == result ? "result" : "input");
  corner_ = {0, 0};
  if (first == result && second == nullptr && live.shown() != nullptr && CropTool::fits(live.shown()->params))
    corner_ = CropTool::corner_of(live.shown()->params);
  if (measure_.kind() != MeasureKind::none || crop_.dragging()) {
    ViewCanvas canvas_over(target);
    measure_.draw(canvas_over, settings_, view);
    crop_.draw(canvas_over, settings_, view);
    canvas_over.finish();
  }
  draw_bars(live, {first, second}, toned, target);
}

void ImageScene::draw_preview(const gl::Texture& preview, glm::ivec2 whole, const gl::Framebuffer& target) {
  const glm::ivec2 view{target.width(), target.height()};
  settings_.mode = render::ViewMode::single;
  navigator_.begin(settings_, view, whole);
  apply_place();
  const glm::vec2 factor = glm::vec2(whole) / glm::vec2(preview.width(), preview.height());
  render::ImageViewSettings small = settings_;
  small.zoom = std::min(settings_.zoom * factor.x, render::ImageViewSettings::max_zoom);
  small.centre = settings_.centre / factor;
  small.pixel_grid = false;
  pass_.draw(preview, nullptr, small, view.x, view.y);
  ViewCanvas canvas(target);
  const float size = em(1) * ImGui::GetIO().DisplayFramebufferScale.x;
  canvas.label({size, canvas.height() - 1.5f * size},
               "Preview from a quarter of the width: the result is being computed", size, warning_ink());
  canvas.finish();
  rest();
}

void ImageScene::rest() {
  for (PixelValues& values : values_)
    values.rest();
  for (ShownRange& range : ranges_)
    range.rest();
  differences_.rest();
  ramp_.update();
  (void)bounds_.take(false);
}

void ImageScene::copy_values(const std::array<const gl::Texture*, 2>& pictures) {
  const bool differs = settings_.mode == render::ViewMode::difference;
  if (std::exchange(copy_asked_, false)) {
    const PixelRect rect = pixels_to_copy(settings_, navigator_.view(), navigator_.picture(), navigator_.pixel());
    copy_.request(pictures, rect, differs);
  }
  const bool of_input = show_ == ImageShow::input || pictures[1] != nullptr;
  const std::optional<std::string> text = copy_.poll({of_input ? "input" : "result", "result"});
  if (!text) return;
  ImGui::SetClipboardText(text->c_str());
  const PixelRect& rect = copy_.rect();
  if (desk() == nullptr) return;
  desk()->workspace().log.info("copied the values of " + std::to_string(rect.width) + " x " +
                               std::to_string(rect.height) + " pixels from column " + std::to_string(rect.x) +
                               ", row " + std::to_string(rect.y) + " on");
}

void ImageScene::apply_look() {
  const ImageLook& look = this->look();
  settings_.exposure = look.exposure;
  settings_.offset = look.offset;
  settings_.gamma = look.gamma;
  settings_.colour_map = look.colour_map;
  settings_.difference_map = look.difference_map;
  settings_.difference_gain = look.gain;
  settings_.pixel_grid = look.grid;
  settings_.show_alpha_checker = look.alpha;
  settings_.filter = look.smooth ? render::Magnify::smooth : render::Magnify::nearest;
}

void ImageScene::apply_place() {
  const glm::vec3 wanted{look().zoom, look().column, look().row};
  if (std::exchange(placed_, wanted) == wanted) return;
  if (wanted.x <= 0.0f) return navigator_.fit();
  navigator_.place(settings_, wanted.x, {wanted.y, wanted.z});
}

void ImageScene::note_place() {
  if (navigator_.picture().x < 1) return;
  ImageLook& look = this->look();
  look.zoom = navigator_.fitted() ? 0.0f : settings_.zoom;
  look.column = navigator_.fitted() ? 0.0f : std::max(settings_.centre.x, 0.0f);
  look.row = navigator_.fitted() ? 0.0f : std::max(settings_.centre.y, 0.0f);
  placed_ = {look.zoom, look.column, look.row};
}

void ImageScene::annotate(const LiveView& live, const std::array<const gl::Texture*, 2>& pictures,
                          const render::ImageViewSettings& toned, const gl::Framebuffer& target) {
  const glm::ivec2 view = navigator_.view();
  const std::uint64_t version = live.output_version() + live.input_version();
  bool known = false;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const gl::Texture* picture = pictures[i];
    const PixelRect rect =
        picture == nullptr || !look().numbers || settings_.zoom < zoom_for_numbers()
            ? PixelRect{}
            : visible_pixels(settings_, view, {picture->width(), picture->height()}, PixelValues::max_side);
    if (rect.width == 0) {
      values_[i].rest();
      continue;
    }
    values_[i].follow(*picture, version, rect);
    known = known || values_[i].found() != nullptr;
  }
  if (!known) return ramp_.update();
  const bool differs = toned.mode == render::ViewMode::difference;
  ramp_.draw(pass_, differs ? toned.difference_map : toned.colour_map, differs ? 1.0f : toned.gamma);
  ViewCanvas canvas(target);
  const auto width = static_cast<float>(view.x), edge = static_cast<float>(render::divider(toned, view));
  const interop::ProbeResult *a = values_[0].found(), *b = values_[1].found();
  if (differs) {
    const auto far = a != nullptr && b != nullptr ? difference_of(*a, *b) : std::nullopt;
    if (far) draw_numbers(canvas, *far, toned, {0, width, 0, true}, lights_of(*far, toned, ramp_));
  } else if (pictures[1] == nullptr) {
    draw_numbers(canvas, *a, toned, {0, width}, lights_of(*a, toned, ramp_));
  } else {
    const bool halves = toned.mode == render::ViewMode::side_by_side;
    render::ImageViewSettings other = toned;
    if (toned.second_tone) other.exposure = toned.second_tone->exposure, other.offset = toned.second_tone->offset;
    if (a != nullptr) draw_numbers(canvas, *a, toned, {0, edge}, lights_of(*a, toned, ramp_));
    if (b != nullptr) draw_numbers(canvas, *b, toned, {edge, width, halves ? edge : 0}, lights_of(*b, other, ramp_));
  }
  canvas.finish();
}

void ImageScene::count_differences(const LiveView& live, const gl::Resource* against) {
  if (show_ != ImageShow::difference || against == nullptr || live.shown() == nullptr) return differences_.rest();
  try {
    const Work* const work = against == live.reference() ? live.reference_work() : live.shown();
    differences_.follow(*live.shown(), *live.output(), *work, *against);
  } catch (const Error& error) {
    report(error.what());
    differences_.rest();
  }
}

void ImageScene::expose(const LiveView& live, const std::array<const gl::Texture*, 2>& shown,
                        render::ImageViewSettings& settings) {
  const bool differs = settings.mode == render::ViewMode::difference;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    if (shown[i] == nullptr || differs) {
      ranges_[i].rest();
      continue;
    }
    try {
      ranges_[i].follow(*shown[i], live.output_version() + live.input_version(),
                        settings.colour_map != render::ColourMap::none);
    } catch (const Error& error) {
      report(error.what());
    }
  }
  const double white = white_of(shown[0]->format());
  if (differs) {
    // Black stays the colour of equal values, and a single differing pixel is not left out.
    if (const auto& found = differences_.found(); found && found->largest > 0.0)
      settings.difference_gain *= static_cast<float>(white / found->largest);
    return;
  }
  const render::ImageViewSettings chosen = settings;
  if (const auto& range = ranges_[0].found()) {
    const render::ImageTone tone = tone_over_range(chosen, *range, white);
    settings.exposure = tone.exposure;
    settings.offset = tone.offset;
  }
  if (shown[1] == nullptr) return;
  const auto& range = ranges_[1].found();
  settings.second_tone = range ? tone_over_range(chosen, *range, white_of(shown[1]->format()))
                               : render::ImageTone{chosen.exposure, chosen.offset};
}

render::ImageViewSettings ImageScene::settings_for(const LiveView& live,
                                                   const std::array<const gl::Texture*, 2>& pictures) {
  if (const auto tree = bounds_.take(false)) heights_ = {tree->low(), tree->high()};
  if (look().auto_exposure) {
    render::ImageViewSettings settings = settings_;
    expose(live, pictures, settings);
    return settings;
  }
  for (ShownRange& range : ranges_)
    range.rest();
  const gl::Texture& shown = *pictures[0];
  const gl::Resource* resource = input_of(live) == &shown ? live.input() : live.output();
  const Shape& shape = resource->shape();
  if (shape.kind != Kind::heightfield || shape.element != Element::f32) return settings_;
  const std::pair now{shown.id(), live.output_version() + live.input_version()};
  if (bounds_of_ != now) {
    bounds_.begin(shown);
    bounds_of_ = now;
  }
  render::ImageViewSettings settings = settings_;
  const float gain = heights_.y > heights_.x ? 1.0f / (heights_.y - heights_.x) : 1.0f;
  const float exposure = std::exp2(settings_.exposure);
  settings.exposure = settings_.exposure + std::log2(gain);
  settings.offset = settings_.offset - heights_.x * gain * exposure;
  settings.difference_gain *= gain;
  return settings;
}

void ImageScene::interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) {
  keys();
  const auto width = static_cast<float>(navigator_.view().x);
  const float divider = settings_.split * width;
  const float density = size.x > 0 ? width / size.x : 1.0f;
  const float mouse = (ImGui::GetIO().MousePos.x - origin.x) * density;
  const bool near_divider =
      hovered && settings_.mode == render::ViewMode::split && std::abs(mouse - divider) < em(0.5f) * density;
  if (near_divider && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragging_split_ = true;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragging_split_ = false;
  if (dragging_split_ && width > 0) settings_.split = std::clamp(mouse / width, 0.0f, 1.0f);
  if (near_divider || dragging_split_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const ImVec2 at = ImGui::GetIO().MousePos;
  const glm::vec2 place =
      render::view_to_image(settings_, navigator_.view(), {(at.x - origin.x) * density, (at.y - origin.y) * density});
  const bool crops = navigator_.picture().x > 0 && crop(place, hovered && !near_divider && !dragging_split_);
  const bool measures = measure_.kind() != MeasureKind::none && !crops;
  navigator_.mouse(settings_, origin, size, hovered, near_divider || measures || crops);
  if (measures && navigator_.picture().x > 0 && !near_divider) measure_.mouse(place, hovered);
  if (hovered && !near_divider && (measures || crops)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  thread_.clear();
  awaits_threads_ = false;
  if (const auto pixel = navigator_.pixel()) {
    request_values(live, *pixel);
    look_for_thread(live, *pixel);
  }
}

bool ImageScene::can_crop() {
  return desk() != nullptr && show_ != ImageShow::difference && CropTool::fits(desk()->workspace().work().params);
}

bool ImageScene::crop(glm::vec2 place, bool hovered) {
  if (!can_crop()) {
    crop_.forget();
    return false;
  }
  if (!crop_.on && !crop_.dragging() && !modifier_held(ImGuiMod_Shift)) return false;
  if (const std::optional<PixelRect> drawn = crop_.mouse(place, navigator_.picture(), hovered))
    desk()->workspace().edit_parameters([&](ParamBox& params) {
      CropTool::write(params, {drawn->x + corner_.x, drawn->y + corner_.y, drawn->width, drawn->height});
    });
  return true;
}

void ImageScene::look_for_thread(const LiveView& live, glm::ivec2 pixel) {
  const gl::Texture* const result = texture_of(live.output());
  const gl::Texture* const input = input_of(live);
  if (live.shown() == nullptr || result == nullptr) return;
  // The mouse is over the input alone, whose places may be others.
  if (show_ == ImageShow::input &&
      (input == nullptr || input->width() != result->width() || input->height() != result->height()))
    return;
  RunObserver& observer = live.observer();
  const std::shared_ptr<const ObservedThreads> threads = observer.threads_of(*live.shown());
  awaits_threads_ = threads == nullptr && observer.finding();
  if (threads == nullptr) return;
  if (const auto thread = threads->of(pixel.x, pixel.y)) thread_ = threads->text(*thread);
}

void ImageScene::request_values(const LiveView& live, glm::ivec2 pixel) {
  const std::array<const gl::Texture*, 3> textures{input_of(live), texture_of(live.output()),
                                                   texture_of(live.reference())};
  const auto size_of = [](const gl::Texture& texture) { return glm::ivec2{texture.width(), texture.height()}; };
  const bool other_size = textures[0] != nullptr && textures[1] != nullptr && corner_ == glm::ivec2{0} && !combines() &&
                          size_of(*textures[0]) != size_of(*textures[1]);
  for (std::size_t i = 0; i < spots_.size(); ++i) {
    Spot& spot = spots_[i];
    if (auto arrived = spot.probe.poll()) spot.result = std::move(arrived);
    spot.place = i == 0 ? pixel + corner_ : pixel;
    const bool elsewhere = other_size && (i == 0) != (show_ == ImageShow::input);
    if (textures[i] == nullptr || elsewhere || spot.place.x >= textures[i]->width() ||
        spot.place.y >= textures[i]->height())
      spot.result.reset();
    else if (!spot.probe.pending())
      spot.probe.request(*textures[i], spot.place.x, spot.place.y);
  }
}

bool ImageScene::animating() const {
  if (look_.as<ImageLook>().fragments && fragment_twin_.pending()) return true;
  if (copy_asked_ || copy_.pending() || awaits_threads_ || measure_.pending()) return true;
  if (bounds_.pending() || differences_.pending() || ramp_.pending()) return true;
  if (std::ranges::any_of(ranges_, [](const ShownRange& range) { return range.pending(); })) return true;
  if (std::ranges::any_of(values_, [](const PixelValues& values) { return values.pending(); })) return true;
  // If the value that arrives is of another pixel than the one under the mouse, one more request is needed.
  const auto pixel = navigator_.pixel();
  return pixel && std::ranges::any_of(spots_, [](const Spot& spot) {
           return spot.probe.pending() &&
                  (!spot.result || spot.result->x != spot.place.x || spot.result->y != spot.place.y);
         });
}

}  // namespace threadscape::app
