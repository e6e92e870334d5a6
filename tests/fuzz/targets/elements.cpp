// Painted structuring elements, which are text. What was accepted is written and read again.

#include "compute/algorithms/morphology/morphology/morphology_element.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(elements) {
  const std::string text = input.text();
  (void)morphology::is_painted(text);
  const morphology::StructuringElement element = morphology::parse_painted(text);
  const std::string written = morphology::painted_text(element);
  note_result(written);
  expect(morphology::is_painted(written), "what is written is no painted element: " + written);
  const morphology::StructuringElement again = morphology::parse_painted(written);
  expect(again.width == element.width && again.height == element.height && again.part == element.part &&
             again.background == element.background && again.levels == element.levels,
         "an element is read back otherwise: " + written);
  const auto smaller = morphology::resized(element, std::max(1, element.width - 2), element.height);
  const auto larger = morphology::resized(element, element.width + 2, element.height + 2);
  expect(smaller.part.size() == static_cast<std::size_t>(smaller.width) * static_cast<std::size_t>(smaller.height),
         "a smaller element has another number of pixels");
  const auto back = morphology::resized(larger, element.width, element.height);
  expect(back.part == element.part, "an element that was enlarged and reduced is another one");
  (void)morphology::make_window(element, element.part, true);
}

}  // namespace threadscape::fuzz
