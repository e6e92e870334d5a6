#pragma once
// Texts and numbers about a result. An algorithm declares either function, or both:
//
//   static std::string report(const Params&, const HostIn& input, const HostIn& result);
//   static FileNotes file_notes(const Params&, const Shape& input);

#include <optional>
#include <string>

#include "compute/core/data.h"
#include "compute/core/file_notes.h"
#include "compute/core/params.h"

namespace threadscape {

struct ReportFacet {
  /// Lines of text with figures that the picture of a result does not show. Algorithms with LayersFacet use only the
  /// shape of the input, because its values may not be in memory.
  std::string (*text)(const ParamBox&, const HostIn& input, const HostIn& result);
};

struct FileNotesFacet {
  FileNotes (*of)(const ParamBox&, const Shape& input);
};

template <class A>
std::optional<ReportFacet> report_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::report; })
    return ReportFacet{.text = [](const ParamBox& p, const HostIn& input, const HostIn& result) -> std::string {
      return A::report(p.as<P>(), input, result);
    }};
  else
    return std::nullopt;
}

template <class A>
std::optional<FileNotesFacet> file_notes_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::file_notes; })
    return FileNotesFacet{.of = [](const ParamBox& p, const Shape& input) { return A::file_notes(p.as<P>(), input); }};
  else
    return std::nullopt;
}

}  // namespace threadscape
