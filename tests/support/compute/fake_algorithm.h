#pragma once
// An algorithm for tests of the machinery around algorithms. It inverts 8-bit pictures; what it gets wrong, needs or
// counts can be chosen through its parameters.

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/registry/algorithm.h"

namespace threadscape {

struct FakeInvert {
  static constexpr std::string_view title = "Fake", summary = "255 - value", source = "the tests";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr std::array openmp_variants{Variant{"rows", ""}, Variant{"other", ""}};

  enum class Fault : int { none, pixel, threads, unwritten, exception };
  static constexpr std::array<std::string_view, 5> fault_names{"none", "pixel", "threads", "unwritten", "exception"};

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

  static inline std::size_t scratch = 0;  ///< what scratch_bytes() says

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

}  // namespace threadscape
