// Rasterize on the GPU. Small triangles are drawn by a thread each, whose fragments meet in a 64-bit atomic minimum of
// depth and number (Schuetz et al., Rendering point clouds with compute shaders and vertex order optimization, 2021).
// Large ones are shared by blocks, or sorted into tiles (cuda/rasterize_bins.cu). Then a thread per pixel computes the
// colour of what is visible (cuda/rasterize_resolve.cu).

#include "compute/algorithms/graphics/rasterize/cuda/rasterize_cuda.cuh"
#include "compute/algorithms/graphics/rasterize/rasterize_blocks.h"
#include "compute/algorithms/graphics/rasterize/rasterize_clock.h"
#include "compute/algorithms/graphics/rasterize/rasterize_objects.h"

namespace threadscape {
namespace rasterize {
namespace {

/// Which kernels draw a triangle; the order of Rasterize::cuda_variants.
enum class Design : int { by_size, atomic, bins };
/// Bounding boxes of more pixels are left to whole blocks, so that the threads of a warp take about equally long.
constexpr int small_pixels = 64;
/// Blocks that share one large triangle, row by row.
constexpr int slices = 16;
/// Blocks of kernels that take the elements of a list one after another.
constexpr int list_blocks = 512;

__global__ void __launch_bounds__(block_threads) transform_all(DeviceFrame frame) {
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i >= frame.plan.vertices) return;
  frame.clip[i] = transform(frame.plan.camera.clip, frame.mesh.position(i));
  if (frame.lights) frame.lights[i] = vertex_light(frame.plan, frame.mesh, i, frame.mesh.material(0).shininess, false);
}

__global__ void __launch_bounds__(block_threads) clear_all(DeviceFrame frame) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (i < static_cast<std::int64_t>(frame.plan.width) * frame.plan.height) {
    frame.visible[i] = frame.plan.output == Output::overdraw ? 0 : nothing_visible(frame.plan.depth_bits);
    if (frame.shaded) frame.shaded[i] = ~0ull;  // This is the number of no triangle.
  }
  if (i == 0) *frame.queue_count = 0;
}

/// Triangles that a launch draws: all of them, or those of an object unless it was found hidden.
struct DrawnTriangles {
  MeshObject range;
  const std::uint32_t* shown = nullptr;  ///< 0 if none of them is drawn; null if that is not asked.
};

/// Finds the bounds of an object in each block, and marks it as hidden until it is tested.
__global__ void __launch_bounds__(block_threads)
    bound_objects(DeviceFrame frame, ObjectList objects, ObjectBounds* bounds, std::uint32_t* shown) {
  ObjectBounds& all = bounds[blockIdx.x];
  if (threadIdx.x == 0) {
    all = {};
    shown[blockIdx.x] = 0;
  }
  __syncthreads();
  ObjectBounds own;
  const MeshObject object = objects.at[blockIdx.x];
  for (std::uint32_t triangle = object.first + threadIdx.x; triangle < object.end; triangle += block_threads) {
    ClipVertex corner[3];
    frame.corners(triangle, corner);
    for (const ClipVertex& one : corner)
      join(own, bounds_of(one, frame.plan));
  }
  atomicMin(&all.x0, own.x0);
  atomicMin(&all.y0, own.y0);
  atomicMax(&all.x1, own.x1);
  atomicMax(&all.y1, own.y1);
  atomicMin(&all.nearest, own.nearest);
}

/// Compares the bounds of an object with the depths of its pixels, of which blocks take rows, and empties the queue.
__global__ void __launch_bounds__(block_threads)
    test_object(DeviceFrame frame, const ObjectBounds* bounds, std::uint32_t* shown) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *frame.queue_count = 0;
  const ObjectBounds part = cut_to_rows(*bounds, frame.plan.width, 0, frame.plan.height);
  for (int y = part.y0 + static_cast<int>(blockIdx.x); y <= part.y1; y += static_cast<int>(gridDim.x))
    for (int x = part.x0 + static_cast<int>(threadIdx.x); x <= part.x1; x += block_threads)
      if (static_cast<std::uint32_t>(frame.at(x, y) >> 32) >= part.nearest) {
        *shown = 1;
        return;
      }
}

__device__ void draw_edges(const DeviceFrame& frame, std::uint32_t triangle) {
  ClipVertex corner[3];
  std::uint32_t order[3];
  frame.corners(triangle, corner);
  edge_order(frame.plan, frame.mesh, triangle, corner, order);
  const auto no_colour = [] { return 0u; };  // Edges get their colour after the depth test.
  for_each_edge_pixel(corner, order, frame.plan,
                      [&](int x, int y, float z) { frame.put<Colours::after>(x, y, z, triangle, no_colour); });
}

