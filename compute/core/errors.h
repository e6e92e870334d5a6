#pragma once
// The exceptions of the program. Each carries an exit code; main() catches them, prints one line and returns the code.

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

/// The request is wrong: an unknown option or key, a value out of range, an input that the algorithm does not accept.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};

/// The machine cannot satisfy the request: no OpenGL, not enough memory, an unreadable or unwritable file.
class EnvironmentError : public Error {
 public:
  explicit EnvironmentError(const std::string& message) : Error(ExitCode::environment, message) {}
};

/// A call of the device's runtime failed. The derived class for CUDA is cuda::CudaError; tests throw their own. After a
/// sticky error (illegal address, launch failure, ...) every later call of this process on the device fails as well.
class DeviceError : public EnvironmentError {
 public:
  DeviceError(const std::string& message, bool sticky) : EnvironmentError(message), sticky_(sticky) {}
  [[nodiscard]] bool sticky() const { return sticky_; }

 private:
  bool sticky_;
};

/// A sticky error occurred: this process can no longer use the device, and continues without it.
class DeviceLost : public EnvironmentError {
 public:
  explicit DeviceLost(const std::string& message) : EnvironmentError(message) {}
};

/// The requested backend is not available on this machine or in this build.
class BackendAbsent : public Error {
 public:
  explicit BackendAbsent(const std::string& message) : Error(ExitCode::skipped, message) {}
};

/// The caller requested that the run stop. This is not a failure.
class Cancelled : public Error {
 public:
  Cancelled() : Error(ExitCode::environment, "cancelled") {}
};

}  // namespace threadscape
