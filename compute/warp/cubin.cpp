#include "compute/warp/cubin.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "compute/warp/line_table.h"

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

/// Calls take(attribute, value) with the attributes of a section .nv.info that have a size: a format, an attribute, a
/// size and a value each.
template <class Take>
void for_each_attribute(const Sections& sections, const std::string& section, const Take& take) {
  const Elf64_Shdr* info = sections.find(section);
  if (info == nullptr) return;
  const std::string_view bytes = sections.content(*info);
  constexpr std::uint8_t with_size = 4;
  for (std::uint64_t offset = 0;;) {
    const auto format = at<std::uint8_t>(bytes, offset);
    const auto attribute = at<std::uint8_t>(bytes, offset + 1);
    const auto size = at<std::uint16_t>(bytes, offset + 2);
    if (!format || !attribute || !size) return;
    offset += 4;
    if (*format != with_size) continue;
    if (offset < bytes.size()) take(*attribute, bytes.substr(offset, *size));
    offset += *size;
  }
}

int registers_of(const Sections& sections, std::string_view kernel) {
  constexpr std::uint8_t register_count = 0x2f;
  int registers = 0;
  for_each_attribute(sections, ".nv.info", [&](std::uint8_t attribute, std::string_view value) {
    const auto symbol = at<std::uint32_t>(value, 0), count = at<std::uint32_t>(value, 4);
    if (attribute == register_count && symbol && count && *count <= 255 && symbol_name(sections, *symbol) == kernel)
      registers = static_cast<int>(*count);
  });
  return registers;
}

/// The branches by tables of a kernel with `count` instructions. The file has for each branch its place, a word that is
/// zero, the number of its targets and their places, all in bytes of the code.
std::vector<TableBranch> table_branches_of(const Sections& sections, const std::string& kernel, std::size_t count) {
  constexpr std::uint8_t branch_targets = 0x34;
  constexpr std::uint32_t instruction_bytes = 16;
  std::vector<TableBranch> branches;
  for_each_attribute(sections, ".nv.info." + kernel, [&](std::uint8_t attribute, std::string_view value) {
    if (attribute != branch_targets) return;
    std::uint64_t offset = 0;
    const auto next = [&] {
      const auto word = at<std::uint32_t>(value, offset);
      offset += sizeof(std::uint32_t);
      return word;
    };
    while (const auto from = next()) {
      next();
      const std::uint32_t targets = next().value_or(0);
      for (std::uint32_t k = 0; k < targets; ++k) {
        const auto to = next();
        if (!to) return;
        if (*from / instruction_bytes < count && *to / instruction_bytes < count)
          branches.push_back({*from / instruction_bytes, *to / instruction_bytes});
      }
    }
  });
  return branches;
}

/// The kernel that a relocation at an offset of the table of PTX lines names.
std::string_view kernel_at(const Sections& sections, std::uint64_t offset) {
  for (const auto& [name, size] : {std::pair(".rela.nv_debug_line_sass", sizeof(Elf64_Rela)),
                                   std::pair(".rel.nv_debug_line_sass", sizeof(Elf64_Rel))}) {
    const Elf64_Shdr* moves = sections.find(name);
    if (moves == nullptr) continue;
    const std::string_view bytes = sections.content(*moves);
    for (std::uint64_t k = 0; k + size <= bytes.size(); k += size)
      if (const auto move = at<Elf64_Rel>(bytes, k); move && move->r_offset == offset)
        return symbol_name(sections, static_cast<std::uint32_t>(ELF64_R_SYM(move->r_info)));
  }
  return {};
}

/// The instruction that a branch goes to: its distance has 48 bits from bit 34 on, and from compute capability 9.0 on
/// eight more below them at bit 16, which the branch to itself at the end of all code tells apart.
std::uint32_t target_of(std::uint64_t low, std::uint64_t high, bool split, std::size_t from, std::size_t count) {
  std::uint64_t distance = (low >> 34) | (high & 0x3ffff) << 30;
  if ((distance >> 47) != 0) distance |= ~std::uint64_t{0} << 48;
  if (split) distance = distance << 8 | (low >> 16 & 0xff);
  const std::uint64_t to = from + 1 + static_cast<std::uint64_t>(static_cast<std::int64_t>(distance) / 4);
  return to < count ? static_cast<std::uint32_t>(to) : MachineInstruction::nowhere;
}

