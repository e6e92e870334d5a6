#pragma once
// Programs in PTX, NVIDIA's assembly language of virtual registers, as a structure that the machine of warps decodes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::warp {

/// The type of a register, variable or instruction.
enum class Type : std::uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  BF16,
  F16x2,
  BF16x2,
  F32,
  F64
};
/// The bytes of a type: 4 for a predicate, which the machine keeps as a mask of 32 lanes.
[[nodiscard]] int bytes_of(Type type);
/// The type of that name, without its period ("u32"); Type::None if there is none.
[[nodiscard]] Type type_named(std::string_view name);

/// The memory that an address belongs to.
enum class Space : std::uint8_t { Generic, Global, Shared, Local, Const, Param };

/// A place in a source, from a directive `.loc`. Number 0 of a module's locations is the unknown place.
struct Location {
  int file = 0;  ///< The number of the file in Module::files; 0 if unknown.
  int line = 0;  ///< Counts from 1; 0 if unknown.
  int column = 0;
  int inlined_at = 0;          ///< The location that the code was inlined at; 0 if it was not.
  std::uint32_t function = 0;  ///< 1 + the offset of the inlined function's name in the debug strings; 0 if unknown.
};

struct Register {
  std::string name;
  Type type = Type::None;
};

/// A variable of a module or function, or a parameter.
struct Variable {
  std::string name;
  Space space = Space::Global;
  Type type = Type::B8;
  std::uint32_t align = 1;
  std::uint64_t bytes = 0;   ///< 0 for shared memory whose size the launch states.
  std::uint64_t offset = 0;  ///< For parameters and variables of functions: where it lies in the function's space.
  bool external = false;
  std::vector<std::byte> initial;
  /// The address of a variable that stands in the initial bytes.
  struct Reference {
    std::uint64_t at = 0;  ///< Offset in the initial bytes.
    std::string name;
    std::int64_t added = 0;
    bool generic = false;
  };
  std::vector<Reference> references;
};

/// An operand of an instruction.
struct Operand {
  enum class Kind : std::uint8_t {
    Register,   ///< `index` is a register.
    Immediate,  ///< `value` holds a two's complement integer, or the bits of a float if `floating`.
    Symbol,     ///< `index` is one of Module::names: of a variable of the module, a function or a special register.
    Variable,   ///< `index` is one of Function::variables.
    Parameter,  ///< `index` is one of Function::parameters.
    Result,     ///< `index` is one of Function::results.
    Label,      ///< `index` is a label of the function.
    Address,  ///< [register or name + value]: `base` says which; Kind::Immediate for a plain number. A list may follow.
    List,     ///< {a, b, ...} or (a, b): `index` and `count` select operands of Function::operands.
    Sink      ///< `_`, which takes a result that is not used.
  };
  Kind kind = Kind::Sink;
  Kind base = Kind::Sink;     ///< What an address starts from: Immediate, or a kind that has an index.
  bool negated = false;       ///< `!p`, or `-` before a register.
  std::uint8_t floating = 0;  ///< The bytes of a floating-point literal, 4 or 8; 0 for integers.
  std::uint8_t count = 0;     ///< The number of elements of a list.
  bool joined = false;        ///< `|` joins the operand to the one before it, as in `d|p`.
  std::uint32_t index = 0;
  std::uint64_t value = 0;
};

/// An instruction as it is written. The text of its operation, as "ld.global.v2.f32", is Module::names[name].
struct Instruction {
  std::uint32_t name = 0;
  std::int32_t guard = -1;  ///< The predicate register of `@p`; -1 if there is none.
  bool guard_negated = false;
  std::uint8_t operand_count = 0;
  std::uint32_t operands = 0;  ///< The first one among Function::operands.
  std::uint32_t location = 0;  ///< Among Module::locations.
  std::uint32_t ptx_line = 0;  ///< Counts from 1.
};

/// A kernel (.entry) or a function that kernels call (.func).
struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;              ///< False for declarations, such as that of vprintf.
  std::vector<Variable> parameters;  ///< Their offsets follow the rules of the driver: each is aligned.
  std::vector<Variable> results;     ///< Of a .func.
  std::vector<Variable> variables;   ///< Of the spaces local, shared and param.
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<std::uint32_t> labels;  ///< The instruction that each label stands before.
  /// The labels of each table `.branchtargets`, by the name that brx.idx gives.
  struct Table {
    std::string name;
    std::vector<std::uint32_t> labels;
  };
  std::vector<Table> tables;
  std::uint64_t parameter_bytes = 0;
  std::uint64_t shared_bytes = 0;  ///< Of the variables of the function.
  std::uint64_t local_bytes = 0;   ///< Bytes of its variables in the space local.
  std::uint64_t call_bytes = 0;    ///< Of its variables of the space param, which hold the parameters of calls.
  std::uint32_t max_threads = 0;   ///< Of .maxntid; 0 if it states none.
  std::uint32_t location = 0;      ///< Where the function begins, among Module::locations.
};

/// All that one text of PTX defines.
struct Module {
  std::string version, target;
  std::vector<Function> functions;
  std::vector<Variable> variables;
  std::vector<std::string> names;  ///< Operations, and names that operands mention.
  std::vector<std::string> files;  ///< By the numbers of `.file`; number 0 is empty.
  std::vector<Location> locations;
  std::string debug_strings;  ///< Names of inlined functions, each ended by a zero byte.

  /// The kernel of that name; null if the text defines none.
  [[nodiscard]] const Function* kernel(std::string_view name) const;
  /// The name of the inlined function at a location; empty if it is unknown.
  [[nodiscard]] std::string_view function_at(const Location& location) const;
};

/// Reads PTX. Throws UsageError, which names the line, for text that is not PTX or is larger than the limits: 64 MiB,
/// two million instructions, a million registers, and nested scopes 64 deep. The time is linear in the length of the
/// text.
[[nodiscard]] Module parse_ptx(std::string_view text);

}  // namespace threadscape::warp
