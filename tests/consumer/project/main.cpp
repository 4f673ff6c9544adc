// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program of somebody else does with the libraries, and what has to come
// out of it. Exits with the number of surprises.

#include <girih/checker.h>
#include <girih/compiler.h>
#include <girih/executor.h>
#include <girih/runtime.h>

#include <cstdio>
#include <fstream>
#include <iostream>

static int surprises = 0;

template <typename A, typename B>
static void expect(const char *what, const A &got, const B &wanted) {
  if (got == wanted) {
    return;
  }
  std::cerr << what << ": got " << got << ", expected " << wanted << '\n';
  ++surprises;
}

static std::string read(const std::string &path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Verifies a text with the search, and with certificates without it.
static girih::VerifiedKernels verifies(const std::string &folder) {
  girih::Source good = girih::Source::of(read(folder + "/good.mlir"));
  girih::Verification v = girih::verify(good).value();
  expect("verdict", girih::verdictName(v.kernels.at(0).verdict),
         std::string("VERIFIED"));
  girih::VerifyOptions replay;
  replay.search = false;
  replay.certificates = v.certificates;
  expect("replayed", girih::verify(good, replay).value().verified.has_value(),
         true);
  expect("shipped",
         girih::verify(girih::Source::file(KERNELS "/gemm/gemm.mlir"), {})
             .value()
             .verified.has_value(),
         true);
  return v.verified.value();
}

/// A refusal with its launch, which faults on the executor in the same way.
static void refutes(const std::string &folder) {
  girih::Source race = girih::Source::file(folder + "/race.mlir");
  girih::KernelVerdict k = girih::verify(race).value().kernels.at(0);
  expect("verdict", girih::verdictName(k.verdict), std::string("REFUTED"));
  const girih::Counterexample &x = k.counterexamples.at(0);
  expect("rule", x.rule, "claim.disjoint");
  expect("symbols", x.symbols.at(0).first + "=" +
                        std::to_string(x.symbols.at(0).second), "N=1");
  expect("grid", x.grid == std::vector<std::int64_t>{1, 2}, true);
  expect("block", x.block == std::vector<std::int64_t>{0, 1}, true);
  expect("other", x.otherBlock == std::vector<std::int64_t>{0, 0}, true);
  expect("tensor", x.tensor, "z");
  expect("line", k.diagnostics.at(0).at.line, 11u);
  girih::Launch launch;
  launch.symbols.insert(x.symbols.begin(), x.symbols.end());
  girih::Execution run =
      girih::Executor::open(race).value().run(launch).value();
  expect("fault", run.faults.at(0).rule, x.rule);
  expect("at", run.faults.at(0).at.line, 11u);
}

/// Numbers that come out of a launch.
static void executes(const std::string &folder) {
  girih::Executor executor =
      girih::Executor::open(girih::Source::file(folder + "/good.mlir")).value();
  girih::Launch launch;
  launch.inputs["x"] = girih::Array::of({3}, {1, -2.5, 4});
  girih::Execution run = executor.run(launch).value();
  expect("faults", run.faults.size(), 0u);
  expect("z", run.tensors.at("z").values.floats ==
                  std::vector<double>{2, -5, 8},
         true);
  launch.symbols["N"] = 4;
  expect("error", executor.run(launch).error().message,
         "symbol N is 4 as set, but 3 as extent 0 of %x");
}

/// Code from what was verified; nothing else can be handed in.
static void compiles(const girih::VerifiedKernels &kernels) {
  auto code = girih::compileToTileIr(kernels);
  expect("bytecode", code.value().at(0).bytecode.empty(), false);
  girih::CompileOptions none;
  none.tileiras = "/nowhere/tileiras";
  expect("assembler", girih::compileToCubins(kernels, none).error().message,
         "/nowhere/tileiras cannot be run");
}

int main(int argc, char **argv) {
  std::string folder = argc > 1 ? argv[1] : ".";
  expect("version", girih::version(), std::string(GIRIH_EXPECTED_VERSION));
  girih::VerifiedKernels kernels = verifies(folder);
  refutes(folder);
  executes(folder);
  compiles(kernels);
  girih_kernel *artefact;
  expect("runtime", girih_open("/nowhere", &artefact), 3);
  std::printf("%d surprises\n", surprises);
  return surprises;
}
