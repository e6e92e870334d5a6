// Builds without the library bzip2.

#include "compute/io/bzip2.h"

namespace threadscape::io {

std::vector<std::byte> unpacked_bzip2(Bytes /*data*/, std::int64_t /*bytes*/) {
  throw DecodeFailure{"it is compressed by bzip2, which this build does not read: install libbz2-dev and build again"};
}

}  // namespace threadscape::io
