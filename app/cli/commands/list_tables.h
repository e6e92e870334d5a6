#pragma once
// What `threadscape list` says about files and commands. scripts/doc-tables makes tables of the documentation from it.

#include <string>

#include "app/report/environment.h"

namespace threadscape::app {

/// The formats of pictures with the numbers that they are written with; the extensions that each kind of data and
/// moving pictures are read from and written to; and the formats that this build or machine lacks.
[[nodiscard]] Json files_json();
/// What files_json() states, as tables for people.
[[nodiscard]] std::string files_text();

/// The commands with their options and examples, and the exit codes.
[[nodiscard]] Json commands_json();
/// The words of every command and what it does.
[[nodiscard]] std::string commands_text();

}  // namespace threadscape::app
