// Levels, the readable reference: pixel by pixel. Integers have so few values that the curve is a table.

#include <cstddef>
#include <type_traits>

#include "compute/algorithms/editing/levels/levels.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {

void Levels::serial(const Params& params, const HostRun& run) {
  const levels::Plan plan = Levels::plan(params);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using P = decltype(planes);
    const auto in = run.in.image<typename P::Pixel>();
    const auto out = run.out.image<typename P::Pixel>();
    // Pointers and the curve are local to a row, because a stored byte may alias all else.
    const auto adjust = [&](const auto& curve_of_run) {
      for_rows(run, in.height, [&, width = in.width](int y) {
        const auto* const from = in.row(y);
        auto* const to = out.row(y);
        const auto curve = curve_of_run;
        for (int x = 0; x < width; ++x) {
          auto pixel = from[x];  // The copy keeps alpha.
          for (int plane = 0; plane < P::count; ++plane)
            P::set(pixel, plane, curve(P::get(pixel, plane)));
          to[x] = pixel;
        }
      });
    };
    using Value = typename P::Value;
    if constexpr (std::is_floating_point_v<Value>) {
      adjust([plan](Value value) { return levels::adjust(plan, value); });
    } else {
      const auto table = run.scratch->take<Value>(static_cast<std::size_t>(white<Value>) + 1);
      for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = levels::adjust(plan, static_cast<Value>(i));
      adjust([table](Value value) { return table[value]; });
    }
  });
}

}  // namespace threadscape
