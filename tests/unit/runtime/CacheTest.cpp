// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache under damage, other users, full disks and many processes: it gives
// what was stored or nothing, and can always be stored into again.

#include "runtime/artefact/Cache.h"
#include "runtime/artefact/Sha256.h"
#include "runtime/jit/Archive.h"
#include "tests/unit/runtime/Fixture.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace girih::runtime {
namespace {

constexpr Cache::Kind kinds[] = {Cache::Kind::Cubin, Cache::Kind::Artefact};

struct CacheTest : testing::Test {
  std::string root = testing::TempDir() + "girih-cache-XXXXXX";
  std::string folder;
  std::mt19937 draw{20261125};

  void SetUp() override {
    ASSERT_TRUE(::mkdtemp(root.data()));
    folder = root + "/parent/girih";
  }
  void TearDown() override { fs::remove_all(root); }

  size_t below(size_t end) {
    return std::uniform_int_distribution<size_t>(0, end - 1)(draw);
  }
  std::string keyOf(int number) { return sha256(std::to_string(number)); }
  std::string bytes(size_t size) {
    std::string out(size, '\0');
    for (char &c : out) {
      c = static_cast<char>(draw());
    }
    return out;
  }
  std::string pathOf(Cache::Kind kind, const std::string &key) {
    return folder + "/" + key +
           (kind == Cache::Kind::Cubin ? ".cubin" : ".artefact");
  }
  std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto &entry : fs::directory_iterator(folder)) {
      out.push_back(entry.path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  static std::string read(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string &path, const std::string &text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  /// Runs in a process of its own; its exit code.
  template <typename Run> static int inChild(Run run) {
    pid_t child = ::fork();
    if (child == 0) {
      ::_exit(run());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }
};

TEST_F(CacheTest, KeepsWhatWasStored) {
  Cache cache(folder);
  for (Cache::Kind kind : kinds) {
    EXPECT_FALSE(cache.find(kind, keyOf(1)));
    cache.store(kind, keyOf(1), "bytes");
    EXPECT_EQ(cache.find(kind, keyOf(1)), "bytes");
    EXPECT_FALSE(cache.find(kind, keyOf(2)));
  }
  cache.store(Cache::Kind::Cubin, keyOf(3), "");
  EXPECT_EQ(cache.find(Cache::Kind::Cubin, keyOf(3)), "");
  EXPECT_FALSE(cache.find(Cache::Kind::Artefact, keyOf(3)));
  struct stat status;
  ASSERT_EQ(::stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  for (const Cache &none : {Cache(""), Cache("/proc/nowhere")}) {
    none.store(kinds[0], keyOf(1), "bytes");
    EXPECT_FALSE(none.find(kinds[0], keyOf(1)));
  }
  cache.store(kinds[0], "", "bytes");
  EXPECT_FALSE(cache.find(kinds[0], ""));
}

TEST_F(CacheTest, DamagedEntriesAreNone) {
  Cache cache(folder);
  for (int round = 0; round < 400; ++round) {
    Cache::Kind kind = kinds[below(2)];
    std::string key = keyOf(round), path = pathOf(kind, key);
    std::string kept = bytes(below(300));
    cache.store(kind, key, kept);
    std::string whole = read(path);
    bool isDamaged = true;
    switch (below(9)) {
    case 0: // truncated
      fs::resize_file(path, below(whole.size()));
      break;
    case 1: { // a byte is another one
      std::string damaged = whole;
      damaged[below(whole.size())] ^= static_cast<char>(1 + below(255));
      write(path, damaged);
      break;
    }
    case 2: // more than was written
      write(path, whole + bytes(1 + below(20)));
      break;
    case 3: // the entry of another key
      cache.store(kind, keyOf(-round - 1), kept);
      fs::rename(pathOf(kind, keyOf(-round - 1)), path);
      break;
    case 4: // a folder, half-written
      fs::remove(path);
      fs::create_directories(path + "/inner");
      write(path + "/inner/manifest.json", "{");
      break;
    case 5: // a link to the very bytes
      fs::rename(path, path + ".away");
      fs::create_symlink(path + ".away", path);
      break;
    case 6: // nobody writes there
      fs::remove(path);
      ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
      break;
    case 7: // others may write
      ASSERT_EQ(::chmod(path.c_str(), 0620), 0);
      break;
    default:
      isDamaged = false;
    }
    EXPECT_EQ(cache.find(kind, key),
              isDamaged ? std::nullopt : std::optional(kept))
        << "round " << round;
    cache.store(kind, key, "again");
    EXPECT_EQ(cache.find(kind, key), "again") << "round " << round;
  }
}

TEST_F(CacheTest, LinksAreNotWrittenThrough) {
  Cache cache(folder);
  cache.store(kinds[0], keyOf(1), "one");
  write(root + "/mine", "mine");
  fs::remove(pathOf(kinds[0], keyOf(1)));
  fs::create_symlink(root + "/mine", pathOf(kinds[0], keyOf(1)));
  cache.store(kinds[0], keyOf(1), "two");
  EXPECT_EQ(read(root + "/mine"), "mine");
  EXPECT_EQ(cache.find(kinds[0], keyOf(1)), "two");
}

TEST_F(CacheTest, OthersFoldersAreNotUsed) {
  Cache cache(folder);
  cache.store(kinds[0], keyOf(1), "one");
  EXPECT_EQ(cache.distrust(), std::nullopt);
  for (mode_t open : {0770u, 0702u}) {
    ::chmod(folder.c_str(), open);
    EXPECT_FALSE(cache.find(kinds[0], keyOf(1)));
    cache.store(kinds[0], keyOf(2), "two");
    bool isHeld = true;
    EXPECT_FALSE(cache.tryLock(keyOf(1), isHeld));
    EXPECT_FALSE(isHeld);
    EXPECT_EQ(cache.distrust(), "the cache " + folder +
                                    " is not used: it can be written to by "
                                    "others");
  }
  ::chmod(folder.c_str(), 0700);
  EXPECT_EQ(names(), std::vector{keyOf(1) + ".cubin"});
  EXPECT_EQ(cache.find(kinds[0], keyOf(1)), "one");
  constexpr uid_t somebody = 65534;
  if (::chown(folder.c_str(), somebody, somebody) == 0) { // only as root
    EXPECT_FALSE(cache.find(kinds[0], keyOf(1)));
    EXPECT_EQ(cache.distrust(),
              "the cache " + folder + " is not used: it is another user's");
    ASSERT_EQ(::chown(folder.c_str(), ::geteuid(), somebody), 0);
    ASSERT_EQ(::chown(pathOf(kinds[0], keyOf(1)).c_str(), somebody, 0), 0);
    EXPECT_FALSE(cache.find(kinds[0], keyOf(1)));
  }
}

TEST_F(CacheTest, FoldersThatAreNone) {
  fs::create_directories(root + "/parent");
  write(folder, "a file");
  Cache cache(folder);
  cache.store(kinds[0], keyOf(1), "one");
  EXPECT_FALSE(cache.find(kinds[0], keyOf(1)));
  EXPECT_EQ(read(folder), "a file");
  fs::remove(folder);
  // A link to a folder of this user is as good as the folder.
  fs::create_directory(root + "/elsewhere");
  ::chmod((root + "/elsewhere").c_str(), 0700);
  fs::create_directory_symlink(root + "/elsewhere", folder);
  cache.store(kinds[0], keyOf(1), "one");
  EXPECT_EQ(cache.find(kinds[0], keyOf(1)), "one");
}

TEST_F(CacheTest, AFullDiskKeepsNothing) {
  Cache cache(folder);
  cache.store(kinds[0], keyOf(1), "one");
  std::string large = bytes(100'000);
  // A limit of a process for the size of files fails in the same way.
  int code = inChild([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{20'000, 20'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    cache.store(kinds[0], keyOf(2), large);
    cache.store(kinds[0], keyOf(1), large);
    return 0;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(names(), std::vector{keyOf(1) + ".cubin"});
  EXPECT_EQ(cache.find(kinds[0], keyOf(1)), "one");
}

TEST_F(CacheTest, TheOldestGo) {
  constexpr size_t size = 1000;
  Cache cache(folder, 3 * (size + 200));
  auto age = [&](int number, int hours) {
    fs::last_write_time(pathOf(kinds[0], keyOf(number)),
                        fs::file_time_type::clock::now() -
                            std::chrono::hours(hours));
  };
  for (int k = 1; k <= 3; ++k) {
    cache.store(kinds[0], keyOf(k), bytes(size));
    age(k, 10 - k);
  }
  EXPECT_TRUE(cache.find(kinds[0], keyOf(1))); // asked for: the newest now
  cache.store(kinds[1], keyOf(4), bytes(size));
  EXPECT_TRUE(cache.find(kinds[0], keyOf(1)));
  EXPECT_FALSE(cache.find(kinds[0], keyOf(2)));
  EXPECT_TRUE(cache.find(kinds[0], keyOf(3)));
  EXPECT_TRUE(cache.find(kinds[1], keyOf(4)));
  cache.store(kinds[0], keyOf(5), bytes(4 * size)); // larger than all of it
  EXPECT_FALSE(cache.find(kinds[0], keyOf(5)));
  EXPECT_EQ(names().size(), 3u);
}

TEST_F(CacheTest, WhatWasLeftBehindGoes) {
  Cache cache(folder);
  bool isHeld = false;
  std::optional<Cache::Lock> held = cache.tryLock(keyOf(1), isHeld);
  {
    auto free = cache.tryLock(keyOf(2), isHeld);
  }
  for (const char *name : {"1-2.new", "other.txt", "3-4.new"}) {
    write(folder + "/" + name, "");
  }
  for (const auto &entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != "3-4.new") {
      fs::last_write_time(entry, fs::file_time_type::clock::now() -
                                     std::chrono::hours(2));
    }
  }
  cache.store(kinds[0], keyOf(3), "three");
  std::vector<std::string> left{"3-4.new", "other.txt", keyOf(1) + ".lock",
                                keyOf(3) + ".cubin"};
  std::sort(left.begin(), left.end());
  EXPECT_EQ(names(), left);
}

TEST_F(CacheTest, OneHasTheLock) {
  Cache cache(folder);
  bool isHeld = true;
  {
    auto held = cache.tryLock(keyOf(1), isHeld);
    ASSERT_TRUE(held);
    EXPECT_FALSE(isHeld);
    EXPECT_FALSE(cache.tryLock(keyOf(1), isHeld));
    EXPECT_TRUE(isHeld);
    EXPECT_TRUE(cache.tryLock(keyOf(2), isHeld));
    EXPECT_EQ(inChild([&] {
                bool taken = false;
                return cache.tryLock(keyOf(1), taken) || !taken;
              }),
              0);
  }
  EXPECT_TRUE(cache.tryLock(keyOf(1), isHeld));
  // Who dies lets go.
  int code = inChild([&] {
    auto held = cache.tryLock(keyOf(3), isHeld);
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  EXPECT_EQ(code, 128);
  EXPECT_TRUE(cache.tryLock(keyOf(3), isHeld));
}

TEST_F(CacheTest, ManyProcesses) {
  constexpr int processes = 8, rounds = 60, keys = 5;
  std::vector<pid_t> children;
  for (int number = 0; number < processes; ++number) {
    pid_t child = ::fork();
    if (child == 0) {
      draw.seed(static_cast<unsigned>(number));
      Cache cache(folder, 4000); // less than all entries
      int wrong = 0;
      for (int k = 0; k < rounds; ++k) {
        int key = static_cast<int>(below(keys));
        std::string right(1000, static_cast<char>('a' + key));
        if (below(2)) {
          cache.store(kinds[0], keyOf(key), right);
        } else if (below(20) == 0) { // an entry that is being damaged
          write(pathOf(kinds[0], keyOf(key)), "damage");
        } else if (auto found = cache.find(kinds[0], keyOf(key))) {
          wrong += *found != right;
        }
        if (number == 0 && k == rounds / 2) {
          ::kill(::getpid(), SIGKILL);
        }
      }
      ::_exit(wrong);
    }
    children.push_back(child);
  }
  for (int number = 0; number < processes; ++number) {
    int status = 0;
    ::waitpid(children[static_cast<size_t>(number)], &status, 0);
    EXPECT_EQ(number == 0 ? WTERMSIG(status) : status, number == 0 ? 9 : 0);
  }
  for (const std::string &name : names()) {
    EXPECT_TRUE(name.ends_with(".cubin") || name.ends_with(".new")) << name;
  }
}

TEST_F(CacheTest, ArchivesHoldFiles) {
  for (int round = 0; round < 200; ++round) {
    Files files;
    for (size_t k = below(5); k > 0; --k) {
      files["f" + bytes(below(9))] = bytes(below(50));
    }
    std::string packed = packFiles(files);
    EXPECT_EQ(unpackFiles(packed), files);
    if (packed.empty()) {
      continue;
    }
    // Whatever comes out of damage, it is files or nothing.
    std::string damaged = packed;
    damaged[below(packed.size())] = static_cast<char>(draw());
    unpackFiles(damaged);
    unpackFiles(packed.substr(0, below(packed.size())));
  }
  EXPECT_FALSE(unpackFiles("99999999999999999999\n"));
  EXPECT_FALSE(unpackFiles("18446744073709551615\nname"));
  EXPECT_FALSE(unpackFiles("1\na"));
}

} // namespace
} // namespace girih::runtime
