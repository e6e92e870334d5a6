#include "app/scenes/compare/compare_scene.h"

#include <algorithm>
#include <cmath>

namespace threadscape::app {

namespace {

/// Seconds between two computations of the error of a result that is being computed.
constexpr double count_interval = 0.4;

const gl::VolumeTexture* volume_of(const gl::Resource* resource) {
  return resource != nullptr ? resource->volume() : nullptr;
}

}  // namespace

bool CompareScene::can_show(const AlgorithmInfo& algorithm) {
  return algorithm.output == Kind::volume && diagrams_of(algorithm).truth.has_value();
}

void CompareScene::show(int index) {
  show_ = static_cast<CompareShow>(index);
  if (show_ != CompareShow::all) focus_ = static_cast<Cut>(index - 1);
}

const gl::VolumeTexture* CompareScene::truth() const {
  const gl::VolumeTexture* texture = truth_.texture();
  return texture != nullptr && result_ != nullptr && texture->size() == result_->size() ? texture : nullptr;
}

int CompareScene::index_of(Cut cut) const {
  const CompareView& v = look();
  const float chosen = cut == Cut::z ? v.slice_z : cut == Cut::y ? v.slice_y : v.slice_x;
  if (chosen >= 0.0f) return index_at(chosen, count_of(cut));
  const glm::vec3 middle = truth() != nullptr ? truth_.middle() : glm::vec3(0.5f);
  return index_at(along(cut, middle), count_of(cut));
}

int CompareScene::view() const {
  const int last = std::max(view_count() - 1, 0);
  return look().view < 0 ? last / 2 : std::min(look().view, last);
}

int CompareScene::row() const {
  const int last = std::max(rows() - 1, 0);
  return look().row < 0 ? last / 2 : std::min(look().row, last);
}

/// The range begins at 0 or below, so that an object with equal voxels is not shown in black.
glm::vec2 CompareScene::values() const {
  const glm::vec2 range = truth() != nullptr ? truth_.range() : result_values_;
  return {std::min(range.x, 0.0f), range.y};
}

render::VolumeTone CompareScene::tone() const {
  const CompareView& v = look();
  return tone_over(values(), v.window, v.level, v.map, false);
}

render::VolumeTone CompareScene::difference_tone() const {
  const glm::vec2 range = values();
  const float max = look().difference * (range.y > range.x ? range.y - range.x : 1.0f);
  return {-max, max, render::ColourMap::coolwarm, false};
}

glm::vec3 CompareScene::sides() const {
  if (scanner_)
    return {static_cast<double>(scanner_->voxels_x) * scanner_->voxel.x,
            static_cast<double>(scanner_->voxels_y) * scanner_->voxel.y,
            static_cast<double>(scanner_->voxels_z) * scanner_->voxel.z};
  const glm::ivec3 size = result_->size();
  return {size.x, size.z, size.y};
}

render::VolumeSlice CompareScene::slice_of(const Pane& pane) const {
  if (pane.picture == Picture::view) return {{0, 1, middle_of(view(), view_count())}, {1, 0, 0}, {0, -1, 0}};
  if (pane.picture == Picture::sinogram) return {{0, middle_of(row(), rows()), 0}, {1, 0, 0}, {0, 0, 1}};
  return slice_at(pane.cut, place_of(pane.cut));
}

const gl::VolumeTexture* CompareScene::texture_of(const Pane& pane) const {
  if (pane.of_input()) return views_;
  return pane.picture == Picture::truth ? truth() : result_;
}

void CompareScene::refresh(const LiveView& live) {
  result_ = volume_of(live.output());
  views_ = volume_of(live.input());
  version_ = live.output_version();
  const Work* work = live.displayed();
  const auto find_range = [this](const gl::VolumeTexture* volume, std::uint64_t version, render::VolumeRange& range,
                                 std::pair<GLuint, std::uint64_t>& ranged, glm::vec2& values) {
    // A range that was asked for is taken even if nobody needs it any more, because the scene goes on drawing frames
    // while one is awaited.
    if (const auto& found = range.range()) values = *found;
    if (volume == nullptr) return;
    if (const std::pair now{volume->id(), version}; ranged != now && !range.awaited()) {
      ranges_.begin(range, *volume);
      ranged = now;
    }
  };
  find_range(views_, live.input_version(), views_range_, views_ranged_, views_values_);
  if (work == nullptr) return;
  if (const std::string trouble = truth_.update(*work); !trouble.empty()) report(trouble);
  find_range(truth() == nullptr ? result_ : nullptr, version_, result_range_, result_ranged_, result_values_);

  const Shape input = live.source() != nullptr ? live.source()->picture.pixels.shape() : Shape{};
  // Until the result of a new input has arrived, the old result is shown with its own scanner.
  const bool matches = live.input_version() == work->source_id;
  if (matches && (scanner_of_ != *work || scanner_input_ != input)) {
    scanner_of_ = *work;
    scanner_input_ = input;
    scanner_.reset();
    if (const auto& scanner = diagrams_of(*work->algorithm).scanner) scanner_ = scanner->diagram(work->params, input);
  }
  refresh_errors(live);
}

void CompareScene::refresh_errors(const LiveView& live) {
  const bool is_partial = live.partial() != nullptr;
  if (const Work* work = live.displayed(); work == nullptr || history_of_ != *work) {
    history_of_ = work != nullptr ? std::optional(*work) : std::nullopt;
    history_.clear();
  }
  if (auto found = errors_.poll()) {
    errors_found_ = std::move(*found);
    const double rmse = errors_found_.front().rmse();
    const bool further = history_.empty() || history_.back().x < progress_;
    // A result that is complete at once has no history.
    if (further && errors_found_.front().voxels > 0 && (is_partial || !history_.empty()))
      history_.emplace_back(progress_, rmse);
  }
  const gl::VolumeTexture* wanted = truth();
  if (wanted == nullptr) {
    errors_found_.clear();
    counted_.reset();
    return;
  }
  const glm::ivec3 size = result_->size();
  // The indices are in the order of the texture's axes x, z, y.
  const glm::ivec3 at{index_of(Cut::x), index_of(Cut::z), index_of(Cut::y)};
  const Counted now{result_->id(), version_, truth_.version(), at};
  if (counted_ == now || errors_.awaited()) return;
  const double time = ImGui::GetTime();
  if (is_partial && counted_ && time - counted_at_ < count_interval && counted_->slices == at) return;
  const std::array boxes{render::VolumeBox{{0, 0, 0}, size}, render::VolumeBox{{0, at.y, 0}, {size.x, 1, size.z}},
                         render::VolumeBox{{0, 0, at.z}, {size.x, size.y, 1}},
                         render::VolumeBox{{at.x, 0, 0}, {1, size.y, size.z}}};
  errors_.begin(*result_, *wanted, boxes);
  counted_ = now;
  counted_at_ = time;
  progress_ = is_partial ? live.partial_share() : 1.0;
}

void CompareScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  size_ = {target.width(), target.height()};
  const glm::vec4 back = backdrop();
  target.bind();
  target.clear({back.x, back.y, back.z, 1.0f});
  refresh(live);
  play();
  panes_.clear();
  profile_.reset();
  table_.reset();
  course_.reset();
  ViewCanvas canvas(target);
  if (result_ != nullptr && scanner_of_) {
    const float unit = text_unit(target);
    lay_out(unit);
    for (const Pane& pane : panes_)
      draw_pane(pane, target, canvas, unit);
    draw_scales(target, canvas, unit);
    if (profile_) draw_profile(target, canvas, unit);
    if (table_) draw_figures(canvas, unit);
    if (course_) draw_history(canvas, unit);
  }
  target.bind();
  canvas.finish();
}

