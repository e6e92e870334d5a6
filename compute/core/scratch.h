#pragma once
// Working memory that belongs to the caller. An algorithm asks for it here and never allocates itself, so the
// need of a run is known before it starts (AlgorithmInfo::scratch_bytes) and repeated runs allocate nothing.

#include <cstddef>
#include <memory>
#include <span>

namespace threadscape {

/// A bump arena over a block that grows between runs and never shrinks. Pieces are 256-byte aligned.
/// `Memory` supplies `static void* allocate(std::size_t)` (throws) and `static void release(void*)`.
template <class Memory>
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { Memory::release(block_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Makes room for a run and forgets all earlier pieces.
  void reset(std::size_t bytes) {
    used_ = 0;
    if (bytes <= size_) return;
    Memory::release(block_);
    block_ = nullptr;
    size_ = 0;
    block_ = static_cast<std::byte*>(Memory::allocate(bytes));
    size_ = bytes;
  }
  /// Gives the memory back.
  void release() {
    Memory::release(block_);
    block_ = nullptr;
    size_ = used_ = 0;
  }
  /// `count` uninitialised values, valid until the next reset. Throws when more is taken than was reserved.
  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) {
    const std::size_t bytes = padded(count * sizeof(T));
    if (bytes > size_ - used_) Memory::exhausted(used_ + bytes, size_);
    T* piece = reinterpret_cast<T*>(block_ + used_);
    used_ += bytes;
    return {piece, count};
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Where the next piece will start; rewind() gives back all pieces taken since, for work that comes after theirs.
  [[nodiscard]] std::size_t mark() const { return used_; }
  void rewind(std::size_t mark) { used_ = mark; }
  /// Bytes that `take` uses for a piece of this size; scratch_bytes() adds these up.
  [[nodiscard]] static constexpr std::size_t padded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

 private:
  std::byte* block_ = nullptr;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

struct HostMemory {
  static void* allocate(std::size_t bytes);
  static void release(void* block);
  [[noreturn]] static void exhausted(std::size_t asked, std::size_t reserved);
};
/// Implemented in compute/cuda; in builds without CUDA allocate() throws BackendAbsent.
struct DeviceMemory {
  static void* allocate(std::size_t bytes);
  static void release(void* block);
  [[noreturn]] static void exhausted(std::size_t asked, std::size_t reserved);
};

using HostScratch = Scratch<HostMemory>;
using DeviceScratch = Scratch<DeviceMemory>;

}  // namespace threadscape
