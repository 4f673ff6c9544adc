// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifests: what is read out of a good one, and that everything else is
// refused with the place of what is wrong.

#include "runtime/artefact/Artefact.h"
#include "runtime/artefact/Sha256.h"
#include "tests/unit/runtime/Fixture.h"

#include <functional>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace girih::runtime;
using namespace girih::tests;

TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb4"
                           "10ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca49599"
                        "1b7852b855");
}

TEST(Manifest, TheCompilersExample) {
  auto text =
      readFile(GIRIH_SOURCE_DIR "/tests/unit/tileir/example_manifest.json");
  ASSERT_TRUE(text);
  Expected<Manifest> m = parseManifest(*text);
  ASSERT_TRUE(m) << m.error().reason;
  EXPECT_EQ(m->name, "gemm_persistent");
  ASSERT_EQ(m->arguments.size(), 5U);
  EXPECT_EQ(m->arguments[2].mode, Mode::Out);
  EXPECT_EQ(m->arguments[0].element, Element::BF16);
  EXPECT_FALSE(m->arguments[3].isTensor);
  ASSERT_EQ(m->symbols.size(), 4U);
  EXPECT_EQ(m->symbols[0].source, Symbol::Source::Extent);
  EXPECT_EQ(m->symbols[3].source, Symbol::Source::Caller);
  const Variant &variant = m->variants.at(0);
  EXPECT_EQ(variant.requirements.at(0).text, "P >= 1");
  ASSERT_EQ(variant.parameters.size(), 9U);
  EXPECT_EQ(variant.parameters[3].kind, Parameter::Kind::Scalar);
  EXPECT_EQ(variant.parameters[3].bytes, 4U);
  EXPECT_EQ(textOf(*m, variant.parameters[5].value), "max(M, 1)");
  EXPECT_EQ(variant.parameters[8].bytes, 4U);
  EXPECT_EQ(variant.cubins.size(), 2U);
  ASSERT_EQ(variant.givens.size(), 3U);
  EXPECT_EQ(variant.givens[0].kind, Precondition::Kind::Within);
  EXPECT_EQ(variant.givens[0].tensor, 4U);
  EXPECT_EQ(textOf(*m, variant.givens[0].high), "(M + 1)");
  EXPECT_EQ(variant.givens[0].validator->name, "validate_within");
  EXPECT_EQ(variant.givens[1].kind, Precondition::Kind::Splits);
  EXPECT_EQ(textOf(*m, variant.givens[1].high), "M");
  EXPECT_FALSE(variant.givens[1].assumed || variant.givens[1].validator);
  EXPECT_TRUE(variant.givens[2].assumed);
}

/// Edits a good manifest, seals it again and reads it.
static std::string refusalAfter(const std::function<void(Json &)> &edit) {
  Json manifest = Json::parse(artefactFiles("add").at("manifest.json"));
  manifest.erase("seal");
  edit(manifest);
  Expected<Manifest> result = parseManifest(sealed(manifest));
  if (result) {
    return "accepted";
  }
  EXPECT_EQ(exitCode(result.error().why), 1);
  return result.error().reason;
}

