// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files as tools read and write them: bounded, whole or not at all.

#include "ir/tool/Files.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

using namespace girih::tile;
namespace fs = std::filesystem;

namespace {
struct Files : testing::Test {
  Files() {
    folder = fs::path(testing::TempDir()) /
             ("girih-files-" + std::to_string(getpid()));
    fs::create_directory(folder);
  }
  ~Files() override { fs::remove_all(folder); }

  std::string at(const std::string &name) { return (folder / name).string(); }
  void put(const std::string &name, const std::string &text) {
    std::ofstream(at(name)) << text;
  }
  /// The text of a file; `(none)` when there is none.
  std::string get(const std::string &name) {
    std::ifstream in(at(name));
    return in ? std::string(std::istreambuf_iterator<char>(in), {}) : "(none)";
  }
  size_t count() {
    return std::distance(fs::directory_iterator(folder),
                         fs::directory_iterator());
  }

  fs::path folder;
};
} // namespace

TEST_F(Files, readsUpToALimit) {
  put("ten", "0123456789");
  auto whole = readBytes(at("ten"), 10);
  ASSERT_TRUE(bool(whole));
  EXPECT_EQ((*whole)->getBuffer(), "0123456789");
  EXPECT_EQ((*whole)->getBufferIdentifier(), at("ten"));
  EXPECT_EQ((*readBytes(at("ten"), 4))->getBuffer(), "01234");
  EXPECT_EQ((*readBytes("/dev/zero", 200000))->getBufferSize(), 200001u);
  EXPECT_EQ(readBytes(at("none"), 4).getError(),
            std::errc::no_such_file_or_directory);
  EXPECT_EQ(readBytes(folder.string(), 4).getError(),
            std::errc::is_a_directory);
}

TEST_F(Files, writesWholeFiles) {
  put("old", "a longer text than the new one");
  EXPECT_EQ(writeFiles({{at("old"), "new"}, {at("fresh"), "text"}}),
            std::nullopt);
  EXPECT_EQ(get("old"), "new");
  EXPECT_EQ(get("fresh"), "text");
  EXPECT_EQ(count(), 2u);
}

TEST_F(Files, writesAllOrNone) {
  put("old", "old");
  fs::create_directory(folder / "sub");
  std::string missing = at("none/x"), sub = at("sub");
  EXPECT_EQ(writeFiles({{at("old"), "new"}, {missing, "text"}}),
            missing + ": No such file or directory");
  EXPECT_EQ(writeFiles({{at("old"), "new"}, {sub, "text"}}),
            sub + ": Is a directory");
  EXPECT_EQ(get("old"), "old");
  EXPECT_EQ(count(), 2u); // nothing half-written is left
}

TEST_F(Files, linksStayLinks) {
  put("real", "old");
  fs::create_symlink("real", folder / "link");
  EXPECT_EQ(writeFiles({{at("link"), "new"}}), std::nullopt);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(get("real"), "new");
}

// A device is no place for a rename: whoever runs as root would lose it.
TEST_F(Files, whatIsNoRegularFileIsWrittenInPlace) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = get("pipe"); });
  EXPECT_EQ(writeFiles({{at("pipe"), "text"}}), std::nullopt);
  reader.join();
  EXPECT_EQ(got, "text");
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}
