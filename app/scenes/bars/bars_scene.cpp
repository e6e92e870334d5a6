#include "app/scenes/bars/bars_scene.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/scenes/flat_pane.h"
#include "app/scenes/kernel_choice.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// Sequences up to this length are read back, to write their values out and to draw the network.
constexpr std::int64_t max_read_values = 64;
/// Height of the bar of the minimum, as a fraction of the pane. The same constant is in shaders/bars.frag.
constexpr float floor_height = 0.02f;

std::string short_text(double value, Element element) {
  std::array<char, 32> text{};
  const bool whole = element == Element::i32 || element == Element::u32 || element == Element::i64;
  std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.6g", value);
  return text.data();
}

/// Height in pixels of a line of text, chosen by the size of the view.
float bars_text_unit(const gl::Framebuffer& target) {
  return std::clamp(std::min(static_cast<float>(target.width()) / 62.0f, static_cast<float>(target.height()) / 33.0f),
                    13.0f, 64.0f);
}

}  // namespace

std::int64_t BarsScene::count() const {
  return std::max(rows_[input].summary.shape().width, rows_[result].summary.shape().width);
}

void BarsScene::refresh_row(const LiveView& live, Row& row, const gl::Resource* resource) {
  const bool there = resource != nullptr && resource->shape().kind == Kind::sequence && resource->buffer() != nullptr;
  if (!there) {
    row.summary = {};
    row.values.reset();
    row.buffer = 0;
    return;
  }
  const gl::Buffer& buffer = *resource->buffer();
  const bool same_place = row.buffer == buffer.id() && row.summary.shape() == resource->shape();
  if (!same_place || row.version != live.output_version()) {
    row.buffer = buffer.id();
    row.version = live.output_version();
    row.read_due = true;
    pass_.summarise(row.summary, buffer, resource->shape());
  }
  if (resource->shape().width > max_read_values) {
    row.values.reset();
  } else if (row.read_due && !live.busy()) {  // While something runs, a read would wait for it.
    row.values = values_of(resource->read().view());
    row.read_due = false;
  }
}

void BarsScene::refresh(const LiveView& live) {
  refresh_row(live, rows_[input], live.input());
  refresh_row(live, rows_[result], live.output());
  refresh_note(live);
  render::SequenceRange range;
  bool complete = true;
  for (Row& row : rows_) {
    if (row.summary.values() == nullptr) continue;
    const auto& own = row.summary.range();
    if (own) range = united(range, *own);
    complete = complete && own.has_value();
  }
  if (complete) range_ = range;
  if (fitted_) {
    first_ = 0.0;
    end_ = static_cast<double>(std::max<std::int64_t>(count(), 1));
  }
}

/// Asks the algorithm what its result says about the input. The result is a single number, read once for each result.
void BarsScene::refresh_note(const LiveView& live) {
  const gl::Resource* output = live.output();
  const Work* work = live.shown();
  if (output == nullptr || output->shape().kind != Kind::scalar || work == nullptr || live.input() == nullptr) {
    note_.reset();
    return;
  }
  if (note_ && note_version_ == live.output_version()) return;
  if (live.busy()) return;  // While something runs, a read would wait for it.
  note_.reset();
  note_version_ = live.output_version();
  const auto note = diagrams_of(*work->algorithm).note;
  if (note == nullptr) return;
  const HostArray number = output->read();
  note_ = note(work->params, live.input()->shape(), number.view());
  if (note_->is_value && output->shape().element == rows_[input].summary.shape().element)
    note_->place = pass_.find(rows_[input].summary, render::sequence_key(number.view().data, output->shape().element));
}

std::optional<TreeDiagram> BarsScene::tree_of(const Work& work) const {
  const auto make = diagrams_of(*work.algorithm).tree;
  if (make == nullptr) return {};
  const int kernel = drawn_kernel(work, look().kernel, 0);
  std::optional<TreeDiagram> tree = make(work.params, kernel, look().block_threads());
  if (tree) tree->title = kernel_title(work, kernel, tree->title);
  return tree;
}

