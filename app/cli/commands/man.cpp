#include "app/cli/commands/man.h"

#include <cstdio>
#include <string_view>

#include "app/cli/command_text.h"
#include "app/cli/parser.h"
#include "compute/core/build_info.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// Text for troff: backslashes and hyphens are escaped, and no line begins with a control character.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool line_start = out.empty() || out.back() == '\n';
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string section(std::string_view title) {
  return ".SH " + std::string(title) + "\n";
}

/// A term in bold with its explanation.
std::string entry(const std::string& term, const std::string& text) {
  return ".TP\n\\fB" + escaped(term) + "\\fR\n" + escaped(text) + "\n";
}

std::string options_of(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options())
    text += entry(term_of(*option), explanation_of(*option));
  return text;
}

std::string command_sections(const CLI::App& program) {
  std::string text = section("COMMANDS");
  for (const CLI::App* command : commands_of(program)) {
    text += ".SS \"" + command->get_name() + escaped(synopsis_of(*command)) + "\"\n";
    text += escaped(command->get_description()) + ".\n" + options_of(*command);
  }
  return text;
}

std::string algorithm_section() {
  std::string text =
      section("ALGORITHMS") +
      "Parameters are set by \\fB\\-\\-set NAME=VALUE\\fR; \\fBthreadscape list\\fR describes variants.\n";
  for (const AlgorithmInfo& info : algorithms()) {
    text += ".SS " + std::string(info.name) + "\n" + escaped(info.summary) + ".\n";
    const ParamBox defaults = info.defaults();
    for (const FieldRef& field : defaults.fields()) {
      const std::string value = to_text(field);
      text += entry(std::string(field.name) + "=" + (value.empty() ? "\"\"" : value),
                    help_of(field) + " (" + accepted(field) + ").");
    }
  }
  return text;
}

/// The examples of a command, one line each.
std::string example_lines(const CLI::App& command) {
  std::string text;
  for (const std::string& example : examples_of(command))
    text += escaped("  " + example) + "\n";
  return text;
}

std::string example_section(const CLI::App& program) {
  std::string text = section("EXAMPLES") + ".nf\n" + example_lines(program);
  for (const CLI::App* command : commands_of(program))
    text += example_lines(*command);
  return text + ".fi\n";
}

std::string status_section() {
  std::string text = section("EXIT STATUS");
  for (const auto& [code, meaning] : exit_code_rows())
    text += entry(code, meaning + ".");
  return text;
}

}  // namespace

std::string manual_page() {
  const Parser parser;
  const CLI::App& program = parser.app();
  std::string text = ".TH THREADSCAPE 1 \"\" \"threadscape " + std::string(build_info::version) +
                     "\" \"User Commands\"\n" + section("NAME") +
                     "threadscape \\- parallel image and volume algorithms on CPU and GPU, live\n" +
                     section("SYNOPSIS") + ".B threadscape\n" + escaped("[PICTURE] [options]") + "\n";
  for (const CLI::App* command : commands_of(program))
    text += ".br\n.B threadscape " + command->get_name() + "\n" + escaped(synopsis_of(*command).substr(1)) + "\n";
  text += section("DESCRIPTION") +
          escaped(
              "Threadscape runs algorithms on pictures, heightfields, volumes and sequences on three backends: "
              "serial code, OpenMP with SIMD, and CUDA. Without a command it opens a window that shows the result "
              "live, with PICTURE as the input if one is given.") +
          "\n" + section("OPTIONS") + options_of(program) + command_sections(program) + algorithm_section() +
          status_section() + example_section(program);
  return text + section("SEE ALSO") + ".BR bash (1),\n.BR display (1)\n";
}

CommandAction set_up_man(CLI::App& app, FindDevices /*unused*/) {
  app.footer(
      "Examples:\n"
      "  threadscape man | man -l -\n"
      "  threadscape man > ~/.local/share/man/man1/threadscape.1");
  return [] {
    std::fputs(manual_page().c_str(), stdout);
    return 0;
  };
}

}  // namespace threadscape::app
