// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/coq/Cases.h"

#include "spec/executor/numerics/Float.h"
#include "tests/unit/coq/Repository.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>

namespace girih::test {

std::string laneText(const exec::Array &array, size_t lane) {
  if (exec::isFloat(array.kind)) {
    return std::to_string(
        exec::toBits(exec::formatOf(array.kind), array.floats[lane]));
  }
  // An i1 is read as signed.
  int64_t x = array.ints[lane];
  return std::to_string(array.kind == exec::Kind::I1 ? -x : x);
}

Cases::Cases()
    : folder(testing::TempDir() + "girih-cases-" + std::to_string(getpid())) {
  std::filesystem::create_directories(folder);
  in.open(folder + "/in");
}

Cases::~Cases() {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

void Cases::writeKernel(const std::string &term) {
  in << "kernel\n" << term << "\nend\n";
}

void Cases::writeRun(tile::KernelOp kernel, const exec::Options &options) {
  in << "run " << options.indexWidth;
  for (const auto &[name, value] : options.symbols) {
    in << " " << name << "=" << value;
  }
  in << "\n";
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    unsigned number = arg.getArgNumber();
    auto it = options.inputs.find(kernel.getArgName(number).str());
    if (it == options.inputs.end()) {
      continue;
    }
    bool isTensor = mlir::isa<tile::TileTensorType>(arg.getType());
    in << (isTensor ? "tensor " : "scalar ") << number;
    for (int64_t k = 0; k < it->second.size(); ++k) {
      in << " " << laneText(it->second, static_cast<size_t>(k));
    }
    in << "\n";
  }
  in << "end\n";
}

void Cases::writeObligations(unsigned width) {
  in << "obligations " << width << "\n";
}

Answers Cases::answer(const std::string &command) {
  in.close();
  std::string whole = command + " < '" + folder + "/in' > '" + folder +
                      "/out' 2> '" + folder + "/errors'";
  Answers answers;
  if (int code = std::system(whole.c_str())) {
    answers.error = command + " ended with " + std::to_string(code) + ": " +
                    contentsOf(folder + "/errors");
  }
  answers.out.open(folder + "/out");
  return answers;
}

std::string Answers::readUntil(const std::string &last) {
  std::string text, line;
  while (std::getline(out, line) && line != last) {
    text += line + "\n";
  }
  return text;
}

std::string Answers::readKernel() { return readUntil("end"); }

std::string Answers::readObligations() { return readUntil("done"); }

Ended Answers::readRun() {
  Ended ended;
  std::getline(out, ended.how);
  std::string line;
  while (std::getline(out, line) && line != "end") {
    std::istringstream words(line);
    std::string tensor, lane;
    unsigned number = 0;
    words >> tensor >> number;
    auto &lanes = ended.tensors[number];
    while (words >> lane) {
      lanes.push_back(lane);
    }
  }
  return ended;
}

} // namespace girih::test
