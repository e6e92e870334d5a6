#pragma once
// A list of steps of any kind of data: each algorithm works on the result of the step before. The list holds what is to
// be computed; the input of a step is made on the worker from the steps before it (StepsBefore::make()), and kept by
// Sources.

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/session/work.h"
#include "compute/core/progress.h"
#include "compute/registry/result_settings.h"
#include "compute/registry/steps.h"

namespace threadscape::app {

/// What the input of a step in a list is made from.
struct StepsBefore {
  std::vector<Step> steps;  ///< The steps before, the first of the list first; at least one.
  /// The opened data that the first step works on; null if it makes its own input or takes none.
  std::shared_ptr<const Source> source;
  std::uint64_t seed = 0;
  Kind kind = Kind::none;  ///< The kind that the input is converted to.
  Shape shape;             ///< The shape of the input; of Kind::none if there is a problem.
  std::string problem;     ///< The reason why a step of the list cannot run, which names the step; "" if there is none.
  ResultSettings settings;  ///< What the input states for parameters.

  /// The input of step `start_steps` of the list, if it was made before; then make() begins with that step.
  std::shared_ptr<const Source> start;
  std::size_t start_steps = 0;

  /// Returns whether both make the same input, wherever they begin.
  [[nodiscard]] bool same_input(const StepsBefore& other) const;
  /// Runs the steps on OpenMP, because the results of all backends are equal, and converts the last result. This may
  /// take long, so a worker thread calls it. `progress` may be null. Throws Error; the message of a UsageError names
  /// the step.
  [[nodiscard]] HostArray make(int threads, const std::stop_token& stop, Progress* progress) const;
};

/// The steps, one of which is chosen. A list has two steps at least, or none.
class StepList {
 public:
  [[nodiscard]] bool empty() const { return steps_.empty(); }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  /// Index of the chosen step.
  [[nodiscard]] std::size_t chosen() const { return chosen_; }
  [[nodiscard]] const Step& chosen_step() const { return steps_[chosen_]; }

  /// Takes what is edited elsewhere, the algorithm and the parameters of the chosen step.
  void store(const Step& step);
  /// Puts a step behind the chosen one, and chooses it. If the list is empty, `current` becomes its first step.
  void add(const Step& current, Step next);
  void choose(std::size_t index) { chosen_ = index; }
  /// Removes a step. A list of two ends, with the other step as the chosen one until the next call.
  void remove(std::size_t index);
  /// Moves a step to another place. The chosen step stays the same.
  void move(std::size_t from, std::size_t to);
  void clear() { *this = {}; }
  /// Replaces the list by these steps; by none if there are fewer than two.
  void assign(std::vector<Step> steps, std::size_t chosen);

  /// Passes the settings of results on to the parameters of the steps behind them, for a list that works on data of
  /// this shape, which state `given`. A step gets them only if they have changed, so that they do not undo what the
  /// user types. Returns what the input of the chosen step is made from; null for the first step.
  [[nodiscard]] std::shared_ptr<StepsBefore> connect(const std::shared_ptr<const Source>& source, std::uint64_t seed);

 private:
  /// The settings that a step was given last.
  struct Given {
    bool known = false;     ///< If true, it was given any, even if there were none to give.
    bool restored = false;  ///< If true, the parameters come from a session before, and have had their settings.
    ResultSettings settings;
  };

  std::vector<Step> steps_;
  std::vector<Given> given_;  ///< One for each step.
  std::size_t chosen_ = 0;
};

}  // namespace threadscape::app
