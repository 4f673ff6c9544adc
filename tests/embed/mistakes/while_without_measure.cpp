#include "girih/kernel.h"
#include <cstdio>
using namespace girih::kernel;
constexpr Sym M{"M"}, N{"N"}, K{"K"};
struct wrong {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, 64), ceildiv(N, 64));
    Index k = j;
    while_([&] { return k > 0; }, [&] { k = k / 2; });
    auto v = load<64, 64>(x, {i, k}, pad::zero);
    store(y, {i, j}, v);
  }
};
int main() try {
  std::puts(record<wrong>().text.c_str());
} catch (const Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
