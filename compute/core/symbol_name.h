#pragma once
// Names of functions as the sources write them, from the symbols of object files and PTX.

#include <string>
#include <string_view>

namespace threadscape {

/// The symbol as C++ writes it, with namespaces, template arguments and parameters; a symbol that is not mangled stays
/// as it is.
[[nodiscard]] std::string demangled(std::string_view symbol);

/// The name of a kernel without its return type, namespaces, template arguments and parameters: "filter_strips" for
/// "void threadscape::filter_strips<float, 4>(float const*, int)". `symbol` may be mangled.
[[nodiscard]] std::string kernel_name(std::string_view symbol);

}  // namespace threadscape