/// The constant that IADD3 or VIADD adds to the register of its result. The result is named at bit 16, the first
/// operand at bit 24, the last operand of IADD3, which is register 255 where there is none, at bit 64, and the constant
/// stands at bit 32. Bit 74 marks the upper half of a sum of 64 bits, which says nothing new.
std::int32_t step_of(std::uint64_t low, std::uint64_t high) {
  constexpr std::uint64_t iadd3 = 0x810, viadd = 0x836, no_register = 0xff;
  const std::uint64_t operation = low & 0xfff;
  const bool is_upper = (high >> 10 & 1) != 0;
  if (operation != viadd && (operation != iadd3 || (high & 0xff) != no_register || is_upper)) return 0;
  if ((low >> 16 & 0xff) != (low >> 24 & 0xff)) return 0;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(low >> 32));
}

/// The instructions of a text of machine code. From compute capability 7.0 on each has 16 bytes; its lowest 12 bits are
/// the operation and its form, and the next four the predicate, of which 7 is "always".
std::vector<MachineInstruction> instructions_of(std::string_view code) {
  constexpr std::uint64_t words = 16, always = 7, uniform = 0x547, if_diverged = 2;
  const std::size_t count = code.size() / words;
  const auto low = [&](std::size_t k) { return at<std::uint64_t>(code, k * words).value_or(0); };
  const auto operation = [&](std::size_t k) { return static_cast<MachineOperation>(low(k) & 0x1ff); };
  std::size_t end = count;
  while (end > 0 && operation(end - 1) == MachineOperation::nop)
    --end;
  if (end == 0 || operation(end - 1) != MachineOperation::bra) return {};
  --end;
  const bool split = (low(end) >> 16 & 0xff) == 0xfc;
  std::vector<MachineInstruction> instructions(end);
  for (std::size_t k = 0; k < end; ++k) {
    MachineInstruction& one = instructions[k];
    const std::uint64_t high = at<std::uint64_t>(code, k * words + 8).value_or(0);
    one.operation = operation(k);
    one.always = (low(k) >> 12 & 0xf) == always;
    one.step = step_of(low(k), high);
    if (one.operation != MachineOperation::bra && one.operation != MachineOperation::call) continue;
    one.target = target_of(low(k), high, split, k, end);
    if (one.operation == MachineOperation::call) continue;
    const bool by_uniform = (low(k) & 0xfff) == uniform;
    one.diverged = !by_uniform && (low(k) >> 32 & 3) == if_diverged;
    one.always = one.always && (high >> 23 & 0xf) == always && !by_uniform && (low(k) >> 32 & 3) == 0;
  }
  return instructions;
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
    kernel.instructions = instructions_of(sections.content(section));
    kernel.table_branches = table_branches_of(sections, kernel.name, kernel.instructions.size());
  }
  const Elf64_Shdr* lines = sections.find(".nv_debug_line_sass");
  if (lines == nullptr) return kernels;
  for (const LineSequence& sequence : read_line_table(sections.content(*lines))) {
    const auto kernel = std::ranges::find(kernels, kernel_at(sections, sequence.named_at), &KernelCode::name);
    if (kernel == kernels.end()) continue;
    std::uint32_t line = 0;
    std::uint64_t done = 0;
    const auto fill = [&](std::uint64_t end) {
      for (; done < std::min<std::uint64_t>(end, kernel->instructions.size()); ++done)
        kernel->instructions[done].ptx_line = line;
    };
    for (const LineRow& row : sequence.rows) {
      fill(row.address / 16);
      line = row.line;
    }
    fill(kernel->instructions.size());
  }
  return kernels;
}

}  // namespace threadscape::warp
