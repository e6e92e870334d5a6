#include "compute/algorithms/sequences/reduction/reduction.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include "compute/algorithms/sequences/distributions.h"
#include "compute/algorithms/sequences/reduction/cuda/reduction_cuda.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

namespace {

constexpr std::array<Element, 4> element_types{Element::i32, Element::i64, Element::f32, Element::f64};
constexpr std::int64_t max_values = 0xffffffff;  ///< Places are 32-bit integers.

Element number_type_of(const Reduction::Params& params) {
  return element_types[static_cast<std::size_t>(params.type)];
}

bool is_float_sum(const Reduction::Params& params) {
  return params.operation == Reduction::Operator::sum &&
         (params.type == Reduction::Type::float32 || params.type == Reduction::Type::float64);
}

std::string number_text(long double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*Lg", digits, value);
  return text;
}
template <class T>
std::string text_of(T value) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else
    return number_text(static_cast<long double>(value), std::numeric_limits<T>::max_digits10);
}

/// The error of a sum of floats against a sum in extended precision, and the error of a single loop, in words.
template <class T>
std::string error_text(SequenceView<const T> values, T sum) {
  long double exact = 0.0L;
  T loop = 0;
  for (std::int64_t i = 0; i < values.size; ++i) {
    exact += static_cast<long double>(values[i]);
    loop += values[i];
  }
  const auto line = [&](const char* what, T value) {
    const long double error = std::abs(static_cast<long double>(value) - exact) / std::abs(exact);
    return std::string(what) + text_of(value) +
           (std::isfinite(static_cast<double>(error)) ? ", relative error " + number_text(error, 2) : "") + "\n";
  };
  return "in extended precision: " + number_text(exact, 17) + "\n" + line("this sum: ", sum) +
         line("one loop, one accumulator: ", loop);
}

}  // namespace

Shape Reduction::output_shape(const Params& params, const Shape& input) {
  const Element element = number_type_of(params);
  const std::string type(type_names[static_cast<std::size_t>(params.type)]);
  if (input.kind != Kind::sequence || input.element != element || input.channels != 1 || input.height != 1)
    throw UsageError("reduction with type=" + type + " takes a sequence of " + std::string(name_of(element)) +
                     ", not " + to_string(input));
  if (input.width > max_values)
    throw UsageError("reduction takes up to " + std::to_string(max_values) + " values, not " +
                     std::to_string(input.width));
  return with_operation(
      params, [&]<class Op>(Op) { return Shape{Kind::scalar, PixelTraits<typename Op::Result>::element, 1, 1, 1, 1}; });
}

std::size_t Reduction::scratch_bytes(const Params& params, const Shape& input, Backend backend, int variant) {
  return with_operation(params, [&]<class Op>(Op) -> std::size_t {
    using Partial = typename Op::Partial;
    if (backend == Backend::cuda) return reduction::device_scratch<Op>(input.width, variant);
    if (backend == Backend::serial && (Op::any_order || variant == 1)) return 0;
    return HostScratch::padded(static_cast<std::size_t>(reduction::tiles_of<typename Op::Value>(input.width)) *
                               sizeof(Partial));
  });
}

Tolerance Reduction::tolerance_of(const Params& params, const Shape& input, Backend backend, int variant) {
  const bool stated_order = backend == Backend::openmp || variant == 0;
  if (!is_float_sum(params) || stated_order) return tolerance;
  const double unit = params.type == Type::float32 ? 0x1p-24 : 0x1p-53;
  const auto count = static_cast<double>(input.width);
  const double roundings = backend == Backend::serial ? count : 128.0 + count / reduction::grid_stride_threads;
  // The factor 2 is there because both compared sums have rounding errors.
  return {.abs = 0.0, .rel = 2.0 * roundings * unit};
}

Shape Reduction::input_shape(const Params& params) {
  return {Kind::sequence, number_type_of(params), 1, params.count, 1, 1};
}

HostArray Reduction::make_input(const Params& params, std::uint64_t seed) {
  return sequences::make_sequence(number_type_of(params), params.count, sequences::Distribution::random, seed);
}

bool Reduction::same_input(const Params& a, const Params& b) {
  return a.count == b.count && a.type == b.type;
}

std::string Reduction::report(const Params& params, const HostIn& in, const HostIn& result) {
  return with_operation(params, [&]<class Op>(Op) {
    const auto values = in.sequence<typename Op::Value>();
    const auto answer = result.sequence<typename Op::Result>()[0];
    std::string text(operator_names[static_cast<std::size_t>(params.operation)]);
    text += " of " + std::to_string(values.size) + " " +
            std::string(type_names[static_cast<std::size_t>(params.type)]) + ": " + text_of(answer);
    if (params.operation == Operator::argmin)
      text += " (the value there is " + text_of(values[static_cast<std::int64_t>(answer)]) + ")";
    text += "\n";
    if constexpr (!Op::any_order) text += error_text(values, answer);
    return text;
  });
}

std::string Reduction::why_no_join(const Params& params) {
  return is_float_sum(params) ? "adds floats in an order that runs through all of them" : "";
}

void Reduction::join(const Params& params, const JoinRun& run) {
  with_operation(params, [&]<class Op>(Op op) {
    const auto values = run.in.sequence<typename Op::Value>();
    typename Op::Partial all = Op::identity();
    for (const JoinPart& part : run.parts) {
      const auto result = part.result.sequence<typename Op::Result>()[0];
      if constexpr (std::is_same_v<Op, reduction::Argmin<typename Op::Value>>) {
        const std::int64_t place = part.first + result;
        all = Op::combine(all, op.load(values[place], static_cast<std::uint32_t>(place)));
      } else if constexpr (std::is_same_v<typename Op::Result, typename Op::Partial>) {
        all = Op::combine(all, result);
      } else {
        all = Op::combine(all, op.load(result, 0));
      }
    }
    run.out.sequence<typename Op::Result>()[0] = op.finish(all);
  });
}

AlgorithmInfo describe_reduction() {
  return describe<Reduction>("reduction");
}

}  // namespace threadscape
