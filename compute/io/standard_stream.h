#pragma once
// Standard input and output in the place of files. The path "-" is the stream, and "-.EXT" is the stream in the format
// of that extension, which the command line writes as "EXT:-". A file of such a name is "./-".

#include <filesystem>
#include <stop_token>
#include <string>

namespace threadscape::io {

/// The path for a word of the command line: "-.pgm" for "pgm:-", else the word itself.
[[nodiscard]] std::filesystem::path stream_or_file(const std::string& word);

/// Returns true if the path means standard input or output.
[[nodiscard]] bool is_standard_stream(const std::filesystem::path& path);

/// The path to open for reading `path`: the path itself, or for standard input a file in memory, which the first call
/// fills with everything that comes until the end of the stream. Throws EnvironmentError if that fails or if more comes
/// than Limit::file_bytes, and Cancelled if `stop` asks for it while the stream is silent.
[[nodiscard]] std::filesystem::path readable_path(const std::filesystem::path& path, const std::stop_token& stop = {});

/// Opens standard output for writing. Returns a file descriptor that the caller closes. Throws EnvironmentError.
[[nodiscard]] int open_standard_output();

/// Throws UsageError if standard output is a terminal, which bytes of a picture would garble.
void require_redirected_output();

/// The name of a file in messages: "standard input" for "-", else the path between quotation marks.
[[nodiscard]] std::string readable_name(const std::filesystem::path& path);

}  // namespace threadscape::io