std::optional<int> BarsScene::example_kernel(const Work& work, const NetworkDiagram& network) const {
  const auto is_of_network = [&](std::string_view name) {
    return std::ranges::find(network.variants, name) != network.variants.end();
  };
  const auto kernels = work.algorithm->variants_of(Backend::cuda);
  const int chosen = look().kernel - 1;
  if (chosen >= 0 && chosen < std::ssize(kernels) && is_of_network(kernels[static_cast<std::size_t>(chosen)].name) &&
      (work.backend != Backend::cuda || work.variant != chosen))
    return chosen;
  if (is_of_network(work.algorithm->variants_of(work.backend)[static_cast<std::size_t>(work.variant)].name)) return {};
  return static_cast<int>(std::ranges::find_if(kernels, is_of_network, &Variant::name) - kernels.begin());
}

std::vector<std::string_view> BarsScene::network_kernels(const Work& work) const {
  const auto make = diagrams_of(*work.algorithm).network;
  const auto network = make != nullptr ? make(work.params, rows_[input].summary.shape()) : std::nullopt;
  if (!network || network->done < static_cast<int>(network->stages.size())) return {};
  return network->variants;
}

std::optional<DrawnCode> BarsScene::drawn_code(const Work& work) const {
  if (show_ != BarsShow::diagram) return {};
  const DiagramInfo& diagrams = diagrams_of(*work.algorithm);
  const int kernel = drawn_kernel(work, look().kernel, 0);
  if (diagrams.access != nullptr) return DrawnCode{Backend::cuda, kernel, diagrams.access(work.params).title};
  if (diagrams.network != nullptr) {
    const auto network = diagrams.network(work.params, rows_[input].summary.shape());
    if (!network) return {};
    if (network->done < static_cast<int>(network->stages.size()))
      return DrawnCode{work.backend, work.variant, "stages"};
    if (const auto drawn = example_kernel(work, *network)) return DrawnCode{Backend::cuda, *drawn, ""};
    return DrawnCode{work.backend, work.variant, ""};
  }
  const auto tree = tree_of(work);
  if (!tree) return {};
  const TreeDiagram::Step& step =
      tree->steps[static_cast<std::size_t>(std::min(look().step, static_cast<int>(tree->steps.size())) - 1)];
  const char* const values = step.in_registers ? "registers " : step.block_barrier ? "block " : "warp ";
  return DrawnCode{Backend::cuda, kernel, values + step.title};
}

void BarsScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  size_ = {target.width(), target.height()};
  const ImVec4 canvas_rgb = canvas_colour();
  target.bind();
  target.clear({canvas_rgb.x, canvas_rgb.y, canvas_rgb.z, 1.0f});
  panes_.clear();
  refresh(live);
  ViewCanvas canvas(target);
  if (show_ != BarsShow::diagram || !draw_diagram(live, canvas)) draw_rows(live, target, canvas);
  canvas.finish();
}

/// Returns false without drawing if there is no diagram; the sequence itself is drawn then.
bool BarsScene::draw_diagram(const LiveView& live, ViewCanvas& canvas) {
  const Work* work = live.shown();
  tree_steps_ = 0;
  if (!work) return false;
  const DiagramInfo& diagrams = diagrams_of(*work->algorithm);
  if (diagrams.network != nullptr && live.input() != nullptr && rows_[input].values && rows_[result].values) {
    auto network = diagrams.network(work->params, live.input()->shape());
    // For a frame or two the values may still be those of a sequence of another length.
    if (!network || rows_[input].values->keys.size() != static_cast<std::size_t>(network->places)) return false;
    // A run that ends after some stages is one of the network, whatever the variant.
    const bool complete = network->done == static_cast<int>(network->stages.size());
    if (const auto kernel = complete ? example_kernel(*work, *network) : std::nullopt) {
      const auto kernels = work->algorithm->variants_of(Backend::cuda);
      network->title +=
          " of " + std::string(kernels[static_cast<std::size_t>(*kernel)].name) + " (" + not_running(*work) + ")";
    }
    draw_network(canvas, *network, *rows_[input].values, *rows_[result].values);
    return true;
  }
  if (diagrams.access != nullptr) {
    draw_access(canvas, diagrams.access(work->params));
    return true;
  }
  const auto tree = tree_of(*work);
  if (!tree) return false;
  tree_steps_ = static_cast<int>(tree->steps.size());
  draw_tree(canvas, *tree, std::min(look().step, tree_steps_) - 1);
  return true;
}

