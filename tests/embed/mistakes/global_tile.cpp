#include "girih/kernel.h"
#include <cstdio>
using namespace girih::kernel;
constexpr Sym M{"M"}, N{"N"}, K{"K"};
struct wrong {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, 64), ceildiv(N, 64));
    auto v = load<64, 64>(x, {i, j}, pad::zero);
    static auto kept = v;
    store(y, {i, j}, kept);
  }
};
int main() try {
  for (int k = 0; k < 2; ++k) {
    std::puts(record<wrong>().text.c_str());
  }
} catch (const Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
