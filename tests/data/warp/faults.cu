// Kernels with one planted fault each, ten of each kind, which the name states. Where a fault is, a comment has an
// exclamation mark. The one before a kernel says which thread has the fault first, in which block unless that is the
// first, and at which byte. Launches have two blocks of 64 threads; `out` and `in` have 1024 words each.
#define K(name) extern "C" __global__ void name(int* out, const int* in)
#define T static_cast<int>(threadIdx.x)
#define B static_cast<int>(blockIdx.x)
#define I (B * 64 + T)
// The compiler has to take it that an array has been read and written.
#define ESCAPE(array) asm volatile("" ::"l"(array) : "memory")
__constant__ int table[4];
__device__ __noinline__ void put(int* p, int v) {
  *p = v;  // ! out_of_bounds_9 out_of_bounds_shared_9 out_of_bounds_local_8 misaligned_9 race_global_9
}
__device__ __noinline__ int get(const int* p) {
  return *p;
}
__device__ __noinline__ int filled(int i) {
  int a[8];
  for (int k = 0; k < 8; ++k)
    a[k] = i;
  ESCAPE(a);
  return a[i & 7];
}
__device__ __noinline__ int peek(int i) {
  int a[8];
  ESCAPE(a);
  return a[i & 7];  // ! uninitialised_local_7
}
__device__ __noinline__ void stop() {
  asm volatile("trap;");  // ! trap_5
}

// thread 24, out + 4096
K(out_of_bounds_1) {
  out[I + 1000] = T;  // !
}
// thread 0, in - 4
K(out_of_bounds_2) {
  out[I] = in[I - 1];  // !
}
// thread 63, out + 16384
K(out_of_bounds_3) {
  if (T == 63) out[4096] = 1;  // !
}
// thread 63, shared + 256
K(out_of_bounds_4) {
  __shared__ int s[64];
  s[T] = T;
  __syncthreads();
  out[I] = s[T + in[0] + 1];  // !
}
// thread 32, shared + 256
K(out_of_bounds_5) {
  __shared__ int s[64];
  s[T + T] = in[T];  // !
  __syncthreads();
  out[I] = s[0];
}
// block 1, thread 0, out + 4096
K(out_of_bounds_6) {
  atomicAdd(&out[I * 16], 1);  // !
}
// block 1, thread 22, out + 4128
K(out_of_bounds_7) {
  reinterpret_cast<int4*>(out)[I * 3] = make_int4(1, 2, 3, 4);  // !
}
// thread 0, in + 4096
K(out_of_bounds_8) {
  int sum = 0;
  for (int i = T; i <= 1024; i += 64)
    sum += in[i];  // !
  out[I] = sum;
}
// block 1, thread 50, out + 4104
K(out_of_bounds_9) {
  put(out + I * 9, 1);
}
// thread 1, local + 32
K(out_of_bounds_10) {
  int local[4] = {1, 2, 3, 4};
  local[in[0] + T * 8] = T;  // !
  out[I] = local[in[0]];
}

