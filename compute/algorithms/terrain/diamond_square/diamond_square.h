#pragma once
// Diamond-square: fractal terrain by midpoint displacement. diamond_square_math.h has the formulas.

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/algorithms/terrain/diamond_square/diamond_square_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct DiamondSquare {
  static constexpr std::string_view title = "Diamond-square";
  static constexpr std::string_view summary = "Fractal terrain, grown level by level from four corners or a coarse map";
  static constexpr std::string_view source =
      "Fournier, Fussell, Carpenter: Computer rendering of stochastic models, CACM 25(6), 1982";
  static constexpr std::string_view group = "Terrain";
  static constexpr Kind input = Kind::none, output = Kind::heightfield;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array openmp_variants{
      Variant{"bands", "bands of rows, each through all levels while its rows are in the caches, SIMD"},
      Variant{"steps", "the threads share the rows of each diamond step and each square step, a barrier behind each"},
      Variant{"level_regions", "as steps, with a parallel region for each level; loops has one for each loop"},
      Variant{"tasks", "as steps, with tasks of some rows, which one thread makes"}};
  static constexpr std::array cuda_variants{
      Variant{"fused", "coarse levels in one block, then several levels per launch in tiles of shared memory"},
      Variant{"branch", "a launch per step, a thread for every point of the level that looks whether it has work"},
      Variant{"branchless", "a launch per step, a thread for every new point, no branches at the rim"},
      Variant{"all_cells", "a launch per step, a thread for every cell of the matrix that looks whether it has work"},
      Variant{"new_cells",
              "a launch per step, a thread for every new point in blocks of 16 x 16 or 9 x 16, `if` at the rim"},
      Variant{"step_numbers",
              "as branchless, with a table of random numbers that is made before each step for its cells"}};

  using Mode = diamond_square::Mode;
  using Edges = diamond_square::Edges;
  using Random = diamond_square::Random;
  using Arithmetic = diamond_square::Arithmetic;
  enum class LastStep : int { square, diamond };
  enum class Bits : int { by_mode, eight, sixteen };
  static constexpr std::array<std::string_view, 2> mode_names{"classic", "fractal"};
  static constexpr std::array<std::string_view, 2> edges_names{"three", "wrap"};
  static constexpr std::array<std::string_view, 3> random_names{"philox", "xorwow", "xorwow_seeded"};
  static constexpr std::array<std::string_view, 2> arithmetic_names{"rounded", "bytes"};
  static constexpr std::array<std::string_view, 2> last_step_names{"square", "diamond"};
  static constexpr std::array<std::string_view, 3> bits_names{"by_mode", "8", "16"};

  struct Params {
    int n = 10;
    Mode mode = Mode::fractal;
    float roughness = 0.8f;
    float amplitude = 1.0f;
    Edges edges = Edges::three;
    int levels = 0;
    LastStep last_step = LastStep::square;
    Random random = Random::philox;
    Arithmetic arithmetic = Arithmetic::rounded;
    std::string seed_grid;
    Bits bits = Bits::by_mode;

    static auto fields() {
      return std::tuple{
          titled("Points 2^n + 1", Field{"n", &Params::n, 1, diamond_square::max_levels, "levels",
                                         "the terrain has 2^n + 1 points a side", 1, 11}),
          EnumField{"mode", &Params::mode, mode_names,
                    "8-bit heights 0..255, or float heights with a chosen roughness"},
          Field{"roughness", &Params::roughness, 0.0f, 1.0f, "H",
                "fractal: displacements shrink by 2^-H at each level; the smaller H, the rougher"},
          Field{"amplitude", &Params::amplitude, 0.0f, 1000.0f, "", "fractal: the largest height of a corner"},
          EnumField{"edges", &Params::edges, edges_names,
                    "the rim has three neighbours, or goes on at the other side: the terrain tiles"},
          zero_as("all", Field{"levels", &Params::levels, 0, diamond_square::max_levels, "levels",
                               "stop after so many, with straight slopes between the known points"}),
          EnumField{"last_step", &Params::last_step, last_step_names,
                    "of the last level; after its diamond step, square cells lie halfway between known points"},
          EnumField{"random", &Params::random, random_names,
                    "computed where they are needed, or a table of cuRAND's generator, with its two orderings"},
          EnumField{
              "arithmetic", &Params::arithmetic, arithmetic_names,
              "classic: rounds and stays in 0..255, or cuts off and wraps around as the bytes of document 000 do"},
          titled("Start heights", TextField{"seed_grid", &Params::seed_grid, true,
                                            "a coarse heightmap of 2^m + 1 points a side, m <= n, to start from"}),
          EnumField{"bits", &Params::bits, bits_names, "of a PNG file: 8 for classic, 16 for fractal, or as chosen"}};
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] bool classic() const { return mode == Mode::classic; }
  };

  [[nodiscard]] static diamond_square::Plan plan(const Params& params, std::uint64_t seed);

  static Shape output_shape(const Params&, const Shape&);
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int variant);
  static std::vector<std::pair<std::string, Params>> intermediates(const Params&);
  static std::string report(const Params&, const HostIn&, const HostIn& result);
  static FileNotes file_notes(const Params&, const Shape&);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
  static bool makes_layers(const Params&) { return true; }
};

namespace diamond_square {

/// The grid that a terrain starts from, with 2^plan.first + 1 points a side and no padding: four random corners, or the
/// coarse map of the parameter seed_grid. Throws UsageError if the size of the map does not fit, and EnvironmentError
/// if its file cannot be read.
template <class Height>
[[nodiscard]] std::vector<Height> start_grid(const DiamondSquare::Params& params, const Plan& plan);
/// The level of the grid that a terrain starts from: 0 for four corners, or that of the coarse map. Throws as
/// start_grid() does.
[[nodiscard]] int start_level(const DiamondSquare::Params& params);

/// Bytes of the table of random numbers, and of all that a CPU backend needs to fill it; 0 where there is none.
[[nodiscard]] std::size_t table_bytes(const Plan& plan);
[[nodiscard]] std::size_t host_table_bytes(const Plan& plan);
/// Fills the table that the plan asks for in scratch memory, on `threads` threads, and sets plan.numbers.
void fill_table(Plan& plan, const HostRun& run, int threads);

/// The OpenMP variants `steps`, `level_regions` and `tasks`.
template <class Height>
void run_shared_steps(const Plan& plan, const std::vector<Height>& start, const HostRun& run);

[[nodiscard]] std::size_t openmp_scratch_bytes(const DiamondSquare::Params& params, int variant);
[[nodiscard]] std::size_t cuda_scratch_bytes(const DiamondSquare::Params& params, int variant);

/// Calls f(Height{}) with the type of heights of the mode.
template <class F>
void with_height(Mode mode, F&& f) {
  if (mode == Mode::classic)
    f(std::uint8_t{});
  else
    f(float{});
}

}  // namespace diamond_square
}  // namespace threadscape
