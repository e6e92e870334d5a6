#pragma once
// Content-aware resizing (seam carving): pictures become narrower, wider, lower or higher by removing or duplicating
// seams, connected paths of pixels with the lowest energy.
// seam_carving_math.h defines seams, energies and costs, and the order of operations that all backends keep.
// seam_carving_plan.h cuts a run into passes. The serial, OpenMP and CUDA files search the seams of one pass;
// seam_carving_host.cpp and cuda/seam_carving_cuda.cu lead from pass to pass and assemble the pictures.
// seam_carving_transport.h finds the order of rows and columns for order=optimal.

#include <array>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/seams/seam_carving/seam_carving_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct SeamCarving {
  static constexpr std::string_view title = "Seam carving";
  static constexpr std::string_view summary =
      "Resizing by content: seams that are missed least are removed or duplicated, masks protect or remove objects";
  static constexpr std::string_view group = "Seams";
  static constexpr std::string_view source =
      "Avidan, Shamir: Seam Carving for Content-Aware Image Resizing, 2007; Rubinstein, Shamir, Avidan: Improved Seam "
      "Carving for Video Retargeting, 2008; greedy paths after the source document";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array openmp_variants{
      Variant{"cone", "costs are found again only where the last seam changed them"},
      Variant{"direct", "all costs after every seam; greedy paths without a table of neighbours"}};
  static constexpr std::array cuda_variants{
      Variant{"tiled", "a warp keeps a strip of costs in registers, many rows per launch"},
      Variant{"per_row", "one launch per row, costs in global memory"},
      Variant{"direct", "as tiled; greedy paths without a table of neighbours, in blocks of 64 threads"},
      Variant{"direct_128", "as direct, in blocks of 128 threads"},
      Variant{"direct_256", "as direct, in blocks of 256 threads"},
      Variant{"direct_512", "as direct, in blocks of 512 threads"}};

  using Energy = seam_carving::Energy;
  static constexpr std::array<std::string_view, 3> energy_names{"gradient", "sobel", "forward"};
  using Path = seam_carving::Path;
  static constexpr std::array<std::string_view, 2> path_names{"dp", "greedy"};
  using Start = seam_carving::Start;
  static constexpr std::array<std::string_view, 2> start_names{"top", "bottom"};
  enum class Order : int { columns, optimal, alternate };
  static constexpr std::array<std::string_view, 3> order_names{"columns", "optimal", "alternate"};
  enum class Output : int { picture, order, energy, cost, grey, candidates };
  static constexpr std::array<std::string_view, 6> output_names{"picture", "order", "energy",
                                                                "cost",    "grey",  "candidates"};
  /// Sides are limited because seams and columns are numbered with 16 bits.
  static constexpr int max_side = 65535, max_seams_per_pass = 256;
  /// Largest result relative to the input's side, in one run.
  static constexpr int max_enlargement = 4;
  /// Largest transport map of order=optimal, in entries: each one is a picture of which a seam is searched.
  static constexpr int max_transport_pictures = 4096;

  struct Params {
    int width = 0, height = 0, seams = 0;
    Energy energy = Energy::gradient;
    Path path = Path::dp;
    Start start = Start::top;
    std::string protect, remove;
    bool restore_size = false;
    int seams_per_pass = 1;
    Order order = Order::columns;
    Output output = Output::picture;
    std::string map;

    static auto fields() {
      return std::tuple{
          zero_as("unchanged", Field{"width", &Params::width, 0, max_side, "pixels", "of the result", 1, 1030}),
          zero_as("unchanged", Field{"height", &Params::height, 0, max_side, "pixels", "of the result", 1, 125}),
          zero_as("as width says", Field{"seams", &Params::seams, 0, max_side, "columns", "how many to remove", 1, 3}),
          EnumField{"energy", &Params::energy, energy_names, "what the loss of a pixel costs"},
          EnumField{"path", &Params::path, path_names,
                    "the seam of least energy (dp), or the best of those that take the cheapest next pixel"},
          EnumField{"start", &Params::start, start_names,
                    "where greedy paths begin: in the top row, or as in the source document in the bottom row"},
          TextField{"protect", &Params::protect, true, "mask, a picture of the input's size: white stays"},
          TextField{"remove", &Params::remove, true,
                    "mask: white goes first; without a size as many seams are removed as its widest row, or its "
                    "highest column, has pixels"},
          BoolField{"restore_size", &Params::restore_size, "afterwards enlarged to the input's size again"},
          Field{"seams_per_pass", &Params::seams_per_pass, 1, max_seams_per_pass, "",
                "1 = exact; more: approximate, one seam of each of so many strips at a time", 1, 3},
          EnumField{"order", &Params::order, order_names,
                    "where both sides shrink: columns first, the cheapest sequence, or in turns"},
          EnumField{
              "output", &Params::output, output_names,
              "the result; the number of the seam that takes each pixel of the input (16 bit, 0 = stays); energy, "
              "cumulative cost or grey values of the result; the seams that it could lose next"},
          TextField{"map", &Params::map, true,
                    "a file that output=order made of the same picture: any size up to its seams without a search"}};
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const;
  };

  /// Shape of the result. output=order: one channel u16 of the input's size; energy, cost and grey: one channel f32 of
  /// the result's size; candidates: RGBA f32 of the result's size, with the grey value, the lowest relative cost of the
  /// candidate seams through the pixel (no_candidate where none passes), and 1 on the cheapest one; otherwise pixels as
  /// in the input. Throws UsageError for sizes that cannot be reached and files that
  /// do not fit, EnvironmentError for unreadable files.
  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  /// Where nothing says how many seams there are, a quarter of the columns.
  static Params run_params(Params, const Shape& input);
  /// For approximate passes: by how many per cent the removed energy exceeds that of exact passes. Empty for exact
  /// ones.
  static std::string report(const Params&, const HostIn& in, const HostIn& result);
  /// A CUDA run consists of one part per seam, or per search that finds several seams.
  static int parts(const Params&, const Shape& input);
  /// The order map holds after each part the seams found so far. A picture is assembled when all seams are known.
  static bool shows_parts(const Params&);
  /// order=optimal on CUDA: the CPU finds the order of rows and columns before the run (seam_carving_transport.h).
  /// Other backends find it during the run.
  static bool needs_preparation(const Params&, Backend);
  static std::shared_ptr<const Preparation> prepare(const Params&, const HostIn&, std::uint64_t seed,
                                                    std::uint64_t frame, const std::stop_token&, Progress*);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
