// Kernels with one planted fault each, ten of each kind, which the name states. Where a fault is, a comment has an
// exclamation mark. Launches have two blocks of 64 threads; `out` and `in` have 1024 words each.
#define K(name) extern "C" __global__ void name(int* out, const int* in)
#define T static_cast<int>(threadIdx.x)
#define B static_cast<int>(blockIdx.x)
#define I (B * 64 + T)
__constant__ int table[4];
__device__ __noinline__ void put(int* p, int v) {
  *p = v;  // ! out_of_bounds_9 misaligned_9 race_global_9
}
__device__ __noinline__ void stop() {
  asm volatile("trap;");  // ! trap_5
}

K(out_of_bounds_1) {
  out[I + 1000] = T;  // !
}
K(out_of_bounds_2) {
  out[I] = in[I - 1];  // !
}
K(out_of_bounds_3) {
  if (T == 63) out[4096] = 1;  // !
}
K(out_of_bounds_4) {
  __shared__ int s[64];
  s[T] = T;
  __syncthreads();
  out[I] = s[T + in[0] + 1];  // !
}
K(out_of_bounds_5) {
  __shared__ int s[64];
  s[T + T] = in[T];  // !
  __syncthreads();
  out[I] = s[0];
}
K(out_of_bounds_6) {
  atomicAdd(&out[I * 16], 1);  // !
}
K(out_of_bounds_7) {
  reinterpret_cast<int4*>(out)[I * 3] = make_int4(1, 2, 3, 4);  // !
}
K(out_of_bounds_8) {
  int sum = 0;
  for (int i = T; i <= 1024; i += 64)
    sum += in[i];  // !
  out[I] = sum;
}
K(out_of_bounds_9) {
  put(out + I * 9, 1);
}
K(out_of_bounds_10) {
  int local[4] = {1, 2, 3, 4};
  local[in[0] + T * 8] = T;  // !
  out[I] = local[in[0]];
}

K(misaligned_1) {
  *reinterpret_cast<int*>(reinterpret_cast<char*>(out) + 4 * I + 1) = T;  // !
}
K(misaligned_2) {
  out[I] = *reinterpret_cast<const int*>(reinterpret_cast<const char*>(in) + 4 * I + 2);  // !
}
K(misaligned_3) {
  *reinterpret_cast<short*>(reinterpret_cast<char*>(out) + 2 * I + 1) = 5;  // !
}
K(misaligned_4) {
  *reinterpret_cast<int2*>(out + 2 * I + 1) = make_int2(1, 2);  // !
}
K(misaligned_5) {
  const int4 v = *reinterpret_cast<const int4*>(in + 4 * I + 2);  // !
  out[I] = v.x + v.w;
}
K(misaligned_6) {
  *reinterpret_cast<double*>(out + 2 * I + 1) = 1.0;  // !
}
K(misaligned_7) {
  __shared__ int s[256];
  *reinterpret_cast<int4*>(s + 2 * T) = make_int4(1, 2, 3, 4);  // !
}
K(misaligned_8) {
  atomicAdd(reinterpret_cast<int*>(reinterpret_cast<char*>(out) + 2 * T + 2 * (T & 1) + 2), 1);  // !
}
K(misaligned_9) {
  put(reinterpret_cast<int*>(reinterpret_cast<char*>(out) + 4 * I + 3), 1);
}
K(misaligned_10) {
  for (int i = 0; i < 8; ++i)
    out[I] += *reinterpret_cast<const short*>(reinterpret_cast<const char*>(in) + 8 * T + i);  // !
}

K(uninitialised_1) {
  __shared__ int s[64];
  if (T < 40) s[T] = T;
  __syncthreads();
  out[I] = s[T];  // !
}
K(uninitialised_2) {
  __shared__ int s[66];
  s[T] = T;
  __syncthreads();
  out[I] = s[T + 2];  // !
}
K(uninitialised_3) {
  __shared__ int s[8][9];
  s[T / 8][T % 8] = T;
  __syncthreads();
  out[I] = s[T / 8][T % 8 + 1];  // !
}
K(uninitialised_4) {
  __shared__ char s[64];
  if (T & 1) s[T] = 1;
  __syncthreads();
  out[I] = s[T];  // !
}
K(uninitialised_5) {
  __shared__ double s[32];
  if (T < 16) s[T] = T;
  __syncthreads();
  if (T < 32) out[I] = static_cast<int>(s[T]);  // !
}
K(uninitialised_6) {
  __shared__ int4 s[64];
  s[T].x = s[T].y = s[T].z = T;
  __syncwarp();
  const int4 v = s[T];  // !
  out[I] = v.x + v.y + v.z + v.w;
}
K(uninitialised_7) {
  int v;
  asm volatile("{ .reg .b32 u; add.s32 %0, u, 1; }" : "=r"(v));
  out[I] = v;  // !
}
K(uninitialised_8) {
  int v;
  asm volatile("{.reg .pred p; .reg .s32 u; setp.gt.s32 p,%1,9; @p mov.s32 u,3; neg.s32 %0,u;}" : "=r"(v) : "r"(T));
  if (v == 3) out[I] = v;  // !
}
K(uninitialised_9) {
  asm volatile("{ .reg .b32 u; st.global.u32 [%0], u; }" ::"l"(out + I));  // !
}
K(uninitialised_10) {
  asm volatile("{ .reg .pred p; @p st.global.u32 [%0], 1; }" ::"l"(out + I));  // !
}

