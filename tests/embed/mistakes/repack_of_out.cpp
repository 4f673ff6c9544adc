#include "girih/kernel.h"
#include <cstdio>
using namespace girih::kernel;
constexpr Sym M{"M"}, N{"N"}, ld{"ld"};
struct wrong {
  Shared<f32, M, N> x;
  With<Out<f32, M, N>, strides<ld, 1>> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, 64), ceildiv(N, 64));
    repack(y, {M >= 512});
    auto v = load<64, 64>(x, {i, j}, pad::zero);
    store(y, {i, j}, v);
  }
};
int main() try {
  std::puts(record<wrong>().text.c_str());
} catch (const Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
