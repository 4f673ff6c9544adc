// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing the command line of tile-exec.

#include "spec/executor/tool/CommandLine.h"

#include "llvm/ADT/StringExtras.h"

namespace girih::exec {

const char *helpText() {
  return R"text(usage: tile-exec KERNEL.mlir [options]

Runs one launch of a kernel on the CPU reference executor.

  --set M=3,s=1.5         launch symbols and float scalars; extents that an
                          input has need not be set
  --variant NAME          this kernel of a list, whoever is for the launch
  --input a=x.npy         contents of an argument; others are seeded; --arg
                          likewise
  --contents "i=0,3*4"    the same of integers: a 0 and four times 3, row-major
  --output c=y.npy        writes a tensor when the launch has ended
  --bound c=e.npy         writes the error bounds of a tensor's elements (f64)
  --expect c=y.npy        compares a tensor within its error bound
  --blocks "(0,1);(2,0)"  runs only these blocks; coverage is not judged
  --order=ORDER           sequential, reverse, random or interleaved
  --seed=N                seeds inputs and orders (default 1)
  --index-width=N         bits of `index`, 8 to 64 (default 64)
  --no-values             floats are not computed, events are
  --max-steps=N           gives up after so many op executions
  --max-faults=N          goes on after a fault (default 1)
  --version               prints the versions of Girih and LLVM
  -h, --help              prints this text

Exit codes: 0 ran clean, 1 a fault or a difference, 3 usage, malformed input or
a launch that the contract refuses.

Examples, from the root of the source tree:

  tile-exec proofs/kernels/add/add.mlir --set N=1500 --output z=build/z.npy
  tile-exec tests/corpus/girih/bugs/two_tilings.mlir --set N=129   # exit code 1
)text";
}

namespace {

using llvm::StringRef;

struct Parser {
  CommandLine line;
  std::string error;

  bool fail(const std::string &why) {
    error = why;
    return false;
  }

  template <typename Number>
  bool number(StringRef option, StringRef text, Number &into) {
    return !text.getAsInteger(10, into) ||
           fail(option.str() + ": '" + text.str() + "' is not a number");
  }

  bool symbols(StringRef option, StringRef text) {
    llvm::SmallVector<StringRef> parts;
    text.split(parts, ',');
    for (StringRef part : parts) {
      auto [name, value] = part.split('=');
      int64_t number;
      double real;
      bool isInteger = !value.getAsInteger(10, number);
      // What is written like an integer and is too large is no number at all.
      bool isReal = !isInteger &&
                    value.find_first_not_of("+-0123456789") != value.npos &&
                    llvm::to_float(value, real);
      if (name.empty() || !(isInteger || isReal)) {
        return fail(option.str() + ": '" + part.str() +
                    "' is not of the form NAME=NUMBER");
      }
      if (line.launch.symbols.count(name.str()) ||
          line.launch.scalars.count(name.str())) {
        return fail(option.str() + ": symbol " + name.str() + " is set twice");
      }
      if (isInteger) {
        line.launch.symbols[name.str()] = number;
      } else {
        line.launch.scalars[name.str()] = real;
      }
    }
    return true;
  }

  bool contents(StringRef option, StringRef text) {
    // More would be a mistake, or an attack.
    constexpr size_t most = size_t(1) << 22;
    auto [name, list] = text.split('=');
    name.consume_front("%");
    bool good =
        !name.empty() && list.data() != nullptr && name.size() != text.size();
    std::vector<int64_t> numbers;
    llvm::SmallVector<StringRef> parts;
    list.split(parts, ',', -1, /*KeepEmpty=*/!list.empty());
    for (StringRef part : parts) {
      auto [value, times] = part.split('*');
      int64_t number = 0;
      size_t count = 1;
      good = good && !value.getAsInteger(10, number) &&
             (times.empty() ? part == value : !times.getAsInteger(10, count)) &&
             count <= most - numbers.size();
      if (good) {
        numbers.insert(numbers.end(), count, number);
      }
    }
    if (!good) {
      return fail(option.str() + ": '" + text.str() +
                  "' is not of the form NAME=NUMBER,NUMBER*TIMES");
    }
    if (!line.launch.contents.emplace(name.str(), std::move(numbers)).second) {
      return fail(option.str() + ": %" + name.str() + " is given twice");
    }
    return true;
  }

