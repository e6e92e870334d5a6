// Data for the scene: the tree of a block of each CUDA variant, and a note that places the result on its sequence.

#include <cstdio>
#include <limits>

#include "compute/algorithms/sequences/reduction/reduction.h"
#include "compute/algorithms/sequences/reduction/reduction_steps.h"
#include "compute/registry/diagram.h"

namespace threadscape {

namespace {

std::string step_title(const reduction::TreeStep& step, reduction::Rung rung) {
  const std::string distance = std::to_string(step.distance);
  if (rung == reduction::Rung::shuffle) return "lane ^ " + distance;
  return distance + " apart";
}

template <class T>
std::string number_text_of(T value) {
  if constexpr (std::is_integral_v<T>) return std::to_string(value);
  char text[64];
  std::snprintf(text, sizeof(text), "%.*g", std::numeric_limits<T>::max_digits10, static_cast<double>(value));
  return text;
}

std::optional<TreeDiagram> tree(const Reduction::Params& params, int variant, int threads) {
  const auto rung = static_cast<reduction::Rung>(variant);
  const auto bytes =
      Reduction::with_operation(params, []<class Op>(Op) { return static_cast<int>(sizeof(typename Op::Partial)); });
  const reduction::Machine machine{.value_bytes = bytes};
  const std::vector<reduction::TreeStep> steps = reduction::tree_steps(rung, threads, machine);
  if (steps.empty()) return {};

  TreeDiagram diagram;
  const Variant& chosen = Reduction::cuda_variants[static_cast<std::size_t>(variant)];
  diagram.title = std::string(chosen.name) + "   " + std::string(chosen.help);
  diagram.threads = threads;
  diagram.warp_threads = machine.warp_threads;
  diagram.banks = machine.banks;
  diagram.value_words = std::max(1, bytes / machine.bank_bytes);
  diagram.loads = reduction::loads_per_thread(rung);
  for (const reduction::TreeStep& step : steps) {
    TreeDiagram::Step& drawn = diagram.steps.emplace_back();
    drawn.title = step_title(step, rung);
    for (const reduction::Combination& one : step.working)
      drawn.working.push_back({one.thread, one.target, one.source});
    drawn.block_barrier = step.block_barrier;
    drawn.in_registers = step.in_registers;
    drawn.warps_working = step.warps_working;
    drawn.warps_diverging = step.warps_diverging;
    drawn.wavefronts = step.wavefronts;
    drawn.conflicts = step.conflicts;
    drawn.bank_conflict = step.bank_conflict;
  }
  return diagram;
}

ScalarNote note_of(const Reduction::Params& params, const Shape& input, const HostIn& result) {
  ScalarNote note;
  note.title = std::string(Reduction::operator_names[static_cast<std::size_t>(params.operation)]) + " of " +
               std::to_string(input.width) + " " +
               std::string(Reduction::type_names[static_cast<std::size_t>(params.type)]);
  Reduction::with_operation(params, [&]<class Op>(Op) {
    const auto answer = result.sequence<typename Op::Result>()[0];
    note.number = number_text_of(answer);
    const auto value = static_cast<double>(answer);
    switch (params.operation) {
      case Reduction::Operator::sum: {
        note.level = value / static_cast<double>(input.width);
        char text[48];
        std::snprintf(text, sizeof(text), "mean %.6g", *note.level);
        note.level_title = text;
        break;
      }
      case Reduction::Operator::min:
      case Reduction::Operator::max:
        note.level = value;
        note.level_title =
            std::string(Reduction::operator_names[static_cast<std::size_t>(params.operation)]) + " " + note.number;
        note.is_value = true;
        break;
      case Reduction::Operator::argmin:
        note.place = static_cast<std::int64_t>(answer);
        note.detail = "the place of the smallest value, counted from 0";
        break;
    }
  });
  return note;
}

}  // namespace

DiagramInfo describe_reduction_diagram() {
  DiagramInfo info;
  info.tree = [](const ParamBox& p, int variant, int threads) {
    return tree(p.as<Reduction::Params>(), variant, threads);
  };
  info.note = [](const ParamBox& p, const Shape& in, const HostIn& result) {
    return note_of(p.as<Reduction::Params>(), in, result);
  };
  return info;
}

}  // namespace threadscape
