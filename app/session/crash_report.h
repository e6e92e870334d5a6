#pragma once
// A small report that the program writes about itself when it crashes: version, signal, stack, facts about OpenGL and
// CUDA, and the last messages of the log. Nothing is written unless it crashes, and nothing is sent anywhere.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace threadscape::app {

/// Installs the handlers that write `<folder>/crash-<date>-<time>-<process>.txt` for SIGSEGV, SIGBUS, SIGILL, SIGFPE
/// and SIGABRT, name that file on stderr, and then let the signal end the process as usual. If the file cannot be
/// written, the report goes to stderr. With an empty folder, or under a sanitizer, which has handlers of its own, this
/// does nothing. To be called once, before other threads start.
void prepare_crash_report(const std::filesystem::path& folder);

/// Sets the lines about the machine that a report contains, for example "OpenGL 4.5 on llvmpipe". Longer texts than
/// 1000 bytes are cut.
void set_crash_facts(std::string_view facts);

/// Adds a line to the last messages that a report contains. Any thread may call this. The last 20 lines are kept, and
/// lines are cut after 200 bytes.
void note_for_crash_report(std::string_view line);

/// The newest report in the folder that no earlier call has seen, if there is one. The names of those that were seen
/// are kept in the file "known-crashes" of the folder: times would hide a report after the clock was set back. Removes
/// all reports but the newest five and the one that is returned.
[[nodiscard]] std::optional<std::filesystem::path> new_crash_report(const std::filesystem::path& folder);

}  // namespace threadscape::app
