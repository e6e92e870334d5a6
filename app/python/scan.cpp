#include "app/python/scan.h"

#include <optional>

#include "app/python/arrays.h"
#include "app/python/call.h"
#include "compute/registry/diagram.h"

namespace threadscape::python {

bool takes_views(const AlgorithmInfo& algorithm) {
  const auto& scanner = diagrams_of(algorithm).scanner;
  return scanner && scanner->input == ScannerDiagram::Holds::views;
}

nb::object spacing_of(const AlgorithmInfo& algorithm, const nb::object& array, const nb::dict& options) {
  if (!algorithm.file_notes) return nb::none();
  const RunRequest request = request_of(algorithm, options);
  const Shape input = input_of(request, read_shape(algorithm.name, algorithm.input, array));
  const FileNotes notes = algorithm.file_notes->of(request.params, input);
  const nb::tuple spacing = nb::make_tuple(notes.spacing[1], notes.spacing[2], notes.spacing[0]);
  const auto& scanner = diagrams_of(algorithm).scanner;
  if (!scanner || scanner->output != ScannerDiagram::Holds::views) return nb::make_tuple(spacing, nb::none());
  nb::list angles;
  if (const std::optional<ScannerDiagram> scan = scanner->diagram(request.params, input))
    for (const ScannerDiagram::View& view : scan->views)
      angles.append(view.angle);
  return nb::make_tuple(spacing, angles);
}

}  // namespace threadscape::python
