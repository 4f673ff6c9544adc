#include "girih/kernel.h"
#include <cstdio>
using namespace girih::kernel;
constexpr Sym M{"M"}, N{"N"}, K{"K"};
struct wrong {
  Shared<i32, N> x;
  Out<i32, N> y;
  void operator()() {
    auto [i] = grid(N);
    Index k = N;
    while_(
        [&] {
          auto goesOn = load<_>(x, {i}) < 3;
          measure(k);
          return goesOn;
        },
        [&] { k -= 1; });
    store(y, {i}, to<i32>(k));
  }
};
int main() try {
  std::puts(record<wrong>().text.c_str());
} catch (const Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
