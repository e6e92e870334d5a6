#include "app/scenes/code_places.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace threadscape::app {

namespace {

using std::string_view;

/// A row stands for the variants and steps of a backend whose names it lists, divided by |; "" is any. A step is in the
/// list if its text begins like an entry. The first row that fits counts.
struct Row {
  string_view backend, variants, step, file, function, line = "";
};

constexpr auto convolution = std::to_array<Row>({
    {"serial", "", "", "convolution_serial.cpp", "sum_windows", "sums[i] += taps"},
    {"openmp", "", "", "openmp/convolution_openmp.cpp", "convolve_tile"},
    {"cuda", "global", "", "cuda/convolution_ladder.cu", "convolve_global", "window_sum("},
    {"cuda", "constant", "", "cuda/convolution_ladder.cu", "convolve_constant", "window_sum("},
    {"cuda", "shared", "turns", "cuda/convolution_ladder.cu", "convolve_shared", "load_plane_tile<P>("},
    {"cuda", "shared", "", "cuda/convolution_ladder.cu", "convolve_shared", "first[ky * pitch + kx]"},
    {"cuda", "", "", "cuda/convolution_tiled.cuh", "launch_tiled_size"},
});
constexpr auto median = std::to_array<Row>({
    {"serial", "histogram", "", "median_serial.cpp", "filter_row", "window.select("},
    {"serial", "", "", "median_lists_serial.cpp", "list_row", "const auto key ="},
    {"openmp", "", "", "openmp/median_networks_openmp.cpp", "filter_tile", "tile_medians<"},
    {"cuda", "global", "", "cuda/median_ladder.cu", "filter_global", "select<"},
    {"cuda", "shared", "turns", "cuda/median_ladder.cu", "filter_shared", "load_plane_tile<P>("},
    {"cuda", "shared", "", "cuda/median_ladder.cu", "filter_shared", "window[row * pitch + column]"},
    {"cuda", "histogram", "", "cuda/median_histogram.cu", "filter_by_histograms"},
    {"cuda", "selection|sorting", "", "cuda/median_lists.cu", "filter_by_list"},
    {"cuda", "", "", "cuda/median_networks_bytes.cu", "filter_bytes"},
});
constexpr auto morphology = std::to_array<Row>({
    {"serial", "", "", "morphology_serial.cpp", "extreme_row", "take(result[i], shifted_values[i]"},
    {"openmp", "tiles", "", "openmp/morphology_openmp.cpp", "run_pass", "process_tile("},
    {"openmp", "sections", "", "openmp/morphology_openmp.cpp", "work_in_sections"},
    {"openmp", "", "", "openmp/morphology_phases.cpp", "step_plane"},
    {"cuda", "global", "", "cuda/morphology_terms.cu", "extreme_global", "result.take("},
    {"cuda", "shared", "turns", "cuda/morphology_terms.cu", "extreme_shared", "= from(column, row)"},
    {"cuda", "shared", "", "cuda/morphology_terms.cu", "extreme_shared", "result.take("},
    {"cuda", "planes", "", "cuda/morphology_planes.cu", "step_plane"},
    {"cuda", "", "", "cuda/morphology_lines.cu", "maxima_of_rows"},
});
constexpr string_view ladder = "cuda/reduction_ladder.cuh";
constexpr auto reduction = std::to_array<Row>({
    {"serial", "loop", "", "reduction_serial.cpp", "reduce_loop", "result = Op::combine"},
    {"serial", "", "", "reduction_serial.cpp", "reduce_tree", "reduction::reduce_tile("},
    {"openmp", "", "", "openmp/reduction_openmp.cpp", "reduce_tiles", "partials[i] ="},
    {"cuda", "shuffle", "", "cuda/reduction_shuffle.cuh", "reduce_tiles", "shuffle_xor(thread_partial"},
    {"cuda", "interleaved_modulo", "", ladder, "reduce_interleaved_modulo", "if (t % (2 * step) == 0)"},
    {"cuda", "interleaved_stride", "", ladder, "reduce_interleaved_stride", "if (i < block_threads)"},
    {"cuda", "sequential", "", ladder, "reduce_sequential", "if (t < step)"},
    {"cuda", "first_add", "", ladder, "reduce_first_add", "if (t < step)"},
    {"cuda", "unroll_warp|unroll_all|grid_stride", "warp", ladder, "reduce_last_warp", "combine(data[t], other)"},
    {"cuda", "unroll_warp", "", ladder, "reduce_unroll_warp", "if (t < step)"},
    {"cuda", "unroll_all|grid_stride", "", ladder, "reduce_block", "if (t < step)"},
    {"cuda", "cub", "", "cuda/reduction_cub.cu", "reduce_by_cub", "cub::DeviceReduce::Reduce("},
});
constexpr auto sorting = std::to_array<Row>({
    {"serial", "", "stages", "sorting_serial.cpp", "run_network", "compare_exchange("},
    {"serial", "quicksort", "", "sorting_serial.cpp", "partition", "std::swap("},
    {"serial", "", "", "sorting_serial.cpp", "sort_serial", "std::sort("},
    {"openmp", "", "stages", "openmp/sorting_openmp.cpp", "compare_places", "compare_exchange("},
    {"openmp", "bitonic", "", "openmp/sorting_openmp.cpp", "compare_places", "compare_exchange("},
    {"openmp", "", "", "openmp/sorting_merge.h", "merge_neighbours", "merge_piece("},
    {"cuda", "bitonic_elements", "", "cuda/sorting_bitonic.cu", "compare_element", "compare_exchange("},
    {"cuda", "", "stages", "cuda/sorting_bitonic.cu", "compare_global", "compare_exchange("},
    {"cuda", "bitonic_shared", "", "cuda/sorting_bitonic.cu", "compare_shared", "compare_exchange("},
    {"cuda", "bitonic_global", "", "cuda/sorting_bitonic.cu", "compare_global", "compare_exchange("},
    {"cuda", "cub", "", "cuda/sorting_cub.cu", "sort_numbers"},
    {"cuda", "", "", "cuda/sorting_radix.cu", "sort_tile"},
});
constexpr auto streams = std::to_array<Row>({
    {"serial", "", "", "streams_serial.cpp", "Streams::serial", "before += streams::summand"},
    {"openmp", "", "", "streams_openmp.cpp", "Streams::openmp", "before += summand"},
    {"cuda", "shuffle", "", "streams_cuda.cu", "inclusive_of_warp", "value += before"},
    {"cuda", "blelloch", "block up", "streams_cuda.cu", "sums_of_block", "memory[target] += memory["},
    {"cuda", "blelloch", "", "streams_cuda.cu", "sums_of_block", "memory[target] += left"},
    {"cuda", "", "", "streams_cuda.cu", "sums_of_block", "to[thread] = from[thread]"},
});
constexpr string_view direct = "coalesced|misaligned|random", strided = "strided";
constexpr auto memory_access = std::to_array<Row>({
    {"serial", "", "coalesced|misaligned|random|strided", "memory_access_serial.cpp", "MemoryAccess::serial",
     "out[i] = in["},
    {"serial", "", "", "memory_access_serial.cpp", "read_table", "table[first + j]"},
    {"openmp", "", strided, "memory_access_openmp.cpp", "read_columns", "out[i + k] ="},
    {"openmp", "", direct, "memory_access_openmp.cpp", "read_directly", "out[i] = in["},
    {"openmp", "", "", "memory_access_openmp.cpp", "read_table_part", "results[lane] = fold("},
    {"cuda", "", strided, "memory_access_cuda.cu", "read_columns", "out[i] = from("},
    {"cuda", "", direct, "memory_access_cuda.cu", "read_words", "out[i] = from("},
    {"cuda", "", "registers", "memory_access_cuda.cu", "read_registers", "fold(result, words[j])"},
    {"cuda", "", "local", "memory_access_cuda.cu", "read_local", "fold(result, words[j])"},
    {"cuda", "", "l1|l2", "memory_access_cuda.cu", "read_cached", "__ldca("},
    {"cuda", "", "constant", "memory_access_cuda.cu", "read_constant", "constant_table[place]"},
    {"cuda", "", "", "memory_access_cuda.cu", "read_shared", "return words[place]"},
});
constexpr string_view squares = "diamond_square_steps.cu";
constexpr auto diamond_square = std::to_array<Row>({
    {"serial", "", "diamond", "diamond_square_growth.h", "diamond_row", "diamond_cell<Height>("},
    {"serial", "", "", "diamond_square_growth.h", "square_row", "new_height<Height>("},
    {"openmp", "bands", "", "diamond_square_openmp.cpp", "grow_band"},
    {"openmp", "tasks", "diamond", "diamond_square_openmp_steps.cpp", "grow_by_tasks", "growth_.diamond_row("},
    {"openmp", "tasks", "", "diamond_square_openmp_steps.cpp", "grow_by_tasks", "growth_.square_row("},
    {"openmp", "", "diamond", "diamond_square_openmp_steps.cpp", "share_level", "growth_.diamond_row("},
    {"openmp", "", "", "diamond_square_openmp_steps.cpp", "share_level", "growth_.square_row("},
    {"cuda", "fused", "", "diamond_square_fused.cu", "grow_level"},
    {"cuda", "", "diamond", squares, "diamond_step", "diamond_cell<Height>("},
    {"cuda", "branchless|step_numbers", "", squares, "square_step", "square_cell_branchless<Height>("},
    {"cuda", "new_cells", "", squares, "square_step", "square_cell_with_ifs<Height>("},
    {"cuda", "", "", squares, "square_step", "= square_cell<Height>("},
});
constexpr auto projection = std::to_array<Row>({
    {"serial", "", "siddon", "ray_math.h", "siddon_sum", "sum += (end - alpha)"},
    {"serial", "", "joseph", "ray_math.h", "joseph_sum", "sum += (1 - (q - k))"},
    {"serial", "", "", "ray_math.h", "incremental_pieces", "piece(x.index, y.index, z.index"},
    {"openmp", "", "joseph", "projection/openmp/projection_rows.cpp", "joseph_sum", "sum = hn::Add(sum"},
    {"openmp", "", "", "projection/openmp/projection_rows.cpp", "exact_sum", "sum = hn::MulAdd("},
    {"cuda", "columns", "", "projection/cuda/projection_cuda.cu", "project_columns_kernel", ".step(steps[s]"},
    {"cuda", "", "", "projection/cuda/projection_cuda.cu", "project_rays_kernel", "ray_value("},
});
constexpr auto reconstruction = std::to_array<Row>({
    {"serial", "", "sirt", "reconstruction_serial.cpp", "sirt", "voxel(change, i, j, k) +="},
    {"serial", "", "", "reconstruction_serial.cpp", "reconstruction::fdk_serial", "position.weight * filtered.at("},
    {"openmp", "", "sirt", "openmp/reconstruction_sirt_openmp.cpp", "iterate"},
    {"openmp", "", "", "openmp/reconstruction_fdk_openmp.cpp", "fdk_openmp"},
    {"cuda", "", "sirt", "cuda/reconstruction_sirt.cu", "update"},
    {"cuda", "", "", "cuda/reconstruction_cuda.cu", "back_project"},
});
constexpr auto seam_carving = std::to_array<Row>({
    {"", "", "grey", "seam_carving_math.h", "grey_of"},
    {"", "", "energy", "seam_carving_math.h", "energy_of"},
    {"serial", "", "greedy", "seam_carving_serial.cpp", "find_greedy", "total = total + picture.step("},
    {"serial", "", "candidates", "seam_carving_serial.cpp", "find_dp", "seam[y - 1] ="},
    {"serial", "", "cheapest", "seam_carving_serial.cpp", "find_dp", "std::min_element(last + begin"},
    {"serial", "", "removal", "seam_carving_serial.cpp", "carve_serial", "std::copy(row + x + 1"},
    {"serial", "", "", "seam_carving_serial.cpp", "find_dp", "= picture.best("},
    {"openmp", "", "greedy", "openmp/seam_carving_greedy.cpp", "find_greedy_path", "total[i] = total[i] + state.step("},
    {"openmp", "", "candidates", "openmp/seam_carving_openmp.h", "column_above"},
    {"openmp", "", "cheapest", "openmp/seam_carving_openmp.h", "end_of_seam"},
    {"openmp", "", "removal", "openmp/seam_carving_openmp.h", "remove_pixel", "close_gap("},
    {"openmp", "", "", "openmp/seam_carving_openmp.h", "compute_cells", "cost_cells("},
    {"cuda", "", "greedy", "cuda/seam_carving_path.cu", "follow_paths", "total = total + step_cost("},
    {"cuda", "", "candidates", "cuda/seam_carving_path.cu", "find_seams", "parent_side("},
    {"cuda", "", "cheapest", "cuda/seam_carving_path.cu", "find_seams", "min_cost_column("},
    {"cuda", "", "removal", "cuda/seam_carving_remove.cu", "compact_rows", "value[to[i]] ="},
    {"cuda", "per_row", "", "cuda/seam_carving_path.cu", "cost_row"},
    {"cuda", "", "", "cuda/seam_carving_path.cu", "cost_tiles", "next_cost<"},
});
constexpr string_view vertices = "object|world|camera", drawing = "coverage|fragments|overdraw";
constexpr string_view in_tiles = "openmp/rasterize_tiles_simd.cpp";
constexpr auto rasterize = std::to_array<Row>({
    {"openmp", "tiles", vertices, in_tiles, "transform_simd"},
    {"cuda", "", vertices, "cuda/rasterize_cuda.cu", "transform_all", "transform("},
    {"", "", vertices, "rasterize_host.cpp", "transform_vertices", "transform(plan"},
    {"", "", "clip", "rasterize_math.h", "clip_triangle"},
    {"", "", "screen", "rasterize_math.h", "to_screen"},
    {"openmp", "tiles", drawing, in_tiles, "draw_record"},
    {"cuda", "bins", drawing, "cuda/rasterize_bins.cu", "draw_tiles"},
    {"cuda", "", drawing, "cuda/rasterize_cuda.cu", "draw_small", "covers("},
    {"", "barycentric", "coverage", "rasterize_math.h", "covers", "inside = inside &&"},
    {"", "scanline", "coverage", "rasterize_host.cpp", "row_span"},
    {"", "halves", "coverage", "rasterize_spans.h", "for_each_span_of_halves", "edge.bound("},
    {"", "", "overdraw", "rasterize_host.cpp", "draw_face", "++pixel"},
    {"", "", "fragments", "rasterize_host.cpp", "draw_face", "for_each_covered("},
    {"", "", "depth", "rasterize_math.h", "deciding_depth"},
    {"", "", "lighting", "rasterize_shade.h", "light_at"},
    {"", "", "blending", "rasterize_shade.h", "blended"},
    {"openmp", "tiles", "", in_tiles, "resolve_simd"},
    {"cuda", "", "", "cuda/rasterize_resolve.cu", "resolve_picture"},
    {"", "", "", "rasterize_host.cpp", "resolve_rows", "shown_colour("},
});

struct Table {
  string_view algorithm, folder;
  std::span<const Row> rows;
};
// Algorithms with a diagram. The test of this file says which one is missing.
constexpr auto tables = std::to_array<Table>({
    {"convolution", "filters/convolution/", convolution},
    {"diamond_square", "terrain/diamond_square/", diamond_square},
    {"median", "smoothing/median/", median},
    {"memory_access", "sequences/memory_access/", memory_access},
    {"morphology", "morphology/morphology/", morphology},
    {"projection", "tomography/", projection},
    {"rasterize", "graphics/rasterize/", rasterize},
    {"reconstruction", "tomography/reconstruction/", reconstruction},
    {"reduction", "sequences/reduction/", reduction},
    {"seam_carving", "seams/seam_carving/", seam_carving},
    {"sorting", "sequences/sorting/", sorting},
    {"streams", "sequences/streams/", streams},
});

const Table* table_of(const AlgorithmInfo& algorithm) {
  const auto found = std::ranges::find(tables, algorithm.name, &Table::algorithm);
  return found == tables.end() ? nullptr : &*found;
}

template <class Fits>
bool lists(string_view list, const Fits& fits) {
  if (list.empty()) return true;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find('|', at), list.size());
    if (fits(list.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

CodePlace place_of(const Table& table, const Row& row) {
  return {"compute/algorithms/" + std::string(table.folder) + std::string(row.file), row.function, row.line};
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The place of `name(` as a word of its own; npos if there is none.
std::size_t place_of_call(string_view line, string_view name) {
  for (std::size_t at = line.find(name); at != string_view::npos; at = line.find(name, at + 1))
    if ((at == 0 || !in_word(line[at - 1])) && line.substr(at + name.size()).starts_with('(')) return at;
  return string_view::npos;
}

/// Returns whether a body follows the name that stands in this line, and no statement with a call of it.
bool begins_definition(std::span<const std::string> lines, std::size_t line, string_view name) {
  string_view rest = lines[line];
  const std::size_t first = rest.find_first_not_of(' ');
  const std::size_t at = place_of_call(rest, name);
  if (at == string_view::npos || rest.substr(first).starts_with("//")) return false;
  for (const string_view word : {"if ", "for ", "while ", "return ", "else ", "} "})
    if (rest.substr(first).starts_with(word)) return false;
  rest = rest.substr(at);
  for (;;) {
    if (const std::size_t end = rest.find_first_of("{;"); end != string_view::npos) return rest[end] == '{';
    if (++line == lines.size()) return false;
    rest = lines[line];
  }
}

}  // namespace

std::optional<CodePlace> code_place(const AlgorithmInfo& algorithm, const DrawnCode& drawn) {
  const Table* const table = table_of(algorithm);
  if (table == nullptr) return {};
  string_view variant = algorithm.variants_of(drawn.backend)[static_cast<std::size_t>(drawn.variant)].name;
  Backend backend = drawn.backend;
  if (backend == Backend::openmp && variant == "loops") {  // It is the serial code with pragmas.
    backend = Backend::serial;
    variant = algorithm.variants_of(backend).front().name;
  }
  for (const Row& row : table->rows)
    if ((row.backend.empty() || row.backend == name_of(backend)) &&
        lists(row.variants, [&](string_view one) { return one == variant; }) &&
        lists(row.step, [&](string_view one) { return drawn.step.starts_with(one); }))
      return place_of(*table, row);
  return {};
}

std::string value_text(ParamBox params, std::string_view name) {
  for (const FieldRef& field : params.fields())
    if (field.name == name) return to_text(field);
  return {};
}

std::vector<CodePlace> code_places(const AlgorithmInfo& algorithm) {
  std::vector<CodePlace> places;
  if (const Table* const table = table_of(algorithm))
    for (const Row& row : table->rows)
      places.push_back(place_of(*table, row));
  return places;
}

CodeRange find_code(std::span<const std::string> lines, const CodePlace& place) {
  CodeRange range;
  std::size_t name = 0;
  while (name < lines.size() && !begins_definition(lines, name, place.function))
    ++name;
  if (name == lines.size()) return range;
  // What is before the name belongs to it up to an empty line, a comment or another statement.
  range.begin = name;
  while (range.begin > 0) {
    const string_view before = lines[range.begin - 1];
    const std::size_t first = before.find_first_not_of(' ');
    if (first == string_view::npos || before.substr(first).starts_with("//") || before[first] == '#' ||
        string_view(";}{:").find(before.back()) != string_view::npos)
      break;
    --range.begin;
  }
  const std::size_t margin = lines[range.begin].find_first_not_of(' ');
  const std::string last = std::string(margin, ' ') + "}";
  range.end = name + 1;
  while (range.end < lines.size() && !lines[range.end].starts_with(last))
    ++range.end;
  range.end = std::min(range.end + 1, lines.size());
  for (std::size_t i = name; i < range.end && !place.line.empty(); ++i)
    if (lines[i].find(place.line) != std::string::npos) range.marked.push_back(i);
  return range;
}

}  // namespace threadscape::app
