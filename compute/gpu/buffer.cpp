#include "compute/gpu/buffer.h"

#include "compute/gpu/block.h"
#include "compute/gpu/device.h"

namespace threadscape::cuda {

namespace {

void copy_rows(const std::byte* from, std::size_t from_pitch, std::byte* to, std::size_t to_pitch, const Shape& shape,
               cudaMemcpyKind kind, cudaStream_t stream) {
  const std::size_t row = static_cast<std::size_t>(shape.width) * shape.pixel_bytes();
  const auto rows = static_cast<std::size_t>(shape.items() == 0 ? 0 : shape.height * shape.depth);
  if (row == 0 || rows == 0) return;
  if (from_pitch == to_pitch) {  // one plain copy is faster than one per row; the padding goes along
    const std::size_t bytes = from_pitch * (rows - 1) + row;
    TS_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
  } else {
    TS_CUDA_CHECK(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row, rows, kind, stream));
  }
}

}  // namespace

// Destructors ignore errors: after a sticky one every call fails, and nothing is left to save.
DeviceArray::~DeviceArray() {
  free_block(data_);
}

DeviceArray& DeviceArray::operator=(DeviceArray&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  std::swap(pitch_, other.pitch_);
  std::swap(shape_, other.shape_);
  return *this;
}

void DeviceArray::reshape(const Shape& shape) {
  const std::size_t bytes = bytes_for(shape);
  if (bytes > capacity_) {
    free_block(data_);  // The old memory is freed first, so that both never exist together.
    data_ = nullptr;
    capacity_ = 0;
    shape_ = {};
    data_ = allocate_block(bytes);
    capacity_ = bytes;
  }
  shape_ = shape;
  pitch_ = row_bytes(shape, device_row_alignment);
}

std::size_t DeviceArray::bytes_for(const Shape& shape) {
  return array_bytes(shape, device_row_alignment);
}

void upload(HostIn from, DeviceOut to, cudaStream_t stream) {
  copy_rows(from.data, from.pitch, to.data, to.pitch, from.shape, cudaMemcpyHostToDevice, stream);
}

void download(DeviceIn from, HostOut to, cudaStream_t stream) {
  copy_rows(from.data, from.pitch, to.data, to.pitch, from.shape, cudaMemcpyDeviceToHost, stream);
}

PinnedBuffer::~PinnedBuffer() {
  cudaFreeHost(data_);
}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void PinnedBuffer::reserve(std::size_t bytes) {
  if (bytes <= size_) return;
  cudaFreeHost(data_);
  data_ = nullptr;
  size_ = 0;
  TS_CUDA_CHECK(cudaMallocHost(&data_, bytes));
  size_ = bytes;
}

Stream::Stream() {
  TS_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}
Stream::~Stream() {
  if (stream_) cudaStreamDestroy(stream_);
}
void Stream::wait() const {
  TS_CUDA_CHECK(cudaStreamSynchronize(stream_));
}

EventTimer::EventTimer() {
  TS_CUDA_CHECK(cudaEventCreate(&start_));
  if (const cudaError_t code = cudaEventCreate(&stop_); code != cudaSuccess) {
    cudaEventDestroy(start_);
    check(code, "cudaEventCreate", __FILE__, __LINE__);
  }
}
EventTimer::~EventTimer() {
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
}
void EventTimer::start(cudaStream_t stream) {
  TS_CUDA_CHECK(cudaEventRecord(start_, stream));
}
void EventTimer::stop(cudaStream_t stream) {
  TS_CUDA_CHECK(cudaEventRecord(stop_, stream));
}

bool EventTimer::ready() const {
  const cudaError_t state = cudaEventQuery(stop_);
  if (state == cudaErrorNotReady) {
    cudaGetLastError();  // "not ready" is kept as the last error otherwise
    return false;
  }
  TS_CUDA_CHECK(state);
  return true;
}

double EventTimer::milliseconds() const {
  TS_CUDA_CHECK(cudaEventSynchronize(stop_));
  float elapsed = 0.0f;
  TS_CUDA_CHECK(cudaEventElapsedTime(&elapsed, start_, stop_));
  return elapsed;
}

}  // namespace threadscape::cuda
