#include "compute/engines/alpha/weighted_alpha.h"

#include "compute/engines/alpha/weighted_alpha_math.h"

namespace threadscape::weighted_alpha {

namespace {

/// Calls f with a value of the type of the numbers of a picture.
template <class F>
void with_value_of(const Shape& shape, const F& f) {
  if (shape.element == Element::u8)
    f(std::uint8_t{});
  else if (shape.element == Element::u16)
    f(std::uint16_t{});
  else
    f(float{});
}

}  // namespace

void multiply(const HostIn& in, const HostOut& colours, const HostOut& weights, Weights what, int threads) {
  with_value_of(in.shape, [&]<class Value>(Value) {
    const auto from = in.image<RgbaOf<Value>>();
    const auto products = colours.image<Rgba32f>();
    const auto alphas = weights.image<float>();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int y = 0; y < from.height; ++y)
      for (int x = 0; x < from.width; ++x) {
        const Rgba32f product = weighted<Value>(from(x, y));
        products(x, y) = product;
        alphas(x, y) = what == Weights::hidden ? full_alpha<Value> - product.a : product.a;
      }
  });
}

void divide(const HostIn& sums, const HostIn& weights, const HostOut& out, int threads) {
  with_value_of(out.shape, [&]<class Value>(Value) {
    const auto colours = sums.image<Rgba32f>();
    const auto alphas = weights.image<float>();
    const auto to = out.image<RgbaOf<Value>>();
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int y = 0; y < to.height; ++y)
      for (int x = 0; x < to.width; ++x)
        to(x, y) = unweighted<Value>(colours(x, y), alphas(x, y));
  });
}

}  // namespace threadscape::weighted_alpha
