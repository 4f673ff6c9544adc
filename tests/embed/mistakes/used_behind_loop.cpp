#include "girih/kernel.h"
#include <cstdio>
#include <vector>
using namespace girih::kernel;
constexpr Sym M{"M"}, N{"N"}, K{"K"};
struct wrong {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, 64), ceildiv(N, 64));
    std::vector<Tile<f32, 64, 64>> kept;
    for (Index k : range(ceildiv(N, 64))) {
      kept.push_back(load<64, 64>(x, {i, k}, pad::zero));
    }
    store(y, {i, j}, kept[0]);
  }
};
int main() try {
  std::puts(record<wrong>().text.c_str());
} catch (const Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
