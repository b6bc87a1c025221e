#include "common/work.hpp"

#include <algorithm>

namespace tutorial {

Image with_room(const Image& input, const Extent& room) {
  Image roomy(round_up(input.width + room.width, 16), input.height + room.height);
  for (int y = 0; y < input.height; y++) {
    std::copy_n(&input.pixels[input.index(0, y)], input.width, &roomy.pixels[roomy.index(0, y)]);
  }
  return roomy;
}

std::vector<cl::Event> Launch::operator()(const cl::CommandQueue& queue) const {
  std::vector<cl::Event> events;
  for (const Launch& pass : before) {
    events.push_back(pass(queue).back());
  }
  events.emplace_back();
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &events.back());
  return events;
}

Work::Work(
    const cl::CommandQueue& a_queue, const Extent& size, const Filter& a_filter, const Extent& room,
    int pixel_bytes)
    : queue(a_queue),
      context(queue.getInfo<CL_QUEUE_CONTEXT>()),
      device(queue.getInfo<CL_QUEUE_DEVICE>()),
      filter(a_filter),
      width(size.width),
      height(size.height),
      taps(context, CL_MEM_READ_ONLY, filter.size_bytes()),
      output(context, device, (pixel_bytes * std::size_t(width) * std::size_t(height) + 3) / 4) {
  padded.width = round_up(width + filter.width - 1 + room.width, 16);
  padded.height = height + filter.width - 1 + room.height;
  input = cl::Buffer(context, CL_MEM_READ_ONLY, pixel_bytes * padded.index(0, padded.height));
  queue.enqueueWriteBuffer(taps, CL_TRUE, 0, filter.size_bytes(), filter.taps.data());
}

Work::Work(
    const cl::CommandQueue& a_queue, const Image& image, const Filter& a_filter, const Extent& room,
    ReferenceFunction right)
    : Work(a_queue, Extent{image.width, image.height}, a_filter, room) {
  padded = with_room(repeat_border(image, filter.width), room);
  reference = right(padded, filter, image);
  result_ = Image(width, height);
  queue.enqueueWriteBuffer(input, CL_TRUE, 0, padded.size_bytes(), padded.pixels.data());
  output.watch(queue, {input, taps});
}

cl::Buffer Work::upload(const std::vector<float>& numbers) const {
  const std::size_t bytes = numbers.size() * sizeof(float);
  cl::Buffer buffer(context, CL_MEM_READ_ONLY, bytes);
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, numbers.data());
  return buffer;
}

Launch Work::launch(const KernelEntry& entry) const {
  if (entry.sparse && !filter.is_sparse()) {
    throw CannotRun("for filters with at least half their taps 0");
  }
  Launch ready = entry.launch(*this, entry);
  if (const auto problem = why_not(device, entry, ready.kernel, ready.local)) {
    throw CannotRun(*problem);
  }
  return ready;
}

Verdict Work::verify(const Launch& launch) {
  output.poison(queue);
  for (const GuardedBuffer& buffer : launch.between) {
    buffer.poison(queue);
  }
  launch(queue);
  queue.enqueueReadBuffer(output.buffer(), CL_TRUE, 0, result_.size_bytes(), result_.pixels.data());
  std::string damage = output.damage(queue);
  for (const GuardedBuffer& buffer : launch.between) {
    damage += buffer.damage(queue);
  }
  return check(reference, result_, damage, launch.pairs, launch.tile);
}

Verdict Work::judge(const Image& output, int tile, bool) const {
  return check(reference, output, {}, false, tile);
}

std::optional<Variant> Work::prepare(const KernelEntry& entry, Results& results) {
  Launch ready;
  try {
    ready = launch(entry);
  } catch (const CannotRun& reason) {
    return results.skip(entry.label, filter.width, reason.what());
  }
  const auto verify_it = [this, ready] { return verify(ready); };
  const std::optional<Verdict> verdict = results.verify(entry.label, filter.width, verify_it);
  if (!verdict) {
    return {};
  }
  const auto start = [ready, queue = queue] { return ready(queue).back(); };
  Variant variant = {entry.label, ready.local, verdict->max_error, start, verify_it};
  if (!ready.before.empty()) {
    variant.run_ms = [ready, queue = queue] { return total_ms(ready(queue)); };
  }
  return variant;
}

}  // namespace tutorial
