#include "app/scenes/volume/volume_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace threadscape::app {

namespace {

const gl::VolumeTexture* volume_of(const gl::Resource* resource) {
  return resource != nullptr ? resource->volume() : nullptr;
}

/// The kind of texture of a volume for which Mesa's software renderer compiles a shader: its format, and for each side
/// whether it is a power of two.
std::string texture_kind(const gl::VolumeTexture* volume) {
  if (volume == nullptr) return "none";
  std::string kind(gl::info_of(volume->format()).name);
  for (int axis = 0; axis < 3; ++axis)
    kind += std::has_single_bit(static_cast<unsigned>(volume->size()[axis])) ? " power of two" : " other";
  return kind;
}

}  // namespace

VolumeScene::VolumeScene(const gl::ShaderLibrary& shaders) : ranges_(shaders), slices_(shaders), space_(shaders) {}

void VolumeScene::refresh_body(Body& body, const gl::Resource* resource, std::uint64_t version,
                               std::pair<int, int> changed) {
  body.texture = volume_of(resource);
  if (body.texture == nullptr) {
    body.id = 0;
    return;
  }
  const bool same = body.id == body.texture->id();
  if (!same || body.version != version) {
    // From one version to the next, only the slices `changed` differ.
    const bool part = same && body.version + 1 == version && changed.second > changed.first;
    body.id = body.texture->id();
    body.version = version;
    if (part)
      ranges_.begin(body.range, *body.texture, changed.first, changed.second - changed.first);
    else
      ranges_.begin(body.range, *body.texture);
  }
  if (const auto& values = body.range.range()) body.values = *values;
}

/// Makes the diagram of the scanner of what is displayed, unless it is there.
void VolumeScene::refresh_scanner(const LiveView& live) {
  const Work* work = live.displayed();
  const Shape input = live.source() != nullptr ? live.source()->picture.pixels.shape() : Shape{};
  if (work == nullptr) {
    scanner_.reset();
    scanner_of_.reset();
  } else if (const bool matches = live.input_version() == work->source_id;
             matches && (scanner_of_ != *work || scanner_input_ != input)) {
    // Until the result of a new input has arrived, the old result is shown with its own scanner.
    scanner_of_ = *work;
    scanner_input_ = input;
    scanner_.reset();
    if (const auto& scanner = diagrams_of(*work->algorithm).scanner) scanner_ = scanner->diagram(work->params, input);
  }
}

std::pair<const gl::Resource*, bool> VolumeScene::resource_with(ScannerDiagram::Holds holds,
                                                                const LiveView& live) const {
  if (!scanner_) return {holds == ScannerDiagram::Holds::voxels ? live.output() : nullptr, true};
  if (scanner_->output == holds) return {live.output(), true};
  return {scanner_->input == holds ? live.input() : nullptr, false};
}

void VolumeScene::refresh(const LiveView& live) {
  refresh_scanner(live);
  using Holds = ScannerDiagram::Holds;
  const auto take = [&](Body& body, Holds holds) {
    const auto [resource, is_output] = resource_with(holds, live);
    if (is_output)
      refresh_body(body, resource, live.output_version(), live.changed_slices());
    else
      refresh_body(body, resource, live.input_version(), {0, 0});
  };
  take(object_, Holds::voxels);
  take(views_, Holds::views);
  if (!scanner_ || scanner_->input != Holds::voxels || live.source() == nullptr) {
    object_middle_ = glm::vec3(0.5f);
    middle_of_ = 0;
  } else if (middle_of_ != live.source()->id) {
    middle_of_ = live.source()->id;
    object_middle_ = centre_of_edges(live.source()->picture.pixels.view());
  }
  newest_.reset();
  if (scanner_ && scanner_->output == Holds::views && live.partial() && live.busy()) {
    // A view that takes long is shown while it fills; otherwise the last complete view is shown.
    constexpr double long_seconds = 2.0;
    const double done = live.partial_share() * view_count();
    const bool slow = live.running_seconds() > long_seconds * done;
    newest_ = std::max(static_cast<int>(done) - (slow ? 0 : 1), 0);
  }
  refresh_ray(live);
}

/// Traces the ray of the chosen detector pixel through the object again if the pixel or the work has changed.
void VolumeScene::refresh_ray(const LiveView& live) {
  const Work* work = live.displayed();
  const std::optional<ScannerFacet> scanner = work != nullptr ? diagrams_of(*work->algorithm).scanner : std::nullopt;
  const auto trace = scanner ? scanner->ray : nullptr;
  const VolumeView& v = look();
  has_rays_ = trace != nullptr && views_.texture != nullptr;
  const bool of_result = scanner_ && scanner_->output == ScannerDiagram::Holds::voxels;
  const bool known = of_result ? !live.partial() && object_.texture != nullptr : live.source() != nullptr;
  if (trace == nullptr || v.ray_column < 0 || views_.texture == nullptr || !known ||
      (live.source() != nullptr && live.source()->id != work->source_id)) {
    ray_.reset();
    ray_of_.reset();
    return;
  }
  const int ray_row = v.ray_row >= 0 ? v.ray_row : row();
  std::tuple now{*work, view(), ray_row, v.ray_column};
  if (ray_of_ == now && (!of_result || found_version_ == object_.version)) return;
  if (of_result && (found_.empty() || found_version_ != object_.version)) {
    found_ = object_.texture->read();
    found_version_ = object_.version;
  }
  const HostIn voxels = of_result ? std::as_const(found_).view() : live.source()->picture.pixels.view();
  ray_ = trace(work->params, voxels, view(), ray_row, v.ray_column);
  ray_of_ = std::move(now);
}

