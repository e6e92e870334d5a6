#pragma once
// Errors carry the exit code of the command line with them. main() catches them once and prints one line.

#include <stdexcept>
#include <string>

namespace threadscape {

/// Exit codes of the program; scripts and CTest rely on them.
enum class ExitCode : int { done = 0, check_failed = 1, usage = 2, environment = 3, skipped = 77 };

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// Wrong option, unknown key, value out of range, input that the algorithm cannot take.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};

/// The machine cannot do it: no GL, out of memory, unreadable or unwritable file.
class EnvironmentError : public Error {
 public:
  explicit EnvironmentError(const std::string& message) : Error(ExitCode::environment, message) {}
};

/// The asked backend does not exist on this machine or in this build.
class BackendAbsent : public Error {
 public:
  explicit BackendAbsent(const std::string& message) : Error(ExitCode::skipped, message) {}
};

/// The caller asked the run to stop; nothing is wrong.
class Cancelled : public Error {
 public:
  Cancelled() : Error(ExitCode::environment, "cancelled") {}
};

}  // namespace threadscape
