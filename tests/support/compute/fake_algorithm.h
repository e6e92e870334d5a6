#pragma once
// Algorithms for tests of executors and of `verify`. FakeInvert inverts 8-bit pictures; its parameters choose what
// it gets wrong, and how much memory it needs.

#include <array>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/registry/algorithm_info.h"

namespace threadscape {

struct FakeInvert {
  static constexpr std::string_view title = "Fake", summary = "255 - value", source = "the tests";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr std::array openmp_variants{Variant{"rows", ""}, Variant{"other", ""}};

  enum class Fault : int { none, pixel, threads, unwritten, exception, memory };
  static constexpr std::array<std::string_view, 6> fault_names{"none",      "pixel",     "threads",
                                                               "unwritten", "exception", "memory"};

  struct Params {
    Fault fault = Fault::none;
    int top = 255;
    static auto fields() {
      return std::tuple{EnumField{"fault", &Params::fault, fault_names, "what openmp does wrong"},
                        Field{"top", &Params::top, 0, 255, "levels", "the value that becomes 0"}};
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const { return top == 13 ? "13 is refused" : ""; }
  };

  static inline std::size_t scratch = 0;  ///< The result of scratch_bytes(), in bytes.

  static Shape output_shape(const Params&, const Shape& in) {
    if (in.element != Element::u8) throw UsageError("fake takes 8-bit pictures, not " + to_string(in));
    return in;
  }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return scratch; }

  static void serial(const Params& p, const HostRun& run) {
    for (std::int64_t y = 0; y < run.in.shape.height; ++y)
      row(p, run, y);
  }
  static void openmp(const Params& p, const HostRun& run) {
    if (p.fault == Fault::exception) throw std::runtime_error("it broke");
    if (p.fault == Fault::memory) throw std::bad_alloc();
    if (run.stop.stop_requested()) return;
    const Shape& shape = run.in.shape;
    for (std::int64_t y = 0; y < shape.height; ++y)
      if (p.fault != Fault::unwritten || y != shape.height - 1) row(p, run, y);
    const bool wrong = p.fault == Fault::pixel || (p.fault == Fault::threads && run.threads == 7);
    if (wrong && run.variant == 1 && shape.width > 200 && shape.height > 20)
      run.out.data[17 * run.out.pitch + 200 * shape.pixel_bytes()] ^= std::byte{1};
  }
  static void cuda(const Params&, const DeviceRun&) {}

 private:
  static void row(const Params& p, const HostRun& run, std::int64_t y) {
    const auto line = static_cast<std::size_t>(y);
    for (std::int64_t x = 0; x < run.in.shape.width * run.in.shape.channels; ++x)
      run.out.data[line * run.out.pitch + static_cast<std::size_t>(x)] = static_cast<std::byte>(
          p.top - std::to_integer<int>(run.in.data[line * run.in.pitch + static_cast<std::size_t>(x)]));
  }
};

/// An algorithm whose runs on the OpenMP and CUDA backends need a preparation: the sum of all bytes of a grey picture.
/// Each pixel of the output holds the sum modulo 256.
struct FakePrepared {
  static constexpr std::string_view title = "Fake", summary = "sum of all values", source = "the tests";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();

  struct Params {
    int start = 0;
    static auto fields() { return std::tuple{Field{"start", &Params::start, 0, 255, "levels", "added to the sum"}}; }
    bool operator==(const Params&) const = default;
  };
  struct Sum : Preparation {
    explicit Sum(unsigned value_) : value(value_) {}
    unsigned value;
  };
  static inline int prepared = 0;  ///< Counts the calls of prepare().

  static Shape output_shape(const Params&, const Shape& in) { return in; }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  static bool needs_preparation(const Params&, Backend backend) { return backend != Backend::serial; }
  static std::shared_ptr<const Preparation> prepare(const Params& p, const HostIn& in, std::uint64_t, std::uint64_t,
                                                    const std::stop_token&, Progress*) {
    ++prepared;
    unsigned sum = static_cast<unsigned>(p.start);
    for (std::int64_t y = 0; y < in.shape.height; ++y)
      for (std::int64_t x = 0; x < in.shape.width; ++x)
        sum += std::to_integer<unsigned>(in.data[static_cast<std::size_t>(y) * in.pitch + static_cast<std::size_t>(x)]);
    return std::make_shared<Sum>(sum);
  }
  static void serial(const Params& p, const HostRun& run) {
    fill(run, run.preparation ? *static_cast<const Sum*>(run.preparation)
                              : static_cast<const Sum&>(*prepare(p, run.in, 0, 0, {}, nullptr)));
  }
  static void openmp(const Params&, const HostRun& run) { fill(run, *static_cast<const Sum*>(run.preparation)); }
  static void cuda(const Params&, const DeviceRun&) {}

 private:
  static void fill(const HostRun& run, const Sum& sum) {
    for (std::int64_t y = 0; y < run.out.shape.height; ++y)
      for (std::int64_t x = 0; x < run.out.shape.width; ++x)
        run.out.data[static_cast<std::size_t>(y) * run.out.pitch + static_cast<std::size_t>(x)] =
            static_cast<std::byte>(sum.value);
  }
};

}  // namespace threadscape