TEST(Manifest, EveryFaultIsRefusedAtItsPlace) {
  auto variant = [](Json &m) -> Json & { return m["variants"][0]; };
  EXPECT_EQ(refusalAfter([](Json &) {}), "accepted");
  EXPECT_EQ(refusalAfter([](Json &m) { m["version"] = 2; }),
            "manifest.json: version is 2: this program reads version 1 of "
            "girih.artefact");
  auto launched = [&](Json launch) {
    return refusalAfter([&](Json &m) {
      for (Json &cubin : variant(m)["cubins"]) {
        cubin["launch"] = launch;
      }
    });
  };
  Json early = {
      {"threads", 256}, {"shared", 0}, {"early", {"x"}}, {"waits", true}};
  auto with = [&](const char *key, Json value) {
    Json changed = early;
    changed[key] = std::move(value);
    return launched(std::move(changed));
  };
  EXPECT_EQ(launched(early), "accepted");
  EXPECT_EQ(with("early", Json::array()), "accepted");
  EXPECT_NE(with("threads", 2048).find("launch.threads is not in 1..1024"),
            std::string::npos);
  EXPECT_NE(with("shared", 232449).find("launch.shared is not in 0..232448"),
            std::string::npos);
  EXPECT_NE(with("early", {"z"}).find("launch.early[0] is no shared tensor"),
            std::string::npos);
  EXPECT_NE(with("waits", false).find("launch reads early, and does not wait"),
            std::string::npos);
  for (const char *key : {"early", "waits"}) {
    Json without = early;
    without.erase(key);
    EXPECT_NE(launched(without).find(key), std::string::npos);
  }
  // What a later version has besides is not what is wrong with it.
  EXPECT_EQ(refusalAfter([](Json &m) { m["version"] = 2, m["extra"] = 1; }),
            "manifest.json: version is 2: this program reads version 1 of "
            "girih.artefact");
  EXPECT_EQ(refusalAfter([](Json &m) { m["version"] = 1.0; }),
            "manifest.json: version is not a 64-bit integer");
  EXPECT_EQ(refusalAfter([](Json &m) { m["format"] = "other"; }),
            "manifest.json: format is not girih.artefact");
  EXPECT_EQ(refusalAfter([](Json &m) { m["extra"] = 1; }),
            "manifest.json: the document has the unknown key 'extra'");
  EXPECT_EQ(refusalAfter([](Json &m) { m.erase("symbols"); }),
            "manifest.json: the document lacks 'symbols'");
  EXPECT_EQ(refusalAfter([](Json &m) { m["arguments"] = nullptr; }),
            "manifest.json: arguments is not an array");
  EXPECT_EQ(refusalAfter([](Json &m) { m["arguments"][1]["dtype"] = "f33"; }),
            "manifest.json: arguments[1].dtype is no element type");
  EXPECT_EQ(refusalAfter(
                [](Json &m) { m["arguments"].push_back(m["arguments"][0]); }),
            "manifest.json: arguments names x twice");
  EXPECT_EQ(refusalAfter([](Json &m) { m["arguments"][1]["mode"] = "weak"; }),
            "manifest.json: arguments[1].mode is 'weak', which is none of its "
            "values");
  EXPECT_EQ(refusalAfter([](Json &m) { m["arguments"][0]["align"] = 3; }),
            "manifest.json: arguments[0].align is no power of two up to "
            "1048576");
  EXPECT_EQ(refusalAfter([](Json &m) { m["arguments"][0]["dims"] = {-1}; }),
            "manifest.json: arguments[0].dims[0] is neither a symbol nor an "
            "integer of at least 0");
  EXPECT_EQ(
      refusalAfter([](Json &m) { m["arguments"][0]["strides"] = {1, 1}; }),
      "manifest.json: arguments[0] has 1 dim and 2 strides, of at most "
      "32");
  EXPECT_EQ(
      refusalAfter([&](Json &m) { variant(m)["grid"][0] = {{"symbol", "Q"}}; }),
      "manifest.json: variants[0].grid[0] names no launch symbol: Q");
  EXPECT_EQ(refusalAfter([&](Json &m) { variant(m)["grid"][0]["op"] = "pow"; }),
            "manifest.json: variants[0].grid[0].op is 'pow', which is none of "
            "its values");
  EXPECT_EQ(refusalAfter([&](Json &m) { variant(m)["grid"][0]["args"] = {1}; }),
            "manifest.json: variants[0].grid[0].args does not have 2 items");
  EXPECT_EQ(refusalAfter([&](Json &m) {
              variant(m)["grid"][0] = 9223372036854775808ULL;
            }),
            "manifest.json: variants[0].grid[0] is not a 64-bit integer");
  EXPECT_EQ(refusalAfter([&](Json &m) {
              variant(m)["parameters"][0]["argument"] = "w";
            }),
            "manifest.json: variants[0].parameters[0].argument names no "
            "tensor: w");
  EXPECT_EQ(refusalAfter([&](Json &m) {
              variant(m)["parameters"][0]["kind"] = "scalar";
            }),
            "manifest.json: variants[0].parameters[0].argument names no "
            "scalar: x");
  EXPECT_EQ(refusalAfter([&](Json &m) {
              variant(m)["cubins"]["sm_90"]["file"] = "../sm_90.cubin";
            }),
            "manifest.json: variants[0].cubins.sm_90.file is not the name of a "
            "file in the folder");
  EXPECT_EQ(refusalAfter([&](Json &m) {
              variant(m)["cubins"]["sm_90"]["sha256"] = "00";
            }),
            "manifest.json: variants[0].cubins.sm_90.sha256 is not a SHA-256 "
            "digest");
  EXPECT_EQ(
      refusalAfter([&](Json &m) { variant(m)["cubins"] = Json::object(); }),
      "manifest.json: variants[0].cubins is empty");
  EXPECT_EQ(refusalAfter([](Json &m) { m["variants"] = Json::array(); }),
            "manifest.json: variants is empty");
}