void BarsScene::draw_rows(const LiveView& live, const gl::Framebuffer& target, ViewCanvas& canvas) {
  const float unit = bars_text_unit(target);
  std::vector<std::size_t> shown;
  const bool scalar = rows_[result].summary.values() == nullptr;
  if (rows_[input].summary.values() != nullptr && (scalar || show_ != BarsShow::result)) shown.push_back(input);
  if (!scalar && show_ != BarsShow::input) shown.push_back(result);
  if (shown.empty()) return;

  const int pad = static_cast<int>(unit), title = static_cast<int>(1.9f * unit);
  const bool noted = note_ && show_ != BarsShow::input;
  int top = noted ? static_cast<int>(6.4f * unit) : 0;
  if (show_ == BarsShow::diagram) {
    canvas.text({unit, 1.0f * unit},
                scalar ? "this kernel has no tree to draw" : "the network is drawn for up to 64 values", unit * 0.9f,
                warning_ink());
    top = std::max(top, static_cast<int>(1.6f * unit));
  }
  const int each = (size_.y - top) / static_cast<int>(shown.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    Pane pane;
    pane.row = shown[i];
    pane.corner = {pad, top + static_cast<int>(i) * each + title};
    pane.size = {size_.x - 2 * pad, each - title - pad};
    if (pane.size.x < 1 || pane.size.y < 1) continue;
    panes_.push_back(pane);
    draw_pane(pane, target, canvas);
  }
  if (noted && !panes_.empty()) draw_note(panes_.front(), canvas, unit);
  (void)live;
}

void BarsScene::draw_pane(const Pane& pane, const gl::Framebuffer& target, ViewCanvas& canvas) {
  const Row& row = rows_[pane.row];
  const BarsView view = look();
  const float unit = bars_text_unit(target);
  const Shape& shape = row.summary.shape();
  render::BarsSettings settings;
  settings.first = first_;
  settings.end = end_;
  settings.range = range_;
  settings.from_zero = view.base == BarsView::Base::zero;
  settings.strip = view.style == BarsView::Style::strip;
  settings.colour = view.colour;
  settings.map = view.colour == render::BarColour::place ? render::ColourMap::turbo : render::ColourMap::viridis;
  settings.plain = rgba(accent_ink());
  settings.background = rgba(plate());
  settings.background.a = 1.0f;
  settings.mark = rgba(warning_ink());
  if (note_ && show_ != BarsShow::input && pane.row == input) settings.marked = note_->place;
  target.bind();
  pass_.draw(row.summary, settings, pane.corner, pane.size, size_.y);

  const float x = static_cast<float>(pane.corner.x), y = static_cast<float>(pane.corner.y);
  const float right = x + static_cast<float>(pane.size.x);
  std::string title = pane.row == input ? "input" : "result";
  title += "   " + std::to_string(shape.width) + " x " + std::string(name_of(shape.element));
  if (shape.height > 1) title += ", with places";
  // Both texts share the line: where it is short, they are written smaller, so that neither covers the other.
  const std::string span =
      range_.empty() ? std::string{}
                     : short_text(render::sequence_value(range_.low, shape.element), shape.element) + " ... " +
                           short_text(render::sequence_value(range_.high, shape.element), shape.element);
  const float wide = ViewCanvas::text_width(title, unit * 0.95f), gap = unit;
  const float span_wide = ViewCanvas::text_width(span, unit * 0.85f), room = std::max(right - x - gap, 1.0f);
  const float share = std::min(1.0f, room / (wide + span_wide));
  canvas.text({x, y - 0.9f * unit}, title, unit * 0.95f, ink(), Align::left, wide * share);
  canvas.text({right, y - 0.9f * unit}, span, unit * 0.85f, muted_ink(), Align::right, span_wide * share);
  // Values are written at the foot of their bars if all of them have room.
  if (!row.values || settings.strip) return;
  const auto per_value = static_cast<float>(pane.size.x / (end_ - first_));
  const float size = unit * 0.85f;
  float max_width = 0;
  for (std::size_t i = 0; i < row.values->keys.size(); ++i)
    max_width = std::max(max_width, ViewCanvas::text_width(row.values->text(i), size));
  if (max_width + 0.8f * size > per_value) return;
  for (std::size_t i = 0; i < row.values->keys.size(); ++i) {
    const float middle = x + (static_cast<float>(i) + 0.5f - static_cast<float>(first_)) * per_value;
    if (middle > x && middle < right)
      canvas.label({middle, y + static_cast<float>(pane.size.y) - size}, row.values->text(i), size, ink(),
                   Align::centre);
  }
}

