#include "render/passes/seams_pass.h"

#include <algorithm>
#include <utility>

#include "render/passes/dispatch.h"

namespace threadscape::render {

namespace {

constexpr int seams_group = 8;      // Invocations of a workgroup along each axis.
constexpr int segment_pixels = 64;  // Must equal the constant of shaders/seams.glsl.

Element element_of(const gl::Texture& texture) {
  return gl::info_of(texture.format()).element;
}
/// The format of four channels with the same element type.
gl::Format coloured(const gl::Texture& texture) {
  switch (element_of(texture)) {
    case Element::u8:
      return gl::Format::rgba8;
    case Element::u16:
      return gl::Format::rgba16;
    default:
      return gl::Format::rgba32f;
  }
}
float white_of(const gl::Texture& texture) {
  switch (element_of(texture)) {
    case Element::u8:
      return 255.0f;
    case Element::u16:
      return 65535.0f;
    default:
      return 0.0f;
  }
}
void bind_image(GLuint unit, const gl::Texture& texture) {
  glBindImageTexture(unit, texture.id(), 0, GL_FALSE, 0, GL_WRITE_ONLY, gl::info_of(texture.format()).internal);
}
/// Colours of marked seams: of those that are removed, and of those that are doubled.
const glm::vec3 removed_colour{1.0f, 0.22f, 0.20f}, doubled_colour{0.35f, 0.95f, 0.45f};

/// Length of a line, and the number of lines.
glm::ivec2 lines_of(glm::ivec2 size, bool of_rows) {
  return of_rows ? glm::ivec2(size.y, size.x) : size;
}
void dispatch(glm::ivec2 invocations) {
  glDispatchCompute(static_cast<GLuint>(groups_for(invocations.x, seams_group)),
                    static_cast<GLuint>(groups_for(invocations.y, seams_group)), 1);
}
/// Makes images visible to later sampling, storing and drawing.
void finish_images() {
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

}  // namespace

glm::ivec2 size_after(glm::ivec2 size, std::span<const SeamRun> runs, int step) {
  for (const SeamRun& run : runs) {
    const int seams = std::clamp(step, 0, run.seams);
    (run.of_rows ? size.y : size.x) += run.enlarges ? seams : -seams;
    step -= seams;
  }
  return size;
}

SeamsPass::SeamsPass(const gl::ShaderLibrary& library)
    : count_(library, "seams_count.comp"),
      move_(library, "seams_move.comp"),
      heat_(library, "seams_heat.comp"),
      paint_(library, "seams_paint.comp"),
      compare_(library, "seams_compare.comp"),
      paint_candidates_(library, "seams_candidates.comp") {}

void SeamsPass::begin(const gl::Texture& input, const gl::Texture& orders, std::vector<SeamRun> runs,
                      std::uint64_t version) {
  const std::array ids{input.id(), orders.id()};
  input_ = &input;
  orders_ = &orders;
  if (ids == ids_ && version == version_ && runs == runs_) {
    if (start_.run == 0) start_.colours = input_, start_.orders = orders_;
    return;
  }
  ids_ = ids;
  version_ = version;
  runs_ = std::move(runs);
  total_ = 0;
  const glm::ivec2 size{input.width(), input.height()};
  max_size_ = size;
  for (const SeamRun& run : runs_) {
    total_ += run.seams;
    max_size_ = glm::max(max_size_, size_after(size, runs_, total_));
  }
  heat_seams_ = -1;
  restart();
}

void SeamsPass::restart() {
  start_ = {input_, orders_, {input_->width(), input_->height()}, 0, 0};
  moved_step_ = {-1, -1};
}

void SeamsPass::allocate(Pictures& pictures) {
  const gl::Format format = coloured(*input_);
  gl::Texture& colours = pictures.colours;
  if (!colours.empty() && colours.format() == format && colours.width() == max_size_.x &&
      colours.height() == max_size_.y)
    return;
  pictures = {};  // Released first, so that both textures never exist at once.
  pictures.colours = gl::Texture(format, max_size_.x, max_size_.y);
  pictures.orders = gl::Texture(gl::Format::r16, max_size_.x, max_size_.y);
}

void SeamsPass::set_lines(gl::Program& program, const Start& start, const SeamRun& run, int seams) {
  program.use();
  program.set("of_rows", run.of_rows);
  program.set("enlarges", run.enlarges);
  program.set("first", start.seams_before);
  program.set("last", start.seams_before + seams);
  program.set("extent", lines_of(start.size, run.of_rows));
  glBindSampler(0, 0);
  glBindSampler(1, 0);
  start.colours->bind(0);
  start.orders->bind(1);
}

void SeamsPass::move_run(const Start& start, const SeamRun& run, int seams, int highlighted, Pictures& to) {
  allocate(to);
  const glm::ivec2 lines = lines_of(start.size, run.of_rows);
  const glm::ivec2 segments{groups_for(lines.x, segment_pixels), lines.y};
  const std::size_t bytes = static_cast<std::size_t>(segments.x) * static_cast<std::size_t>(segments.y) * 4;
  if (counts_.size() < bytes) counts_ = gl::Buffer(gl::BufferUse::device, bytes);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, counts_.id());
  set_lines(count_, start, run, seams);
  dispatch(segments);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);