// thread 50, shared + 200
K(out_of_bounds_shared_1) {
  __shared__ int s[50];
  s[T] = T;  // !
  ESCAPE(s);
}
// thread 63, shared + 256
K(out_of_bounds_shared_2) {
  __shared__ int s[64];
  s[T] = T;
  __syncthreads();
  out[I] = s[T + 1];  // !
}
// thread 63, shared + 63
K(out_of_bounds_shared_3) {
  __shared__ char s[63];
  s[T] = 1;  // !
  ESCAPE(s);
}
// thread 32, shared + 256
K(out_of_bounds_shared_4) {
  __shared__ double s[32];
  s[T] = T;  // !
  ESCAPE(s);
}
// thread 48, shared + 256
K(out_of_bounds_shared_5) {
  __shared__ int4 s[16];
  if (T < 16) s[T] = make_int4(T, T, T, T);
  __syncthreads();
  out[I] = s[T / 3].x;  // !
}
// thread 48, shared + 384
K(out_of_bounds_shared_6) {
  __shared__ int s[96];
  s[T] = s[T / 2 + 64] = 0;
  __syncthreads();
  atomicAdd(&s[2 * T], 1);  // !
}
// thread 0, shared - 4
K(out_of_bounds_shared_7) {
  __shared__ int s[64];
  s[T] = T;
  __syncthreads();
  out[I] = s[T - 1];  // !
}
// thread 0, shared + 768
K(out_of_bounds_shared_8) {
  __shared__ int s[192];
  for (int i = T; i <= 192; i += 64)
    s[i] = i;  // !
  ESCAPE(s);
}
// thread 52, shared + 1040
K(out_of_bounds_shared_9) {
  __shared__ int s[256];
  put(s + 5 * T, T);
}
// thread 63, shared + 256
K(out_of_bounds_shared_10) {
  __shared__ int s[8][8];
  s[T / 8][T % 8 + T / 63] = T;  // !
  ESCAPE(s);
}

// thread 8, local + 32
K(out_of_bounds_local_1) {
  int a[8];
  ESCAPE(a);
  a[T] = T;  // !
  ESCAPE(a);
}
// thread 48, local + 16
K(out_of_bounds_local_2) {
  int a[4] = {1, 2, 3, 4};
  ESCAPE(a);
  out[I] = a[T / 12];  // !
}
// thread 32, local + 40
K(out_of_bounds_local_3) {
  struct {
    int v[5];
  } a[2] = {};
  ESCAPE(a);
  out[I] = a[T / 16].v[T & 3];  // !
}
// thread 48, local + 32
K(out_of_bounds_local_4) {
  double a[4];
  a[T / 16 + 1] = T;  // !
  ESCAPE(a);
}
// thread 12, local + 24
K(out_of_bounds_local_5) {
  int2 a[3];
  a[T / 4] = make_int2(T, T);  // !
  ESCAPE(a);
}
// thread 0, local + 64
K(out_of_bounds_local_6) {
  int a[16];
  for (int i = in[I]; i <= 16; ++i)
    a[i] = i;  // !
  ESCAPE(a);
}
// thread 20, local + 20
K(out_of_bounds_local_7) {
  char a[20];
  a[T] = 1;  // !
  ESCAPE(a);
}
// thread 1, local + 800
K(out_of_bounds_local_8) {
  int a[4];
  put(a + 200 * T, T);
  ESCAPE(a);
}
// thread 63, local + 40
K(out_of_bounds_local_9) {
  int a[10];
  if (T == 63) a[in[0] + 10] = 1;  // !
  ESCAPE(a);
}
// thread 48, local + 12
K(out_of_bounds_local_10) {
  short a[6] = {1, 2, 3, 4, 5, 6};
  ESCAPE(a);
  out[I] = a[T / 8];  // !
}

// thread 0, out + 1
K(misaligned_1) {
  *reinterpret_cast<int*>(reinterpret_cast<char*>(out) + 4 * I + 1) = T;  // !
}
// thread 0, in + 2
K(misaligned_2) {
  out[I] = *reinterpret_cast<const int*>(reinterpret_cast<const char*>(in) + 4 * I + 2);  // !
}
// thread 0, out + 1
K(misaligned_3) {
  *reinterpret_cast<short*>(reinterpret_cast<char*>(out) + 2 * I + 1) = 5;  // !
}
// thread 0, out + 4
K(misaligned_4) {
  *reinterpret_cast<int2*>(out + 2 * I + 1) = make_int2(1, 2);  // !
}
// thread 0, in + 8
K(misaligned_5) {
  const int4 v = *reinterpret_cast<const int4*>(in + 4 * I + 2);  // !
  out[I] = v.x + v.w;
}
// thread 0, out + 4
K(misaligned_6) {
  *reinterpret_cast<double*>(out + 2 * I + 1) = 1.0;  // !
}
// thread 1, shared + 8
K(misaligned_7) {
  __shared__ int s[256];
  *reinterpret_cast<int4*>(s + 2 * T) = make_int4(1, 2, 3, 4);  // !
}
// thread 0, out + 2
K(misaligned_8) {
  atomicAdd(reinterpret_cast<int*>(reinterpret_cast<char*>(out) + 2 * T + 2 * (T & 1) + 2), 1);  // !
}
// thread 0, out + 3
K(misaligned_9) {
  put(reinterpret_cast<int*>(reinterpret_cast<char*>(out) + 4 * I + 3), 1);
}
// thread 0, in + 1
K(misaligned_10) {
  for (int i = 0; i < 8; ++i)
    out[I] += *reinterpret_cast<const short*>(reinterpret_cast<const char*>(in) + 8 * T + i);  // !
}

