#include "app/scenes/kernel_choice.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

std::string variant_name(const AlgorithmInfo& algorithm, Backend backend, int variant) {
  return std::string(algorithm.variants_of(backend)[static_cast<std::size_t>(variant)].name);
}

}  // namespace

int drawn_kernel(const Work& work, int chosen, int otherwise) {
  const auto count = static_cast<int>(work.algorithm->variants_of(Backend::cuda).size());
  if (chosen > 0) return std::min(chosen, count) - 1;
  return work.backend == Backend::cuda ? work.variant : otherwise;
}

std::string not_running(const Work& work) {
  constexpr std::array<std::string_view, 3> titles{"Serial", "OpenMP", "CUDA"};
  return "not running: " + std::string(titles[static_cast<std::size_t>(work.backend)]) + " " +
         variant_name(*work.algorithm, work.backend, work.variant) + " runs";
}

std::string kernel_title(const Work& work, int variant, const std::string& title) {
  if (work.backend == Backend::cuda && work.variant == variant) return title;
  const std::string name = variant_name(*work.algorithm, Backend::cuda, variant);
  return "CUDA kernel " + name + " (" + not_running(work) + ")" + title.substr(std::min(name.size(), title.size()));
}

std::string kernel_name(const Work& work, int kernel) {
  if (kernel > 0) return variant_name(*work.algorithm, Backend::cuda, kernel - 1);
  return work.backend == Backend::cuda ? "as it runs" : "example (" + not_running(work) + ")";
}

std::optional<int> kernel_list(const Work& work, int chosen) {
  const AlgorithmInfo& algorithm = *work.algorithm;
  const auto count = static_cast<int>(algorithm.variants_of(Backend::cuda).size());
  const auto name = [&](int kernel) { return kernel_name(work, kernel); };
  std::optional<int> taken;
  // Wide enough for the chosen name, unless the row ends before it.
  const std::string shown = name(std::min(chosen, count));
  const float around = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x;
  flow(em(10));
  const float width = std::clamp(ImGui::CalcTextSize(shown.c_str()).x + around, em(10), em(15));
  const float room = std::max(std::min(width, ImGui::GetContentRegionAvail().x), em(10));
  ImGui::SetNextItemWidth(room);
  if (ImGui::BeginCombo("##kernel", shortened(shown, room - around).c_str())) {
    for (int kernel = 0; kernel <= count; ++kernel)
      if (ImGui::Selectable(name(kernel).c_str(), kernel == chosen)) taken = kernel;
    ImGui::EndCombo();
  } else if (ImGui::IsItemHovered()) {
    tooltip("The CUDA variant that is drawn");
  }
  return taken;
}

}  // namespace threadscape::app
