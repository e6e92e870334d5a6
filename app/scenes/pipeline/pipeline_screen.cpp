// The stages of the pipeline that are shown on the screen: edges, coverage, fragments, pictures and the comparison with
// OpenGL.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/scenes/flat_pane.h"
#include "app/scenes/pipeline/pipeline_scene.h"
#include "app/ui/widgets.h"
#include "compute/algorithms/graphics/rasterize/rasterize_environment_map.h"

namespace threadscape::app {

namespace {

constexpr std::array<ImU32, 3> edge_colours{IM_COL32(226, 84, 72, 255), IM_COL32(84, 178, 88, 255),
                                            IM_COL32(72, 132, 226, 255)};

const gl::Texture* texture_of(const gl::Resource* resource) {
  return resource != nullptr ? resource->texture() : nullptr;
}

/// The coordinates of a corner in pixels of the picture, where the first pixel covers 0..1.
glm::vec2 place_of(const rasterize::ScreenVertex& v) {
  constexpr float pixel = 1.0f / static_cast<float>(rasterize::subpixel);
  return {static_cast<float>(v.x) * pixel + 0.5f, static_cast<float>(v.y) * pixel + 0.5f};
}

}  // namespace

glm::vec2 PipelineScene::on_screen(glm::vec2 pixel) const {
  return render::image_to_view(settings_, size_, pixel);
}

void PipelineScene::draw_texture(const gl::Texture& texture, const gl::Texture* second,
                                 const render::ImageViewSettings& settings) {
  image_.draw(texture, second, settings, size_.x, size_.y);
}

void PipelineScene::draw_host_picture(glm::ivec2 size) {
  if (host_picture_.empty() || host_picture_.width() != size.x || host_picture_.height() != size.y) {
    host_picture_ = gl::Texture(gl::Format::rgba8, size.x, size.y);
    recording().host_version.reset();
  }
  if (recording().host_version != frame().version()) {
    host_picture_.write(frame().picture().view());
    recording().host_version = frame().version();
  }
  draw_texture(host_picture_, nullptr, settings_);
}

void PipelineScene::draw_piece(ViewCanvas& canvas, const rasterize::Piece& piece, ImU32 colour, float weight) const {
  std::array<ImVec2, 3> p;
  for (std::size_t i = 0; i < 3; ++i) {
    const glm::vec2 at = on_screen(place_of(piece.corner[i]));
    p[i] = {at.x, at.y};
  }
  // Single lines, because the corners of an outline of a sliver would be long spikes.
  for (std::size_t i = 0; i < 3; ++i)
    canvas.list().AddLine(p[i], p[(i + 1) % 3], colour, weight);
}

void PipelineScene::draw_edges(ViewCanvas& canvas) {
  const glm::vec2 low = on_screen({0, 0}), high = on_screen({plan().width, plan().height});
  canvas.list().AddRectFilled({low.x, low.y}, {high.x, high.y}, plate());
  canvas.list().AddRect({low.x, low.y}, {high.x, high.y}, muted_ink());
  const ImU32 front = accent_ink(), back = (accent_ink() & 0x00ffffffu) | 0x50000000u;
  for (const rasterize::TriangleStages& stages : frame().triangles())
    for (const rasterize::Piece& piece : stages.pieces)
      draw_piece(canvas, piece, piece.screen.back ? back : front, 1.0f);
  for (const rasterize::Piece& piece : frame().triangles()[triangle()].pieces)
    draw_piece(canvas, piece, warning_ink(), 2.5f);
}

void PipelineScene::draw_regions(ViewCanvas& canvas, float unit) {
  if (!look().regions || plan().visibility != rasterize::Visibility::warnock) {
    recording().regions.reset();
    return;
  }
  if (!recording().regions) recording().regions = rasterize::warnock_regions(plan(), frame().mesh());
  const ImU32 surrounded = (accent_ink() & 0x00ffffffu) | 0x50000000u,
              one = (warning_ink() & 0x00ffffffu) | 0x38000000u;
  for (const rasterize::Region& region : *recording().regions) {
    const glm::vec2 low = on_screen({region.x0, region.y0}), high = on_screen({region.x1, region.y1});
    if (high.x < 0.0f || high.y < 0.0f || low.x > canvas.width() || low.y > canvas.height()) continue;
    const glm::vec2 room = high - low;
    if (region.why == rasterize::RegionCase::surrounded)
      canvas.list().AddRectFilled({low.x, low.y}, {high.x, high.y}, surrounded);
    if (region.why == rasterize::RegionCase::one) canvas.list().AddRectFilled({low.x, low.y}, {high.x, high.y}, one);
    if (std::min(room.x, room.y) >= 3.0f) canvas.list().AddRect({low.x, low.y}, {high.x, high.y}, faint_ink());
    const std::string number = std::to_string(region.triangles);
    const float size = std::min(0.8f * unit, 0.7f * room.y);
    if (size >= 7.0f && room.x >= 0.7f * size * static_cast<float>(number.size()))
      canvas.text({(low.x + high.x) * 0.5f, (low.y + high.y) * 0.5f}, number, size, ink(), Align::centre);
  }
}

void PipelineScene::fit_triangle() {
  if (fitted_triangle_ && fitted_triangle_->triangle == triangle()) {
    const bool moved = fitted_triangle_->zoom != settings_.zoom || fitted_triangle_->centre != settings_.centre;
    if (fitted_triangle_->view == size_ || moved) return;
  }
  const auto& pieces = frame().triangles()[triangle()].pieces;
  if (pieces.empty()) return;
  glm::vec2 low{1e9f}, high{-1e9f};
  for (const rasterize::Piece& piece : pieces)
    for (const rasterize::ScreenVertex& corner : piece.corner) {
      low = glm::min(low, place_of(corner));
      high = glm::max(high, place_of(corner));
    }
  low = glm::clamp(low, glm::vec2(0.0f), glm::vec2(plan().width, plan().height));
  high = glm::clamp(high, glm::vec2(0.0f), glm::vec2(plan().width, plan().height));
  const glm::vec2 room = glm::vec2(size_) / (high - low + 3.0f);
  navigator_.place(settings_, std::clamp(0.85f * std::min(room.x, room.y), 0.25f, 140.0f), (low + high) * 0.5f);
  fitted_triangle_ = {triangle(), size_, settings_.zoom, settings_.centre};
}

rasterize::PixelRange PipelineScene::pixels_in_view() const {
  const auto pixel_at = [&](glm::ivec2 at) {
    return glm::ivec2(glm::clamp(glm::floor(render::view_to_image(settings_, size_, at)), glm::vec2(-1.0f),
                                 glm::vec2(plan().width, plan().height)));
  };
  const glm::ivec2 low = pixel_at({0, 0}), high = pixel_at(size_);
  return {low.x, low.y, high.x, high.y};
}

void PipelineScene::fill_piece(ViewCanvas& canvas, const rasterize::Piece& piece, ImU32 colour) const {
  ImDrawList& list = canvas.list();
  const rasterize::ScreenTriangle& t = piece.screen;
  if (settings_.zoom < 2.0f) {
    const glm::vec2 low = on_screen({0, 0}), high = on_screen({plan().width, plan().height});
    const glm::vec2 a = on_screen(place_of(piece.corner[0])), b = on_screen(place_of(piece.corner[1])),
                    c = on_screen(place_of(piece.corner[2]));
    list.PushClipRect({low.x, low.y}, {high.x, high.y}, true);
    list.AddTriangleFilled({a.x, a.y}, {b.x, b.y}, {c.x, c.y}, colour);
    list.PopClipRect();
    return;
  }
  // The covered pixels of a row follow each other, because a triangle is convex.
  const rasterize::PixelRange seen = pixels_in_view();
  for (int y = std::max(t.y0, seen.y0); y <= std::min(t.y1, seen.y1); ++y) {
    int first = std::max(t.x0, seen.x0), last = std::min(t.x1, seen.x1);
    while (first <= last && !rasterize::covers(t, first, y))
      ++first;
    while (first <= last && !rasterize::covers(t, last, y))
      --last;
    if (first > last) continue;
    const glm::vec2 low = on_screen({first, y}), high = on_screen({last + 1, y + 1});
    list.AddRectFilled({low.x, low.y}, {high.x, high.y}, colour);
  }
}

void PipelineScene::draw_coverage(ViewCanvas& canvas, float unit) {
  const rasterize::TriangleStages& stages = frame().triangles()[triangle()];
  ImDrawList& list = canvas.list();
  if (stages.pieces.empty()) {
    constexpr std::array<const char*, 5> fates{"it covers no pixel of the picture", "it is outside of the view volume",
                                               "it is culled, because it shows its back",
                                               "it has no area on the screen", "a coordinate is not finite"};
    canvas.text({canvas.width() / 2, canvas.height() / 2},
                format_text("triangle %u: %s", triangle(), fates[static_cast<std::size_t>(stages.fate)]), unit,
                muted_ink(), Align::centre);
    return;
  }
  const bool numbers = settings_.zoom >= 5.2f * unit, grid = settings_.zoom >= 4.0f;
  const ImU32 covered = (accent_ink() & 0x00ffffffu) | 0x90000000u;
  for (const rasterize::Piece& piece : stages.pieces) {
    if (!grid) {
      fill_piece(canvas, piece, covered);
      continue;
    }
    for (const rasterize::Coverage& pixel : rasterize::coverage(piece, pixels_in_view())) {
      const glm::vec2 low = on_screen({pixel.x, pixel.y}), high = on_screen({pixel.x + 1, pixel.y + 1});
      if (pixel.covered) list.AddRectFilled({low.x, low.y}, {high.x, high.y}, covered);
      list.AddRect({low.x, low.y}, {high.x, high.y}, faint_ink());
      const glm::vec2 middle = (low + high) * 0.5f;
      if (settings_.zoom >= 10.0f)
        list.AddCircleFilled({middle.x, middle.y}, std::clamp(0.05f * settings_.zoom, 1.0f, 4.0f), ink());
      for (std::size_t i = 0; numbers && i < 3; ++i)
        canvas.text({middle.x, low.y + (0.9f + 1.0f * static_cast<float>(i)) * 0.8f * unit},
                    std::to_string(pixel.edge[i]), 0.75f * unit, edge_colours[i], Align::centre, high.x - low.x);
    }
  }
  for (const rasterize::Piece& piece : stages.pieces)
    for (std::size_t i = 0; i < 3; ++i) {
      // Edge i is opposite to corner i.
      const glm::vec2 a = on_screen(place_of(piece.corner[(i + 1) % 3])),
                      b = on_screen(place_of(piece.corner[(i + 2) % 3]));
      list.AddLine({a.x, a.y}, {b.x, b.y}, edge_colours[i], 2.0f);
      // An arrow at the middle of the edge to the side where its function grows.
      const glm::vec2 inwards{static_cast<float>(piece.screen.a[i]), static_cast<float>(piece.screen.b[i])};
      const float length = std::sqrt(inwards.x * inwards.x + inwards.y * inwards.y);
      if (length <= 0.0f) continue;
      const glm::vec2 from = (a + b) * 0.5f, to = from + inwards / length * 1.6f * unit;
      canvas.arrow({from.x, from.y}, {to.x, to.y}, edge_colours[i], 2.0f, 0.5f * unit);
    }
}

void PipelineScene::draw_scale(ViewCanvas& canvas, const ColourBar& bar) {
  std::vector<ImU32> colours;
  for (int i = 0; i <= 32; ++i)
    colours.push_back(map_colour(static_cast<float>(i) / 32.0f));
  draw_colour_bar(canvas, bar, fill_from_colours(std::move(colours)));
}

void PipelineScene::compare(const LiveView& live) {
  if (comparison_ && compared_version_ == live.output_version()) return;
  const gl::Texture* software = texture_of(live.output());
  if (software == nullptr || gl::info_of(software->format()).channels != 4 || live.busy()) return;
  const glm::ivec2 size{software->width(), software->height()};
  if (size != glm::ivec2(hardware_.picture().width(), hardware_.picture().height())) return;
  const HostArray own = software->read(), theirs = hardware_.picture().read();
  const std::vector<std::uint32_t> triangles = hardware_.read_triangles();
  const bool numbered = followed();
  if (numbered) frame().find_seen();
  Comparison result;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const Rgba8 a = own.image<Rgba8>()(x, y), b = theirs.image<Rgba8>()(x, y);
      const int difference =
          std::max({std::abs(int{a.r} - int{b.r}), std::abs(int{a.g} - int{b.g}), std::abs(int{a.b} - int{b.b})});
      result.largest = std::max(result.largest, difference);
      if (difference > 2) ++result.colours;
      if (!numbered) continue;
      const std::uint32_t seen = frame().triangle_at(x, y);
      const std::uint32_t drawn =
          triangles[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(x)];
      if ((seen != 0) != (drawn != 0)) ++result.coverage;
      if (seen != drawn) ++result.triangles;
    }
  comparison_ = result;
  compared_version_ = live.output_version();
}