bool CompareScene::show_frame(int frame, int frames) {
  const float fraction = static_cast<float>(frame) / static_cast<float>(frames);
  choose_slice(focus_, index_at(fraction, count_of(focus_)));
  return true;
}

bool CompareScene::animating() const {
  return playing_ || truth_.pending() || errors_.awaited() || result_range_.awaited() || views_range_.awaited() ||
         (voxel_ && probe_.pending());
}

std::vector<std::pair<std::string, double>> CompareScene::figures() const {
  const render::VolumeTone black_white = tone();
  std::vector<std::pair<std::string, double>> all{{"low", double{black_white.low}}, {"high", double{black_white.high}}};
  for (const Cut cut : {Cut::z, Cut::y, Cut::x}) {
    const auto number = static_cast<std::size_t>(cut);
    all.emplace_back("slice_" + std::string(cut_names[number]), index_of(cut));
    if (!errors_found_.empty())
      all.emplace_back("rmse_" + std::string(cut_names[number]), errors_found_[number + 1].rmse());
  }
  if (!errors_found_.empty()) {
    const render::VolumeError& volume = errors_found_.front();
    all.emplace_back("rmse", volume.rmse());
    all.emplace_back("relative", volume.relative());
    all.emplace_back("largest", volume.largest);
  }
  return all;
}

}  // namespace threadscape::app