// thread 40, shared + 160
K(uninitialised_shared_1) {
  __shared__ int s[64];
  if (T < 40) s[T] = T;
  __syncthreads();
  out[I] = s[T];  // !
}
// thread 62, shared + 256
K(uninitialised_shared_2) {
  __shared__ int s[66];
  s[T] = T;
  __syncthreads();
  out[I] = s[T + 2];  // !
}
// thread 7, shared + 32
K(uninitialised_shared_3) {
  __shared__ int s[8][9];
  s[T / 8][T % 8] = T;
  __syncthreads();
  out[I] = s[T / 8][T % 8 + 1];  // !
}
// thread 0, shared + 0
K(uninitialised_shared_4) {
  __shared__ char s[64];
  if (T & 1) s[T] = 1;
  __syncthreads();
  out[I] = s[T];  // !
}
// thread 16, shared + 128
K(uninitialised_shared_5) {
  __shared__ double s[32];
  if (T < 16) s[T] = T;
  __syncthreads();
  if (T < 32) out[I] = static_cast<int>(s[T]);  // !
}
// thread 0, shared + 0
K(uninitialised_shared_6) {
  __shared__ int4 s[64];
  s[T].x = s[T].y = s[T].z = T;
  __syncwarp();
  const int4 v = s[T];  // !
  out[I] = v.x + v.y + v.z + v.w;
}
// thread 0, shared + 0
K(uninitialised_shared_7) {
  __shared__ int s[64];
  atomicAdd(&s[T], 1);  // !
  __syncthreads();
  out[I] = s[T];
}
// thread 0, shared + 0
K(uninitialised_shared_8) {
  __shared__ alignas(4) short s[128];
  s[2 * T] = 1;
  __syncthreads();
  out[I] = reinterpret_cast<int*>(s)[T];  // !
}
// block 1, thread 0, shared + 0
K(uninitialised_shared_9) {
  __shared__ int s[64];
  if (B == 0) s[T] = T;
  __syncthreads();
  if (B == 1) out[I] = s[T];  // !
}
// thread 0, shared + 252
K(uninitialised_shared_10) {
  __shared__ int s[64];
  if (T < 63) s[T] = T;
  __syncthreads();
  out[I] = get(s + 63 - T);  // !
}

