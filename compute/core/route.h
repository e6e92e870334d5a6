#pragma once
// Routes: the ways in which a backend computes the default variant of an algorithm. All of them give the same bits, so
// a run takes the quickest one that can compute it. The table of an engine says what each route is for, with the times
// that decided, and its launchers are a second table in the same order of preference (take_route()). `threadscape bench
// ALGORITHM --routes` forces each route in turn and so measures the table again.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "compute/core/errors.h"

namespace threadscape {

struct Route {
  std::string_view name;
  std::string_view method;     ///< How it computes, and what holds its sums.
  std::string_view taken_for;  ///< The runs for which it is the first that can compute them.
  std::string_view times;      ///< What was measured; "" where nothing else can compute these runs.
};

/// A route was forced that cannot compute the run.
class RouteUnfit : public Error {
 public:
  explicit RouteUnfit(std::string_view route)
      : Error(ExitCode::skipped, "route '" + std::string(route) + "' cannot compute this run") {}
};

/// `first` before the routes of an engine, for algorithms that have a quicker way of their own for some runs.
template <std::size_t count>
[[nodiscard]] constexpr std::array<Route, count + 1> routes_after(const Route& first,
                                                                  const std::array<Route, count>& engine) {
  std::array<Route, count + 1> all{first};
  for (std::size_t i = 0; i < count; ++i)
    all[i + 1] = engine[i];
  return all;
}

/// The name of a route that the table has. Other names do not compile.
[[nodiscard]] consteval std::string_view route_named(std::string_view name, std::span<const Route> table) {
  for (const Route& route : table)
    if (route.name == name) return name;
  throw "the table has no route of this name";
}

/// How a route is taken.
template <class Plan, class Run>
struct RouteLauncher {
  std::string_view name;
  /// Computes the run and returns true, or does nothing and returns false where the route cannot compute it.
  bool (*launch)(const Plan&, const Run&);
  /// Returns whether the route is quicker than those behind it; null = wherever it can compute the run.
  bool (*quicker)(const Plan&, const Run&) = nullptr;
};

/// Computes the run by the first route that can, or by the route that the run forces. Throws RouteUnfit if that one
/// cannot.
template <class Plan, class Run, std::size_t count>
void take_route(const std::array<RouteLauncher<Plan, Run>, count>& routes, const Plan& plan, const Run& run) {
  for (const RouteLauncher<Plan, Run>& route : routes) {
    const bool wanted = run.route.empty() ? !route.quicker || route.quicker(plan, run) : route.name == run.route;
    if (wanted && route.launch(plan, run)) return;
  }
  throw RouteUnfit(run.route.empty() ? "any" : run.route);
}

/// The run without its forced route, for a route that calls another engine.
template <class Run>
[[nodiscard]] Run without_route(Run run) {
  run.route = {};
  return run;
}

}  // namespace threadscape
