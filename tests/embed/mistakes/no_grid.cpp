#include "girih/kernel.h"
#include <cstdio>
using namespace girih::kernel;
constexpr Sym M{"M"}, N{"N"}, K{"K"};
struct wrong {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    auto v = load<64, 64>(x, {0, 0}, pad::zero);
    store(y, {0, 0}, v);
  }
};
int main() try {
  std::puts(record<wrong>().text.c_str());
} catch (const Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
