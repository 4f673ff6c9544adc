// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are compiled when they are used first, by the real tile-compile
// and an assembler for the simulated driver, which counts its calls.

#include "runtime/jit/CompileFile.h"
#include "tests/simulated/Artefacts.h"

#include <barrier>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <girih/runtime.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

using namespace girih;
using namespace std::chrono_literals;

namespace {

const std::string copyKernel = R"(// z[N] = x[N]
!X = !tile.tensor<[N] x f32, shared>
!Z = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[128], [N] x f32, shared>
!PZ = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @copy(%x: !X, %z: !Z) grid [ceildiv(N, 128)] {
  %i = tile.block_id 0
  %px = tile.partition %x by [128] : !X
  %pz = tile.partition %z by [128] : !Z
  %out = tile.claim %pz[%i] : !PZ
  %a = tile.load %px[%i] pad(zero) : !PX
  tile.store %a, %out : !P
}
)";

struct Jit : testing::Test {
  std::string root = testing::TempDir() + "girih-jit-XXXXXX";
  std::string path;
  JitOptions options;

  void SetUp() override {
    ASSERT_TRUE(::mkdtemp(root.data()));
    path = root + "/copy.mlir";
    write(path, copyKernel);
    options.assembler = GIRIH_SOURCE_DIR "/tests/unit/execution/assembler.py";
    options.cache = root + "/cache";
    ::setenv("GIRIH_COUNT", (root + "/count").c_str(), 1);
    ::setenv("GIRIH_SLOW", "0", 1);
    static const std::string programs =
        std::string(GIRIH_BINARY_DIR "/bin:") + std::getenv("PATH");
    ::setenv("PATH", programs.c_str(), 1);
  }
  void TearDown() override {
    fs::remove_all(root);
    EXPECT_EQ(tests::simulated().errors(), std::vector<std::string>());
  }

  static void write(const std::string &path, const std::string &text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  /// How many cubins the assembler was asked for.
  int assembled() const {
    std::ifstream in(root + "/count");
    int lines = 0;
    for (std::string line; std::getline(in, line);) {
      ++lines;
    }
    return lines;
  }
  static void expectCopies(const Kernel &kernel) {
    const std::vector<float> elements{1, 2, 3};
    auto [x, z] = kernel
                      .launch({}, Tensor<float>::copyFrom(elements, {3}),
                              Tensor<float>::empty({3}))
                      .sync();
    EXPECT_EQ(z.toHost(), elements);
  }
  /// What `fromFile` and the first use of its kernel throw.
  std::string thrown(int code, const std::string &path) const {
    try {
      Kernel::fromFile(path, options).name();
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    return "nothing";
  }
  static void expectPart(const std::string &text, const std::string &part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  /// For a compilation as another process does it.
  runtime::FileToCompile request() const {
    auto file = runtime::readKernelFile(path);
    file->architectures = {"sm_90"};
    file->assembler = options.assembler;
    file->cache = *options.cache;
    return std::move(*file);
  }
  /// A process that compiles, and exits with 0 if it has the artefact.
  pid_t compilesElsewhere() const {
    pid_t child = ::fork();
    if (child == 0) {
      ::_exit(runtime::compileFile(request()) ? 0 : 1);
    }
    return child;
  }
  static int statusOf(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }
};

TEST_F(Jit, CompilesWhenItIsUsed) {
  Kernel kernel = Kernel::fromFile(path, options);
  EXPECT_FALSE(fs::exists(*options.cache));
  EXPECT_EQ(kernel.name(), "copy");
  EXPECT_EQ(assembled(), 1);
  expectCopies(kernel);
  expectCopies(Kernel::fromFile(path, options));
  EXPECT_EQ(assembled(), 1);
  // A text that changed is another kernel, and the old one stays.
  write(path, "// edited\n" + copyKernel);
  expectCopies(Kernel::fromFile(path, options));
  expectCopies(kernel);
  int artefacts = 0;
  for (const auto &entry : fs::directory_iterator(*options.cache)) {
    artefacts += entry.path().extension() == ".artefact";
  }
  EXPECT_EQ(artefacts, 2);
  EXPECT_EQ(assembled(), 1); // the same bytecode
}

TEST_F(Jit, OneCompilationForAllThreads) {
  constexpr int threads = 8;
  std::barrier together(threads);
  std::vector<std::jthread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&] {
      together.arrive_and_wait();
      Kernel kernel = Kernel::fromFile(path, options);
      expectCopies(kernel);
    });
  }
  all.clear();
  EXPECT_EQ(assembled(), 1);
}

