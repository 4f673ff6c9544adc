#include "girih/launch.h"
using namespace girih::kernel;
constexpr Sym M{"M"}, N{"N"};
struct scale {
  Shared<f32, M, N> x;
  Scalar<f32> by;
  Out<f32, M, N> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, 64), ceildiv(N, 64));
    store(y, {i, j}, by * load<64, 64>(x, {i, j}, pad::zero));
  }
};
int main() {
  girih::Shared<float> x = girih::Tensor<float>::zeros({100, 200}).share();
  auto y = girih::Tensor<float>::zeros({100, 200});
  scale call{.x = x, .by = 0.5, .y = std::move(y)};
  auto op = launch(call);
}
