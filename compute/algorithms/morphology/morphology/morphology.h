#pragma once
// Grey-scale morphology (erosion, dilation and operations made of them) with any structuring element.

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology_plan.h"
#include "compute/core/border.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Morphology {
  static constexpr std::string_view title = "Morphology";
  static constexpr std::string_view summary =
      "Erosion, dilation and what is made of them, with any structuring element, flat or not";
  static constexpr std::string_view group = "Morphology";
  static constexpr std::string_view source =
      "Serra: Image Analysis and Mathematical Morphology, 1982; van Herk 1992, Gil and Werman 1993; Urbach and "
      "Wilkinson 2008; Vincent 1993; Hanbury, Serra 2001";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array openmp_variants{
      Variant{"tiles", "all channels together, tiles shared by the threads, SIMD"},
      Variant{"sections", "one channel per OpenMP section: no more than three threads have work"},
      Variant{"phases_sections",
              "phase by phase, sections for initialisation and steps: at most three threads have work"},
      Variant{"phases_sections_init", "phase by phase, sections for the initialisation, shared loops for the steps"},
      Variant{"phases_sections_steps", "phase by phase, shared loops for the initialisation, a section per channel"},
      Variant{"phases_loops", "phase by phase, shared loops only"}};
  static constexpr std::array cuda_variants{
      Variant{"herk", "van Herk / Gil-Werman along each axis, packed bytes; other elements by chords"},
      Variant{"global", "one thread per pixel, picture and offsets in global memory"},
      Variant{"shared", "one thread per pixel, rows of the picture in shared memory"},
      Variant{"planes", "a plane with a ghost area per channel: split, steps and compose are kernels of their own"}};

  using Operation = morphology::Operation;
  static constexpr std::array<std::string_view, 9> operation_names{
      "erode", "dilate", "open", "close", "gradient", "tophat", "blackhat", "hitmiss", "open_reconstruct"};
  using Form = morphology::Form;
  static constexpr std::array<std::string_view, 8> form_names{"rect",          "cross",   "ellipse", "disc",
                                                              "midpoint_disc", "diamond", "line",    "file"};
  /// What lies outside of the picture. Border::zero is `neutral` here: border_index() returns -1, and such pixels are
  /// left out, as if they were white for an erosion and black for a dilation.
  static constexpr auto outside_names = [] {
    auto names = border_names_before<Border::valid>;
    names.front() = "neutral";
    return names;
  }();
  using ErosionSign = morphology::ErosionSign;
  static constexpr std::array<std::string_view, 2> erosion_names{"subtract", "add"};
  using ColourOrder = morphology::ColourOrder;
  static constexpr std::array<std::string_view, 3> order_names{"marginal", "luminance", "hsl"};
  static constexpr int max_iterations = 16;

  struct Params {
    Operation operation = Operation::open;
    Form shape = Form::rect;
    int size = 3, width = 3, height = 3;
    float angle = 0.0f;
    int origin_x = -1, origin_y = -1;
    std::string element;
    bool flat = true;
    float peak = 32.0f;
    ErosionSign erosion = ErosionSign::subtract;
    int iterations = 1;
    Border border = Border::zero;
    ColourOrder order = ColourOrder::marginal;

    static auto fields() {
      // The loops of the source document visit all pixels of an element for each pixel of a picture.
      constexpr int swept_size = 15;
      using morphology::max_element_size;
      return std::tuple{
          EnumField{"operation", &Params::operation, operation_names, "what is done"},
          EnumField{"shape", &Params::shape, form_names,
                    "structuring element; file: a small picture, white = part of it"},
          Field{"size", &Params::size, 1, max_element_size, "pixels", "width and height together", 1, swept_size},
          Field{"width", &Params::width, 1, max_element_size, "pixels", "of the element", 1, swept_size},
          Field{"height", &Params::height, 1, max_element_size, "pixels", "of the element", 1, swept_size},
          Field{"angle", &Params::angle, 0.0f, 180.0f, "degrees", "of a line, counter-clockwise from the right"},
          Field{"origin_x", &Params::origin_x, -1, max_element_size - 1, "pixels",
                "column of the origin, from the left; -1 is width / 2"},
          Field{"origin_y", &Params::origin_y, -1, max_element_size - 1, "pixels",
                "row of the origin, from the top; -1 is height / 2"},
          TextField{"element", &Params::element, true,
                    "for shape=file: the element's picture, or the element itself, as it is painted in the window: "
                    "3x3:010/111/010"},
          BoolField{"flat", &Params::flat,
                    "without grey levels; otherwise a dome, or the greys of the element's picture"},
          Field{"peak", &Params::peak, 0.0f, 255.0f, "grey levels",
                "height of the dome of an element that is not flat"},
          EnumField{
              "erosion", &Params::erosion, erosion_names,
              "of an element that is not flat: subtracts its grey levels, or adds them as equation 25 of document "
              "000"},
          Field{"iterations", &Params::iterations, 1, max_iterations, "",
                "how often each erosion and each dilation is done", 1, 5},
          EnumField{"border", &Params::border, outside_names, "what lies outside the picture"},
          EnumField{"order", &Params::order, order_names,
                    "of colours: each channel by itself, or whole colours by luminance, or by lightness, saturation "
                    "and hue, so that no new colours appear"}};
    }
    bool operator==(const Params&) const = default;

    /// Keeps sizes consistent after a parameter was set: `size` sets width and height, and becomes the larger of them
    /// when one of those is set. A painted element sets all three.
    void assigned(std::string_view field);
    /// Called when the user has changed a parameter in the window: sizes resize a painted element.
    void edited(std::string_view field);
    [[nodiscard]] std::string problem() const;
  };

  /// The structuring element with its origin and grey levels. Throws UsageError for elements without a pixel or too
  /// large, EnvironmentError for pictures that cannot be read.
  [[nodiscard]] static morphology::StructuringElement element(const Params&);
  /// The steps of a run on pictures of these numbers. Reads the element's picture, if there is one; throws as element()
  /// does.
  [[nodiscard]] static morphology::Plan plan(const Params&, Element);

  /// Throws UsageError if a value is neither black nor white and the operation is hit-or-miss.
  static void check_input(const Params&, const HostIn& input);

  // What the window shows beside the result (morphology_views.cpp).
  /// A picture of the element, which may have no pixel. Throws UsageError and EnvironmentError as element() does
  /// otherwise.
  [[nodiscard]] static Preview preview(const Params&);
  static void paint(Params&, const Preview&);
  /// Intermediate pictures as parameters that compute them: the erosion and the dilation of an opening, the opening of
  /// a top-hat, the iterations of an erosion.
  [[nodiscard]] static std::vector<std::pair<std::string, Params>> intermediates(const Params&);

  static Shape output_shape(const Params&, const Shape& input);
  static Reach reach(const Params&);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);

 private:
  [[nodiscard]] static morphology::StructuringElement possibly_empty_element(const Params&);
};

}  // namespace threadscape
