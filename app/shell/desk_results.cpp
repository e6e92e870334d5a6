// Results that become inputs, or are looked at elsewhere.

#include <algorithm>
#include <utility>

#include "app/shell/desk.h"
#include "compute/core/kind_info.h"
#include "compute/registry/step_kinds.h"

namespace threadscape::app {

std::string Desk::why_no_result() const {
  const Work* shown = live_.shown();
  if (shown == nullptr || live_.output() == nullptr || shown->algorithm != &workspace_.algorithm())
    return "there is no result yet: wait for the run";
  if (algorithms_that_take(shown->algorithm->output).empty())
    return "no algorithm takes a " + std::string(info_of(shown->algorithm->output).user_name);
  return {};
}

void Desk::use_result() {
  if (const std::string why = why_no_result(); !why.empty()) {
    workspace_.log.warning("the result is not used: " + why);
    return;
  }
  const AlgorithmInfo& algorithm = workspace_.algorithm();
  if (algorithm.output == algorithm.input)
    use_result(algorithm);
  else
    choose_target();
}

void Desk::ask_next_step() {
  menu_adds_step_ = true;
  result_menu_.open("The next step");
}

void Desk::choose_target() {
  menu_adds_step_ = false;
  result_menu_.open("Use the result as the input of");
}

void Desk::use_result(const AlgorithmInfo& target) {
  if (const std::string why = why_no_result(); !why.empty()) {
    workspace_.log.warning("the result is not used: " + why);
    return;
  }
  try {
    ResultToUse result = workspace_.result_to_use(*live_.shown(), target);
    if (std::optional<SceneResult> shown = scene().result(live_)) {
      live_.files().keep(std::move(result), std::move(shown->contents), std::move(shown->convert));
      return;
    }
    live_.files().keep(std::move(result), live_.output()->begin_read(), [](HostIn contents) {
      HostArray values(contents.shape);
      copy(contents, values.view());
      return values;
    });
  } catch (const Error& error) {
    workspace_.log.error("the result is not used: " + std::string(error.what()));
  }
}

const SceneType* Desk::choose_microscope() {
  const auto choices = SceneSet::choices(workspace_.algorithm());
  const auto found =
      std::ranges::find(choices, std::string_view("microscope"), [](const SceneType* type) { return type->name; });
  if (found == choices.end()) return nullptr;
  scenes_.choose(**found);
  return *found;
}

void Desk::show_thread_of(glm::ivec2 pixel) {
  const SceneType* const microscope = choose_microscope();
  if (microscope == nullptr) return;
  ParamBox& view = *scenes_.scene(*microscope).settings();
  view.assign("column", std::to_string(pixel.x));
  view.assign("row", std::to_string(pixel.y));
}

void Desk::show_kernel_line(const KernelLine& place) {
  if (&workspace_.algorithm() != place.algorithm) workspace_.choose_algorithm(*place.algorithm);
  workspace_.set_parameters(place.params);
  kernel_line_ = place;
  show_picture();
  (void)choose_microscope();
}

void Desk::follow_kernel_line() {
  if (!kernel_line_) return;
  // The user has chosen something else meanwhile.
  if (&workspace_.algorithm() != kernel_line_->algorithm) return kernel_line_.reset();
  if (!live_.shows_wanted(workspace_)) return;
  const KernelLine place = *std::exchange(kernel_line_, std::nullopt);
  const SceneType* const microscope = choose_microscope();
  if (microscope == nullptr) return;
  Scene& scene = scenes_.scene(*microscope);
  scene.show(find_show(*microscope, "code"));
  ParamBox& view = *scene.settings();
  for (const auto& [name, value] : {std::pair<const char*, long long>{"variant", place.variant + 1},
                                    {"kernel", static_cast<long long>(place.kernel) + 1},
                                    {"block", -1},
                                    {"warp", 0},
                                    {"step", 0},
                                    {"column", -1},
                                    {"row", -1},
                                    {"line", place.line}})
    view.assign(name, std::to_string(value));
}

}  // namespace threadscape::app