// thread 0
K(uninitialised_register_1) {
  int v;
  asm volatile("{ .reg .b32 u; add.s32 %0, u, 1; }" : "=r"(v));
  out[I] = v;  // !
}
// thread 0
K(uninitialised_register_2) {
  int v;
  asm volatile("{.reg .pred p; .reg .s32 u; setp.gt.s32 p,%1,9; @p mov.s32 u,3; neg.s32 %0,u;}" : "=r"(v) : "r"(T));
  if (v == 3) out[I] = v;  // !
}
// thread 0
K(uninitialised_register_3) {
  asm volatile("{ .reg .b32 u; st.global.u32 [%0], u; }" ::"l"(out + I));  // !
}
// thread 0
K(uninitialised_register_4) {
  asm volatile("{ .reg .pred p; @p st.global.u32 [%0], 1; }" ::"l"(out + I));  // !
}
// thread 0
K(uninitialised_register_5) {
  asm volatile("{ .reg .u64 u; add.u64 u, u, %0; st.global.u32 [u], 1; }" ::"l"(out + I));  // !
}
// thread 0
K(uninitialised_register_6) {
  asm volatile("{.reg .u32 u; .reg .pred p; setp.eq.u32 p,u,5; @p st.global.u32 [%0], 1;}" ::"l"(out + I));  // !
}
// thread 0
K(uninitialised_register_7) {
  asm volatile("{ .reg .u32 u; red.global.add.u32 [%0], u; }" ::"l"(out + I));  // !
}
// thread 9
K(uninitialised_register_8) {
  int v;
  asm volatile("{.reg .pred p; .reg .s32 u; setp.ne.s32 p,%1,9; @p mov.s32 u,3; mov.s32 %0,u;}" : "=r"(v) : "r"(T));
  out[I] = v;  // !
}
// thread 20
K(uninitialised_register_9) {
  int v;
  asm volatile("{.reg .pred p; .reg .s32 u; setp.eq.s32 p,%1,20; selp.s32 %0,u,1,p;}" : "=r"(v) : "r"(T));
  out[I] = v;  // !
}
// thread 0
K(uninitialised_register_10) {
  int v;
  asm volatile("{ .reg .f32 f; cvt.rzi.s32.f32 %0, f; }" : "=r"(v));
  out[I] = v + T;  // !
}

// thread 0, local + 0
K(uninitialised_local_1) {
  int a[8];
  ESCAPE(a);
  out[I] = a[T & 7];  // !
}
// thread 7, local + 28
K(uninitialised_local_2) {
  int a[8];
  for (int i = 0; i < 7; ++i)
    a[i] = T;
  ESCAPE(a);
  out[I] = a[T & 7];  // !
}
// thread 0, local + 0
K(uninitialised_local_3) {
  char a[16];
  if (T & 1) a[T & 15] = 1;
  ESCAPE(a);
  out[I] = a[T & 15];  // !
}
// thread 2, local + 16
K(uninitialised_local_4) {
  double a[4];
  a[T & 1] = 1;
  ESCAPE(a);
  out[I] = static_cast<int>(a[T & 3]);  // !
}
// thread 0, local + 0
K(uninitialised_local_5) {
  int4 a[2];
  a[T & 1].x = a[T & 1].y = a[T & 1].z = T;
  ESCAPE(a);
  const int4 v = a[T & 1];  // !
  out[I] = v.x + v.y + v.z + v.w;
}
// thread 0, local + 12
K(uninitialised_local_6) {
  int a[4] = {1, 2, 3, 4}, b[4];
  ESCAPE(b);
  out[I] = get(T == 12 ? b + 3 : a + 2);  // !
}
// thread 0, local + 384
K(uninitialised_local_7) {
  // The second call finds what the first one has left in its frame.
  out[I] = filled(T) + peek(T);
}
// thread 0, local + 0
K(uninitialised_local_8) {
  alignas(4) short a[8];
  a[2 * (T & 3)] = 1;
  ESCAPE(a);
  out[I] = reinterpret_cast<int*>(a)[T & 3];  // !
}
// thread 1, local + 0
K(uninitialised_local_9) {
  int a[8];
  for (int i = T & 7; i < 8; ++i)
    a[i] = i;
  ESCAPE(a);
  for (int i = in[I]; i < 8; ++i)
    out[I] += a[i];  // !
}
// thread 0, local + 4
K(uninitialised_local_10) {
  struct {
    char c;
    int n;
  } a[4];
  a[T & 3].c = 1;
  ESCAPE(a);
  out[I] = a[T & 3].n;  // !
}

