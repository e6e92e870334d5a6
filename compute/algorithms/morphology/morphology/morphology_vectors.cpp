// Colours as vectors on the CPU: for every pixel, every pixel of the element. Threads share the rows; on one thread it
// is the reference of all other backends.

#include "compute/algorithms/morphology/morphology/morphology_vectors.h"

#include <cstddef>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology_memory.h"
#include "compute/algorithms/morphology/morphology/morphology_plan.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape::morphology {

namespace {

/// A run of a plan on colours of the planes P.
template <class P>
class ColourRun {
 public:
  using Pixel = typename P::Pixel;

  ColourRun(const Plan& plan, const HostRun& run)
      : plan_(plan), run_(run), in_(run.in.image<Pixel>()), out_(run.out.image<Pixel>()) {
    const Shape& shape = run.in.shape;
    const std::size_t pitch = HostScratch::padded(shape.pixel_bytes() * static_cast<std::size_t>(shape.width));
    for (ImageView<Pixel>& picture : spare_) {
      std::byte* const memory = run.scratch->take<std::byte>(pitch * static_cast<std::size_t>(shape.height)).data();
      picture = HostOut{memory, shape, pitch}.template image<Pixel>();
    }
  }

  void operator()() const {
    if (!plan_.side.empty()) steps(plan_.side, spare_[1]);
    steps(plan_.steps, out_);
    const ImageView<Pixel>& side = plan_.side.empty() ? out_ : spare_[1];
    for_rows(run_, in_.height, [&](int y) {
      for (int x = 0; x < in_.width; ++x) {
        Pixel pixel = in_(x, y);
        for (int plane = 0; plane < P::count; ++plane)
          P::set(pixel, plane,
                 finished(plan_.finish, P::get(out_(x, y), plane), P::get(pixel, plane), P::get(side(x, y), plane)));
        out_(x, y) = pixel;
      }
    });
  }

 private:
  /// Executes steps from the input to a picture; the pictures between them alternate, so that the last step writes
  /// `to`.
  void steps(const std::vector<Step>& steps, const ImageView<Pixel>& to) const {
    ImageView<const Pixel> from = in_;
    for (std::size_t i = 0; i < steps.size() && !run_.stop.stop_requested(); ++i) {
      const ImageView<Pixel> next = (steps.size() - i) % 2 == 1 ? to : spare_[0];
      const std::vector<Term> terms = all_terms(*steps[i].window);
      const bool erode = steps[i].erode;
      for_rows(run_, in_.height, [&](int y) {
        for (int x = 0; x < in_.width; ++x)
          next(x, y) = extreme_at(from, terms, erode, x, y);
      });
      from = next;
    }
  }
  [[nodiscard]] Pixel extreme_at(const ImageView<const Pixel>& from, const std::vector<Term>& terms, bool erode, int x,
                                 int y) const {
    ColourExtreme<P> result(erode, plan_.order);
    for (const Term& term : terms) {
      const int column = border_index(x + term.dx, from.width, plan_.border);
      const int row = border_index(y + term.dy, from.height, plan_.border);
      if (column >= 0 && row >= 0) result.take(from(column, row));
    }
    Pixel pixel = from(x, y);
    result.put(pixel);
    return pixel;
  }

  const Plan& plan_;
  const HostRun& run_;
  ImageView<const Pixel> in_;
  ImageView<Pixel> out_;
  ImageView<Pixel> spare_[serial_pictures];
};

}  // namespace

void run_vectors(const Plan& plan, const HostRun& run) {
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using P = decltype(planes);
    if constexpr (P::count == 3) {
      const ColourRun<P> work(plan, run);
      work();
    }
  });
}

}  // namespace threadscape::morphology
