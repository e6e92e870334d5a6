#include "compute/gpu/emulated/emulated_device.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "compute/core/errors.h"
#include "compute/core/machine.h"
#include "compute/gpu/emulated/embedded_code.h"
#include "compute/gpu/probe.h"

namespace threadscape::gpu {

namespace {

/// The limits of an H100. The compute capability is that of the PTX of this build, since kernels have their code for
/// newer devices in newer PTX alone; it is 0.0 for a build without PTX, of which the device executes nothing.
DeviceInfo emulated_info() {
  int capability = 0;
  try {
    capability = EmulatedDevice::capability(cuda::probe_kernel());
  } catch (const DeviceError&) {
    capability = 0;
  }
  return {.ordinal = emulated_ordinal,
          .name = "emulated",
          .compute_major = capability / 10,
          .compute_minor = capability % 10,
          .multiprocessors = 132,
          .total_bytes = free_host_bytes(),
          .l2_bytes = 50 << 20,
          .max_threads_per_multiprocessor = 2048,
          .max_threads_per_block = 1024,
          .shared_bytes_per_block = 48 << 10,
          .shared_bytes_per_block_optin = 227 << 10};
}

using Clock = std::chrono::steady_clock;

Clock::time_point& time_of(Event event) {
  return *reinterpret_cast<Clock::time_point*>(event);
}

std::byte* allocate_memory(std::size_t bytes) {
  void* const memory = std::aligned_alloc(row_alignment, (bytes / row_alignment + 1) * row_alignment);
  if (memory == nullptr)
    throw EnvironmentError("out of memory: " + std::to_string(bytes) + " bytes for the emulated device");
  return static_cast<std::byte*>(memory);
}

/// True if an environment variable asks for reads of what was never written.
bool wants_uninitialised() {
  return std::getenv("TS_UNINITIALISED") != nullptr;
}

const warp::Function& kernel_of(const EmbeddedSymbol& symbol) {
  const warp::Function* const kernel = symbol.module->kernel(symbol.name);
  if (kernel == nullptr) throw DeviceError("the PTX of this build has no kernel " + symbol.name, /*sticky=*/false);
  return *kernel;
}

}  // namespace

EmulatedDevice::EmulatedDevice() : Device(emulated_info()), watched_(wants_uninitialised()) {}

void EmulatedDevice::launch_by(Launcher launcher, bool watched) {
  const std::lock_guard lock(mutex_);
  launcher_ = std::move(launcher);
  watched_ = watched || wants_uninitialised();
}

void EmulatedDevice::launch(const void* function, warp::Extent grid, warp::Extent block, void** arguments,
                            std::size_t shared_bytes) {
  const EmbeddedSymbol symbol = embedded_function(function);
  const warp::Function& kernel = kernel_of(symbol);
  warp::LaunchRequest request{.module = symbol.module,
                              .kernel = symbol.name,
                              .grid = grid,
                              .block = block,
                              .dynamic_shared_bytes = shared_bytes,
                              .arguments = std::vector<std::byte>(kernel.parameter_bytes)};
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const warp::Variable& parameter = kernel.parameters[i];
    std::memcpy(request.arguments.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  const std::lock_guard lock(mutex_);
  std::vector<warp::Allocation> memory;
  const auto reach = [&](Block& kept) {
    memory.push_back({.name = kept.name,
                      .address = reinterpret_cast<std::uint64_t>(kept.memory.get()),
                      .memory = kept.memory.get(),
                      .bytes = kept.bytes,
                      .written = kept.written.empty() ? nullptr : kept.written.data()});
  };
  for (auto& [address, kept] : blocks_)
    reach(kept);
  for (auto& [name, kept] : variables_of(*symbol.module))
    reach(kept);
  request.memory = memory;
  request.textures = &textures_;
  request.programs = &programs_;
  request.options.per_instruction = false;
  // Kernels of this program copy values that they do not use.
  request.options.uninitialised = wants_uninitialised();
  request.options.global_races = std::getenv("TS_RACES") != nullptr;
  const warp::LaunchResult result = launcher_ ? launcher_(request) : warp::launch(request);
  if (!result.stopped.empty()) throw DeviceError("the emulated device: " + result.stopped, /*sticky=*/false);
  if (!result.faults.empty())
    throw DeviceError(
        "the emulated device: " + result.faults.front().text +
            (result.faults.size() == 1 ? "" : " (and " + std::to_string(result.faults.size() - 1) + " other faults)"),
        /*sticky=*/false);
}

std::byte* EmulatedDevice::variable(const void* host_variable) {
  const EmbeddedSymbol symbol = embedded_variable(host_variable);
  const std::lock_guard lock(mutex_);
  Variables& own = variables_of(*symbol.module);
  const auto found = own.find(symbol.name);
  if (found == own.end()) throw DeviceError("the PTX of this build has no variable " + symbol.name, /*sticky=*/false);
  return found->second.memory.get();
}

std::uint64_t EmulatedDevice::make_texture(const void* words, std::size_t width, std::size_t height,
                                           std::size_t pitch_bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t handle = textures_.empty() ? 1 : textures_.rbegin()->first + 1;
  textures_[handle] = {static_cast<const std::byte*>(words), width, height, pitch_bytes};
  return handle;
}

void EmulatedDevice::release_texture(std::uint64_t texture) {
  const std::lock_guard lock(mutex_);
  textures_.erase(texture);
}

int EmulatedDevice::capability(const void* function) {
  const std::string& target = embedded_function(function).module->target;  // "sm_75"
  return std::atoi(target.c_str() + std::min(target.size(), target.find('_') + 1));
}

std::size_t EmulatedDevice::static_shared_bytes(const void* function) {
  return kernel_of(embedded_function(function)).shared_bytes;
}

EmulatedDevice::Variables& EmulatedDevice::variables_of(const warp::Module& module) {
  const auto [own, is_new] = variables_.try_emplace(&module);
  if (!is_new) return own->second;
  for (const warp::Variable& variable : module.variables) {
    // Variables that hold addresses of others get them from the machine, and are constant in all kernels here.
    const bool in_memory = variable.space == warp::Space::Global || variable.space == warp::Space::Const;
    if (!in_memory || variable.external || !variable.references.empty()) continue;
    Block block = make_block(variable.name, variable.bytes);
    std::memset(block.memory.get(), 0, variable.bytes);
    if (!variable.initial.empty()) std::memcpy(block.memory.get(), variable.initial.data(), variable.initial.size());
    own->second.emplace(variable.name, std::move(block));
  }
  return own->second;
}

EmulatedDevice::Block EmulatedDevice::make_block(std::string name, std::size_t bytes) {
  return {std::move(name), bytes, {allocate_memory(bytes), std::free}};
}

void EmulatedDevice::record(Event event, CudaStream) {
  time_of(event) = Clock::now();
}

double EmulatedDevice::ms_between(Event start, Event stop) {
  return std::chrono::duration<double, std::milli>(time_of(stop) - time_of(start)).count();
}

void EmulatedDevice::copy(const CopyRows& rows, CopyKind, CudaStream) {
  for (std::size_t y = 0; y < rows.rows; ++y)
    copy(static_cast<std::byte*>(rows.to) + y * rows.to_pitch,
         static_cast<const std::byte*>(rows.from) + y * rows.from_pitch, rows.row_bytes);
}

void EmulatedDevice::copy(void* to, const void* from, std::size_t bytes) {
  std::memmove(to, from, bytes);
  note_written(to, from, bytes);
}

void EmulatedDevice::fill(void* block, int byte, std::size_t bytes, CudaStream) {
  std::memset(block, byte, bytes);
  note_written(block, nullptr, bytes);
}

bool EmulatedDevice::holds(const void* memory) {
  const auto* const address = static_cast<const std::byte*>(memory);
  const std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(address);
  return after != blocks_.begin() && address < std::prev(after)->first + std::prev(after)->second.bytes;
}

std::uint8_t* EmulatedDevice::written(const void* at) {
  const auto* const address = static_cast<const std::byte*>(at);
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  Block& block = std::prev(after)->second;
  const auto offset = static_cast<std::size_t>(address - block.memory.get());
  return offset < block.written.size() ? block.written.data() + offset : nullptr;
}

void EmulatedDevice::note_written(void* to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  std::uint8_t* const there = written(to);
  const std::uint8_t* const here = from == nullptr ? nullptr : written(from);
  if (there != nullptr && here != nullptr)
    std::memmove(there, here, bytes);
  else if (there != nullptr)
    std::memset(there, 1, bytes);
}

std::string EmulatedDevice::do_open() {
  try {
    (void)static_shared_bytes(cuda::probe_kernel());
    return {};
  } catch (const DeviceError& error) {
    return error.what();
  }
}

std::size_t EmulatedDevice::do_free_bytes() {
  return free_host_bytes();
}

void* EmulatedDevice::keep(const char* kind, std::size_t bytes, bool watched) {
  const std::lock_guard lock(mutex_);
  Block block = make_block("block " + std::to_string(++made_) + " of " + kind + " memory", bytes);
  if (watched) block.written.assign(bytes, 0);
  std::byte* const memory = block.memory.get();
  blocks_.emplace(memory, std::move(block));
  return memory;
}

void* EmulatedDevice::do_allocate(std::size_t bytes) {
  return keep("device", bytes, watched_);
}

void EmulatedDevice::do_release(void* block) noexcept {
  const std::lock_guard lock(mutex_);
  blocks_.erase(static_cast<const std::byte*>(block));
}

// Kernels reach page-locked memory, too, which the host writes without a call.
void* EmulatedDevice::do_allocate_pinned(std::size_t bytes) {
  return keep("page-locked", bytes, false);
}

void EmulatedDevice::do_release_pinned(void* block) noexcept {
  do_release(block);
}

CUstream_st* EmulatedDevice::do_make_stream() {
  return nullptr;
}

Event EmulatedDevice::do_make_event(bool) {
  return reinterpret_cast<Event>(new Clock::time_point);
}

void EmulatedDevice::do_release_event(Event event) noexcept {
  delete &time_of(event);
}

std::string ptx_of(const warp::Module& module) {
  return embedded_text(module);
}

void launch_by(Launcher launcher, bool watched) {
  Device& device = devices().emulated();
  device.require();
  static_cast<EmulatedDevice&>(device).launch_by(std::move(launcher), watched);
}

}  // namespace threadscape::gpu
