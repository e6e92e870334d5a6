#pragma once
// The files that come with the program: benchmark suites, structuring elements, sample pictures.

#include <filesystem>

namespace threadscape {

/// The folder share/threadscape beside the folder of the program, which installed programs have. Empty for programs
/// that run where they were built.
[[nodiscard]] std::filesystem::path installed_folder();

/// The folder assets/: that of the installed program, else that of the sources.
[[nodiscard]] std::filesystem::path asset_folder();

/// The folder of the reports of `bench` on other machines: that of the installed program, else that of the sources.
[[nodiscard]] std::filesystem::path report_folder();

}  // namespace threadscape
