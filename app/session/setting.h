#pragma once
// A setting of the workspace as a value: what undo goes back to, what the slot for comparisons keeps, and what a
// session file holds.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/session/log_book.h"
#include "app/session/work.h"
#include "compute/registry/steps.h"

namespace threadscape::app {

/// An opened file that a setting works on.
struct SettingInput {
  std::filesystem::path path;          ///< The file from which the data were read; "" for data without a file.
  Kind kind = Kind::none;              ///< The kind of the data.
  std::uint64_t id = 0;                ///< Source::id of the data.
  std::shared_ptr<const Source> data;  ///< The data; null if only the file is remembered.
};

/// Everything that the user has chosen in a workspace: algorithm, parameters, backend, variant, threads, seed and
/// opened files. The intermediate result that is shown belongs to it, but does not make two settings different.
struct Setting {
  Work work;              ///< The choice. Its source_id is 0, because `inputs` states the data.
  int intermediate = -1;  ///< Index of the shown intermediate result, as Workspace::shown_intermediate() returns.
  std::vector<SettingInput> inputs;  ///< The opened files, at most one of each kind, sorted by kind.
  std::vector<Step> list = {};       ///< The list of steps (Workspace::steps()), of which `work` is one; empty if none.
  std::size_t chosen = 0;            ///< Index of the chosen step in the list. It makes no two settings different.
};

/// Returns true if two settings have the same choice and the same opened data.
[[nodiscard]] bool same_setting(const Setting& a, const Setting& b);

/// What differs from `before` to `after`, in a few words for a menu: "size: 3 to 5", "algorithm Sobel", "opening of
/// photo.png"; "" if nothing does.
[[nodiscard]] std::string describe_change(const Setting& before, const Setting& after);

/// Returns true if the setting names a file of the program's cache that is gone, such as a painted mask.
[[nodiscard]] bool names_lost_file(const Setting& setting);

/// Returns whether the value of a parameter that names a file is a drawn structuring element instead: text that begins
/// with its size, such as "3x3:010/111/010".
[[nodiscard]] bool is_drawn(const std::string& value);
/// Returns whether the path is that of a file in the program's cache, where painted masks are.
[[nodiscard]] bool is_in_cache(const std::string& path);
/// Calls `f` with each text of the parameters that names a file, those of steps included, unless it is empty.
void for_each_path(const ParamBox& params, const std::function<void(std::string&)>& f);
/// Gives parameters that name files which do not exist their defaults, and says so in the log. Such a parameter can be
/// needed to know the size of the result, so that nothing could be shown.
void forget_missing_files(ParamBox& params, const AlgorithmInfo& algorithm, LogBook& log);

}  // namespace threadscape::app
