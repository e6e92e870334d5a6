#include "compute/algorithms/graphics/rasterize/openmp/rasterize_tiles.h"

#include <omp.h>

#include <atomic>

#include "compute/algorithms/graphics/rasterize/rasterize_blocks.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"
#include "compute/algorithms/graphics/rasterize/rasterize_objects.h"

namespace threadscape::rasterize {

namespace {

constexpr std::size_t all_records = std::size_t{1} << 17;
/// Vertices or triangles that a thread takes at a time.
constexpr std::uint32_t vertex_chunk = 4096, triangle_chunk = 2048;

struct Counts {
  std::size_t vertices, lights, buffers, records, entries, heads;
};
Counts counts_of(Shading shading, int width, int height, std::size_t vertices) {
  const auto tiles = static_cast<std::size_t>(CpuTiles(width, height).count());
  // A worker has room for a triangle that meets all tiles, and for many small ones.
  return {.vertices = vertices,
          .lights = shading == Shading::gouraud ? vertices : 0,
          .buffers = std::max<std::size_t>(tiles, most_workers),
          .records = all_records,
          .entries = 4 * all_records + tiles * most_workers,
          .heads = tiles * most_workers};
}

/// The memory of a worker, and where it is in the triangles.
struct Worker {
  std::span<TileRecord> records;
  std::span<TileEntry> entries;
  std::span<std::uint32_t> heads;
  std::uint32_t record_count = 0, entry_count = 0;
  std::uint32_t next = 0, end = 0;  ///< The rest of its chunk of triangles.
};

TileRecord record_of(const ScreenTriangle& t, std::uint32_t triangle, Visibility visibility) {
  const bool painter = visibility == Visibility::painter;  // Its depth is that of the farthest corner everywhere.
  return {.c = {t.c[0], t.c[1], t.c[2]},
          .a = {t.a[0], t.a[1]},
          .b = {t.b[0], t.b[1]},
          .x0 = static_cast<std::uint16_t>(t.x0),
          .y0 = static_cast<std::uint16_t>(t.y0),
          .x1 = static_cast<std::uint16_t>(t.x1),
          .y1 = static_cast<std::uint16_t>(t.y1),
          .z = painter ? t.z_high : t.z,
          .z_dx = painter ? 0.0f : t.z_dx,
          .z_dy = painter ? 0.0f : t.z_dy,
          .z_low = painter ? t.z_high : t.z_low,
          .z_high = t.z_high,
          .triangle = triangle};
}

/// Sorts triangles into the lists of one worker.
class Binning {
 public:
  Binning(const TileFrame& frame, Worker& worker) : frame_(frame), plan_(*frame.host.plan), worker_(worker) {}

  /// Takes triangles from the worker's chunk, and chunks from `next`, until the lists are full, no triangle is left, or
  /// the run is asked to stop. Returns false if the lists are full.
  bool run(std::atomic<std::uint32_t>& next) {
    for (;;) {
      for (; worker_.next < worker_.end; ++worker_.next) {
        if (!has_room()) return false;
        bin(worker_.next);
      }
      if (frame_.host.stop.stop_requested()) return true;
      const std::uint32_t first = next.fetch_add(1, std::memory_order_relaxed);
      if (std::uint64_t{first} * triangle_chunk >= plan_.triangles) {
        next.fetch_sub(1, std::memory_order_relaxed);
        return true;
      }
      worker_.next = first * triangle_chunk;
      worker_.end = std::min(worker_.next + triangle_chunk, plan_.triangles);
    }
  }

 private:
  /// Returns true if any triangle fits: with all pieces in the records, and one piece in every tile.
  [[nodiscard]] bool has_room() const {
    return worker_.record_count + Polygon::most <= worker_.records.size() &&
           worker_.entry_count + static_cast<std::size_t>(frame_.tiles.count()) * most_pieces <= worker_.entries.size();
  }

