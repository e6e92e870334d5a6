#include "compute/gpu/emulated/fat_binary.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "compute/core/errors.h"

namespace threadscape::gpu {

namespace {

// NVIDIA does not document the layout. It was read from what nvcc 12 and 13 write, and is the same in both: a header,
// and then entries, each with a header of its own and a payload.

struct Wrapper {
  std::uint32_t magic, version;
  const std::byte* data;
};
constexpr std::uint32_t wrapper_magic = 0x466243B1, container_magic = 0xBA55ED50;

struct Container {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  ///< Bytes of all entries together.
};

struct Entry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;  ///< Stored, with padding.
  std::uint32_t packed_bytes;   ///< Stored, without padding; of compressed payloads.
  std::uint32_t options_at;
  std::uint16_t minor, major;
  std::uint32_t architecture;  ///< 75 is compute capability 7.5.
  std::uint32_t name_at, name_bytes;
  std::uint64_t flags;
  std::uint64_t unused;
  std::uint64_t unpacked_bytes;  ///< 0 for a payload that is not compressed.
};
static_assert(sizeof(Container) == 16 && sizeof(Entry) == 64);
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint64_t flag_lz4 = 0x2000;

[[noreturn]] void refuse(const char* what) {
  throw DeviceError(std::string("the device code of this build cannot be read: ") + what, /*sticky=*/false);
}

/// Unpacks a block of LZ4: sequences of literals, and of repetitions of what was unpacked before.
std::string unpack_lz4(std::span<const std::byte> in, std::size_t bytes) {
  std::string out;
  out.reserve(bytes);
  std::size_t at = 0;
  const auto next = [&] {
    if (at >= in.size()) refuse("a compressed block ends early");
    return std::to_integer<std::size_t>(in[at++]);
  };
  const auto length = [&](std::size_t first) {
    for (std::size_t more = first == 15 ? 255 : 0; more == 255; first += more)
      more = next();
    return first;
  };
  while (at < in.size()) {
    const std::size_t token = next();
    const std::size_t literals = length(token >> 4);
    if (literals > in.size() - at || literals > bytes - out.size()) refuse("a compressed block is too long");
    out.append(reinterpret_cast<const char*>(in.data()) + at, literals);
    at += literals;
    if (at >= in.size()) break;
    std::size_t distance = next();
    distance |= next() << 8;
    const std::size_t repeated = length(token & 15) + 4;
    if (distance == 0 || distance > out.size() || repeated > bytes - out.size())
      refuse("a compressed block repeats what it does not have");
    for (std::size_t i = 0; i < repeated; ++i)
      out += out[out.size() - distance];
  }
  if (out.size() != bytes) refuse("a compressed block is too short");
  return out;
}

}  // namespace

std::string embedded_ptx(const void* wrapper) {
  const auto* const found = static_cast<const Wrapper*>(wrapper);
  if (found->magic != wrapper_magic) refuse("its wrapper is of an unknown kind");
  Container container;
  std::memcpy(&container, found->data, sizeof(container));
  if (container.magic != container_magic) refuse("its container is of an unknown kind");
  const std::span<const std::byte> all(found->data + container.header_bytes, container.bytes);
  std::string ptx;
  std::uint32_t newest = 0;
  for (std::size_t at = 0; all.size() - at >= sizeof(Entry);) {
    Entry entry;
    std::memcpy(&entry, all.data() + at, sizeof(entry));
    const std::size_t left = all.size() - at;
    if (entry.header_bytes < sizeof(Entry) || entry.header_bytes > left ||
        entry.payload_bytes > left - entry.header_bytes)
      refuse("an entry is longer than the container");
    const std::span<const std::byte> payload = all.subspan(at + entry.header_bytes, entry.payload_bytes);
    at += entry.header_bytes + entry.payload_bytes;
    if (entry.kind != kind_ptx || entry.architecture <= newest) continue;
    newest = entry.architecture;
    if (entry.unpacked_bytes == 0) {
      ptx.assign(reinterpret_cast<const char*>(payload.data()), payload.size());
    } else {
      if ((entry.flags & flag_lz4) == 0) refuse("it is compressed in an unknown way");
      if (entry.packed_bytes > payload.size()) refuse("a compressed entry is longer than its place");
      ptx = unpack_lz4(payload.first(entry.packed_bytes), entry.unpacked_bytes);
    }
    ptx.resize(std::strlen(ptx.c_str()));  // Text ends at its first zero.
  }
  return ptx;
}

}  // namespace threadscape::gpu
