#include "girih/execute.h"
using namespace girih::kernel;
constexpr Sym M{"M"}, N{"N"};
struct scale {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, 64), ceildiv(N, 64));
    store(y, {i, j}, load<64, 64>(x, {i, j}, pad::zero));
  }
};
int main() {
  Array<f32, 2> x({100, 200});
  const Array<f32, 2> y({100, 200});
  auto done = execute(scale{.x = x, .y = y});
}