std::string PipelineScene::hardware_problem(std::uint32_t triangles) {
  if (triangles <= max_hardware_triangles) return {};
  return "the mesh has " + std::to_string(triangles) + " triangles; OpenGL draws up to " +
         std::to_string(max_hardware_triangles) + " of them here, because the window waits for the upload";
}

void PipelineScene::draw_hardware() {
  const std::optional<Subject> wanted = subject();
  if (drawn_by_hardware_ == wanted) return;
  // After an error, the pass may still hold the mesh before.
  const bool reload = !drawn_by_hardware_ || drawn_by_hardware_->mesh != source_ || !hardware_error_.empty();
  comparison_.reset();
  drawn_by_hardware_ = wanted;
  const HostIn mesh = source_->picture.pixels.view();
  hardware_error_ = hardware_problem(MeshView(mesh).triangles());
  if (!hardware_error_.empty()) return;
  try {
    if (reload) hardware_.set_mesh(mesh);
    const auto environment = rasterize::environment_map(wanted->params);
    hardware_.draw(Rasterize::plan(wanted->params, mesh, environment.get()));
  } catch (const Error& error) {
    hardware_error_ = error.what();
    report(hardware_error_);
  }
}

void PipelineScene::draw_probe(ViewCanvas& canvas) const {
  if (look().pixel_x < 0 || look().pixel_y < 0) return;
  const glm::vec2 low = on_screen({look().pixel_x, look().pixel_y}),
                  high = on_screen({look().pixel_x + 1, look().pixel_y + 1});
  const float least = 3.0f;
  canvas.list().AddRect({low.x - least, low.y - least}, {high.x + least, high.y + least}, ink(), 0.0f, 0, 3.0f);
  canvas.list().AddRect({low.x - least, low.y - least}, {high.x + least, high.y + least}, warning_ink(), 0.0f, 0, 1.5f);
}