  bool blocks(StringRef option, StringRef text) {
    llvm::SmallVector<StringRef> parts;
    text.split(parts, ';');
    std::vector<std::vector<int64_t>> blocks;
    for (StringRef part : parts) {
      StringRef inner = part.trim();
      bool tuple = inner.consume_front("(") && inner.consume_back(")");
      llvm::SmallVector<StringRef> ids;
      inner.split(ids, ',', -1, /*KeepEmpty=*/!inner.trim().empty());
      std::vector<int64_t> block;
      for (StringRef id : ids) {
        int64_t number;
        tuple &= !id.trim().getAsInteger(10, number);
        block.push_back(number);
      }
      if (!tuple) {
        return fail(option.str() + ": '" + part.str() +
                    "' is not of the form (0, 1)");
      }
      blocks.push_back(std::move(block));
    }
    line.launch.blocks = std::move(blocks);
    return true;
  }

  bool order(StringRef option, StringRef text) {
    static constexpr std::pair<const char *, Order> orders[] = {
        {"sequential", Order::Sequential},
        {"reverse", Order::Reverse},
        {"random", Order::Random},
        {"interleaved", Order::Interleaved}};
    for (auto [name, order] : orders) {
      if (text == name) {
        line.launch.order = order;
        return true;
      }
    }
    return fail(option.str() + ": unknown order '" + text.str() +
                "'; sequential, reverse, random and interleaved exist");
  }

  bool file(StringRef option, StringRef text,
            std::vector<std::pair<std::string, std::string>> &into) {
    auto [name, path] = text.split('=');
    name.consume_front("%");
    if (name.empty() || path.empty()) {
      return fail(option.str() + ": '" + text.str() +
                  "' is not of the form NAME=FILE.npy");
    }
    into.push_back({name.str(), path.str()});
    return true;
  }

  bool option(StringRef name, StringRef value) {
    girih::Launch &launch = line.launch;
    if (name == "--set") {
      return symbols(name, value);
    }
    if (name == "--contents") {
      return contents(name, value);
    }
    if (name == "--blocks") {
      return blocks(name, value);
    }
    if (name == "--order") {
      return order(name, value);
    }
    if (name == "--seed") {
      return number(name, value, launch.seed);
    }
    if (name == "--index-width") {
      return number(name, value, launch.indexWidth);
    }
    if (name == "--max-steps") {
      return number(name, value, launch.maxSteps);
    }
    if (name == "--variant") {
      line.launch.variant = value.str();
      return !value.empty() || fail("--variant: no name");
    }
    if (name == "--max-faults") {
      return number(name, value, launch.maxFaults) &&
             (launch.maxFaults != 0 || fail("--max-faults: 0 is too few"));
    }
    if (name == "--input" || name == "--arg") {
      return file(name, value, line.inputs);
    }
    if (name == "--output") {
      return file(name, value, line.outputs);
    }
    if (name == "--bound") {
      return file(name, value, line.bounds);
    }
    if (name == "--expect") {
      return file(name, value, line.expected);
    }
    return fail("unknown option " + name.str() + "; --help lists them");
  }

  bool parse(const std::vector<std::string> &arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      StringRef argument = arguments[i];
      if (argument == "--help" || argument == "-h") {
        line.help = true;
        return true;
      }
      if (argument == "--version") {
        line.version = true;
        return true;
      }
      if (argument == "--no-values") {
        line.launch.values = false;
        continue;
      }
      if (!argument.starts_with("-")) {
        if (!line.file.empty()) {
          return fail("one kernel at a time: " + line.file + " and " +
                      argument.str());
        }
        line.file = argument.str();
        continue;
      }
      auto [name, value] = argument.split('=');
      bool attached = name.size() != argument.size();
      if (!attached && i + 1 < arguments.size()) {
        value = arguments[++i];
      } else if (!attached) {
        value = "";
      }
      if (!option(name, value)) {
        return false;
      }
    }
    return !line.file.empty() ||
           fail("no kernel given; --help says what to give");
  }
};

} // namespace

std::optional<CommandLine> parseCommandLine(std::vector<std::string> arguments,
                                            std::string &error) {
  Parser parser;
  if (!parser.parse(arguments)) {
    error = std::move(parser.error);
    return std::nullopt;
  }
  return std::move(parser.line);
}

} // namespace girih::exec
