#include "app/cli/command_text.h"

#include <algorithm>
#include <string_view>

#include "app/cli/parser.h"

namespace threadscape::app {

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

std::string synopsis_of(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name =
        option->get_single_name() + (option->get_expected_max() > 1 ? std::string("...") : std::string());
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text + " [options]";
}

std::string term_of(const CLI::Option& option) {
  if (option.get_positional() && option.get_lnames().empty() && option.get_snames().empty())
    return option.get_single_name();
  std::string term;
  for (const std::string& name : option.get_snames())
    term += (term.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames())
    term += (term.empty() ? "--" : ", --") + name;
  if (option.get_items_expected_max() > 0) term += " " + option.get_type_name();
  return term;
}

std::string explanation_of(const CLI::Option& option) {
  std::string text = option.get_description();
  if (!option.get_default_str().empty()) text += " (default " + option.get_default_str() + ")";
  return text + ".";
}

std::vector<std::string> examples_of(const CLI::App& command) {
  constexpr std::string_view heading = "Examples:\n";
  constexpr std::string_view indent = "  ";
  const std::string footer = command.get_footer();
  std::vector<std::string> examples;
  // A command without a footer has that of the program, and one whose footer is a function has it at the end.
  if (command.get_parent() != nullptr && footer == command.get_parent()->get_footer()) return examples;
  const std::size_t at = footer.find(heading);
  if (at == std::string::npos) return examples;
  for (std::size_t begin = at + heading.size(); footer.compare(begin, indent.size(), indent) == 0;) {
    const std::size_t end = std::min(footer.find('\n', begin), footer.size());
    examples.push_back(footer.substr(begin + indent.size(), end - begin - indent.size()));
    begin = std::min(end + 1, footer.size());
  }
  return examples;
}

std::vector<std::pair<std::string, std::string>> exit_code_rows() {
  std::vector<std::pair<std::string, std::string>> rows;
  std::string_view rest = exit_codes;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    const std::string_view code = rest.substr(0, comma);
    const std::size_t space = code.find(' ');
    rows.emplace_back(code.substr(0, space), code.substr(space + 1));
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return rows;
}

}  // namespace threadscape::app
