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

bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
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

std::string kernel_name(const Work& work, int kernel, std::span<const std::string_view> among) {
  if (kernel > 0) return variant_name(*work.algorithm, Backend::cuda, kernel - 1);
  const bool runs = among.empty() ? work.backend == Backend::cuda
                                  : is_among(among, variant_name(*work.algorithm, work.backend, work.variant));
  return runs ? "as it runs" : "example (" + not_running(work) + ")";
}

std::optional<int> kernel_list(const Work& work, int chosen, std::span<const std::string_view> among) {
  const AlgorithmInfo& algorithm = *work.algorithm;
  const auto count = static_cast<int>(algorithm.variants_of(Backend::cuda).size());
  const auto name = [&](int kernel) { return kernel_name(work, kernel, among); };
  std::optional<int> taken;
  // Wide enough for the chosen name, unless the row ends before it.
  chosen = std::min(chosen, count);
  if (chosen > 0 && !among.empty() && !is_among(among, name(chosen))) chosen = 0;
  const std::string shown = name(chosen);
  const float around = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x;
  flow(em(10));
  const float width = std::clamp(ImGui::CalcTextSize(shown.c_str()).x + around, em(10), em(15));
  const float room = std::max(std::min(width, ImGui::GetContentRegionAvail().x), em(10));
  ImGui::SetNextItemWidth(room);
  if (ImGui::BeginCombo("##kernel", shortened(shown, room - around).c_str())) {
    for (int kernel = 0; kernel <= count; ++kernel)
      if ((kernel == 0 || among.empty() || is_among(among, name(kernel))) &&
          ImGui::Selectable(name(kernel).c_str(), kernel == chosen))
        taken = kernel;
    ImGui::EndCombo();
  } else if (ImGui::IsItemHovered()) {
    tooltip("The CUDA variant that is drawn");
  }
  return taken;
}

}  // namespace threadscape::app