  void bin(std::uint32_t triangle) {
    const MeshView& mesh = frame_.host.mesh;
    if (plan_.transparent && !drawn_opaque(plan_, mesh, triangle)) return;
    const std::uint32_t v[3] = {mesh.corner(triangle, 0), mesh.corner(triangle, 1), mesh.corner(triangle, 2)};
    const unsigned f0 = frame_.flags[v[0]], f1 = frame_.flags[v[1]], f2 = frame_.flags[v[2]];
    if (((f0 | f1 | f2) & needs_clipping) != 0) {
      for_each_piece(frame_.host, triangle,
                     [&](const Piece& piece, const Polygon&, bool) { add(piece.screen, triangle); });
      return;
    }
    if ((f0 & f1 & f2 & outside_flags) != 0) return;
    ScreenVertex corner[3] = {frame_.screen[v[0]], frame_.screen[v[1]], frame_.screen[v[2]]};
    ScreenTriangle t;
    bool swapped = false;
    if (set_up(corner, plan_, t, swapped) != Fate::drawn || t.x1 < t.x0 || t.y1 < t.y0) return;
    add(t, triangle);
  }

  void add(const ScreenTriangle& t, std::uint32_t triangle) {
    const std::uint32_t record = worker_.record_count++;
    worker_.records[record] = record_of(t, triangle, plan_.visibility);
    const int x0 = t.x0 / cpu_tile, x1 = t.x1 / cpu_tile, y0 = t.y0 / cpu_tile, y1 = t.y1 / cpu_tile;
    const bool several = x0 != x1 || y0 != y1;
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        if (several && misses(t, x * cpu_tile, y * cpu_tile)) continue;
        std::uint32_t& head = worker_.heads[static_cast<std::size_t>(y * frame_.tiles.across + x)];
        worker_.entries[worker_.entry_count] = {record, head};
        head = worker_.entry_count++;
      }
  }

  /// Returns true if an edge function is negative in the whole tile.
  static bool misses(const ScreenTriangle& t, int x, int y) {
    bool out = false;
    for (int i = 0; i < 3; ++i) {
      const int far_x = t.a[i] > 0 ? x + cpu_tile - 1 : x, far_y = t.b[i] > 0 ? y + cpu_tile - 1 : y;
      out = out || static_cast<std::int64_t>(t.a[i]) * far_x + static_cast<std::int64_t>(t.b[i]) * far_y + t.c[i] < 0;
    }
    return out;
  }

  /// The pieces of a clipped triangle do not overlap, but up to all of them can meet the same tile.
  static constexpr std::size_t most_pieces = Polygon::most - 2;
  const TileFrame& frame_;
  const Plan& plan_;
  Worker& worker_;
};

Worker make_worker(const TileFrame& frame, int index, int workers) {
  const auto part = [&](const auto& all) {
    const std::size_t each = all.size() / static_cast<std::size_t>(workers);
    return all.subspan(each * static_cast<std::size_t>(index), each);
  };
  const auto tiles = static_cast<std::size_t>(frame.tiles.count());
  Worker worker;
  worker.records = part(frame.records);
  worker.entries = part(frame.entries);
  worker.heads = frame.heads.subspan(tiles * static_cast<std::size_t>(index), tiles);
  return worker;
}

void clear_tile(const Plan& plan, TileBuffer& tile) {
  const Visible empty = plan.output == Output::overdraw ? 0 : nothing_visible(plan.depth_bits);
  std::fill_n(tile.key, cpu_tile_pixels, static_cast<std::uint32_t>(empty >> 32));
  std::fill_n(tile.triangle, cpu_tile_pixels, plan.output == Output::overdraw ? 0 : no_triangle);
}

/// What the threads of a run share.
struct Turn {
  std::atomic<std::uint32_t> next_vertices{0}, next_triangles{0};
  std::atomic<int> next_tile{0}, unfinished{0};
};

/// Which turn it is, and for how many threads.
struct TurnOf {
  bool first, last;
  int thread, threads;
};

/// Draws the lists of all workers into a tile, and resolves it after the last turn. Where one turn is enough, a thread
/// uses the same buffer for all of its tiles, which so stays in its cache.
void draw_tile(const TileFrame& frame, int tile, const TurnOf& turn, StageLaps& laps) {
  const Plan& plan = *frame.host.plan;
  const bool only = turn.first && turn.last;
  TileBuffer& buffer = frame.buffers[static_cast<std::size_t>(only ? turn.thread : tile)];
  const int x = tile % frame.tiles.across * cpu_tile, y = tile / frame.tiles.across * cpu_tile;
  const std::size_t tiles = static_cast<std::size_t>(frame.tiles.count());
  const auto head_of = [&](int worker) {
    return frame.heads[tiles * static_cast<std::size_t>(worker) + static_cast<std::size_t>(tile)];
  };
  bool empty = only && plan.output == Output::picture && !plan.transparent;
  for (int i = 0; i < turn.threads && empty; ++i)
    empty = head_of(i) == none_next;
  if (empty) {
    resolve_empty_tile(frame, x, y);
    laps.end(TimedStage::shading);
    return;
  }
  if (turn.first) clear_tile(plan, buffer);
  for (int i = 0; i < turn.threads; ++i) {
    const Worker other = make_worker(frame, i, turn.threads);
    draw_list(plan, {other.records.data(), other.entries.data(), head_of(i)}, x, y, buffer);
  }
  laps.end(TimedStage::raster);
  if (!turn.last) return;
  resolve_tile(frame, x, y, buffer);
  laps.end(TimedStage::shading);
}

}  // namespace