// thread 0, out + 0
K(uninitialised_global_1) {
  out[I] += 1;  // !
}
// thread 36, out + 148
K(uninitialised_global_2) {
  if (I != 37) out[I] = I;
  __syncthreads();
  out[I + 512] = out[I ^ 1];  // !
}
// thread 0, out + 0
K(uninitialised_global_3) {
  atomicAdd(&out[I], 1);  // !
}
// thread 0, out + 0
K(uninitialised_global_4) {
  out[4 * I] = out[4 * I + 1] = out[4 * I + 3] = T;
  __syncthreads();
  const int4 v = reinterpret_cast<int4*>(out)[I];  // !
  out[4 * I] = v.x + v.y + v.z + v.w;
}
// thread 0, out + 28
K(uninitialised_global_5) {
  for (int i = 0; i < 7; ++i)
    out[8 * I + i] = i;
  __syncthreads();
  int sum = 0;
  for (int i = in[I]; i < 8; ++i)
    sum += out[8 * I + i];  // !
  out[8 * I] = sum;
}
// thread 0, out + 0
K(uninitialised_global_6) {
  if (T & 1) reinterpret_cast<char*>(out)[I] = 1;
  __syncthreads();
  out[I + 256] = reinterpret_cast<char*>(out)[I];  // !
}
// thread 40, out + 160
K(uninitialised_global_7) {
  if (T != 40) out[I] = 1;
  __syncthreads();
  out[I + 512] = 2 * out[I];  // !
}
// thread 0, out + 0
K(uninitialised_global_8) {
  out[I + 512] = atomicCAS(&out[I], 0, 1);  // !
}
// thread 0, out + 0
K(uninitialised_global_9) {
  reinterpret_cast<short*>(out)[2 * I] = 3;
  __syncthreads();
  out[I + 512] = out[I];  // !
}
// thread 50, out + 3996
K(uninitialised_global_10) {
  if (T == 50) out[I] = out[999];  // !
}

// thread 32, shared + 128
K(race_1) {
  __shared__ int s[64];
  s[T] = 0;
  __syncthreads();
  s[T] = T;            // !
  out[I] = s[63 - T];  // !
}
// thread 32, shared + 0
K(race_2) {
  __shared__ int s[64];
  s[T] = T;
  __syncthreads();
  const int v = s[T ^ 32];  // !
  s[T] = v;                 // !
  out[I] = v;
}
// thread 0, shared + 0
K(race_3) {
  __shared__ int s[1];
  s[0] = T;  // !
  __syncthreads();
  out[I] = s[0];
}
// thread 0, shared + 64
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
// thread 32, shared + 124
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
// thread 32, shared + 32
K(race_6) {
  __shared__ char s[64];
  s[T] = 0;
  __syncthreads();
  s[T] = 1;            // !
  out[I] = s[T ^ 33];  // !
}
// thread 0, shared + 0
K(race_7) {
  __shared__ int s[8];
  if (T < 8) s[T] = 0;
  __syncthreads();
  s[T & 7] += 1;  // !
  __syncthreads();
  out[I] = s[T & 7];
}
// thread 0, shared + 0
K(race_8) {
  __shared__ int s;
  atomicExch(&s, 0);
  __syncthreads();
  atomicAdd(&s, 1);  // !
  out[I] = s;        // !
}
// thread 32, shared + 256
K(race_9) {
  __shared__ int s[128];
  s[T] = s[T + 64] = T;
  __syncthreads();
  s[2 * T] = 5;  // !
  __syncwarp();
  out[I] = reinterpret_cast<int2*>(s)[63 - T].x;  // !
}
// thread 0, shared + 0
K(race_10) {
  __shared__ int s[64];
  asm volatile(
      "{ .reg .u64 a; .reg .u32 b; cvta.to.shared.u64 a, %0; cvt.u32.u64 b, a;"
      " cp.async.ca.shared.global [b], [%1], 4; cp.async.commit_group; }" ::"l"(s + T),
      "l"(in + I));
  __syncthreads();
  out[I] = s[T];  // !
}

