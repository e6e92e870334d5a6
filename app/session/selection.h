#pragma once

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "app/session/work.h"

namespace threadscape::app {

/// The choice of the user: an algorithm, its parameters, a backend, a variant, and the intermediate result that is
/// shown. Parameters and variants of each algorithm are kept while another one is chosen.
class Selection {
 public:
  /// Chooses the first algorithm of the registry with its defaults, on all hardware threads.
  Selection();

  /// Chooses an algorithm with the parameters and variants that were kept for it. Returns false if it is chosen
  /// already.
  bool choose_algorithm(const AlgorithmInfo& algorithm);
  void choose_backend(Backend backend);
  /// Chooses a variant of the backend by its index, which is clamped to the valid range.
  void choose_variant(int variant);
  [[nodiscard]] const AlgorithmInfo& algorithm() const { return *work_.algorithm; }
  /// The parameters that choosing this algorithm would give it: those of work() if it is chosen, else those that were
  /// kept, else its defaults.
  [[nodiscard]] ParamBox params_of(const AlgorithmInfo& algorithm) const;
  /// Gives an algorithm parameters, whether it is chosen now or later.
  void give_params(const AlgorithmInfo& algorithm, ParamBox params);
  /// The choice, which the workspace edits in place. Its source_id is not used.
  [[nodiscard]] Work& work() { return work_; }
  [[nodiscard]] const Work& work() const { return work_; }

  /// The intermediate results of the algorithm (AlgorithmInfo::intermediates). The last one is the result itself; with
  /// fewer than two elements there are none.
  [[nodiscard]] std::vector<Intermediate> intermediates() const;
  /// Index of the one to show: the last one unless another was chosen; -1 if there are none.
  [[nodiscard]] int shown_intermediate() const;
  /// Chooses the one to show. The last one, or one that does not exist, means the result, which stays chosen if their
  /// number changes.
  void show_intermediate(int index);
  /// Makes wanted() use these parameters instead of those of work(), for scenes that make their picture from another
  /// result; none ends that. If they are those of a stage, `run` are those of the run that is measured. Choosing
  /// another algorithm ends it too.
  void compute_instead(std::optional<ParamBox> params, std::optional<ParamBox> run = {}) {
    instead_ = std::move(params);
    run_ = std::move(run);
  }
  /// The work to compute: work(), one of its intermediate results, or what compute_instead() asked for.
  [[nodiscard]] Work wanted() const;
  /// The work whose times are measured: `wanted`, or the run of which that is a stage.
  [[nodiscard]] Work measured(Work wanted) const;

 private:
  struct Kept {
    ParamBox params;
    std::array<int, 3> variants{};  ///< The chosen variant of each backend, indexed by Backend.
  };
  void keep();

  Work work_;
  /// Choices for algorithms that are not chosen now, by the name of the algorithm.
  std::map<std::string_view, Kept> kept_;
  std::optional<int> intermediate_;  ///< Index of the chosen intermediate result; unset = the result.
  std::optional<ParamBox> instead_, run_;
};

}  // namespace threadscape::app