TEST(Manifest, DeepExpressionsAreRefused) {
  std::string open, close;
  for (int k = 0; k < 100000; ++k) {
    open += "{\"op\": \"+\", \"args\": [";
    close += ", 1]}";
  }
  std::string rest = artefactFiles("add").at("manifest.json");
  rest.erase(0, rest.find('\n') + 1);
  std::string grid = "\"grid\": [";
  rest.insert(rest.find(grid) + grid.size(), open + "1" + close + ", ");
  Expected<Manifest> result =
      parseManifest("{\"seal\": \"" + sha256(rest) + "\",\n" + rest);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().reason.find("has more than 256 nodes"),
            std::string::npos)
      << result.error().reason;
}

TEST(Manifest, SealAndKeys) {
  std::string good = artefactFiles("add").at("manifest.json");
  auto reason = [](const std::string &text) {
    Expected<Manifest> result = parseManifest(text);
    return result ? "accepted" : result.error().reason;
  };
  EXPECT_EQ(reason(good), "accepted");
  EXPECT_EQ(reason(" " + good), "manifest.json: does not start with its seal");
  EXPECT_EQ(reason(""), "manifest.json: does not start with its seal");
  EXPECT_EQ(reason(good + "\n"),
            "manifest.json: was changed after it was sealed");
  std::string longer = good.substr(good.find('\n') + 1) + '\0' + "{";
  EXPECT_EQ(reason("{\"seal\": \"" + sha256(longer) + "\",\n" + longer),
            "manifest.json: the document is not JSON");
  std::string twice = ", \"name\": \"a\", \"name\": \"a\"}";
  EXPECT_EQ(reason("{\"seal\": \"" + sha256(twice) + "\",\n" + twice),
            "manifest.json: the document is not JSON");
  twice = twice.substr(1);
  EXPECT_EQ(reason("{\"seal\": \"" + sha256(twice) + "\",\n" + twice),
            "manifest.json: the document names a key twice");
}

/// Whatever the bytes, sealed or not, there is an answer.
RC_GTEST_PROP(Manifest, SurvivesEveryByte, ()) {
  static const std::string good = artefactFiles("add").at("manifest.json");
  size_t head = good.find('\n') + 1;
  std::string rest = good.substr(head);
  for (int edits = *rc::gen::inRange(1, 4); edits > 0; --edits) {
    auto at = *rc::gen::inRange<size_t>(0, rest.size());
    switch (*rc::gen::inRange(0, 3)) {
    case 0:
      rest[at] = *rc::gen::arbitrary<char>();
      break;
    case 1:
      rest.erase(at, *rc::gen::inRange<size_t>(1, 40));
      break;
    default:
      rest.insert(at,
                  rest.substr(*rc::gen::inRange<size_t>(0, rest.size()), 20));
      break;
    }
    rest += rest.empty() ? "}" : "";
  }
  Expected<Manifest> unsealed = parseManifest(good.substr(0, head) + rest);
  RC_ASSERT(bool(unsealed) == (rest == good.substr(head)));
  Expected<Manifest> resealed =
      parseManifest("{\"seal\": \"" + sha256(rest) + "\",\n" + rest);
  RC_ASSERT(bool(resealed) || !resealed.error().reason.empty());
}
