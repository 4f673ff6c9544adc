// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulated/ExecutedCall.h"

#include <bit>
#include <cstring>
#include <stdexcept>

namespace girih::tests {

/// Bytes before and behind a tensor, which nobody touches.
static constexpr size_t margin = 256;

static void expect(int error) {
  if (error) {
    throw std::runtime_error(girih_error());
  }
}

ExecutedArtefact::ExecutedArtefact(const std::string &name)
    : path(GIRIH_SOURCE_DIR "/proofs/kernels/" + name + "/" + name + ".mlir") {
  expect(girih_open((GIRIH_EXECUTED "/" + name).c_str(), &kernel));
}

ExecutedArtefact::~ExecutedArtefact() { girih_close(kernel); }

ExecutedCall::ExecutedCall(const ExecutedArtefact &artefact,
                           std::map<std::string, int64_t> symbols,
                           std::vector<std::string> given,
                           std::map<std::string, double> scalars,
                           std::map<std::string, std::vector<int64_t>> strides)
    : artefact(&artefact),
      call{artefact.path, std::move(symbols), std::move(scalars)},
      given(std::move(given)) {
  for (KernelTensor &tensor : tensorsOf(call)) {
    Place &place = places.emplace_back();
    place.tensor = std::move(tensor);
    const std::vector<int64_t> &extents = place.tensor.extents;
    place.strides = strides[place.tensor.name];
    if (place.strides.empty()) {
      place.strides.assign(extents.size(), 1);
      for (size_t k = extents.size(); k-- > 1;) {
        place.strides[k - 1] = place.strides[k] * extents[k];
      }
    }
    size_t end = margin;
    for (size_t at : offsets(place)) {
      end = std::max(end, at + place.tensor.bytes);
    }
    place.before.assign(end + margin, '\x5a');
    expect(girih_allocate(place.before.size(), &place.base));
    place.address = place.base + margin;
  }
}

std::vector<size_t> ExecutedCall::offsets(const Place &place) const {
  std::vector<size_t> out = {margin};
  const KernelTensor &tensor = place.tensor;
  for (size_t k = 0; k < tensor.extents.size(); ++k) {
    std::vector<size_t> finer;
    for (size_t begin : out) {
      for (int64_t x = 0; x < tensor.extents[k]; ++x) {
        finer.push_back(begin + static_cast<size_t>(x * place.strides[k]) *
                                    tensor.bytes);
      }
    }
    out = std::move(finer);
  }
  return out;
}

void ExecutedCall::fill(std::mt19937_64 &random, int64_t limit) {
  for (Place &place : places) {
    for (size_t at : offsets(place)) {
      float x = static_cast<float>(int(random() % 257) - 128) / 64;
      auto bits = std::bit_cast<uint32_t>(x);
      if (place.tensor.element == "bf16") {
        bits >>= 16;
      } else if (place.tensor.element != "f32") {
        bits = static_cast<uint32_t>(random() % static_cast<uint64_t>(limit));
      }
      std::memcpy(&place.before[at], &bits, place.tensor.bytes);
    }
    expect(girih_upload(place.base, place.before.data(), place.before.size()));
  }
}

void ExecutedCall::put(const std::string &name,
                       const std::vector<int32_t> &numbers) {
  auto &place = const_cast<Place &>(find(name));
  std::memcpy(&place.before[margin], numbers.data(),
              numbers.size() * sizeof(int32_t));
  expect(girih_upload(place.base, place.before.data(), place.before.size()));
}

void ExecutedCall::share(const std::string &name, const ExecutedCall &other,
                         const std::string &otherName) {
  const_cast<Place &>(find(name)).address = other.find(otherName).address;
}

uint64_t ExecutedCall::address(const std::string &name) const {
  return find(name).address;
}

const ExecutedCall::Place &ExecutedCall::find(const std::string &name) const {
  for (const Place &place : places) {
    if (place.tensor.name == name) {
      return place;
    }
  }
  throw std::invalid_argument("no tensor " + name);
}

int ExecutedCall::queue(void *stream) const {
  std::vector<girih_argument> arguments;
  for (const Place &place : places) {
    arguments.push_back(
        {place.tensor.name.c_str(), place.tensor.element.c_str(), place.address,
         place.tensor.extents.size(), place.tensor.extents.data(),
         place.strides.data(), 0, GIRIH_VOUCHED, nullptr});
  }
  for (const auto &[name, value] : call.scalars) {
    arguments.push_back({name.c_str(), nullptr, 0, 0, nullptr, nullptr, value,
                         GIRIH_NOTHING, nullptr});
  }
  std::vector<girih_symbol> symbols;
  for (const std::string &name : given) {
    symbols.push_back({name.c_str(), call.symbols.at(name)});
  }
  return girih_call(artefact->kernel, arguments.data(), arguments.size(),
                    symbols.data(), symbols.size(), stream);
}

std::string ExecutedCall::packed(const Place &place,
                                 const std::string &bytes) const {
  std::string out;
  for (size_t at : offsets(place)) {
    out.append(bytes, at, place.tensor.bytes);
  }
  return out;
}

static std::string download(uint64_t from, size_t bytes) {
  std::string out(bytes, 0);
  expect(girih_synchronize());
  expect(girih_download(out.data(), from, bytes));
  return out;
}

std::map<std::string, std::string> ExecutedCall::contents() const {
  std::map<std::string, std::string> out;
  for (const Place &place : places) {
    out[place.tensor.name] =
        packed(place, download(place.base, place.before.size()));
  }
  return out;
}

std::string ExecutedCall::difference() const {
  std::map<std::string, std::string> inputs;
  for (const Place &place : places) {
    inputs[place.tensor.name] = packed(place, place.before);
  }
  std::map<std::string, std::string> results = executeDirectly(call, inputs);
  for (const Place &place : places) {
    const std::string &name = place.tensor.name;
    std::string expected = place.before;
    size_t next = 0;
    for (size_t at : offsets(place)) {
      expected.replace(at, place.tensor.bytes, results[name],
                       next++ * place.tensor.bytes, place.tensor.bytes);
    }
    std::string got = download(place.base, expected.size());
    for (size_t at = 0; at < got.size(); ++at) {
      if (got[at] != expected[at]) {
        return name + " differs at byte " + std::to_string(at) + " of " +
               std::to_string(got.size());
      }
    }
  }
  return "";
}

} // namespace girih::tests
