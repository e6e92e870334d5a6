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

/// A call of the device's runtime failed: cuda::CudaError, or what a test throws in its place. After a sticky error
/// (illegal address, launch failure, ...) every later call of this process on the device fails as well.
class DeviceError : public EnvironmentError {
 public:
  DeviceError(const std::string& message, bool sticky) : EnvironmentError(message), sticky_(sticky) {}
  [[nodiscard]] bool sticky() const { return sticky_; }

 private:
  bool sticky_;
};

/// A sticky error was met: the device cannot be used any more by this process, the program goes on without it.
class DeviceLost : public EnvironmentError {
 public:
  explicit DeviceLost(const std::string& message) : EnvironmentError(message) {}
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
