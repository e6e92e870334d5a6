#pragma once
// Draws a mesh of triangles as a graphics card does, stage by stage: vertices, clipping, rasterisation, visibility,
// fragments. rasterize_math.h and rasterize_shade.h define the stages; rasterize_stages.h shows what each of them did.

#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/graphics/rasterize/rasterize_prepared.h"
#include "compute/core/mesh_shapes.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Rasterize {
  static constexpr std::string_view title = "Rasterize";
  static constexpr std::string_view summary = "Draws a mesh of triangles as a graphics card does, in software";
  static constexpr std::string_view source =
      "Sutherland, Hodgman 1974; Pineda 1988; Gouraud 1971; Phong 1975; Blinn 1977; Greene, Kass, Miller 1993; Laine, "
      "Karras 2011: "
      "software rasterization";
  static constexpr std::string_view group = "Graphics";
  static constexpr Kind input = Kind::mesh, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;

  static constexpr std::array serial_variants{
      Variant{"barycentric", "tests the three edge functions at every pixel of a triangle's bounding box"},
      Variant{"scanline", "walks down the edges and fills the row between them"},
      Variant{"halves", "walks down the two halves of a triangle, with a decision variable for each of two edges"}};
  static constexpr std::array openmp_variants{
      Variant{"tiles", "triangles are sorted into tiles, and 16 pixels are tested at a time"},
      Variant{"barycentric", "threads share the rows; edge functions over bounding boxes"},
      Variant{"scanline", "threads share the rows; edge walking"},
      Variant{"halves", "threads share the rows; two halves and decision variables"}};
  static constexpr std::array cuda_variants{
      Variant{"auto", "atomic for small triangles, bins for large ones, by their size on the screen"},
      Variant{"atomic", "a thread per triangle, and a 64-bit atomic minimum of depth and number per fragment"},
      Variant{"bins", "triangles are sorted into tiles, and a block draws each tile in shared memory"}};

  static constexpr std::array<std::string_view, 5> visibility_names{"z_buffer", "painter", "scan_line", "warnock",
                                                                    "depth_sort"};
  static constexpr std::array<std::string_view, 4> shading_names{"constant", "flat", "gouraud", "phong"};
  static constexpr std::array<std::string_view, 2> lighting_names{"phong", "blinn_phong"};
  static constexpr std::array<std::string_view, 2> projection_names{"perspective", "orthographic"};
  static constexpr std::array<std::string_view, 3> culling_names{"none", "back", "front"};
  static constexpr std::array<std::string_view, 4> filter_names{"nearest", "bilinear", "mipmapped", "trilinear"};
  static constexpr std::array<std::string_view, 3> wrap_names{"clamp", "repeat", "mirror"};
  static constexpr std::array<std::string_view, 3> blend_names{"over", "additive", "multiply"};
  static constexpr std::array<std::string_view, 4> order_names{"given", "sorted", "peeled", "front_to_back"};
  static constexpr std::array<std::string_view, 5> depth_bits_names{"32", "24", "16", "8", "4"};
  static constexpr std::array<std::string_view, 3> clip_lines_names{"cohen_sutherland", "liang_barsky", "plain"};
  static constexpr std::array<std::string_view, 2> interpolation_names{"perspective", "affine"};
  static constexpr std::array<std::string_view, 3> depth_test_names{"early", "late", "hierarchical"};
  static constexpr std::array<std::string_view, 3> environment_names{"none", "sky", "room"};
  static constexpr std::array<std::string_view, 3> output_names{"picture", "depth", "overdraw"};

  struct Params {
    MeshShape mesh = MeshShape::teapot;
    int subdivision = 8;
    int width = 640, height = 480;
    rasterize::Output output = rasterize::Output::picture;
    rasterize::Visibility visibility = rasterize::Visibility::z_buffer;
    rasterize::Shading shading = rasterize::Shading::phong;
    rasterize::Lighting lighting = rasterize::Lighting::blinn_phong;
    rasterize::Projection projection = rasterize::Projection::perspective;
    rasterize::Culling culling = rasterize::Culling::none;
    rasterize::Filter filter = rasterize::Filter::trilinear;
    rasterize::Wrap wrap = rasterize::Wrap::repeat;
    rasterize::Blend blend = rasterize::Blend::over;
    rasterize::Order order = rasterize::Order::peeled;
    float blend_factor = 1.0f;
    float min_opacity = 0.0f, min_area = 0.0f;
    rasterize::DepthBits depth_bits = rasterize::DepthBits::float32;
    rasterize::DepthTest depth_test = rasterize::DepthTest::early;
    rasterize::Interpolation interpolation = rasterize::Interpolation::perspective;
    int division = 0;
    bool occlusion = false;
    bool wireframe = false;
    rasterize::ClipLines clip_lines = rasterize::ClipLines::cohen_sutherland;
    bool guard_band = true;
    bool emission = true, ambient = true, diffuse = true, specular = true, textures = true;
    rasterize::Surroundings environment = rasterize::Surroundings::none;
    std::string environment_map;
    float reflection = 1.0f, refraction = 1.0f, refractive_index = 1.5f;
    bool fresnel = true;
    float light_azimuth = 235.0f, light_elevation = 50.0f;
    float fov = 38.0f;
    float azimuth = 205.0f, elevation = 25.0f, distance = 0.0f;
    float target_x = 0.0f, target_y = 0.0f, target_z = 0.0f;
    float near_plane = 0.0f, far_plane = 0.0f;
    float background = 0.12f;
    /// Rows of the matrix from object space to world space.
    std::vector<float> model{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    int model_side = 4;  ///< Not a parameter; the side of the grid `model`.
    /// Rows of the matrices from world space to camera space, and from there to clip space, as text
    /// (rasterize_matrix.h); "" for those that follow from the other parameters.
    std::string view_matrix, projection_matrix;

    static auto fields() {
      using P = Params;
      return std::tuple{
          EnumField{"mesh", &P::mesh, mesh_shape_names, "the mesh that is drawn if no file is given"},
          Field{"subdivision", &P::subdivision, 1, 1024, "", "how finely that mesh is divided into triangles", 1, 6},
          Field{"width", &P::width, 1, 16384, "pixels", "of the picture", 1, 131},
          Field{"height", &P::height, 1, 16384, "pixels", "of the picture", 1, 97},
          EnumField{"output", &P::output, output_names,
                    "the picture, the depth 0..1 of each pixel, or how many fragments fell on it"},
          EnumField{"visibility", &P::visibility, visibility_names,
                    "how hidden surfaces are found; painter errs where triangles overlap in depth"},
          EnumField{"shading", &P::shading, shading_names,
                    "where lighting is computed: nowhere, once a triangle, at vertices, or at every pixel"},
          EnumField{"lighting", &P::lighting, lighting_names,
                    "of highlights: by the reflected ray, or by the vector halfway between eye and light"},
          EnumField{"projection", &P::projection, projection_names, "the far is smaller, or as large as the near"},
          EnumField{"culling", &P::culling, culling_names, "which sides of triangles are left out"},
          EnumField{"filter", &P::filter, filter_names, "how textures are sampled"},
          EnumField{"wrap", &P::wrap, wrap_names, "what is outside of a texture"},
          EnumField{"blend", &P::blend, blend_names, "what transparent surfaces do to what is behind them"},
          EnumField{
              "order", &P::order, order_names,
              "of transparent fragments: as in the mesh, by triangle, or exact for every pixel, from far to near or "
              "from near to far"},
          Field{"blend_factor", &P::blend_factor, 0.0f, 1.0f, "", "a factor of the opacity of all that is blended"},
          Field{"min_opacity", &P::min_opacity, 0.0f, 1.0f, "",
                "contribution culling: leave out the triangles of materials with less opacity"},
          Field{"min_area", &P::min_area, 0.0f, 64.0f, "pixels",
                "contribution culling: leave out triangles that are smaller on the screen"},
          EnumField{"depth_bits", &P::depth_bits, depth_bits_names, "per pixel: 32 is float, all others are integers"},
          EnumField{
              "depth_test", &P::depth_test, depth_test_names,
              "before or after a fragment gets its colour, or whole blocks of pixels first; only the cost differs"},
          Field{"division", &P::division, 0, 4, "levels", "how often triangles are divided into four before clipping",
                1, 2},
          BoolField{"occlusion", &P::occlusion,
                    "draw connected parts of the mesh from near to far, and leave out those whose box is behind what "
                    "is drawn; only the cost differs"},
          EnumField{"interpolation", &P::interpolation, interpolation_names,
                    "of attributes: correct in perspective, or linear on the screen"},
          BoolField{"wireframe", &P::wireframe, "draw the edges of triangles instead of their faces"},
          EnumField{"clip_lines", &P::clip_lines, clip_lines_names, "how edges are clipped with wireframe"},
          BoolField{"guard_band", &P::guard_band,
                    "clip at the sides of the view only what reaches beyond twice its size"},
          BoolField{"emission", &P::emission, "light that the surface emits"},
          BoolField{"ambient", &P::ambient, "light from everywhere"},
          BoolField{"diffuse", &P::diffuse, "light that a dull surface scatters: the cosine of its angle"},
          BoolField{"specular", &P::specular, "highlight of a shiny surface"},
          BoolField{"textures", &P::textures, "maps for colour, overlay, normal, specular and opacity"},
          EnumField{"environment", &P::environment, environment_names,
                    "surroundings that the mesh reflects and refracts: nothing, a sky over a plain, or a room"},
          TextField{"environment_map", &P::environment_map, true,
                    "picture of the surroundings instead, twice as wide as high (equirectangular)"},
          Field{"reflection", &P::reflection, 0.0f, 1.0f, "",
                "factor of the reflected surroundings; the specular map weakens it"},
          Field{"refraction", &P::refraction, 0.0f, 1.0f, "",
                "factor of the surroundings behind the mesh, refracted once and tinted by its colour"},
          Field{"refractive_index", &P::refractive_index, 0.25f, 4.0f, "",
                "of the mesh to its surroundings: water 1.33, glass 1.5, diamond 2.42"},
          BoolField{"fresnel", &P::fresnel, "reflect less where the surface is seen straight on, after Schlick"},
          Field{"light_azimuth", &P::light_azimuth, 0.0f, 360.0f, "deg", "direction of the light: 0 north, 90 east"},
          Field{"light_elevation", &P::light_elevation, -90.0f, 90.0f, "deg", "height of the light"},
          titled("Field of view", Field{"fov", &P::fov, 5.0f, 120.0f, "deg", "vertical angle of view"}),
          Field{"azimuth", &P::azimuth, 0.0f, 360.0f, "deg", "where the camera stands: 0 north, 90 east, 180 south"},
          Field{"elevation", &P::elevation, -89.0f, 89.0f, "deg", "height of the camera above the horizon"},
          zero_as("everything is in sight",
                  Field{"distance", &P::distance, 0.0f, 20.0f, "radii", "from the point that it looks at"}),
          Field{"target_x", &P::target_x, -4.0f, 4.0f, "radii", "the point that it looks at: east of the centre"},
          Field{"target_y", &P::target_y, -4.0f, 4.0f, "radii", "the point that it looks at: above the centre"},
          Field{"target_z", &P::target_z, -4.0f, 4.0f, "radii", "the point that it looks at: south of the centre"},
          zero_as("in front of the mesh",
                  Field{"near", &P::near_plane, 0.0f, 100.0f, "radii", "distance of the near plane"}),
          zero_as("behind the mesh", Field{"far", &P::far_plane, 0.0f, 1000.0f, "radii", "distance of the far plane"}),
          Field{"background", &P::background, 0.0f, 1.0f, "", "grey level of empty pixels"},
          GridField{"model", &P::model, &P::model_side, -1000.0f, 1000.0f,
                    "rows of the 4 x 4 matrix from the mesh to the world; the camera does not follow the mesh"},
          TextField{"view_matrix", &P::view_matrix, false,
                    "rows of the 4 x 4 matrix from the world to the camera, 16 numbers with commas; nothing = it "
                    "follows from azimuth, elevation, distance and target"},
          TextField{"projection_matrix", &P::projection_matrix, false,
                    "rows of the 4 x 4 matrix from the camera to clip space, 16 numbers with commas; nothing = it "
                    "follows from projection, fov, near and far"}};
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const;
    /// Returns true if there are surroundings that the mesh can show.
    [[nodiscard]] bool surrounded() const {
      return environment != rasterize::Surroundings::none || !environment_map.empty();
    }
  };

  /// What is drawn of a mesh with these parameters. Throws nothing; `mesh` has passed check_mesh(). `map` is their
  /// rasterize::environment_map(), to which the plan points, and null leaves the surroundings out.
  [[nodiscard]] static rasterize::Plan plan(const Params&, const HostIn& mesh,
                                            const rasterize::EnvironmentMap* map = nullptr);

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void check_input(const Params&, const HostIn&);
  /// Small pictures, because their size is a parameter, and hundreds of large ones would show nothing more.
  static Params verify_params() {
    Params params;
    params.width = 131;
    params.height = 97;
    return params;
  }
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static bool needs_preparation(const Params&, Backend) { return true; }
  static std::shared_ptr<const Preparation> prepare(const Params&, const HostIn&, std::uint64_t seed,
                                                    std::uint64_t frame, const std::stop_token&, Progress*);
  static std::unique_ptr<StageProbe> stage_probe(const Params&, const HostIn& mesh);
  /// The pictures of a run: depth, overdraw, lighting term by term, the picture.
  static std::vector<std::pair<std::string, Params>> intermediates(const Params&);
  static std::string report(const Params&, const HostIn& input, const HostIn& result);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
