// NVIDIA's NPP: nppiFilter_32f_C1R.
//
// It knows no border, so it computes the interior of the padded image. Its documentation asks for
// the coefficients "in reverse order" and calls the anchor an offset "of the kernel origin frame of
// reference relative to the source pixel", which leaves open on which side the longer half of an
// even filter lies. So both orders and both anchors are ways to be tried, and the checker decides.
#include "peers/npp.hpp"

#include <vector>

#include "common/launch.hpp"
#include "peers/peer.hpp"

namespace tutorial {
namespace {

// A wrong way reads one row or column too far: this many more on every side keep it inside. As
// floats they are 128 bytes, which keeps the image's rows aligned.
constexpr int margin = max_filter_width;

class Npp final : public Peer {
 public:
  explicit Npp(const cl::Device& device) : context_(npp_context(select_cuda_device(device))) {}

  std::string name() const override { return "NPP"; }
  bool has_timer() const override { return true; }
  bool on_our_device() const override { return true; }

  void prepare(const Image& image, const Image& padded, const Filter& filter) override {
    width_ = image.width;
    height_ = image.height;
    filter_width_ = filter.width;
    const int left = (filter.width - 1) / 2;

    // The image's own first pixel is `margin` rows and columns into the source.
    source_pitch_ = round_up(image.width + 2 * margin, 128);
    const std::size_t source_bytes = bytes(source_pitch_, image.height + 2 * margin);
    source_ = CudaMemory(source_bytes);
    require(cudaMemset(source_.get(), 0, source_bytes), "cudaMemset");
    require(
        cudaMemcpy2D(
            source_.floats() + offset(margin - left), bytes(source_pitch_, 1), padded.pixels.data(),
            bytes(padded.width, 1), bytes(padded.width, 1), static_cast<std::size_t>(padded.height),
            cudaMemcpyHostToDevice),
        "cudaMemcpy2D");

    result_pitch_ = round_up(image.width, 128);
    result_ = CudaMemory(bytes(result_pitch_, image.height));
    // One behind the other: the taps reversed, the taps as they are.
    std::vector<float> taps(filter.taps.rbegin(), filter.taps.rend());
    taps.insert(taps.end(), filter.taps.begin(), filter.taps.end());
    taps_ = CudaMemory(taps);
    way_ = 0;
    result_.poison();
  }

  bool next_way() override {
    way_++;
    result_.poison();
    return way_ < 4;
  }

  double run() override {
    const bool reversed = way_ < 2;
    const int anchor = way_ % 2 == 0 ? filter_width_ / 2 : (filter_width_ - 1) / 2;
    const float* taps = taps_.floats() + (reversed ? 0 : filter_width_ * filter_width_);
    return timer_.time_ms([&] {
      require(
          nppiFilter_32f_C1R_Ctx(
              source_.floats() + offset(margin), static_cast<int>(bytes(source_pitch_, 1)),
              result_.floats(), static_cast<int>(bytes(result_pitch_, 1)), {width_, height_}, taps,
              {filter_width_, filter_width_}, {anchor, anchor}, context_),
          "nppiFilter_32f_C1R_Ctx");
    });
  }

  Image result() override {
    Image image(width_, height_);
    require(
        cudaMemcpy2D(
            image.pixels.data(), bytes(width_, 1), result_.get(), bytes(result_pitch_, 1),
            bytes(width_, 1), static_cast<std::size_t>(height_), cudaMemcpyDeviceToHost),
        "cudaMemcpy2D");
    return image;
  }

 private:
  static std::size_t bytes(int width, int height) {
    return sizeof(float) * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }

  /// Floats in front of the pixel in column `place` of row `place` of the source.
  std::size_t offset(int place) const {
    return static_cast<std::size_t>(place) * static_cast<std::size_t>(source_pitch_ + 1);
  }

  NppStreamContext context_;
  CudaTimer timer_;
  int width_ = 0;
  int height_ = 0;
  int filter_width_ = 0;
  int source_pitch_ = 0;  // floats
  int result_pitch_ = 0;  // floats
  int way_ = 0;
  CudaMemory source_;
  CudaMemory result_;
  CudaMemory taps_;
};

}  // namespace

std::unique_ptr<Peer> make_npp(const cl::Device& device) {
  return std::make_unique<Npp>(device);
}

}  // namespace tutorial
