#pragma once
// Between the fuzz target of models and its server of readers. Starting threadscape-model-reader takes several
// milliseconds for each model, most of them for loading the library that parses models. The server has loaded it, and
// becomes a reader by splitting in two, which makes the target ten times as fast. The reader itself, with all of its
// limits, is unchanged.

#include <cstddef>

namespace threadscape::fuzz {

/// The descriptor of the server's end of the socket. A request is one message: the words of the reader's command line,
/// each followed by a 0, with the descriptor that becomes the reader's standard output. The answer is the number of the
/// reader's process, a pid_t, whose parent is the process that has started the server.
inline constexpr int server_socket = 3;
inline constexpr std::size_t most_request_bytes = 8192;

}  // namespace threadscape::fuzz