float BarsScene::height_at(const Pane& pane, double value) const {
  const Element element = rows_[pane.row].summary.shape().element;
  render::SequenceRange range = range_;
  if (look().base == BarsView::Base::zero) {
    const render::SequenceKey zero = render::key_of_zero(element);
    range = united(range, {zero, zero});
  }
  const double low = render::sequence_value(range.low, element), high = render::sequence_value(range.high, element);
  const double part = high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
  return static_cast<float>(pane.corner.y + pane.size.y) -
         static_cast<float>(pane.size.y) * (floor_height + (1.0f - floor_height) * static_cast<float>(part));
}

void BarsScene::draw_note(const Pane& pane, ViewCanvas& canvas, float unit) {
  const float w = canvas.width(), x = static_cast<float>(pane.corner.x);
  const float right = x + static_cast<float>(pane.size.x);
  canvas.text({unit, 1.2f * unit}, note_->title, unit, muted_ink(), Align::left, w - 2 * unit);
  canvas.text({unit, 3.6f * unit}, note_->number, unit * 3.0f, ink(), Align::left, w - 2 * unit);
  if (!note_->detail.empty()) canvas.text({unit, 5.6f * unit}, note_->detail, unit * 0.9f, muted_ink());
  const bool bars = look().style == BarsView::Style::bars;
  if (note_->level && bars && !range_.empty()) {
    const float y = height_at(pane, *note_->level);
    canvas.list().AddLine({x, y}, {right, y}, warning_ink(), std::max(1.5f, unit * 0.12f));
    const float above = y - unit > static_cast<float>(pane.corner.y) ? y - 0.9f * unit : y + 0.9f * unit;
    canvas.label({right - 0.6f * unit, above}, note_->level_title, unit * 0.9f, warning_ink(), Align::right);
  }
  if (!note_->place) return;
  const auto place = static_cast<double>(*note_->place);
  if (place + 1 <= first_ || place >= end_) return;
  const auto middle = static_cast<float>(pane.corner.x + (place + 0.5 - first_) / (end_ - first_) * pane.size.x);
  const float head = 0.5f * unit, y = static_cast<float>(pane.corner.y + pane.size.y) + 0.1f * unit;
  canvas.list().AddTriangleFilled({middle, y}, {middle - head * 0.7f, y + head * 1.4f},
                                  {middle + head * 0.7f, y + head * 1.4f}, warning_ink());
  const std::string text = "at place " + std::to_string(*note_->place);
  const bool at_right = middle > w / 2;
  canvas.label({middle + (at_right ? -1.1f : 1.1f) * unit, y - 1.2f * unit}, text, unit * 0.9f, warning_ink(),
               at_right ? Align::right : Align::left);
}

}  // namespace threadscape::app