TEST_F(Jit, OneCompilationForAllProcesses) {
  options.cache = root + "/fresh/cache";
  std::vector<pid_t> children;
  for (int k = 0; k < 8; ++k) {
    children.push_back(compilesElsewhere());
  }
  for (pid_t child : children) {
    EXPECT_EQ(statusOf(child), 0);
  }
  EXPECT_EQ(assembled(), 1);
  expectCopies(Kernel::fromFile(path, options));
  EXPECT_EQ(assembled(), 1);
}

TEST_F(Jit, TheKilledAreReplaced) {
  ::setenv("GIRIH_SLOW", "60", 1);
  pid_t child = compilesElsewhere();
  while (assembled() == 0) {
    std::this_thread::sleep_for(10ms);
  }
  ::setenv("GIRIH_SLOW", "0", 1);
  auto waiting = std::async(std::launch::async, [&] {
    return static_cast<bool>(runtime::compileFile(request()));
  });
  EXPECT_EQ(waiting.wait_for(200ms), std::future_status::timeout);
  ::kill(child, SIGKILL);
  EXPECT_EQ(WTERMSIG(statusOf(child)), SIGKILL);
  EXPECT_TRUE(waiting.get());
  EXPECT_EQ(assembled(), 2);
}

TEST_F(Jit, DamageIsCompiledAgain) {
  auto first = runtime::compileFile(request());
  ASSERT_TRUE(first);
  std::vector<fs::path> entries;
  for (const auto &entry : fs::directory_iterator(*options.cache)) {
    entries.push_back(entry.path());
  }
  ASSERT_EQ(entries.size(), 3u); // of artefact and cubin, and the lock
  for (int kind = 0; kind < 3; ++kind) {
    for (const fs::path &entry : entries) {
      fs::remove_all(entry);
      if (kind == 0) {
        write(entry.string(), "girih cache 1\n");
      } else if (kind == 1) {
        fs::create_directory(entry);
      } else {
        fs::create_symlink("/etc/passwd", entry);
      }
    }
    auto again = runtime::compileFile(request());
    ASSERT_TRUE(again) << again.error().reason;
    EXPECT_EQ(again->files, first->files);
    EXPECT_EQ(assembled(), kind + 2);
  }
}

TEST_F(Jit, WithoutACache) {
  for (const char *none : {"", "/proc/nowhere"}) {
    options.cache = none;
    expectCopies(Kernel::fromFile(path, options));
  }
  EXPECT_EQ(assembled(), 2);
}

TEST_F(Jit, OnlyVerifiedKernels) {
  const std::string corpus = GIRIH_SOURCE_DIR "/tests/corpus/girih/";
  std::string refuted = thrown(1, corpus + "bugs/permute_race.mlir");
  expectPart(refuted,
             "tests/corpus/girih/bugs/permute_race.mlir: tile-compile: "
             "refuted or not assembled (exit code 1)\n");
  expectPart(refuted, "[claim.disjoint]");
  expectPart(thrown(2, corpus + "coverage/covers_xor.unknown.mlir"),
             "unknown or trusted (exit code 2)\n");
  write(path, "tile.kernel @copy(");
  std::string malformed = thrown(3, path);
  expectPart(malformed, "usage or malformed (exit code 3)\ncopy.mlir:1:18: ");
  expectPart(thrown(2, corpus + "contents/raw.good.mlir"), "--allow-trust");
  EXPECT_EQ(assembled(), 0);
  options.allowTrust = true; // as far as the assembler, which does not know it
  expectPart(thrown(1, corpus + "contents/raw.good.mlir"),
             "no kernel of the simulated driver");
}

