// The last kernel of opaque triangles: a thread per pixel turns what is visible there into the value of the result.

#include "compute/algorithms/graphics/rasterize/cuda/rasterize_cuda.cuh"

namespace threadscape::rasterize {
namespace {

__device__ Colour line_colour(const DrawnMesh& mesh, std::uint32_t triangle) {
  const Float3 c = mesh.material(mesh.material_index(triangle)).diffuse;
  return {clamp_of(c.x, 0.0f, 1.0f), clamp_of(c.y, 0.0f, 1.0f), clamp_of(c.z, 0.0f, 1.0f), 1.0f};
}

template <bool environment>
__global__ void __launch_bounds__(block_threads) resolve_picture(DeviceFrame frame, cuda::EitherStore<Rgba8> store) {
  const int x = blockIdx.x * 16 + threadIdx.x % 16, y = blockIdx.y * 16 + threadIdx.x / 16;
  const Plan& plan = frame.plan;
  if (x >= plan.width || y >= plan.height) return;
  const Visible pixel = frame.at(x, y);
  const auto triangle = static_cast<std::uint32_t>(pixel);
  std::uint32_t word = plan.background;
  if (pixel != nothing_visible(plan.depth_bits)) {
    const unsigned long long kept = frame.shaded ? frame.shaded[static_cast<std::int64_t>(y) * plan.width + x] : 0;
    if (plan.wireframe)
      word = packed(line_colour(frame.mesh, triangle));
    else if (frame.shaded && kept >> 32 == triangle)
      word = static_cast<std::uint32_t>(kept);
    else
      word = frame.colour_at<environment>(triangle, x, y);
  }
  store.store(x, y, __builtin_bit_cast(Rgba8, word));
  // Blending needs the colour and the depth, but no longer the triangle.
  if (plan.transparent) frame.at(x, y) = visible(static_cast<std::uint32_t>(pixel >> 32), word);
}

__global__ void __launch_bounds__(block_threads) resolve_values(DeviceFrame frame, cuda::EitherStore<float> store) {
  const int x = blockIdx.x * 16 + threadIdx.x % 16, y = blockIdx.y * 16 + threadIdx.x / 16;
  const Plan& plan = frame.plan;
  if (x >= plan.width || y >= plan.height) return;
  const Visible pixel = frame.at(x, y);
  if (plan.output == Output::overdraw) {
    store.store(x, y, static_cast<float>(pixel));
    return;
  }
  float depth = depth_of(static_cast<std::uint32_t>(pixel >> 32), plan.depth_bits);
  if (plan.visibility == Visibility::painter && !plan.wireframe && pixel != nothing_visible(plan.depth_bits)) {
    // The buffer holds the depth of the triangle's farthest corner.
    ClipVertex corner[3];
    frame.corners(static_cast<std::uint32_t>(pixel), corner);
    with_visible_piece(corner, plan, x, y, [&](const Piece& piece, const Polygon&) {
      depth = depth_of(depth_key(depth_at(piece.screen, x, y), plan.depth_bits), plan.depth_bits);
    });
  }
  store.store(x, y, depth);
}

}  // namespace

void resolve(const DeviceFrame& frame, const DeviceSink& out, CudaStream stream) {
  const dim3 grid((frame.plan.width + 15) / 16, (frame.plan.height + 15) / 16);
  if (frame.plan.output == Output::picture)
    with_environment_code(frame.plan, [&](auto environment) {
      resolve_picture<decltype(environment)::value>
          <<<grid, block_threads, 0, stream>>>(frame, cuda::EitherStore<Rgba8>(out));
    });
  else
    resolve_values<<<grid, block_threads, 0, stream>>>(frame, cuda::EitherStore<float>(out));
  TS_CUDA_LAUNCHED();
}

}  // namespace threadscape::rasterize