/// Puts the fragment of a piece at a pixel that it covers.
template <Colours time>
__device__ void put_fragment(const DeviceFrame& frame, std::uint32_t triangle, const Piece& piece,
                             const Polygon& polygon, bool clipped, int x, int y) {
  constexpr bool environment = time == Colours::before_with_environment;
  frame.put<time>(x, y, deciding_depth(piece.screen, x, y, frame.plan.visibility), triangle, [&] {
    // Pieces of a clipped triangle may meet in a pixel, which then has the colour of the piece in front.
    return clipped ? frame.colour_at<environment>(triangle, x, y)
                   : packed(colour_of_fragment<environment>(frame.plan, frame.mesh, triangle, piece, polygon, x, y,
                                                            frame.lights));
  });
}

/// A thread per triangle. Large triangles go to the queue; with Design::bins all do.
template <Colours time>
__global__ void __launch_bounds__(block_threads)
    draw_small(DeviceFrame frame, Design design, DrawnTriangles triangles) {
  const std::uint32_t triangle = triangles.range.first + blockIdx.x * block_threads + threadIdx.x;
  if (triangle >= triangles.range.end || (triangles.shown != nullptr && *triangles.shown == 0) ||
      !frame.opaque(triangle))
    return;
  if (frame.plan.wireframe) {
    draw_edges(frame, triangle);
    return;
  }
  ClipVertex corner[3];
  frame.corners(triangle, corner);
  bool queued = false;
  for_each_piece(corner[0], corner[1], corner[2], frame.plan,
                 [&](const Piece& piece, const Polygon& polygon, bool clipped) {
                   const ScreenTriangle& t = piece.screen;
                   const int across = t.x1 - t.x0 + 1, down = t.y1 - t.y0 + 1;
                   // A clipped triangle of several pieces goes to the queue as a whole, so that none of them is drawn
                   // twice.
                   if (clipped || design == Design::bins || across > small_pixels || across * down > small_pixels) {
                     queued = true;
                     return;
                   }
                   for (int y = t.y0; y <= t.y1; ++y)
                     for (int x = t.x0; x <= t.x1; ++x)
                       if (covers(t, x, y)) put_fragment<time>(frame, triangle, piece, polygon, clipped, x, y);
                 });
  if (queued) frame.queue[atomicAdd(frame.queue_count, 1u)] = triangle;
}

/// Puts the transparent triangles into the queue.
__global__ void __launch_bounds__(block_threads) queue_transparent(DeviceFrame frame) {
  const std::uint32_t triangle = blockIdx.x * block_threads + threadIdx.x;
  if (triangle >= frame.plan.triangles || frame.opaque(triangle)) return;
  if (is_too_transparent(frame.plan, frame.mesh.material(frame.mesh.material_index(triangle)))) return;
  frame.queue[atomicAdd(frame.queue_count, 1u)] = triangle;
}

/// The blocks blockIdx.y = 0 .. slices - 1 share the rows of a triangle of the queue.
template <Colours time>
__global__ void __launch_bounds__(block_threads) draw_large(DeviceFrame frame) {
  const std::uint32_t count = *frame.queue_count;
  for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
    const std::uint32_t triangle = frame.queue[i];
    ClipVertex corner[3];
    frame.corners(triangle, corner);
    const auto draw = [&](const Piece& piece, const Polygon& polygon, bool clipped) {
      const ScreenTriangle& t = piece.screen;
      constexpr int columns = 32, lines = block_threads / columns;
      const int row = blockIdx.y * lines + threadIdx.x / columns;
      for (int y = t.y0 + row; y <= t.y1; y += slices * lines)
        for (int x = t.x0 + static_cast<int>(threadIdx.x) % columns; x <= t.x1; x += columns)
          if (covers(t, x, y)) put_fragment<time>(frame, triangle, piece, polygon, clipped, x, y);
    };
    for_each_piece(corner[0], corner[1], corner[2], frame.plan, draw);
  }
}

DeviceFrame make_frame(const DeviceRun& run, const Plan& plan, const EnvironmentMap* environment) {
  const auto pixels = static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(plan.height);
  const bool lights = plan.shading == Shading::gouraud && plan.one_material;
  DeviceFrame frame;
  frame.plan = plan;
  frame.mesh = DrawnMesh(MeshView(run.in), plan);
  frame.clip = run.scratch->take<ClipVertex>(plan.vertices).data();
  frame.lights = lights ? run.scratch->take<Light>(plan.vertices).data() : nullptr;
  frame.visible = run.scratch->take<Visible>(pixels).data();
  frame.shaded = shades_first(plan) ? run.scratch->take<unsigned long long>(pixels).data() : nullptr;
  frame.queue = run.scratch->take<std::uint32_t>(plan.triangles).data();
  frame.queue_count = run.scratch->take<std::uint32_t>(1).data();
  if (environment != nullptr && plan.output == Output::picture && !plan.wireframe) {
    const std::size_t texels = environment->texels.size();
    std::uint32_t* const copy = run.scratch->take<std::uint32_t>(texels).data();
    // The call returns only when the map has been read, since its memory is pageable.
    TS_CUDA_CHECK(cudaMemcpyAsync(copy, environment->texels.data(), texels * sizeof(std::uint32_t),
                                  cudaMemcpyHostToDevice, run.stream));
    frame.plan.environment.texels = copy;
  } else {
    frame.plan.environment.texels = nullptr;
  }
  return frame;
}

