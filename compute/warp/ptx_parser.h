#pragma once
// The parser of PTX. Its state is shared by the parts that read declarations and those that read the bodies of
// functions.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compute/warp/ptx.h"
#include "compute/warp/ptx_lexer.h"

namespace threadscape::warp {

/// Bounds of what a text may define, so that a hostile one ends soon.
struct PtxLimits {
  static constexpr std::size_t text = std::size_t{64} << 20, instructions = 2'000'000, registers = 1'000'000,
                               scopes = 64;
  static constexpr int inlined = 64;  ///< Calls that are inlined into each other.
  static constexpr std::uint64_t variable_bytes = std::uint64_t{1} << 30;
};

class PtxParser {
 public:
  explicit PtxParser(std::string_view text) : lexer_(text) {}
  Module parse();

 private:
  /// What a pair of braces declares.
  struct Scope {
    /// Where a name leads: a single register or a range of them (`%r<8>`), or a variable.
    struct Name {
      Operand::Kind kind;
      std::uint32_t index;
      std::uint32_t count;  ///< Of a range; 0 for a single name.
    };
    std::unordered_map<std::string_view, Name> names;
    std::unordered_map<std::string_view, std::uint32_t> labels;
    /// Operands, or entries of tables, that wait for a label which is defined further down.
    struct Wait {
      std::string_view label;
      std::uint32_t at;
      std::int32_t table;  ///< -1 for an operand.
      std::uint32_t line;
    };
    std::vector<Wait> waits;
    std::uint64_t param_bytes = 0;  ///< Where the next parameter of a call goes.
  };

  // Declarations: ptx_declarations.cpp.
  void top_level();
  void function(bool entry);
  void performance_directives(Function& function);
  Variable parameter();
  void parameters(std::vector<Variable>& list);
  Variable variable(Space space);
  void dimensions(Variable& variable);
  void initialiser(Variable& variable);
  void initial_value(Variable& variable, std::uint64_t at);
  void section();
  void file();
  void location();
  std::uint32_t location_number(const Location& location);

  // Bodies: ptx_body.cpp.
  void body(Function& function);
  void statement(Function& function);
  void registers(Function& function);
  void local_variables(Function& function, Space space);
  void label(Function& function, std::string_view name);
  void branch_targets(Function& function, std::string_view name);
  void instruction(Function& function);
  void operand_list(Function& function, std::vector<Operand>& out, std::string_view end, int depth);
  void operand(Function& function, std::vector<Operand>& out, int depth);
  void name_operand(std::string_view name, Operand& out);
  void address(Function& function, std::vector<Operand>& out, int depth);
  void close_scope(Function& function);
  std::uint32_t name_number(std::string_view name);
  [[nodiscard]] const Scope::Name* find(std::string_view name, std::uint32_t& number) const;

  Lexer lexer_;
  Module module_;
  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, std::uint32_t> names_;
  std::map<std::array<std::uint64_t, 3>, std::uint32_t> places_;
  /// The last location of the function that was inlined itself, by file, line and column.
  struct Inlined {
    std::uint32_t location = 0;
    int depth = 1;  ///< The number of calls around it.
  };
  std::map<std::array<int, 3>, Inlined> inlined_;
  std::unordered_map<std::string_view, std::uint32_t> debug_labels_;
  /// The label and the offset of the name of a location's function, by the location.
  std::vector<std::pair<std::string_view, std::uint32_t>> function_labels_;
  std::string_view variable_name_;  ///< The name of the last variable that was read, as a part of the text.
  std::uint32_t place_ = 0;         ///< The location of the next instruction.
  std::size_t instruction_count_ = 0, register_count_ = 0;
  std::uint64_t variable_bytes_ = 0;
};

}  // namespace threadscape::warp
