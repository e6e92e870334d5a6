#pragma once
// The device named "emulated": the machine of warps (compute/warp), whose memory is host memory. The program's own host
// code launches its own kernels on it, as on a GPU: the calls of the CUDA runtime that launches need are answered by
// emulated_runtime.cpp while this is the current device of the calling thread.

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compute/gpu/device.h"
#include "compute/gpu/launcher.h"
#include "compute/warp/machine.h"
#include "compute/warp/program.h"

namespace threadscape::gpu {

/// Work is done at once, by the thread that queues it, and one launch after another. Events have the time at which they
/// were recorded. A fault of a kernel is thrown as DeviceError by its launch, and does not retire the device.
class EmulatedDevice : public Device {
 public:
  EmulatedDevice();

  /// The current device of the calling thread, if it is of this kind; null otherwise.
  [[nodiscard]] static EmulatedDevice* current() {
    Device* const device = Device::current();
    return device != nullptr && device->info().ordinal == emulated_ordinal ? static_cast<EmulatedDevice*>(device)
                                                                           : nullptr;
  }

  void launch_by(Launcher launcher, bool watched);

  /// Runs a kernel of the program, known by the address of its host function. `arguments` points to one pointer per
  /// parameter.
  void launch(const void* function, warp::Extent grid, warp::Extent block, void** arguments, std::size_t shared_bytes);
  /// The memory of a variable of the program, known by the address of its host variable.
  [[nodiscard]] std::byte* variable(const void* host_variable);
  /// A texture of 32-bit words in memory of the device, without filter, whose coordinates count words and are clamped:
  /// one line if the height is 0. Returns its handle, which is not 0.
  [[nodiscard]] std::uint64_t make_texture(const void* words, std::size_t width, std::size_t height,
                                           std::size_t pitch_bytes);
  void release_texture(std::uint64_t texture);
  /// The compute capability that the PTX of a kernel is for: 75 is 7.5.
  [[nodiscard]] static int capability(const void* function);
  /// Bytes of shared memory that a kernel declares.
  [[nodiscard]] static std::size_t static_shared_bytes(const void* function);
  void wait(CudaStream) override {}
  void record(Event event, CudaStream) override;
  void hold(Event, CudaStream) override {}
  void wait(Event) override {}
  bool done(Event) override { return true; }
  double ms_between(Event start, Event stop) override;
  void copy(const CopyRows& rows, CopyKind kind, CudaStream stream) override;
  void copy(void* to, const void* from, std::size_t bytes);
  void fill(void* block, int byte, std::size_t bytes, CudaStream stream) override;
  [[nodiscard]] bool holds(const void* memory) override;

 protected:
  void do_make_current() override {}
  std::string do_open() override;
  void do_end_context() override {}
  std::string do_try() override { return {}; }
  std::size_t do_free_bytes() override;
  void* do_allocate(std::size_t bytes) override;
  void do_release(void* block) noexcept override;
  void* do_allocate_pinned(std::size_t bytes) override;
  void do_release_pinned(void* block) noexcept override;
  CUstream_st* do_make_stream() override;
  void do_release_stream(CUstream_st*) noexcept override {}
  Event do_make_event(bool timed) override;
  void do_release_event(Event event) noexcept override;

 private:
  struct Block {
    std::string name;
    std::size_t bytes = 0;
    std::unique_ptr<std::byte, void (*)(void*)> memory;
    std::vector<std::uint8_t> written = {};  ///< The marks of warp::Allocation::written; empty if there are none.
  };
  using Variables = std::map<std::string, Block>;
  static Block make_block(std::string name, std::size_t bytes);
  /// Makes a block that kernels reach.
  void* keep(const char* kind, std::size_t bytes, bool watched);
  /// Where the block of an address keeps track of it; null if there is none that does.
  std::uint8_t* written(const void* at);
  /// Notes that bytes are written: those of `from`, if that keeps track as well, or else all.
  void note_written(void* to, const void* from, std::size_t bytes);
  /// The module's variables by name, which stay from one launch to the next.
  Variables& variables_of(const warp::Module& module);

  std::mutex mutex_;  ///< Guards the following members; a launch holds it.
  std::map<const std::byte*, Block> blocks_;
  std::map<const warp::Module*, Variables> variables_;
  std::size_t made_ = 0;  ///< Blocks that were allocated, for their names.
  std::map<std::uint64_t, warp::Texture> textures_;
  warp::Programs programs_;
  Launcher launcher_;
  bool watched_;  ///< Blocks that are allocated keep track of what was written.
};

}  // namespace threadscape::gpu