int VolumeScene::view() const {
  const int last = std::max(view_count() - 1, 0);
  if (look().view >= 0) return std::min(look().view, last);
  return std::min(newest_.value_or(last / 2), last);
}

int VolumeScene::row() const {
  const int last = rows() - 1;
  return look().row < 0 ? last / 2 : std::min(look().row, last);
}

float VolumeScene::place_of(Cut cut) const {
  const VolumeView& v = look();
  const float chosen = cut == Cut::z ? v.slice_z : cut == Cut::y ? v.slice_y : v.slice_x;
  return chosen >= 0.0f ? chosen : along(cut, object_middle_);
}

std::optional<double> VolumeScene::angle(int view) const {
  if (!scanner_ || view < 0 || view >= static_cast<int>(scanner_->views.size())) return {};
  return scanner_->views[static_cast<std::size_t>(view)].angle;
}

render::VolumeTone VolumeScene::views_tone() const {
  const VolumeView& v = look();
  return tone_over(views_.values, v.window, v.level, v.map, v.inverted);
}

render::VolumeTone VolumeScene::object_tone() const {
  const VolumeView& v = look();
  return tone_over(object_values(), v.object_window, v.object_level, v.object_map, false);
}

VolumeShow VolumeScene::displayed() const {
  const bool of_views = show_ == VolumeShow::view || show_ == VolumeShow::sinogram;
  return of_views && views_.texture == nullptr ? VolumeShow::slices : show_;
}

std::string VolumeScene::shader_kinds(const LiveView& live, glm::ivec2 size) {
  refresh_scanner(live);
  const gl::VolumeTexture* const object = volume_of(resource_with(ScannerDiagram::Holds::voxels, live).first);
  const gl::VolumeTexture* const views = volume_of(resource_with(ScannerDiagram::Holds::views, live).first);
  if (object == nullptr && views == nullptr) return {};
  // Besides the textures, the settings decide which programs draw, and how they read.
  std::string kinds = "object: " + texture_kind(object) + "; views: " + texture_kind(views) + "; ";
  kinds += volume_show_names[static_cast<std::size_t>(show_)];
  kinds += ", " + std::string(render::volume_style_names[static_cast<std::size_t>(look().volume)]) + ", " +
           std::to_string(look().samples) + " samples";
  const bool insets = look().insets && views != nullptr && has_room_for_insets(size);
  // Panes for which there is no room are not drawn.
  constexpr int roomy = 300;
  const bool small = std::min(size.x, size.y) < roomy;
  for (const bool choice : {look().smooth, insets, look().profile, small})
    kinds += choice ? ", yes" : ", no";
  return kinds;
}

void VolumeScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  size_ = {target.width(), target.height()};
  const ImVec4 canvas_rgb = canvas_colour();
  target.bind();
  target.clear({canvas_rgb.x, canvas_rgb.y, canvas_rgb.z, 1.0f});
  play();
  refresh(live);
  panes_.clear();
  profile_.reset();
  ViewCanvas canvas(target);
  if (object_.texture != nullptr || views_.texture != nullptr) {
    const float unit = text_unit(target);
    lay_out(unit);
    for (Pane& pane : panes_)
      draw_pane(pane, target, canvas, unit);
    if (profile_) draw_profile(target, canvas, unit);
  }
  target.bind();
  canvas.finish();
}

bool VolumeScene::show_frame(int frame, int frames) {
  const float fraction = static_cast<float>(frame) / static_cast<float>(frames);
  VolumeView& v = look();
  if (view_count() > 1)
    v.view = std::min(static_cast<int>(fraction * static_cast<float>(view_count())), view_count() - 1);
  else
    v.azimuth = std::fmod(VolumeView{}.azimuth + 360.0f * fraction, 360.0f);
  return true;
}

void VolumeScene::prefer_speed() {
  quick_ = true;
  const VolumeView usual;
  if (look().samples == usual.samples) look().samples = 1;
  if (look().quality == usual.quality) look().quality = 0.6f;
}

bool VolumeScene::animating() const {
  const bool asked = voxel_ && probe_.pending();
  const bool shows_space = std::ranges::any_of(panes_, [](const Pane& pane) { return pane.kind == PaneKind::space; });
  const bool refines = shows_space && paced_by_ && pace_.refines(paced_by_->size);
  return playing_ || object_.range.awaited() || views_.range.awaited() || asked || refines;
}

std::vector<std::pair<std::string, double>> VolumeScene::figures() const {
  std::vector<std::pair<std::string, double>> all{{"views", view_count()},
                                                  {"view", view()},
                                                  {"row", row()},
                                                  {"angle", angle(view()).value_or(0.0)},
                                                  {"low", double{views_.values.x}},
                                                  {"high", double{views_.values.y}}};
  if (ray_) {
    all.emplace_back("ray", ray_->sum);
    all.emplace_back("ray_voxels", static_cast<double>(ray_->pieces.size()));
  }
  return all;
}

}  // namespace threadscape::app
