#pragma once
// Working memory of algorithms, owned by the caller. An algorithm takes it from here and never allocates memory, so the
// memory of a run is known before it starts (AlgorithmInfo::scratch_bytes), and repeated runs allocate nothing.

#include <cstddef>
#include <span>

namespace threadscape {

namespace gpu {
class Device;
}

/// A bump allocator over one block that reset() enlarges if necessary. Pieces are aligned to 256 bytes. `Memory`
/// supplies `void* allocate(std::size_t)`, which throws on failure, `void release(void*)`, and
/// `void exhausted(std::size_t asked, std::size_t reserved)`, which always throws.
template <class Memory>
class Scratch {
 public:
  explicit Scratch(Memory memory = {}) : memory_(memory) {}
  ~Scratch() { memory_.release(block_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Invalidates all pieces and makes room for `bytes`, in a new block if the present one is smaller.
  void reset(std::size_t bytes) {
    used_ = 0;
    if (bytes <= size_) return;
    memory_.release(block_);
    block_ = nullptr;
    size_ = 0;
    block_ = static_cast<std::byte*>(memory_.allocate(bytes));
    size_ = bytes;
  }
  /// Frees the block. All pieces become invalid.
  void release() {
    memory_.release(block_);
    block_ = nullptr;
    size_ = used_ = 0;
  }
  /// Takes `count` uninitialised values, valid until the next reset(). Throws if less room is left.
  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) {
    const std::size_t bytes = padded(count * sizeof(T));
    if (bytes > size_ - used_) memory_.exhausted(used_ + bytes, size_);
    T* piece = reinterpret_cast<T*>(block_ + used_);
    used_ += bytes;
    return {piece, count};
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The offset of the next piece in bytes. rewind() to a mark makes the memory of all pieces taken since available.
  [[nodiscard]] std::size_t mark() const { return used_; }
  void rewind(std::size_t mark) { used_ = mark; }
  /// Bytes that take() uses for a piece of this size, with the padding. scratch_bytes() is a sum of these.
  [[nodiscard]] static constexpr std::size_t padded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

 private:
  Memory memory_;
  std::byte* block_ = nullptr;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

struct HostMemory {
  static void* allocate(std::size_t bytes);
  static void release(void* block);
  [[noreturn]] static void exhausted(std::size_t asked, std::size_t reserved);
};
/// Memory of a device, implemented in compute/gpu/device.cpp.
struct DeviceMemory {
  gpu::Device* device = nullptr;  ///< Null only while nothing is allocated.

  [[nodiscard]] void* allocate(std::size_t bytes) const;
  void release(void* block) const;
  [[noreturn]] static void exhausted(std::size_t asked, std::size_t reserved);
};

using HostScratch = Scratch<HostMemory>;
using DeviceScratch = Scratch<DeviceMemory>;

}  // namespace threadscape