void PipelineScene::draw_steps(ViewCanvas& canvas, glm::ivec2 picture, float unit) {
  const int now = step();
  if (show_ == PipelineShow::blending) {
    frame().blend(now);
    draw_host_picture(picture);
    if (frame().layers_left_out())
      canvas.label_lines({canvas.width() / 2, canvas.height() - 1.2f * unit},
                         "more than " + std::to_string(PipelineFrame::max_layer_fragments) +
                             " transparent fragments: the last triangles are left out",
                         unit, warning_ink(), Align::centre, canvas.width() - 2 * unit, true);
    return;
  }
  frame().draw(static_cast<std::size_t>(now));
  draw_host_picture(picture);
  if (now > 0 && now < static_cast<int>(plan().triangles))
    for (const rasterize::Piece& piece : frame().triangles()[frame().order()[static_cast<std::size_t>(now) - 1]].pieces)
      draw_piece(canvas, piece, warning_ink(), 2.0f);
}

void PipelineScene::draw_screen(const LiveView& live, const gl::Framebuffer& target, ViewCanvas& canvas) {
  const float unit = text_unit(target);
  const ImVec4 backdrop = canvas_colour();
  settings_.background = {backdrop.x, backdrop.y, backdrop.z, 1.0f};
  settings_.mode = render::ViewMode::single;
  const glm::ivec2 picture{params_->width, params_->height};
  if (show_ != PipelineShow::coverage && fitted_triangle_) {
    fitted_triangle_.reset();
    navigator_.fit();
  }
  settings_.mode = show_ == PipelineShow::opengl ? render::ViewMode::side_by_side : render::ViewMode::single;
  navigator_.begin(settings_, size_, picture);
  target.bind();
  if (show_ == PipelineShow::screen) {
    draw_edges(canvas);
    draw_regions(canvas, unit);
    return draw_probe(canvas);
  }
  if (show_ == PipelineShow::coverage) {
    fit_triangle();
    draw_coverage(canvas, unit);
    return;
  }
  if (show_ == PipelineShow::fragments || show_ == PipelineShow::blending) {
    draw_steps(canvas, picture, unit);
    return draw_probe(canvas);
  }
  const gl::Texture* output = texture_of(live.output());
  if (output == nullptr) return;
  render::ImageViewSettings settings = settings_;
  const bool grey = gl::info_of(output->format()).channels == 1;
  const bool follows = followed();
  if (show_ == PipelineShow::depth && grey) {
    const float low = follows ? frame().lowest_depth() : 0.0f, high = follows ? frame().highest_depth() : 1.0f;
    // The map begins at the nearest depth. Empty pixels have depth 1, beyond its end.
    const float gain = high > low ? 1.0f / (high - low) : 1.0f;
    settings.exposure = std::log2(gain);
    settings.offset = -low * gain;
    settings.colour_map = render::ColourMap::viridis;
    draw_texture(*output, nullptr, settings);
    draw_scale(canvas, {"depth", static_cast<double>(low), static_cast<double>(high), {}});
  } else if (show_ == PipelineShow::overdraw && grey) {
    const int most = follows ? std::max(frame().most_fragments(), 1) : 8;
    settings.exposure = -std::log2(static_cast<float>(most));
    settings.colour_map = render::ColourMap::viridis;
    draw_texture(*output, nullptr, settings);
    draw_scale(canvas, {"fragments", 0.0, static_cast<double>(most), {}, true});
  } else if (show_ == PipelineShow::opengl || show_ == PipelineShow::difference) {
    if (!source_) return;
    draw_hardware();
    if (!hardware_error_.empty()) {
      canvas.text({canvas.width() / 2, canvas.height() / 2}, hardware_error_, unit, warning_ink(), Align::centre,
                  canvas.width() - 2 * unit);
      return;
    }
    compare(live);
    target.bind();
    if (show_ == PipelineShow::difference) {
      settings.mode = render::ViewMode::difference;
      settings.difference_gain = 32.0f;
      settings.difference_map = render::ColourMap::none;
    }
    draw_texture(*output, &hardware_.picture(), settings);
    if (comparison_)
      canvas.label_lines(
          {canvas.width() / 2, canvas.height() - 1.2f * unit},
          format_text("coverage differs in %lld pixels, the triangle in %lld, a colour by more than 2/255 in "
                      "%lld; largest difference %d/255",
                      static_cast<long long>(comparison_->coverage), static_cast<long long>(comparison_->triangles),
                      static_cast<long long>(comparison_->colours), comparison_->largest),
          unit, ink(), Align::centre, canvas.width() - 2 * unit, true);
  } else {
    draw_texture(*output, nullptr, settings);
  }
  if (show_ != PipelineShow::opengl) draw_probe(canvas);
}

}  // namespace threadscape::app
