#include "compute/warp/cubin.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>

namespace threadscape::warp {

namespace {

template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return {};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// The sections of an ELF file of 64 bits.
class Sections {
 public:
  explicit Sections(std::string_view file) : file_(file) {
    const auto header = at<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
      return;
    for (unsigned i = 0; i < header->e_shnum; ++i)
      if (const auto section = at<Elf64_Shdr>(file, header->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr)))
        sections_.push_back(*section);
    if (header->e_shstrndx < sections_.size()) names_ = content(sections_[header->e_shstrndx]);
  }
  [[nodiscard]] const std::vector<Elf64_Shdr>& all() const { return sections_; }
  [[nodiscard]] std::string_view name(const Elf64_Shdr& section) const { return text_at(names_, section.sh_name); }
  [[nodiscard]] std::string_view content(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > file_.size()) return {};
    return file_.substr(section.sh_offset, section.sh_size);
  }
  [[nodiscard]] const Elf64_Shdr* find(std::string_view name_of) const {
    for (const Elf64_Shdr& section : sections_)
      if (name(section) == name_of) return &section;
    return nullptr;
  }
  /// The text that begins at an offset of a table of texts.
  [[nodiscard]] static std::string_view text_at(std::string_view table, std::uint64_t offset) {
    if (offset >= table.size()) return {};
    const std::string_view rest = table.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }

 private:
  std::string_view file_, names_;
  std::vector<Elf64_Shdr> sections_;
};

/// The name of a symbol by its index.
std::string_view symbol_name(const Sections& sections, std::uint32_t index) {
  const Elf64_Shdr* symbols = sections.find(".symtab");
  if (symbols == nullptr || symbols->sh_link >= sections.all().size()) return {};
  const auto symbol = at<Elf64_Sym>(sections.content(*symbols), std::uint64_t{index} * sizeof(Elf64_Sym));
  if (!symbol) return {};
  return Sections::text_at(sections.content(sections.all()[symbols->sh_link]), symbol->st_name);
}

/// The registers of a kernel, from the attributes in the section .nv.info: a format, an attribute, a size and a value.
int registers_of(const Sections& sections, std::string_view kernel) {
  const Elf64_Shdr* info = sections.find(".nv.info");
  if (info == nullptr) return 0;
  const std::string_view bytes = sections.content(*info);
  constexpr std::uint8_t with_size = 4, register_count = 0x2f;
  for (std::uint64_t offset = 0;;) {
    const auto format = at<std::uint8_t>(bytes, offset);
    const auto attribute = at<std::uint8_t>(bytes, offset + 1);
    const auto size = at<std::uint16_t>(bytes, offset + 2);
    if (!format || !attribute || !size) return 0;
    const auto symbol = at<std::uint32_t>(bytes, offset + 4);
    const auto count = at<std::uint32_t>(bytes, offset + 8);
    if (*format == with_size && *attribute == register_count && symbol && count && *count <= 255 &&
        symbol_name(sections, *symbol) == kernel)
      return static_cast<int>(*count);
    offset += 4 + (*format == with_size ? *size : 0u);
  }
}

/// Counts the instructions of straight code. From compute capability 7.0 on an instruction has 16 bytes; its lowest 12
/// bits are the operation and the next four the predicate, of which 7 is "always".
std::vector<int> straight_parts(std::string_view code) {
  constexpr std::uint64_t exit = 0x94d, always = 7, branch = 0x947, nothing = 0x918;
  std::vector<int> parts{0};
  bool ended = false;
  for (std::uint64_t offset = 0; offset < code.size(); offset += 16) {
    const auto word = at<std::uint64_t>(code, offset);
    if (!word) return {};
    const std::uint64_t operation = *word & 0xfff, predicate = (*word >> 12) & 0xf;
    // A branch to itself and NOPs fill the code behind the end. Other code there is reached by a branch.
    if (ended && operation != branch && operation != nothing) return {};
    if (ended) continue;
    ++parts.back();
    if (operation == exit) {
      ended = predicate == always;
      if (!ended) parts.push_back(0);
      continue;
    }
    // Branches, calls, returns and the markers of reconvergence have the numbers 0x940 to 0x95a, and from compute
    // capability 10.0 on those of uniform branches 0x540 to 0x55a.
    const std::uint64_t group = operation >> 8, number = operation & 0xff;
    if ((group == 9 || group == 5) && number >= 0x40 && number <= 0x5a) return {};
  }
  return ended ? parts : std::vector<int>();
}

}  // namespace

std::vector<KernelCode> kernels_of_cubin(std::string_view cubin) {
  std::vector<KernelCode> kernels;
  const Sections sections(cubin);
  constexpr std::string_view prefix = ".text.";
  for (const Elf64_Shdr& section : sections.all()) {
    const std::string_view name = sections.name(section);
    if (!name.starts_with(prefix)) continue;
    KernelCode& kernel = kernels.emplace_back();
    kernel.name = name.substr(prefix.size());
    kernel.registers = registers_of(sections, kernel.name);
    kernel.straight_parts = straight_parts(sections.content(section));
  }
  return kernels;
}

}  // namespace threadscape::warp
