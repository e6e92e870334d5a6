#pragma once
// Between the fuzz target of models and its server of readers. Starting threadscape-model-reader takes several
// milliseconds for each model, most of them for loading the library that parses models. The server has loaded it, and
// becomes a reader by splitting in two, which makes the target ten times as fast. The reader itself, with all of its
// limits, is unchanged.

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>

namespace threadscape::fuzz {

/// The descriptor of the server's end of the socket. A request is one message: the words of the reader's command line,
/// each followed by a 0, with the descriptor that becomes the reader's standard output. The answer is the number of the
/// reader's process, a pid_t, whose parent is the process that has started the server.
inline constexpr int server_socket = 3;
inline constexpr std::size_t most_request_bytes = 8192;

/// The header of a message with room for one descriptor, for sendmsg() and recvmsg().
class MessageHeader {
 public:
  MessageHeader(void* data, std::size_t bytes) : bytes_{.iov_base = data, .iov_len = bytes} {
    header_.msg_iov = &bytes_;
    header_.msg_iovlen = 1;
    header_.msg_control = control_.data();
    header_.msg_controllen = control_.size();
  }
  MessageHeader(const MessageHeader&) = delete;  // The header points to the other members.
  MessageHeader& operator=(const MessageHeader&) = delete;
  [[nodiscard]] msghdr* get() { return &header_; }
  /// What comes with the bytes: null if a message that was received has no descriptor.
  [[nodiscard]] cmsghdr* attached() { return CMSG_FIRSTHDR(&header_); }

 private:
  iovec bytes_;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control_{};
  msghdr header_{};
};

}  // namespace threadscape::fuzz
