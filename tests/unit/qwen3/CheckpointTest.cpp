// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of tensors: what is written is read, and what is wrong is refused with
// its place, whatever the bytes.

#include "bench/qwen3/Checkpoint.h"

#include "runtime/host/Error.h"
#include "tests/unit/Long.h"
#include "tests/unit/qwen3/Folder.h"

#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <sys/stat.h>

using namespace girih;
using namespace girih::qwen3;
using namespace girih::qwen3::test;

namespace {

const char *const one = "model.safetensors", *const index =
                                                 "model.safetensors.index.json";

std::string bytesOf(const StoredTensor &tensor) {
  return {reinterpret_cast<const char *>(tensor.bytes.data()),
          tensor.bytes.size()};
}

void expectAll(const Checkpoint &checkpoint, const Tensors &tensors) {
  ASSERT_EQ(checkpoint.tensors().size(), tensors.size());
  for (const auto &[name, tensor] : tensors) {
    ASSERT_TRUE(checkpoint.tensors().contains(name)) << name;
    const StoredTensor &found = checkpoint.tensors().at(name);
    EXPECT_EQ(found.element, "BF16");
    EXPECT_EQ(found.extents, tensor.extents) << name;
    EXPECT_EQ(bytesOf(found), tensor.bytes) << name;
  }
}

TEST(Checkpoint, HasWhatOneFileHas) {
  Folder folder;
  Tensors tensors = weights();
  tensors["none"] = stored({0, 5}, 0);
  tensors["number"] = stored({}, 0);
  folder.write(one, fileOf(tensors));
  Checkpoint read = Checkpoint::open(folder.path);
  expectAll(read, tensors);
  EXPECT_EQ(read.fileCount(), 1);
  std::size_t bytes = 0;
  for (const auto &[name, tensor] : tensors) {
    bytes += tensor.bytes.size();
  }
  EXPECT_EQ(read.byteCount(), bytes);
}

/// Tensors in turns in three files, and an index of them.
Json writeShards(const Folder &folder, const Tensors &tensors) {
  std::vector<Tensors> parts(3);
  Json map = Json::object();
  for (const auto &[name, tensor] : tensors) {
    std::size_t part = map.size() % parts.size();
    parts[part][name] = tensor;
    map[name] = "part-" + std::to_string(part) + ".safetensors";
  }
  for (std::size_t part = 0; part < parts.size(); ++part) {
    folder.write("part-" + std::to_string(part) + ".safetensors",
                 fileOf(parts[part]));
  }
  Json out = {{"metadata", {{"total_size", 1}}}, {"weight_map", map}};
  folder.write(index, out.dump());
  return out;
}

TEST(Checkpoint, HasWhatSeveralFilesHave) {
  Folder folder;
  writeShards(folder, weights());
  Checkpoint read = Checkpoint::open(folder.path);
  expectAll(read, weights());
  EXPECT_EQ(read.fileCount(), 3);
}

std::string fileRefusal(const std::string &file) {
  Folder folder;
  folder.write(one, file);
  return refusal([&] { Checkpoint::open(folder.path); });
}

TEST(Checkpoint, NamesWhatIsWrongInAFile) {
  auto [header, data] =
      partsOf({{"a", stored({2, 3}, 0)}, {"b", stored({4}, 9)}});
  auto with = [&](const std::function<void(Json &)> &change) {
    Json changed = header;
    change(changed);
    return fileRefusal(fileOf(changed.dump(), data));
  };
  EXPECT_EQ(with([](Json &) {}), "");
  std::pair<std::string, std::string> cases[] = {
      {fileRefusal(""), "cannot be mapped"},
      {fileRefusal("1234567"), "too short for a header"},
      {fileRefusal(std::string(7, '\0') + "\x01"), "no header of"},
      {fileRefusal(std::string(8, '\xff')),
       "no header of 18446744073709551615"},
      {fileRefusal(std::string(8, '\0')), "is not JSON"},
      {fileRefusal(fileOf("[]", "")), "is not an object"},
      {fileRefusal(fileOf("{", "")), "is not JSON"},
      {fileRefusal(fileOf(header.dump() + '\0', data)), "is not JSON"},
      {fileRefusal(fileOf(std::string(100000, '['), "")), "is not JSON"},
      {fileRefusal(fileOf(R"({"a":1,"a":1})", "")), "names a key twice"},
      {fileRefusal(fileOf("{\"\xff\":1}", "")), "is not JSON"},
      {fileRefusal(fileOf(header.dump(), data + "x")),
       "1 byte behind the last tensor"},
      {fileRefusal(fileOf(header.dump(), data.substr(1))),
       "b ends behind the file"},
      {with([](Json &h) { h["a"]["dtype"] = "BF17"; }),
       ".a.dtype is no element that is known: BF17"},
      {with([](Json &h) { h["a"]["dtype"] = 1; }), ".a.dtype is not a string"},
      {with([](Json &h) { h["a"]["shape"] = {2, -3}; }),
       ".a.shape has no such number of elements"},
      {with([](Json &h) {
         h["a"]["shape"] = {std::int64_t(1) << 62, std::int64_t(1) << 62};
       }),
       ".a.shape has no such number of elements"},
      {with([](Json &h) { h["a"]["shape"] = {2, 2.5}; }),
       ".a.shape[1] is not a 64-bit integer"},
      {with([](Json &h) { h["a"]["shape"] = Json(9, 1); }),
       "has more than 8 axes"},
      {with([](Json &h) { h["a"]["shape"] = {2, 2}; }),
       ".a.data_offsets are not those of 8 bytes"},
      {with([](Json &h) { h["a"]["data_offsets"] = {0}; }),
       "does not have 2 items"},
      {with([](Json &h) { h["a"]["data_offsets"] = {-12, 0}; }),
       ".a.data_offsets[0] is negative"},
      {with([](Json &h) { h["a"]["data_offsets"] = {12, 0}; }),
       "are not those of 12 bytes"},
      {with([](Json &h) { h["a"]["more"] = 1; }), "the unknown key 'more'"},
      {with([](Json &h) { h["a"].erase("shape"); }), "lacks 'shape'"},
      {with([](Json &h) { h["a"] = 7; }), ".a is not an object"},
      // Over each other, and apart.
      {with([](Json &h) { h["b"]["data_offsets"] = {8, 16}; }),
       "b begins at byte 8 of the data, and what is before it ends at 12"},
      {with([](Json &h) { h["b"]["data_offsets"] = {14, 22}; }),
       "b begins at byte 14"},
  };
  int number = 0;
  for (const auto &[said, part] : cases) {
    EXPECT_NE(said.find(part), std::string::npos)
        << number << ": " << said << "; " << part;
    EXPECT_TRUE(said.find(one) != std::string::npos) << said;
    ++number;
  }
}

TEST(Checkpoint, NamesWhatIsWrongInAnIndex) {
  auto with = [](const std::function<void(Json &, const Folder &)> &change) {
    Folder folder;
    Json changed = writeShards(folder, weights());
    change(changed, folder);
    folder.write(index, changed.dump());
    return refusal([&] { Checkpoint::open(folder.path); });
  };
  const std::string first = "lm_head.weight";
  auto name = [&](const std::string &file) {
    return with(
        [&](Json &j, const Folder &) { j["weight_map"][first] = file; });
  };
  EXPECT_EQ(with([](Json &, const Folder &) {}), "");
  std::pair<std::string, std::string> cases[] = {
      {name("../part-0.safetensors"), "is not the name of a file"},
      {name("/etc/passwd"), "is not the name of a file"},
      {name(".."), "is not the name of a file"},
      {name(""), "is not the name of a file"},
      {name(std::string("part-0.safetensors\0x", 20)),
       "is not the name of a file"},
      {name("part-9.safetensors"), "part-9.safetensors: cannot be read"},
      {name("part-1.safetensors"), "lm_head.weight is not in part-1"},
      {with([](Json &j, const Folder &) {
         j["weight_map"]["x"] = "part-0.safetensors";
       }),
       "x is not in part-0.safetensors"},
      {with([&](Json &j, const Folder &) { j["weight_map"].erase(first); }),
       "says nothing of lm_head.weight"},
      {with([](Json &j, const Folder &) { j.erase("weight_map"); }),
       "weight_map is not an object"},
      {with([](Json &j, const Folder &) { j["weight_map"] = Json::object(); }),
       "names no tensor"},
      {with([](Json &j, const Folder &) { j["weight_map"]["x"] = 1; }),
       "is not a string"},
      {with([](Json &, const Folder &folder) {
         Tensors twice = {{"lm_head.weight", stored({10, 16}, 1)}};
         folder.write("part-1.safetensors", fileOf(twice));
       }),
       "lm_head.weight is in part-0.safetensors, too"},
  };
  for (const auto &[said, part] : cases) {
    EXPECT_NE(said.find(part), std::string::npos) << said << "; " << part;
  }
  Folder none;
  EXPECT_NE(
      refusal([&] { Checkpoint::open(none.path); }).find("cannot be read"),
      std::string::npos);
  EXPECT_NE(refusal([&] { Checkpoint::open(none.path / "none"); }), "");
  ASSERT_EQ(mkfifo((none.path / one).c_str(), 0600), 0);
  EXPECT_NE(refusal([&] { Checkpoint::open(none.path); }).find("is not a file"),
            std::string::npos);
}

/// As many as no model has take no longer than their bytes.
TEST(Checkpoint, ReadsManyTensors) {
  constexpr int count = 100000;
  std::string header = "{";
  for (int k = 0; k < count; ++k) {
    header += (k ? ",\"t" : "\"t") + std::to_string(k) +
              R"(":{"dtype":"BF16","shape":[0],"data_offsets":[0,0]})";
  }
  Folder folder;
  folder.write(one, fileOf(header + "}", ""));
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Checkpoint::open(folder.path).tensors().size(), count);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

