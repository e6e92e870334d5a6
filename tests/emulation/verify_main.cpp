// Compares the emulated CUDA backend of the algorithms in the arguments, or of all, with the serial one by the sweep of
// compute/run/verify.h. Returns 1 after a failure.
#include <cstdio>
#include <cstring>

#include "compute/registry/registry.h"
#include "compute/run/verify.h"
int main(int argc, char** argv) {
  using namespace threadscape;
  int bad = 0;
  for (const AlgorithmInfo& a : algorithms()) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i)
      wanted = wanted || a.name == argv[i];
    if (!wanted) continue;
    VerifyOptions options;
    options.backends = {Backend::cuda};
    options.without = {"cub"};  // Only nvcc can compile this library.
    for (const VerifyRow& row : verify(a, options)) {
      std::printf("%s cuda/%s: %s, %lld compared %s%s\n", a.name.data(),
                  a.variants_of(Backend::cuda)[row.variant].name.data(),
                  row.failure.empty() && row.skipped.empty() ? "ok" : "FAILED", static_cast<long long>(row.compared),
                  row.failure.c_str(), row.skipped.c_str());
      std::fflush(stdout);
      bad += !row.failure.empty() || !row.skipped.empty();
    }
  }
  return bad != 0;
}
