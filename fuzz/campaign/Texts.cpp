// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/Texts.h"

#include "fuzz/campaign/GateRun.h"
#include "fuzz/campaign/Workers.h"
#include "fuzz/generators/AtomicLanes.h"
#include "fuzz/generators/Draw.h"
#include "fuzz/generators/FromMemory.h"
#include "fuzz/generators/Generator.h"
#include "ir/text/Print.h"
#include "ir/text/Reader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <chrono>
#include <sstream>

namespace girih::fuzz {

namespace {
/// Constants as text.
struct Constants {
  Draw d;

  static unsigned bitsOf(const std::string &element) {
    return element == "index" ? 64
           : element[0] == 'b'
               ? 16
               : static_cast<unsigned>(std::stoi(element.substr(1)));
  }

  /// A lane: ordinary numbers, ends of the range and, of floats, any bits.
  std::string lane(const std::string &element) {
    if (element == "i1") {
      return d.chance(50) ? "true" : "false";
    }
    unsigned bits = bitsOf(element);
    uint64_t random = (static_cast<uint64_t>(d.below(int64_t(1) << 32)) << 32) ^
                      static_cast<uint64_t>(d.below(int64_t(1) << 32));
    uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    if (element[0] == 'i') {
      unsigned off = 64 - bits;
      uint64_t n = d.chance(20)   ? uint64_t(1) << (bits - 1) // the smallest
                   : d.chance(20) ? mask >> 1                 // the largest
                                  : random;
      return std::to_string(static_cast<int64_t>(n << off) >> off);
    }
    if (element == "f8E8M0FNU" || !d.chance(30)) {
      std::ostringstream hex;
      hex << "0x" << std::hex << std::uppercase;
      hex.width((bits + 3) / 4);
      hex.fill('0');
      hex << (random & mask);
      return hex.str();
    }
    return d.pick<std::string>({"-0.0", "1.0", "-0.5", "2.0", "0.0"});
  }

  std::string nested(const std::vector<int64_t> &shape, size_t axis,
                     const std::string &element) {
    if (axis == shape.size()) {
      return lane(element);
    }
    std::string out = "[";
    for (int64_t i = 0; i < shape[axis]; ++i) {
      out += (i ? ", " : "") + nested(shape, axis + 1, element);
    }
    return out + "]";
  }