// block 1, thread 0, out + 0
K(race_global_1) {
  out[T] = B;  // !
}
// block 1, thread 0, out + 256
K(race_global_2) {
  out[I] = T;                  // !
  out[I + 512] = out[I ^ 64];  // !
}
// thread 32, out + 0
K(race_global_3) {
  out[0] += 1;  // !
}
// thread 32, out + 128
K(race_global_4) {
  out[I] = T;                  // !
  out[I + 512] = out[I ^ 32];  // !
}
// thread 32, out + 0
K(race_global_5) {
  atomicAdd(&out[0], 1);  // !
  out[I + 1] = out[0];    // !
}
// block 1, thread 0, out + 0
K(race_global_6) {
  reinterpret_cast<char*>(out)[T] = 1;  // !
}
// block 1, thread 0, out + 0
K(race_global_7) {
  // No fence stands between the partial results and the ticket.
  __shared__ int ticket;
  out[I] = T;
  __syncthreads();
  if (T == 0) ticket = atomicAdd(&out[1000], 1);
  __syncthreads();
  if (ticket == in[0] + 1) out[I + 512] = out[I ^ 64];  // !
}
// block 1, thread 0, out + 256
K(race_global_8) {
  const int v = out[I + 1];  // !
  __syncthreads();
  out[I] = v;  // !
}
// thread 0, out + 0
K(race_global_9) {
  put(out + I / 2, T);
}
// thread 1, out + 4
K(race_global_10) {
  const int4 v = reinterpret_cast<int4*>(out)[T];  // !
  out[I] = v.x + v.w;                              // !
}

// thread 9
K(barrier_1) {
  if (T < 9) __syncthreads();  // !
  out[I] = T;
}
// thread 60
K(barrier_2) {
  if (T >= 60) {
    out[I] = 1;
  } else {
    __syncthreads();  // !
  }
}
// thread 32
K(barrier_3) {
  if (T < 32) return;
  __syncthreads();  // !
  out[I] = T;
}
// thread 0
K(barrier_4) {
  for (int i = 0; i < (T & 1); ++i)
    __syncthreads();  // !
  out[I] = T;
}
// thread 16
K(barrier_5) {
  if (T % 32 < 16) __syncwarp();  // !
  out[I] = T;
}
// thread 16
K(barrier_6) {
  if (T % 32 < 16) out[I] = __shfl_xor_sync(0xffffffff, T, 1);  // !
}
// thread 5
K(barrier_7) {
  if (T % 32 != 5) out[I] = __ballot_sync(0xffffffff, in[I] == 0);  // !
}
// thread 0
K(barrier_8) {
  if (T & 1) {
    asm volatile("bar.sync 0;");  // !
  } else {
    asm volatile("barrier.sync 0;");  // !
  }
  out[I] = T;
}
// thread 32
K(barrier_9) {
  if (in[I] + T > 40) out[I] = __syncthreads_count(T & 1);  // !
}
// thread 20
K(barrier_10) {
  if (T % 32 < 20) out[I] = __reduce_add_sync(0xffffffff, T);  // !
}

