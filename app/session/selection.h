#pragma once

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "app/session/work.h"

namespace threadscape::app {

/// What the user has chosen: an algorithm, its parameters, a backend, a variant, and the step on the way to the result
/// that is to be seen. Parameters and variants of every algorithm are kept while others are chosen.
class Selection {
 public:
  /// The first algorithm of the registry with its defaults, on all hardware threads.
  Selection();

  /// Returns false when that algorithm is chosen already.
  bool choose_algorithm(const AlgorithmInfo& algorithm);
  void choose_backend(Backend backend);
  /// Indices beyond the ends mean the first and the last variant.
  void choose_variant(int variant);
  void reset_parameters() { work_.params = work_.algorithm->defaults(); }
  [[nodiscard]] const AlgorithmInfo& algorithm() const { return *work_.algorithm; }
  /// The choice, to be edited in place. Its source_id is not used.
  [[nodiscard]] Work& work() { return work_; }
  [[nodiscard]] const Work& work() const { return work_; }

  /// The pictures on the way to the result; the last is the result itself (AlgorithmInfo::view_steps). Fewer than two:
  /// the algorithm has nothing to show on the way.
  [[nodiscard]] std::vector<ViewStep> view_steps() const;
  /// Index of the step that is to be seen: the last unless another was chosen; -1 without steps.
  [[nodiscard]] int shown_step() const;
  /// Chooses a step. The last, or one that does not exist, means the result, whose index follows the number of steps.
  void show_step(int index);
  /// Computes with these parameters in the place of work()'s: for scenes that make their picture from another result.
  /// Choosing another algorithm ends it.
  void compute_instead(std::optional<ParamBox> params) { instead_ = std::move(params); }
  /// What is to be computed: work(), a step on the way to its result, or what compute_instead() asked for.
  [[nodiscard]] Work wanted() const;

 private:
  struct Kept {
    ParamBox params;
    std::array<int, 3> variants{};  ///< By Backend.
  };
  void keep();

  Work work_;
  std::map<std::string_view, Kept> kept_;  ///< By the name of the algorithm.
  std::optional<int> step_;                ///< Unset: the result.
  std::optional<ParamBox> instead_;
};

}  // namespace threadscape::app