K(race_1) {
  __shared__ int s[64];
  s[T] = 0;
  __syncthreads();
  s[T] = T;            // !
  out[I] = s[63 - T];  // !
}
K(race_2) {
  __shared__ int s[64];
  s[T] = T;
  __syncthreads();
  const int v = s[T ^ 32];  // !
  s[T] = v;                 // !
  out[I] = v;
}
K(race_3) {
  __shared__ int s[1];
  s[0] = T;  // !
  __syncthreads();
  out[I] = s[0];
}
K(race_4) {
  __shared__ int s[64];
  s[T] = in[T];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (T < d) s[T] += s[T + d];  // !
  }
  __syncthreads();
  out[I] = s[0];
}
K(race_5) {
  __shared__ int s[64];
  s[T] = in[T];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int v = T >= d ? s[T - d] : 0;  // !
    s[T] += v;                            // !
    __syncthreads();
  }
  out[I] = s[T];
}
K(race_6) {
  __shared__ char s[64];
  s[T] = 0;
  __syncthreads();
  s[T] = 1;            // !
  out[I] = s[T ^ 33];  // !
}
K(race_7) {
  __shared__ int s[8];
  if (T < 8) s[T] = 0;
  __syncthreads();
  s[T & 7] += 1;  // !
  __syncthreads();
  out[I] = s[T & 7];
}
K(race_8) {
  __shared__ int s;
  atomicExch(&s, 0);
  __syncthreads();
  atomicAdd(&s, 1);  // !
  out[I] = s;        // !
}
K(race_9) {
  __shared__ int s[128];
  s[T] = s[T + 64] = T;
  __syncthreads();
  s[2 * T] = 5;  // !
  __syncwarp();
  out[I] = reinterpret_cast<int2*>(s)[63 - T].x;  // !
}
K(race_10) {
  __shared__ int s[64];
  asm volatile(
      "{ .reg .u64 a; .reg .u32 b; cvta.to.shared.u64 a, %0; cvt.u32.u64 b, a;"
      " cp.async.ca.shared.global [b], [%1], 4; cp.async.commit_group; }" ::"l"(s + T),
      "l"(in + I));
  __syncthreads();
  out[I] = s[T];  // !
}

K(race_global_1) {
  out[T] = B;  // !
}
K(race_global_2) {
  out[I] = T;                  // !
  out[I + 512] = out[I ^ 64];  // !
}
K(race_global_3) {
  out[0] += 1;  // !
}
K(race_global_4) {
  out[I] = T;                  // !
  out[I + 512] = out[I ^ 32];  // !
}
K(race_global_5) {
  atomicAdd(&out[0], 1);  // !
  out[I + 1] = out[0];    // !
}
K(race_global_6) {
  reinterpret_cast<char*>(out)[T] = 1;  // !
}
K(race_global_7) {
  // No fence stands between the partial results and the ticket.
  __shared__ int ticket;
  out[I] = T;
  __syncthreads();
  if (T == 0) ticket = atomicAdd(&out[1000], 1);
  __syncthreads();
  if (ticket == in[0] + 1) out[I + 512] = out[I ^ 64];  // !
}
K(race_global_8) {
  const int v = out[I + 1];  // !
  __syncthreads();
  out[I] = v;  // !
}
K(race_global_9) {
  put(out + I / 2, T);
}
K(race_global_10) {
  const int4 v = reinterpret_cast<int4*>(out)[T];  // !
  out[I] = v.x + v.w;                              // !
}

K(barrier_1) {
  if (T < 9) __syncthreads();  // !
  out[I] = T;
}
K(barrier_2) {
  if (T >= 60) {
    out[I] = 1;
  } else {
    __syncthreads();  // !
  }
}
K(barrier_3) {
  if (T < 32) return;
  __syncthreads();  // !
  out[I] = T;
}
K(barrier_4) {
  for (int i = 0; i < (T & 1); ++i)
    __syncthreads();  // !
  out[I] = T;
}
K(barrier_5) {
  if (T % 32 < 16) __syncwarp();  // !
  out[I] = T;
}
K(barrier_6) {
  if (T % 32 < 16) out[I] = __shfl_xor_sync(0xffffffff, T, 1);  // !
}
K(barrier_7) {
  if (T % 32 != 5) out[I] = __ballot_sync(0xffffffff, in[I] == 0);  // !
}
K(barrier_8) {
  if (T & 1) {
    asm volatile("bar.sync 0;");  // !
  } else {
    asm volatile("barrier.sync 0;");  // !
  }
  out[I] = T;
}
K(barrier_9) {
  if (in[I] + T > 40) out[I] = __syncthreads_count(T & 1);  // !
}
K(barrier_10) {
  if (T % 32 < 20) out[I] = __reduce_add_sync(0xffffffff, T);  // !
}