// thread 0
K(deadlock_1) {
  if (T < 32) asm volatile("bar.sync 1, 64;");  // !
}
// thread 0
K(deadlock_2) {
  asm volatile("bar.sync 1, 96;");  // !
}
// thread 0
K(deadlock_3) {
  if (T < 32) {
    asm volatile("bar.sync 1;");  // !
  } else {
    asm volatile("bar.sync 2;");
  }
}
// thread 32
K(deadlock_4) {
  for (int i = 0; i < 2 + T / 32; ++i)
    asm volatile("bar.sync 3, 64;");  // !
}
// thread 0
K(deadlock_5) {
  if (T >= 32) {
    asm volatile("bar.arrive 2, 64;");
  } else {
    asm volatile("bar.sync 1, 64;");  // !
  }
}
// thread 0
K(deadlock_6) {
  __syncthreads();
  asm volatile("bar.sync 4, 128;");  // !
  out[I] = T;
}
// thread 0
K(deadlock_7) {
  if (T < 32) {
    asm volatile("bar.sync 1, 64;");
    asm volatile("bar.sync 2, 64;");  // !
  } else {
    asm volatile("bar.sync 1, 64;");
    asm volatile("bar.sync 3, 64;");
  }
}
// thread 0
K(deadlock_8) {
  if (in[0] + T < 32) {
    asm volatile("barrier.sync 7, 64;");  // !
  } else {
    __syncthreads();
  }
}
// block 1, thread 0
K(deadlock_9) {
  int n = 64 + 32 * (B & 1);
  asm volatile("bar.sync 5, %0;" ::"r"(n));  // !
}
// thread 0
K(deadlock_10) {
  if (T >= 32) out[I] = T;
  asm volatile("bar.arrive 6, 160;");
  asm volatile("bar.sync 6, 160;");  // !
}

// thread 0, table + 0
K(read_only_1) {
  asm volatile("st.global.u32 [%0], 1;" ::"l"(table + (T & 3)));  // !
}
// thread 0, table + 0
K(read_only_2) {
  asm volatile("st.u32 [%0], %1;" ::"l"(table), "r"(T));  // !
}
// thread 0, table + 12
K(read_only_3) {
  asm volatile("st.global.u8 [%0], 1;" ::"l"(table + 3));  // !
}
// thread 0, table + 4
K(read_only_4) {
  asm volatile("red.global.add.u32 [%0], 1;" ::"l"(table + 1));  // !
}
// thread 0, table + 8
K(read_only_5) {
  asm volatile("st.global.v2.u32 [%0], {1, 2};" ::"l"(table + 2));  // !
}
// thread 37, table + 0
K(read_only_6) {
  if (T == 37) asm volatile("st.global.u32 [%0], 1;" ::"l"(table));  // !
}
// thread 0, table + 0
K(read_only_7) {
  int* const p = T == 0 ? const_cast<int*>(table) : out + I;
  asm volatile("st.u32 [%0], 1;" ::"l"(p));  // !
}
// thread 0, table + 0
K(read_only_8) {
  asm volatile("{ .reg .u32 d; atom.global.cas.b32 d, [%0], 0, 1; }" ::"l"(table));  // !
}
// thread 0, table + 8
K(read_only_9) {
  asm volatile("st.global.u16 [%0], 1;" ::"l"(table + 2));  // !
}
// thread 0, table + 0
K(read_only_10) {
  for (int i = 0; i < 4; ++i)
    asm volatile("st.global.u32 [%0], 1;" ::"l"(table + i));  // !
}

// thread 0
K(trap_1) {
  __trap();  // !
}
// thread 63
K(trap_2) {
  if (T == 63) __trap();  // !
  out[I] = T;
}
// thread 0
K(trap_3) {
  if (in[I] != 7) __trap();  // !
}
// thread 0
K(trap_4) {
  for (int i = 0; i < 9; ++i) {
    out[I] += i;
    if (i == T) __trap();  // !
  }
}
// block 1, thread 0
K(trap_5) {
  if (B == 1) stop();
}
// thread 0
K(trap_6) {
  __shared__ int s[64];
  s[T] = in[T];
  __syncthreads();
  if (s[63 - T] == 0) asm volatile("trap;");  // !
}
// thread 3
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
// thread 12
K(trap_8) {
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, 12; @p trap; }" ::"r"(T));  // !
}
// block 1, thread 6
K(trap_9) {
  if (atomicAdd(&out[0], 1) == 70) __trap();  // !
}
// thread 32
K(trap_10) {
  if (__any_sync(0xffffffff, T == 40)) __trap();  // !
}
