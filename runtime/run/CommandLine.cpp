// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/run/CommandLine.h"

#include <algorithm>
#include <charconv>

namespace girih::runtime {

const char *helpText() {
  return R"text(usage: tile-run ARTEFACT [options]
       tile-run ARTEFACT --explain --set M=1,N=2
       tile-run --batch ARCHIVE [--timeout=SECONDS]
       tile-run --devices

Launches a verified kernel on the GPU, after its artefact and its contract have
been checked against the actual arguments.

  --arg a=x.npy     contents of a tensor; outputs need none
  --arg s=2.5       a float scalar
  --set P=132       launch symbols, and extents that no argument has
  --out c=y.npy     writes a tensor after the launch
  --expect c=y.npy  compares a tensor with what is expected
  --bound c=e.npy   how far each element (f64) may be away; else exactly
  --validate a      looks for what is given of a tensor on the device; else in
                    its file
  --policy FILE     loads what is signed by a key of the policy alone
  --trust-key FILE  adds a public key to it; may be repeated
  --time N          takes N measurements
  --explain         says which entry point a launch with the symbols of --set
                    takes, and what the ones before it miss; needs no GPU
  --batch ARCHIVE   runs the cases of a folder with cases.jsonl; a line each
  --timeout=S       for one case of a batch (default 60)
  --devices         lists the GPUs that the CUDA driver sees
  --version         prints the version of Girih
  -h, --help        prints this text

Exit codes: 0 ran and agrees, 1 a difference, a failure or a refused artefact,
3 usage, malformed input or a launch that the contract refuses, 77 no GPU.

Examples, from the root of the source tree:

  tile-run --devices   # exit code 77 without a GPU
  tile-run build/add --arg x=x.npy --arg y=y.npy --out z=z.npy   # on a GPU
)text";
}

const char *versionText() { return "tile-run (Girih) " GIRIH_VERSION "\n"; }

namespace {

Error refuse(std::string reason) {
  return {ErrorKind::Usage, std::move(reason)};
}

template <typename Number>
bool parseNumber(std::string_view text, Number &into) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc() && end == text.data() + text.size();
}

struct Parser {
  CommandLine line;
  std::string error;

  bool fail(std::string why) {
    error = std::move(why);
    return false;
  }

  /// Splits `name=value`; a % before the name is allowed.
  bool pair(const std::string &option, const std::string &text,
            std::string &name, std::string &value) {
    size_t equals = text.find('=');
    size_t start = text.starts_with("%") ? 1 : 0;
    if (equals == text.npos || equals <= start || equals + 1 == text.size()) {
      return fail(option + ": '" + text + "' is not of the form NAME=VALUE");
    }
    name = text.substr(start, equals - start);
    value = text.substr(equals + 1);
    return true;
  }

  template <typename T>
  bool insert(const std::string &option, std::map<std::string, T> &into,
              const std::string &name, T value) {
    return into.emplace(name, std::move(value)).second ||
           fail(option + ": " + name + " is given twice");
  }

  bool symbols(const std::string &option, const std::string &text) {
    size_t start = 0;
    while (start <= text.size()) {
      size_t end = std::min(text.find(',', start), text.size());
      std::string name, value;
      int64_t number = 0;
      if (!pair(option, text.substr(start, end - start), name, value)) {
        return false;
      }
      if (!parseNumber(value, number)) {
        return fail(option + ": '" + value + "' is not an integer");
      }
      if (!insert(option, line.what.symbols, name, number)) {
        return false;
      }
      start = end + 1;
    }
    return true;
  }

  bool argument(const std::string &option, const std::string &name,
                const std::string &value) {
    double number = 0;
    return parseNumber(value, number)
               ? insert(option, line.what.scalars, name, number)
               : insert(option, line.what.inputs, name, value);
  }

  bool count(const std::string &option, const std::string &text, int limit,
             int &into) {
    return (parseNumber(text, into) && into >= 1 && into <= limit) ||
           fail(option + ": '" + text + "' is not a number from 1 to " +
                std::to_string(limit));
  }

  bool option(const std::string &option, const std::string &text) {
    if (option == "--batch") {
      line.action = CommandLine::Action::Batch;
      line.batch.archive = text;
      return true;
    }
    if (option == "--timeout") {
      return count(option, text, 86400, line.batch.secondsPerCase);
    }
    if (option == "--time") {
      return count(option, text, 10000, line.what.samples);
    }
    if (option == "--policy") {
      line.policyFile = text;
      return true;
    }
    if (option == "--trust-key") {
      line.keyFiles.push_back(text);
      return true;
    }
    if (option == "--validate") {
      line.what.validated.insert(text.substr(text.starts_with("%") ? 1 : 0));
      return true;
    }
    if (option == "--set") {
      return symbols(option, text);
    }
    std::string name, value;
    if (!pair(option, text, name, value)) {
      return false;
    }
    if (option == "--arg") {
      return argument(option, name, value);
    }
    return insert(option,
                  option == "--out"      ? line.what.outputs
                  : option == "--expect" ? line.what.expected
                                         : line.what.bounds,
                  name, value);
  }

  bool parse(const std::vector<std::string> &arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const std::string &text = arguments[i];
      if (text == "--help" || text == "-h" || text == "--version") {
        line.action = text == "--version" ? CommandLine::Action::Version
                                          : CommandLine::Action::Help;
        return true;
      }
      if (text == "--devices") {
        line.action = CommandLine::Action::Devices;
        if (arguments.size() > 1) {
          return fail("unknown argument " + arguments[i ? 0 : 1]);
        }
        return true;
      }
      if (text == "--explain") {
        line.action = CommandLine::Action::Explain;
        continue;
      }
      if (!text.starts_with("-")) {
        if (!line.what.artefact.empty()) {
          return fail("unknown argument " + text);
        }
        line.what.artefact = line.what.name = text;
        continue;
      }
      size_t equals = text.find('=');
      std::string name = text.substr(0, equals);
      static constexpr std::string_view known[] = {
          "--arg",      "--set",    "--out",      "--expect",
          "--bound",    "--batch",  "--timeout",  "--time",
          "--validate", "--policy", "--trust-key"};
      if (std::find(std::begin(known), std::end(known), name) ==
          std::end(known)) {
        return fail("unknown argument " + text);
      }
      if (equals == text.npos && i + 1 == arguments.size()) {
        return fail(name + " needs a value");
      }
      if (!option(name, equals == text.npos ? arguments[++i]
                                            : text.substr(equals + 1))) {
        return false;
      }
    }
    const Case &what = line.what;
    if (line.action == CommandLine::Action::Explain &&
        (!what.inputs.empty() || !what.scalars.empty() ||
         !what.outputs.empty() || !what.expected.empty() ||
         !what.bounds.empty() || !what.validated.empty() || what.samples)) {
      return fail("--explain launches nothing: it takes --set alone");
    }
    bool batch = line.action == CommandLine::Action::Batch;
    if (batch == !line.what.artefact.empty()) {
      return fail(batch ? "unknown argument " + line.what.artefact
                        : "no artefact given; --help says what to give");
    }
    return true;
  }
};

} // namespace

Expected<CommandLine>
parseCommandLine(const std::vector<std::string> &arguments) {
  Parser parser;
  if (!parser.parse(arguments)) {
    return refuse(parser.error);
  }
  return std::move(parser.line);
}

} // namespace girih::runtime