  set_lines(move_, start, run, seams);
  move_.set("grey", is_grey(*start.colours));
  move_.set("white", white_of(*start.colours));
  move_.set("highlighted", highlighted);
  move_.set("highlight", run.enlarges ? doubled_colour : removed_colour);
  bind_image(0, to.colours);
  bind_image(1, to.orders);
  dispatch(segments);
  finish_images();
}

void SeamsPass::seek(int step) {
  if (step < start_.seams_before) restart();
  while (start_.run + 1 < runs_.size() && step > start_.seams_before + runs_[start_.run].seams) {
    const SeamRun& run = runs_[start_.run];
    Pictures& next = starts_[start_.run % 2];
    move_run(start_, run, run.seams, 0, next);
    const int before = start_.seams_before + run.seams;
    start_ = {&next.colours, &next.orders, size_after({input_->width(), input_->height()}, runs_, before), before,
              start_.run + 1};
  }
}

void SeamsPass::move(int step, int highlighted) {
  step = std::clamp(step, 0, total_);
  if (moved_step_ == std::array{step, highlighted}) return;
  seek(step);
  const SeamRun none{};
  const SeamRun& run = runs_.empty() ? none : runs_[start_.run];
  move_run(start_, run, step - start_.seams_before, highlighted, moved_);
  size_ = size_after({input_->width(), input_->height()}, runs_, step);
  moved_step_ = {step, highlighted};
}

void SeamsPass::allocate_painted() {
  const bool fits = !painted_.empty() && painted_.width() == max_size_.x && painted_.height() == max_size_.y;
  if (!fits) painted_ = gl::Texture(gl::Format::rgba8, max_size_.x, max_size_.y);
}

void SeamsPass::paint(bool often, int map, int known) {
  allocate_painted();
  paint_.use();
  paint_.set("grey", is_grey(*input_));
  paint_.set("often", often);
  paint_.set("total", total_);
  paint_.set("known", known);
  paint_.set("map", map);
  paint_.set("extent", glm::ivec2(input_->width(), input_->height()));
  paint_.set("row_pixels", max_size_.x);
  glBindSampler(0, 0);
  glBindSampler(1, 0);
  input_->bind(0);
  orders_->bind(1);
  if (heat_counts_.size() > 0) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, heat_counts_.id());
  bind_image(0, painted_);
  dispatch({input_->width(), input_->height()});
  finish_images();
}

void SeamsPass::paint_when(int map, int known) {
  paint(false, map, known);
}

void SeamsPass::paint_often(int map, int known) {
  known = std::clamp(known, 0, total_);
  if (heat_seams_ != known) {
    const std::size_t bytes = (1 + static_cast<std::size_t>(max_size_.x) * static_cast<std::size_t>(max_size_.y)) * 4;
    if (heat_counts_.size() != bytes) heat_counts_ = gl::Buffer(gl::BufferUse::device, bytes);
    const GLuint zero = 0;
    glClearNamedBufferData(heat_counts_.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
    for (int before = 0; before < known;) {
      seek(before + 1);
      const SeamRun& run = runs_[start_.run];
      const glm::ivec2 lines = lines_of(start_.size, run.of_rows);
      set_lines(heat_, start_, run, std::min(run.seams, known - before));
      heat_.set("row_pixels", max_size_.x);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, heat_counts_.id());
      dispatch({groups_for(lines.x, segment_pixels), lines.y});
      glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
      before = start_.seams_before + run.seams;
    }
    heat_seams_ = known;
    moved_step_ = {-1, -1};
  }
  paint(true, map, known);
}

void SeamsPass::paint_candidates(const gl::Texture& state, float white, int map, bool all) {
  constexpr int pixels_per_width = 800;  // A view of about this many pixels shows a line of one pixel faintly.
  const glm::ivec2 size{state.width(), state.height()};
  if (candidates_.empty() || candidates_.width() != size.x || candidates_.height() != size.y)
    candidates_ = gl::Texture(gl::Format::rgba8, size.x, size.y);
  paint_candidates_.use();
  paint_candidates_.set("white", white);
  paint_candidates_.set("all", all);
  paint_candidates_.set("map", map);
  paint_candidates_.set("reach", std::max(size.x, size.y) / pixels_per_width);
  // Among the colours of costs, which may be red, white is seen best.
  paint_candidates_.set("highlight", all ? glm::vec3(1.0f) : removed_colour);
  paint_candidates_.set("extent", size);
  glBindSampler(0, 0);
  state.bind(0);
  bind_image(0, candidates_);
  dispatch(size);
  finish_images();
}

void SeamsPass::compare(int step, const glm::vec3& background) {
  move(step, 0);
  gap_ = std::max(4, size_.x / 40);
  const int width = input_->width() + 3 * (gap_ + size_.x), height = std::max(input_->height(), size_.y);
  if (composed_.empty() || composed_.width() != width || composed_.height() != height)
    composed_ = gl::Texture(gl::Format::rgba8, width, height);
  compare_.use();
  compare_.set("grey", is_grey(*input_));
  compare_.set("size", glm::ivec2(input_->width(), input_->height()));
  compare_.set("extent", size_);
  compare_.set("gap", gap_);
  compare_.set("background", background);
  glBindSampler(0, 0);
  glBindSampler(1, 0);
  input_->bind(0);
  moved_.colours.bind(1);
  bind_image(0, composed_);
  dispatch({width, height});
  finish_images();
}

}  // namespace threadscape::render