std::size_t tiles_scratch_bytes(const Rasterize::Params& params, const Shape& input) {
  const Counts c = counts_of(params.shading, params.width, params.height, most_vertices(input));
  const auto padded = [](std::size_t count, std::size_t size) { return HostScratch::padded(count * size); };
  return padded(c.vertices, sizeof(ScreenVertex)) + padded(c.vertices, 1) + padded(c.buffers, sizeof(TileBuffer)) +
         padded(c.records, sizeof(TileRecord)) + padded(c.entries, sizeof(TileEntry)) +
         padded(c.heads, sizeof(std::uint32_t));
}

TileFrame make_tile_frame(const HostRun& run, const Plan& plan) {
  const Counts c = counts_of(plan.shading, plan.width, plan.height, plan.vertices);
  TileFrame frame;
  frame.host = make_frame(run, plan);
  frame.tiles = CpuTiles(plan.width, plan.height);
  frame.screen = run.scratch->take<ScreenVertex>(c.vertices);
  frame.flags = run.scratch->take<std::uint8_t>(c.vertices);
  frame.buffers = run.scratch->take<TileBuffer>(c.buffers);
  frame.records = run.scratch->take<TileRecord>(c.records);
  frame.entries = run.scratch->take<TileEntry>(c.entries);
  frame.heads = run.scratch->take<std::uint32_t>(c.heads);
  return frame;
}

bool drawn_in_tiles(const Plan& plan) {
  return plan.division == 0 && !plan.wireframe && !shades_first(plan) && !tests_blocks(plan) && !tests_objects(plan) &&
         (plan.visibility == Visibility::z_buffer || plan.visibility == Visibility::painter ||
          plan.output == Output::overdraw);
}

void draw_in_tiles(const HostRun& run, const TileFrame& frame) {
  const Plan& plan = *frame.host.plan;
  // Lists of a worker hold at least one triangle that meets all tiles.
  const std::size_t needed = static_cast<std::size_t>(frame.tiles.count()) * (Polygon::most - 2);
  const int workers =
      std::clamp(run.threads, 1, std::clamp(static_cast<int>(frame.entries.size() / needed), 1, most_workers));
  Turn turn;
#pragma omp parallel num_threads(workers)
  {
    // The runtime may give fewer threads than asked for.
    const int threads = omp_get_num_threads();
    StageLaps laps(frame.host.clock);
    for (;;) {
      const std::uint64_t first = std::uint64_t{turn.next_vertices.fetch_add(1)} * vertex_chunk;
      if (first >= plan.vertices || run.stop.stop_requested()) break;
      transform_vertices_fast(frame, static_cast<std::uint32_t>(first),
                              static_cast<std::uint32_t>(std::min<std::uint64_t>(first + vertex_chunk, plan.vertices)));
    }
    laps.end(TimedStage::vertices);
    Worker worker = make_worker(frame, omp_get_thread_num(), threads);
    bool first_turn = true;
    for (bool last = false; !last; first_turn = false) {
#pragma omp barrier
      worker.record_count = worker.entry_count = 0;
      std::fill(worker.heads.begin(), worker.heads.end(), none_next);
#pragma omp single
      {
        turn.next_tile = 0;
        turn.unfinished = 0;
      }
      laps.skip();
      if (!run.stop.stop_requested() && !Binning(frame, worker).run(turn.next_triangles)) ++turn.unfinished;
      laps.end(TimedStage::binning);
#pragma omp barrier
      laps.skip();
      last = turn.unfinished == 0;
      for (int tile = turn.next_tile++; tile < frame.tiles.count(); tile = turn.next_tile++) {
        if (run.stop.stop_requested()) break;
        draw_tile(frame, tile, {first_turn, last, omp_get_thread_num(), threads}, laps);
      }
    }
  }
}

}  // namespace threadscape::rasterize