/// Bytes that change, go and come: what is accepted lies in its file, once.
TEST(Mutations, OfAFileAreRefusedOrWhole) {
  const unsigned rounds = girih::test::isLong ? 100000 : 3000;
  const std::string honest =
      fileOf(Tensors{{"a", stored({2, 3}, 0)}, {"bc", stored({4}, 9)}});
  const std::string digits = "0123456789{}[]\",:-";
  unsigned accepted = 0;
  Folder folder;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    std::mt19937 random(seed);
    std::string file = honest;
    for (unsigned k = random() % 3 + 1; k > 0; --k) {
      std::size_t at = random() % (file.size() + 1);
      char byte =
          random() % 2 ? digits[random() % digits.size()] : char(random());
      switch (random() % 4) {
      case 0:
        file = file.substr(0, at);
        break;
      case 1:
        file.insert(at, 1, byte);
        break;
      case 2:
        file.erase(at, 1);
        break;
      default:
        if (at < file.size()) {
          file[at] = byte;
        }
      }
    }
    folder.write(one, file);
    std::size_t bytes = 0;
    std::string said = refusal([&] {
      Checkpoint read = Checkpoint::open(folder.path);
      for (const auto &[name, tensor] : read.tensors()) {
        bytes += bytesOf(tensor).size();
      }
      std::size_t header = 0;
      for (unsigned k = 0; k < 8; ++k) {
        header |= std::size_t(static_cast<unsigned char>(file[k])) << (8 * k);
      }
      EXPECT_EQ(8 + header + bytes, file.size()) << seed;
    });
    accepted += said.empty();
  }
  EXPECT_GT(accepted, rounds / 100);
  EXPECT_LT(accepted, rounds / 2);
}

} // namespace
