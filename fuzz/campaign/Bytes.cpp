// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/Bytes.h"

#include "checker/decide/Verify.h"
#include "checker/search/SearchLibrary.h"
#include "fuzz/campaign/Workers.h"
#include "fuzz/generators/Draw.h"
#include "ir/text/Reader.h"

#include <chrono>
#include <filesystem>
#include <fstream>

namespace girih::fuzz {

static void disturbOnce(std::string &t, const std::vector<std::string> &texts,
                        Draw &d) {
  // Tokens of the language reach further than bytes do.
  static const std::vector<std::string> words = {"0",
                                                 "1",
                                                 "-1",
                                                 "9223372036854775807",
                                                 "index",
                                                 "i32",
                                                 "ceildiv",
                                                 "mod(",
                                                 "[",
                                                 "]",
                                                 "<",
                                                 ">",
                                                 "{",
                                                 "}",
                                                 "%i",
                                                 "own",
                                                 "out",
                                                 "shared",
                                                 "_",
                                                 "pad(zero)",
                                                 "M",
                                                 "N",
                                                 "scf.for",
                                                 "tile.claim",
                                                 "vector<4xf32>",
                                                 "arith.addi",
                                                 "i1",
                                                 "?"};
  auto place = [&](size_t size) {
    return static_cast<size_t>(d.below(static_cast<int64_t>(size) + 1));
  };
  auto piece = [&](const std::string &from) {
    size_t at = place(from.size());
    return from.substr(at, static_cast<size_t>(d.between(1, 40)));
  };
  size_t at = place(t.size());
  switch (d.below(9)) {
  case 0:
    if (at < t.size()) {
      t[at] = static_cast<char>(t[at] ^ (1 << d.below(8)));
    }
    break;
  case 1:
    if (at < t.size()) {
      t[at] = static_cast<char>(d.below(256));
    }
    break;
  case 2:
    t.erase(at, static_cast<size_t>(d.between(1, 8)));
    break;
  case 3:
    t.insert(at, 1, static_cast<char>(d.below(256)));
    break;
  case 4:
    t.insert(at, piece(t));
    break;
  case 5:
    t.insert(at, piece(d.pick(texts)));
    break;
  case 6:
    t.insert(at, d.pick(words));
    break;
  case 7: { // a number or a name becomes another one
    size_t from = t.find_first_of("0123456789%", at);
    if (from != std::string::npos) {
      size_t end =
          t.find_first_not_of("%0123456789abcdefghijklmnopqrstuvwxyz", from);
      t.replace(from, std::min(end, t.size()) - from, d.pick(words));
    }
    break;
  }
  default:
    if (d.chance(20)) {
      t.resize(at);
    }
  }
}

std::string disturb(const std::vector<std::string> &texts, uint64_t seed) {
  Draw d(seed);
  std::string t = d.pick(texts);
  for (int64_t n = d.pick({1, 1, 1, 2, 3, 8}); n > 0; --n) {
    disturbOnce(t, texts, d);
  }
  return t;
}

static Job startJob(const std::vector<std::string> &texts,
                    const BytesOptions &options) {
  auto context = std::make_shared<std::unique_ptr<mlir::MLIRContext>>();
  auto uses = std::make_shared<size_t>(0);
  const search::Api *search = checker::openSearch();
  return [=, &texts](size_t job) -> std::string {
    if ((*uses)++ % 256 == 0) {
      *context = std::make_unique<mlir::MLIRContext>(
          mlir::MLIRContext::Threading::DISABLED);
    }
    std::string errors;
    llvm::raw_string_ostream os(errors);
    auto files = tile::readKernelTexts(
        **context, disturb(texts, options.seed + job), "kernel.mlir", os);
    if (files.empty()) {
      return errors.find("error:") == std::string::npos ? "silent" : "refused";
    }
    checker::VerifyOptions verify;
    verify.search = search;
    checker::VerdictKind kind = checker::VerdictKind::Verified;
    for (const auto &file : files) {
      if (kind == checker::VerdictKind::Verified) {
        kind = checker::verify(file->kernel, verify).kind;
      }
    }
    return verdictName(kind);
  };
}

BytesResult runBytes(const std::vector<std::string> &texts,
                     const BytesOptions &options) {
  auto start = std::chrono::steady_clock::now();
  BytesResult r;
  WorkersResult w = runJobs(options.count, options.jobs, options.secondsPerText,
                            [&] { return startJob(texts, options); });
  auto save = [&](size_t job, const std::string &why) {
    r.problems.push_back("text " + std::to_string(options.seed + job) + ": " +
                         why);
    if (!options.out.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories(options.out, ignored);
      std::ofstream(options.out + "/bytes-" +
                    std::to_string(options.seed + job) + ".mlir")
          << disturb(texts, options.seed + job);
    }
  };
  for (size_t job = 0; job < options.count; ++job) {
    const std::string &line = w.lines[job];
    r.tried += !line.empty();
    r.refused += line == "refused";
    r.verified += line == "VERIFIED";
    r.refuted += line == "REFUTED";
    r.read += !line.empty() && line != "refused" && line != "silent";
    if (line == "silent") {
      ++r.silent;
      save(job, "refused without an error");
    }
  }
  for (const Death &d : w.deaths) {
    ++r.tried;
    ++(d.hung ? r.hung : r.crashed);
    save(d.job, d.hung ? "hangs" : "signal " + std::to_string(d.signal));
  }
  if (!w.error.empty()) {
    ++r.crashed;
    r.problems.push_back(w.error);
  }
  r.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return r;
}

llvm::json::Object toJson(const BytesResult &r) {
  auto number = [](size_t n) { return static_cast<int64_t>(n); };
  llvm::json::Array problems;
  for (const std::string &p : r.problems) {
    problems.push_back(p);
  }
  return llvm::json::Object{
      {"tried", number(r.tried)},       {"refused", number(r.refused)},
      {"silent", number(r.silent)},     {"read", number(r.read)},
      {"verified", number(r.verified)}, {"refuted", number(r.refuted)},
      {"crashed", number(r.crashed)},   {"hung", number(r.hung)},
      {"seconds", r.seconds},           {"problems", std::move(problems)},
  };
}

} // namespace girih::fuzz