K(deadlock_1) {
  if (T < 32) asm volatile("bar.sync 1, 64;");  // !
}
K(deadlock_2) {
  asm volatile("bar.sync 1, 96;");  // !
}
K(deadlock_3) {
  if (T < 32) {
    asm volatile("bar.sync 1;");  // !
  } else {
    asm volatile("bar.sync 2;");
  }
}
K(deadlock_4) {
  for (int i = 0; i < 2 + T / 32; ++i)
    asm volatile("bar.sync 3, 64;");  // !
}
K(deadlock_5) {
  if (T >= 32) {
    asm volatile("bar.arrive 2, 64;");
  } else {
    asm volatile("bar.sync 1, 64;");  // !
  }
}
K(deadlock_6) {
  __syncthreads();
  asm volatile("bar.sync 4, 128;");  // !
  out[I] = T;
}
K(deadlock_7) {
  if (T < 32) {
    asm volatile("bar.sync 1, 64;");
    asm volatile("bar.sync 2, 64;");  // !
  } else {
    asm volatile("bar.sync 1, 64;");
    asm volatile("bar.sync 3, 64;");
  }
}
K(deadlock_8) {
  if (in[0] + T < 32) {
    asm volatile("barrier.sync 7, 64;");  // !
  } else {
    __syncthreads();
  }
}
K(deadlock_9) {
  int n = 64 + 32 * (B & 1);
  asm volatile("bar.sync 5, %0;" ::"r"(n));  // !
}
K(deadlock_10) {
  if (T >= 32) out[I] = T;
  asm volatile("bar.arrive 6, 160;");
  asm volatile("bar.sync 6, 160;");  // !
}

K(read_only_1) {
  asm volatile("st.global.u32 [%0], 1;" ::"l"(table + (T & 3)));  // !
}
K(read_only_2) {
  asm volatile("st.u32 [%0], %1;" ::"l"(table), "r"(T));  // !
}
K(read_only_3) {
  asm volatile("st.global.u8 [%0], 1;" ::"l"(table + 3));  // !
}
K(read_only_4) {
  asm volatile("red.global.add.u32 [%0], 1;" ::"l"(table + 1));  // !
}
K(read_only_5) {
  asm volatile("st.global.v2.u32 [%0], {1, 2};" ::"l"(table + 2));  // !
}
K(read_only_6) {
  if (T == 37) asm volatile("st.global.u32 [%0], 1;" ::"l"(table));  // !
}
K(read_only_7) {
  int* const p = T == 0 ? const_cast<int*>(table) : out + I;
  asm volatile("st.u32 [%0], 1;" ::"l"(p));  // !
}
K(read_only_8) {
  asm volatile("{ .reg .u32 d; atom.global.cas.b32 d, [%0], 0, 1; }" ::"l"(table));  // !
}
K(read_only_9) {
  asm volatile("st.global.u16 [%0], 1;" ::"l"(table + 2));  // !
}
K(read_only_10) {
  for (int i = 0; i < 4; ++i)
    asm volatile("st.global.u32 [%0], 1;" ::"l"(table + i));  // !
}

K(trap_1) {
  __trap();  // !
}
K(trap_2) {
  if (T == 63) __trap();  // !
  out[I] = T;
}
K(trap_3) {
  if (in[I] != 7) __trap();  // !
}
K(trap_4) {
  for (int i = 0; i < 9; ++i) {
    out[I] += i;
    if (i == T) __trap();  // !
  }
}
K(trap_5) {
  if (B == 1) stop();
}
K(trap_6) {
  __shared__ int s[64];
  s[T] = in[T];
  __syncthreads();
  if (s[63 - T] == 0) asm volatile("trap;");  // !
}
K(trap_7) {
  switch (T & 3) {
    case 0:
      out[I] = 1;
      break;
    case 3:
      __trap();  // !
    default:
      out[I] = 2;
  }
}
K(trap_8) {
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, 12; @p trap; }" ::"r"(T));  // !
}
K(trap_9) {
  if (atomicAdd(&out[0], 1) == 70) __trap();  // !
}
K(trap_10) {
  if (__any_sync(0xffffffff, T == 40)) __trap();  // !
}