TEST_F(Jit, FailureIsRememberedByTheKernel) {
  write(path, "tile.kernel @copy(");
  Kernel wrong = Kernel::fromFile(path, options);
  EXPECT_THROW(wrong.name(), RuntimeError);
  write(path, copyKernel);
  EXPECT_THROW(expectCopies(wrong), RuntimeError);
  expectCopies(Kernel::fromFile(path, options));
  // What failed for another reason than the text is tried again.
  options.compiler = root + "/tile-compile";
  expectPart(thrown(1, path), "/tile-compile cannot be run: No such file");
  fs::create_symlink(GIRIH_BINARY_DIR "/bin/tile-compile", options.compiler);
  expectCopies(Kernel::fromFile(path, options));
}

TEST_F(Jit, SaysWhatTakesLong) {
  ::setenv("GIRIH_SLOW", "1.5", 1);
  std::vector<std::string> heard;
  options.progress = [&](const std::string &text) { heard.push_back(text); };
  Kernel::fromFile(path, options).name();
  EXPECT_EQ(heard, std::vector{"girih: compiling " + path + " for sm_90"});
  // A callback that throws leaves neither a child nor a lock.
  options.cache = root + "/other";
  options.progress = [](const std::string &) { throw std::logic_error("no"); };
  EXPECT_THROW(Kernel::fromFile(path, options).name(), std::logic_error);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  ::setenv("GIRIH_SLOW", "0", 1);
  options.progress = [](const std::string &) {};
  expectCopies(Kernel::fromFile(path, options));
}

TEST_F(Jit, ArchitecturesThatThereAreNot) {
  options.architectures = {"sm_80"};
  Kernel kernel = Kernel::fromFile(path, options);
  EXPECT_EQ(kernel.name(), "copy");
  try {
    expectCopies(kernel);
    ADD_FAILURE();
  } catch (const RuntimeError &error) {
    EXPECT_EQ(error.code(), 1);
    expectPart(error.what(),
               "no cubin for sm_90: the artefact has sm_80; tile-compile "
               "copy.mlir --arch=sm_80,sm_90 -o FOLDER makes one that has it");
  }
  options.architectures = {"sm_1"};
  expectPart(thrown(3, path), "the architectures are sm_80, ");
  EXPECT_EQ(thrown(3, root + "/none.mlir"), root + "/none.mlir cannot be read");
  EXPECT_EQ(thrown(3, root), root + " cannot be read");
}

TEST_F(Jit, HostileNames) {
  for (const char *name :
       {"-o.mlir", "a b'\"$(touch x).mlir", "output", "copy"}) {
    std::string other = root + "/" + name;
    write(other, copyKernel);
    expectCopies(Kernel::fromFile(other, options));
  }
}

TEST_F(Jit, LookupsAreShort) {
  Kernel kernel = Kernel::fromFile(path, options);
  kernel.name();
  constexpr int calls = 2000;
  auto least = [&](auto call) {
    double best = 1e9;
    for (int round = 0; round < 20; ++round) {
      auto start = std::chrono::steady_clock::now();
      for (int k = 0; k < calls; ++k) {
        call();
      }
      std::chrono::duration<double, std::micro> took =
          std::chrono::steady_clock::now() - start;
      best = std::min(best, took.count() / calls);
    }
    return best;
  };
  double held = least([&] { (void)kernel.name(); });
  double looked = least([&] { Kernel::fromFile(path, options); });
  RecordProperty("held_us", std::to_string(held));
  RecordProperty("looked_us", std::to_string(looked));
  std::printf("a kernel at hand: %.3f us, fromFile again: %.3f us\n", held,
              looked);
  EXPECT_LT(held, 0.1);
  EXPECT_LT(looked, 5); // with a look at the file: the time of a system call
}

} // namespace