  std::string constant() {
    std::string element = d.pick(elementTypes());
    if (d.chance(15)) {
      std::string type = element == "i1" ? "" : " : " + element;
      return lane(element) + type;
    }
    std::vector<int64_t> shape;
    std::string type = "vector<";
    int64_t lanes = 1;
    for (int64_t rank = d.between(1, 3); rank > 0; --rank) {
      shape.push_back(d.pick({1, 2, 4, 8, 16, 64, 128}));
      if (lanes * shape.back() > 512) {
        shape.back() = 1;
      }
      lanes *= shape.back();
      type += std::to_string(shape.back()) + "x";
    }
    std::string value =
        d.chance(25) ? lane(element) : nested(shape, 0, element);
    return "dense<" + value + "> : " + type + element + ">";
  }
};
} // namespace

std::string constantsKernel(uint64_t seed) {
  Constants c{Draw(seed)};
  std::string text = "tile.kernel @constants() grid [1] {\n";
  for (int64_t i = 0, n = c.d.between(1, 8); i < n; ++i) {
    text +=
        "  %v" + std::to_string(i) + " = arith.constant " + c.constant() + "\n";
  }
  return text + "}\n";
}

/// The values of constants, which are one object each in one context.
static std::vector<mlir::Attribute> constantsOf(tile::KernelOp kernel) {
  std::vector<mlir::Attribute> values;
  kernel.walk(
      [&](mlir::arith::ConstantOp op) { values.push_back(op.getValue()); });
  return values;
}

std::string tryPrinting(mlir::MLIRContext &context, const std::string &text) {
  std::string errors;
  llvm::raw_string_ostream os(errors);
  auto files = tile::readKernelTexts(context, text, "kernel.mlir", os);
  for (const auto &file : files) {
    std::string once = tile::printText(file->kernel);
    auto again = tile::readKernelText(context, once, "printed.mlir", os);
    if (!again) {
      return "what is printed does not read back: " + errors;
    }
    if (tile::printText(again->kernel) != once) {
      return "what is printed prints as another text";
    }
    if (constantsOf(file->kernel) != constantsOf(again->kernel)) {
      return "a constant reads back as another one";
    }
  }
  return files.empty() ? "unreadable: " + errors : "";
}

/// Whether the reader and the table agree about an op over an element: in turn
/// all ops over one element, and any cast over any two.
static std::string tryForm(mlir::MLIRContext &context, size_t number, Draw &d,
                           const ElementTable &table) {
  std::vector<Form> casts, plain;
  for (const Form &form : forms()) {
    (form.isCast ? casts : plain).push_back(form);
  }
  bool cast = number % 4 == 3;
  size_t turn = number - number / 4;
  const Form &form =
      cast ? d.pick(casts) : plain[turn / elementTypes().size() % plain.size()];
  std::string e = cast ? d.pick(elementTypes())
                       : elementTypes()[turn % elementTypes().size()];
  std::string f = d.pick(elementTypes());
  std::string what = form.isCast ? e + " to " + f : e, errors;
  llvm::raw_string_ostream os(errors);
  bool read = tile::readKernelText(context, kernelOf(form, e, f), "k.mlir",
                                   os) != nullptr;
  auto row = table.find(form.op);
  bool listed = row != table.end() && row->second.contains(what);
  return read == listed ? ""
                        : form.op + " of " + what +
                              (read ? " is read, but spec/tile.md has it not"
                                    : " is refused, but spec/tile.md has it");
}

static std::string tryText(mlir::MLIRContext &context, uint64_t seed,
                           size_t job, const ElementTable &table) {
  uint64_t s = seed * 1000003 + job;
  Draw d(s);
  switch (job % 4) {
  case 0:
  case 1:
    return tryPrinting(context, constantsKernel(s));
  case 2:
    return tryForm(context, job / 4, d, table);
  default:
    return tryPrinting(context, job % 8 == 3     ? safeKernel(s).text
                                : job % 16 == 7  ? fromMemory(s).text
                                : job % 32 == 15 ? atomicLanes(s).text
                                : job % 32 == 31 ? paddedLoads(s)
                                                 : randomLanes(s).text);
  }
}

TextsResult runTexts(const TextsOptions &options) {
  auto start = std::chrono::steady_clock::now();
  TextsResult r;
  auto begin = [&]() -> Job {
    auto context = std::make_shared<std::unique_ptr<mlir::MLIRContext>>();
    auto uses = std::make_shared<size_t>(0);
    return [=, &options](size_t job) {
      // Types are never freed while their context lives.
      if ((*uses)++ % 256 == 0) {
        *context = std::make_unique<mlir::MLIRContext>(
            mlir::MLIRContext::Threading::DISABLED);
      }
      std::string line = "-";
      for (char c : tryText(**context, options.seed, job, options.elements)) {
        line += c == '\n' ? ' ' : c;
      }
      return line;
    };
  };
  WorkersResult w =
      runJobs(options.count, options.jobs, options.secondsPerText, begin);
  auto problem = [&](size_t job, const std::string &why) {
    ++r.wrong;
    r.problems.push_back("seed " + std::to_string(options.seed) + ", text " +
                         std::to_string(job) + ": " + why);
  };
  for (size_t job = 0; job < options.count; ++job) {
    r.texts += !w.lines[job].empty();
    if (w.lines[job].size() > 1) {
      problem(job, w.lines[job].substr(1));
    }
  }
  for (const Death &d : w.deaths) {
    problem(d.job, d.hung ? "takes too long"
                          : "crash, signal " + std::to_string(d.signal));
  }
  if (!w.error.empty()) {
    ++r.wrong;
    r.problems.push_back(w.error);
  }
  r.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return r;
}

llvm::json::Object toJson(const TextsResult &r) {
  llvm::json::Array problems;
  for (const std::string &p : r.problems) {
    problems.push_back(p);
  }
  return llvm::json::Object{{"texts", static_cast<int64_t>(r.texts)},
                            {"wrong", static_cast<int64_t>(r.wrong)},
                            {"seconds", r.seconds},
                            {"problems", std::move(problems)}};
}

} // namespace girih::fuzz