Bins make_bins(const DeviceRun& run, const Plan& plan) {
  Bins bins{TileGrid(plan.width, plan.height), nullptr, nullptr, nullptr};
  const auto tiles = static_cast<std::size_t>(bins.grid.tiles);
  bins.starts = run.scratch->take<std::uint32_t>(tiles + 1).data();
  bins.ends = run.scratch->take<std::uint32_t>(tiles + 1).data();
  bins.entries = run.scratch->take<std::uint32_t>(std::size_t{4} * plan.triangles).data();
  return bins;
}

unsigned blocks_for(std::size_t items) {
  return static_cast<unsigned>((items + block_threads - 1) / block_threads);
}

void draw_large_ones(const DeviceFrame& frame, CudaStream stream) {
  const dim3 blocks(list_blocks / slices, slices);
  with_colours_code(frame,
                    [&](auto time) { draw_large<decltype(time)::value><<<blocks, block_threads, 0, stream>>>(frame); });
  TS_CUDA_LAUNCHED();
}

/// Draws object by object. A launch waits for those of the objects before it.
void draw_objects(const DeviceFrame& frame, const ObjectList& objects, const DeviceRun& run) {
  if (objects.count == 0) return;
  ObjectBounds* const bounds = run.scratch->take<ObjectBounds>(ObjectList::most).data();
  std::uint32_t* const shown = run.scratch->take<std::uint32_t>(ObjectList::most).data();
  bound_objects<<<static_cast<unsigned>(objects.count), block_threads, 0, run.stream>>>(frame, objects, bounds, shown);
  TS_CUDA_LAUNCHED();
  for (int i = 0; i < objects.count; ++i) {
    test_object<<<list_blocks, block_threads, 0, run.stream>>>(frame, bounds + i, shown + i);
    TS_CUDA_LAUNCHED();
    const DrawnTriangles triangles{objects.at[i], shown + i};
    with_colours_code(frame, [&](auto time) {
      draw_small<decltype(time)::value>
          <<<blocks_for(triangles.range.end - triangles.range.first), block_threads, 0, run.stream>>>(
              frame, Design::atomic, triangles);
    });
    TS_CUDA_LAUNCHED();
    draw_large_ones(frame, run.stream);
  }
}

}  // namespace
}  // namespace rasterize

void Rasterize::cuda(const Params&, const DeviceRun& run) {
  using namespace rasterize;
  const auto& prepared = *static_cast<const Prepared*>(run.preparation);
  const Plan& plan = prepared.plan;
  DeviceLaps laps(prepared.clock, run.stream);
  // Tiles are the blocks of the hierarchical test.
  const auto design = tests_blocks(plan) ? Design::bins : static_cast<Design>(run.variant);
  const DeviceFrame frame = make_frame(run, plan, prepared.environment.get());
  const Bins bins = make_bins(run, plan);
  const std::size_t pixels = static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(plan.height);
  laps.begin(TimedStage::vertices);
  if (plan.vertices > 0) {
    transform_all<<<blocks_for(plan.vertices), block_threads, 0, run.stream>>>(frame);
    TS_CUDA_LAUNCHED();
  }
  laps.begin(TimedStage::raster);
  clear_all<<<blocks_for(pixels), block_threads, 0, run.stream>>>(frame);
  TS_CUDA_LAUNCHED();
  if (tests_objects(plan)) {
    draw_objects(frame, prepared.objects, run);
  } else if (plan.triangles > 0) {
    with_colours_code(frame, [&](auto time) {
      draw_small<decltype(time)::value><<<blocks_for(plan.triangles), block_threads, 0, run.stream>>>(
          frame, design, DrawnTriangles{{0, plan.triangles}});
    });
    TS_CUDA_LAUNCHED();
  }
  if (plan.triangles > 0 && !plan.wireframe && !tests_objects(plan)) {
    if (design == Design::atomic) {
      draw_large_ones(frame, run.stream);
    } else {
      laps.begin(TimedStage::binning);
      fill_bins(frame, bins, run.stream);
      laps.begin(TimedStage::raster);
      draw_bins(frame, bins, run.stream);
    }
  }
  laps.begin(TimedStage::shading);
  resolve(frame, run.out, run.stream);
  laps.end();
  if (!plan.transparent || plan.output != Output::picture || plan.wireframe || plan.triangles == 0) return;
  laps.begin(TimedStage::blending);
  TS_CUDA_CHECK(cudaMemsetAsync(frame.queue_count, 0, sizeof(std::uint32_t), run.stream));
  queue_transparent<<<blocks_for(plan.triangles), block_threads, 0, run.stream>>>(frame);
  TS_CUDA_LAUNCHED();
  fill_bins(frame, bins, run.stream);
  blend_bins(frame, bins, run.out, run.stream);
  laps.end();
}

}  // namespace threadscape
