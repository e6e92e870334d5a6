// threadscape-kernels: runs the kernels of a sketch on a GPU. It is a program of its own, so that a kernel that hangs
// or faults costs its process alone. It uses the driver, which is opened at run time, and not the CUDA Toolkit.
//
// Standard input is a list of texts (compute/warp/texts.h), and standard output gets another one, which begins with
// "done" or "failed". After "about" follow the name of the GPU and its compute capability, times ten. After "run"
// follow: the file of the arena; PTX; the number of repetitions; the number of variables in constant memory, and for
// each its name, its place in the arena and its bytes; then for each launch the kernel, seven numbers (grid, block,
// bytes of dynamic shared memory), the number of arguments, and for each "1" if it begins with an address in the arena
// and "0" otherwise, and its bytes. The arena holds the result afterwards, and standard output gets the milliseconds of
// each repetition. If anything fails, the exit code is 1, and a text says why.

#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/warp/limited_process.h"
#include "compute/warp/texts.h"

namespace {

using threadscape::warp::put_text;
using threadscape::warp::take_text;

/// Where the arena lies for a sketch (sketch::Arena::base).
constexpr std::uint64_t arena_base = std::uint64_t{1} << 44;

/// The functions of the driver that are used here, by the names and types of cuda.h.
class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW)) {
    if (library_ == nullptr) throw std::runtime_error("the driver of NVIDIA is not installed");
  }
  /// Calls a function. Throws runtime_error, with `what` in front, unless it returns 0.
  template <class... Arguments>
  void call(const char* name, const std::string& what, Arguments... arguments) const {
    const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
    if (function == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
    if (const int code = function(arguments...); code != 0) throw std::runtime_error(what + name_of(code));
  }

 private:
  [[nodiscard]] std::string name_of(int code) const {
    const char* name = nullptr;
    const auto get = reinterpret_cast<int (*)(int, const char**)>(dlsym(library_, "cuGetErrorName"));
    if (get == nullptr || get(code, &name) != 0 || name == nullptr) return "error " + std::to_string(code);
    return name;
  }
  void* library_;
};

using Pointer = unsigned long long;  ///< CUdeviceptr

struct Constant {
  std::string name;
  std::size_t offset = 0, bytes = 0;
};

struct Launch {
  std::string kernel;
  std::array<unsigned, 7> numbers{};  ///< Grid, block, shared memory.
  std::vector<std::string> arguments;
};

struct Job {
  std::string ptx;
  int repetitions = 1;
  std::vector<Constant> constants;
  std::vector<Launch> launches;
};

/// Reads a job whose addresses are those of the arena at `arena` on the device.
Job read_job(std::string_view& list, Pointer arena) {
  const auto text = [&list] { return take_text(list).value_or(""); };
  const auto number = [&] { return std::strtoull(text().c_str(), nullptr, 10); };
  Job job;
  job.ptx = text();
  job.repetitions = static_cast<int>(number());
  for (auto left = number(); left > 0; --left) {
    Constant one{.name = text()};
    one.offset = number();
    one.bytes = number();
    job.constants.push_back(std::move(one));
  }
  while (std::optional<std::string> kernel = take_text(list)) {
    Launch launch{.kernel = std::move(*kernel), .numbers = {}, .arguments = {}};
    for (unsigned& one : launch.numbers)
      one = static_cast<unsigned>(number());
    for (auto left = number(); left > 0; --left) {
      const bool is_address = text() == "1";
      std::string bytes = text();
      if (Pointer address = 0; is_address && bytes.size() >= sizeof address) {
        std::memcpy(&address, bytes.data(), sizeof address);
        address = address - arena_base + arena;
        std::memcpy(bytes.data(), &address, sizeof address);
      }
      launch.arguments.push_back(std::move(bytes));
    }
    job.launches.push_back(std::move(launch));
  }
  return job;
}

/// The name of a kernel as the source has it.
std::string readable(const std::string& name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string found = text != nullptr ? text : name;
  std::free(text);
  return found.substr(0, found.find('('));
}

/// The primary context of the first device.
int open_device(const Driver& driver) {
  int device = 0;
  void* context = nullptr;
  driver.call("cuInit", "no GPU: ", 0U);
  driver.call("cuDeviceGet", "no GPU: ", &device, 0);
  driver.call("cuDevicePrimaryCtxRetain", "no context on the GPU: ", &context, device);
  driver.call("cuCtxSetCurrent", "no context on the GPU: ", context);
  return device;
}

/// Lets the driver load its compiler of PTX, and what a first launch needs, by a kernel that does nothing. If that
/// fails, work that fails as well says so. It takes a driver that keeps no compiled code, which would need no compiler.
void warm_up(const Driver& driver) {
  constexpr const char* ptx = ".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n";
  void *module = nullptr, *kernel = nullptr;
  void** const no_arguments = nullptr;
  try {
    driver.call("cuModuleLoadData", "", &module, static_cast<const void*>(ptx));
    driver.call("cuModuleGetFunction", "", &kernel, module, "nothing");
    driver.call("cuLaunchKernel", "", kernel, 1U, 1U, 1U, 1U, 1U, 1U, 0U, static_cast<void*>(nullptr), no_arguments,
                no_arguments);
    driver.call("cuCtxSynchronize", "");
  } catch (const std::exception&) {
  }
}

