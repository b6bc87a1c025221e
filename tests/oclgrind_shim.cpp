// Rectangular writes that Oclgrind can follow.
//
// Oclgrind 21.10 tracks what is initialised only through writes that begin at the start of a
// buffer: after clEnqueueWriteBufferRect it reports correct kernels as reading uninitialised
// memory. This library, preloaded by `watched`, takes that function's place: it reads the whole
// buffer, changes the rectangle on the host and writes the whole buffer back.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <vector>

extern "C" cl_int clEnqueueWriteBufferRect(
    cl_command_queue queue, cl_mem buffer, cl_bool /*blocking*/, const size_t* buffer_origin,
    const size_t* host_origin, const size_t* region, size_t buffer_row_pitch,
    size_t /*buffer_slice_pitch*/, size_t host_row_pitch, size_t /*host_slice_pitch*/,
    const void* host, cl_uint /*wait_count*/, const cl_event* /*wait_list*/, cl_event* /*event*/) {
  size_t size = 0;
  clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, nullptr);
  std::vector<char> whole(size);
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, whole.data(), 0, nullptr, nullptr);
  for (size_t row = 0; row < region[1]; row++) {
    const size_t to = buffer_origin[0] + (buffer_origin[1] + row) * buffer_row_pitch;
    const size_t from = host_origin[0] + (host_origin[1] + row) * host_row_pitch;
    std::copy_n(static_cast<const char*>(host) + from, region[0], whole.data() + to);
  }
  return clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, whole.data(), 0, nullptr, nullptr);
}
