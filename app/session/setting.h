#pragma once
// A setting of the workspace as a value: what undo goes back to, what the slot for comparisons keeps, and what a
// session file holds.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/session/work.h"

namespace threadscape::app {

/// An opened file that a setting works on.
struct SettingInput {
  std::filesystem::path path;          ///< The file from which the data were read; "" for data without a file.
  Kind kind = Kind::none;              ///< The kind of the data.
  std::uint64_t id = 0;                ///< Source::id of the data.
  std::shared_ptr<const Source> data;  ///< The data; null if only the file is remembered.
};

/// Everything that the user has chosen in a workspace: algorithm, parameters, backend, variant, threads, seed and
/// opened files. The step that is shown belongs to it, but does not make two settings different.
struct Setting {
  Work work;                         ///< The choice. Its source_id is 0, because `inputs` states the data.
  int step = -1;                     ///< Index of the shown step of the algorithm, as Workspace::shown_step() returns.
  std::vector<SettingInput> inputs;  ///< The opened files, at most one of each kind, sorted by kind.
};

/// Whether two settings have the same choice and the same opened data.
[[nodiscard]] bool same_setting(const Setting& a, const Setting& b);

/// What differs from `before` to `after`, in a few words for a menu: "size: 3 to 5", "algorithm Sobel", "opening of
/// photo.png"; "" if nothing does.
[[nodiscard]] std::string describe_change(const Setting& before, const Setting& after);

/// Whether the setting names a file of the program's cache that does not exist any more, such as a painted mask.
[[nodiscard]] bool names_lost_file(const Setting& setting);

}  // namespace threadscape::app