void tell_about(const Driver& driver, int device, std::string& answer) {
  constexpr int major_attribute = 75, minor_attribute = 76;
  std::array<char, 256> name{};
  int major = 0, minor = 0;
  driver.call("cuDeviceGetName", "", name.data(), static_cast<int>(name.size()), device);
  driver.call("cuDeviceGetAttribute", "", &major, major_attribute, device);
  driver.call("cuDeviceGetAttribute", "", &minor, minor_attribute, device);
  put_text(answer, name.data());
  put_text(answer, std::to_string(10 * major + minor));
}

class Run {
 public:
  Run(const Driver& driver, std::string_view list) : driver_(driver) {
    const int arena = open(take_text(list).value_or("").c_str(), O_RDWR | O_CLOEXEC);
    struct stat facts {};
    if (arena < 0 || fstat(arena, &facts) != 0) throw std::runtime_error("the arena is missing");
    bytes_ = static_cast<std::size_t>(facts.st_size);
    arena_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, arena, 0);
    if (arena_ == MAP_FAILED) throw std::runtime_error("the arena cannot be mapped");
    driver_.call("cuMemAlloc_v2", "no memory on the GPU: ", &memory_, bytes_);
    job_ = read_job(list, memory_);
    driver_.call("cuModuleLoadData", "the driver refuses the code: ", &module_,
                 static_cast<const void*>(job_.ptx.c_str()));
    for (const Launch& launch : job_.launches) {
      void* kernel = nullptr;
      driver_.call("cuModuleGetFunction", launch.kernel + ": ", &kernel, module_, launch.kernel.c_str());
      constexpr int max_dynamic_shared = 8;
      if (launch.numbers[6] > 48 * 1024)
        driver_.call("cuFuncSetAttribute", launch.kernel + ": ", kernel, max_dynamic_shared,
                     static_cast<int>(launch.numbers[6]));
      kernels_.push_back(kernel);
    }
    driver_.call("cuEventCreate", "", &begin_, 0U);
    driver_.call("cuEventCreate", "", &end_, 0U);
  }

  /// Runs everything and adds the milliseconds of each repetition to the answer.
  void all(std::string& answer) {
    // The first time, each kernel is waited for, so that an error has its name.
    for (int i = 0; i < job_.repetitions; ++i)
      put_text(answer, std::to_string(once(i == 0)));
    driver_.call("cuMemcpyDtoH_v2", "", arena_, memory_, bytes_);
  }

 private:
  double once(bool wait) {
    driver_.call("cuMemcpyHtoD_v2", "", memory_, static_cast<const void*>(arena_), bytes_);
    for (const Constant& constant : job_.constants) {
      Pointer at = 0;
      std::size_t size = 0;
      driver_.call("cuModuleGetGlobal_v2", constant.name + ": ", &at, &size, module_, constant.name.c_str());
      driver_.call("cuMemcpyDtoD_v2", constant.name + ": ", at, memory_ + constant.offset, constant.bytes);
    }
    driver_.call("cuCtxSynchronize", "");
    void* const stream = nullptr;
    driver_.call("cuEventRecord", "", begin_, stream);
    for (std::size_t i = 0; i < job_.launches.size(); ++i) {
      Launch& launch = job_.launches[i];
      std::vector<void*> arguments;
      for (std::string& bytes : launch.arguments)
        arguments.push_back(bytes.data());
      const std::array<unsigned, 7>& n = launch.numbers;
      void** const no_extra = nullptr;
      driver_.call("cuLaunchKernel", readable(launch.kernel) + ": ", kernels_[i], n[0], n[1], n[2], n[3], n[4], n[5],
                   n[6], stream, arguments.data(), no_extra);
      if (wait) driver_.call("cuCtxSynchronize", readable(launch.kernel) + ": ");
    }
    driver_.call("cuEventRecord", "", end_, stream);
    driver_.call("cuEventSynchronize", "", end_);
    float ms = 0;
    driver_.call("cuEventElapsedTime", "", &ms, begin_, end_);
    return ms;
  }

  const Driver& driver_;
  Job job_;
  std::size_t bytes_ = 0;
  void* arena_ = nullptr;
  Pointer memory_ = 0;
  void* module_ = nullptr;
  std::vector<void*> kernels_;
  void *begin_ = nullptr, *end_ = nullptr;
};

}  // namespace

int main() {
  std::string answer;
  int code = 0;
  try {
    // The GPU is made ready before there is work: that takes most of the time of small work.
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    const Driver driver;
    std::string trouble;
    int device = 0;
    try {
      device = open_device(driver);
      warm_up(driver);
    } catch (const std::exception& error) {
      trouble = error.what();
    }
    const std::string input = threadscape::warp::read_all(STDIN_FILENO);
    std::string_view list = input;
    if (!trouble.empty()) throw std::runtime_error(trouble);
    put_text(answer, "done");
    if (take_text(list) == "about")
      tell_about(driver, device, answer);
    else
      Run(driver, list).all(answer);
  } catch (const std::exception& error) {
    answer.clear();
    put_text(answer, "failed");
    put_text(answer, error.what());
    code = 1;
  }
  const bool written = threadscape::warp::write_all(STDOUT_FILENO, answer.data(), answer.size());
  // The answer ends here, and not when the system has taken back what the driver has given to this process.
  close(STDOUT_FILENO);
  _exit(written ? code : 1);
}
