// Computes tests/data/xorwow.json with the XORWOW of cuRAND, whose functions for devices run on the CPU as well:
//
//   g++ -std=c++17 -I/usr/local/cuda/include scripts/reference/xorwow.cpp -o xorwow && ./xorwow > tests/data/xorwow.json
//
// A row is a seed, the place i of a number in a batch, and the number: `default` is number i / 4096 of subsequence
// i mod 4096, which the documentation of cuRAND gives for CURAND_ORDERING_PSEUDO_DEFAULT, and `seeded` is number i / 4096
// of the sequence of the seed plus i mod 4096.
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cstdio>

int main() {
  const unsigned long long seeds[]{0, 1234, (1ULL << 40) + 5, ~0ULL};
  const unsigned long long places[]{0, 1, 2, 3, 255, 256, 4095, 4096, 4097, 8195, 40960, 1000000};
  std::printf("{\"made by\": \"scripts/reference/xorwow.cpp, cuRAND of CUDA %d.%d\",\n \"rows\": [", CUDART_VERSION / 1000,
              CUDART_VERSION % 1000 / 10);
  const char* separator = "";
  for (const auto seed : seeds)
    for (const auto i : places) {
      curandStateXORWOW_t state;
      curand_init(seed, i % 4096, i / 4096, &state);
      const unsigned subsequence = curand(&state);
      curand_init(seed + i % 4096, 0, i / 4096, &state);
      std::printf("%s\n  {\"seed\": %llu, \"i\": %llu, \"default\": %u, \"seeded\": %u}", separator, seed, i, subsequence,
                  curand(&state));
      separator = ",";
    }
  std::printf("\n ]}\n");
}
