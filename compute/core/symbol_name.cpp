#include "compute/core/symbol_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace threadscape {

std::string demangled(std::string_view symbol) {
  int status = 0;
  const std::string terminated(symbol);
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(terminated.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : terminated;
}

std::string kernel_name(std::string_view symbol) {
  const std::string text = demangled(symbol);
  // The name lies outside of all brackets: brackets hold template arguments, parameters and "(anonymous namespace)".
  std::string name;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool parameters = c == '(' && text.compare(i, 11, "(anonymous ") != 0;
    if (depth == 0 && parameters && !name.empty()) break;
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) {
      if (c == ' ' || c == ':')
        name.clear();
      else
        name += c;
    }
    if (c == '>' || c == ')') --depth;
  }
  return name.empty() ? text : name;
}

}  // namespace threadscape
