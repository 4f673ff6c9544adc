// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches of kernels in C++ have in common, whatever their types.

#include "girih/launch.h"

#include <algorithm>

namespace girih::kernel::detail {

[[noreturn]] static void refuse(const std::string &why) {
  throw RuntimeError(3, why);
}

void checkExtents(const CallType &type,
                  std::span<const girih::ArgumentView> tensors) {
  // A kernel has at most 16 members of 8 axes each.
  std::array<std::span<const i64>, 16> extents;
  std::array<i64, 128> values;
  std::ranges::transform(tensors, extents.begin(),
                         &girih::ArgumentView::extents);
  std::string wrong = type.bind({extents.data(), tensors.size()},
                                {values.data(), type.symbols.size()});
  if (!wrong.empty()) {
    refuse(wrong);
  }
}

void refuseEmpty(const CallType &type, std::size_t member) {
  refuse(type.name + ": " + type.members[member].name +
         " has no tensor of the host library: a launch is made of those, and "
         "moved, not copied");
}

//===-- Kernels inside of the program -------------------------------------===//

namespace {
/// Libraries that are opened later bring theirs.
struct AllEmbedded {
  std::mutex mutex;
  std::vector<EmbeddedKernel> kernels;
};
} // namespace
static AllEmbedded &embedded() {
  static auto &all = *new AllEmbedded; // launches may be in statics
  return all;
}

bool embed(std::span<const EmbeddedKernel> kernels) {
  AllEmbedded &all = embedded();
  std::lock_guard lock(all.mutex);
  all.kernels.insert(all.kernels.end(), kernels.begin(), kernels.end());
  return true;
}

static std::optional<girih::Kernel> embeddedKernel(const CallType &type) {
  AllEmbedded &all = embedded();
  std::lock_guard lock(all.mutex);
  for (const EmbeddedKernel &each : all.kernels) {
    if (each.type == type.type) {
      return girih::Kernel::embedded(each.files);
    }
  }
  return std::nullopt;
}

//===-- The kernel of a type ----------------------------------------------===//

static girih::ArgumentMode modeOnHost(Mode mode) {
  switch (mode) {
  case Mode::Shared:
    return girih::ArgumentMode::Shared;
  case Mode::Own:
    return girih::ArgumentMode::Own;
  case Mode::Out:
  case Mode::OutPartial:
    return girih::ArgumentMode::Out;
  case Mode::Raw:
    return girih::ArgumentMode::Raw;
  default:
    return girih::ArgumentMode::Atomic;
  }
}

/// Compiles it if it has to be, and throws where an artefact has other
/// arguments than the struct; its symbols are its own.
static std::unique_ptr<const KernelSlot::Ready>
makeReady(const CallType &type, const girih::Kernel &kernel) {
  std::vector<girih::ArgumentSignature> arguments;
  for (const CallType::Member &member : type.members) {
    girih::ArgumentSignature argument{member.name,
                                      recorder::textOf(member.element)};
    if (member.tensor) {
      argument.isTensor = true;
      argument.mode = modeOnHost(member.tensor->mode);
      argument.rank = std::size_t(member.tensor->rank);
    }
    arguments.push_back(argument);
  }
  std::vector<girih::SymbolSignature> symbols = kernel.symbols();
  kernel.compare({type.name, arguments, symbols});
  return std::make_unique<const KernelSlot::Ready>(
      KernelSlot::Ready{kernel, std::move(symbols)});
}

void KernelSlot::set(const girih::Kernel &kernel) {
  auto made = makeReady(type, kernel);
  const Ready *none = nullptr;
  if (!ready.compare_exchange_strong(none, made.get())) {
    refuse(type.name + " has its kernel already: use<K>() comes before the "
                       "first launch");
  }
  made.release(); // kept: launches may be in statics
}

namespace {
struct LaunchOptions {
  std::mutex mutex;
  girih::JitOptions options;
};
} // namespace
static LaunchOptions &launchOptions() {
  static auto &options = *new LaunchOptions; // launches may be in statics
  return options;
}

static girih::Kernel kernelOf(const CallType &type) {
  if (std::optional<girih::Kernel> inside = embeddedKernel(type)) {
    return *inside;
  }
  recorder::File file = type.record();
  LaunchOptions &with = launchOptions();
  std::lock_guard lock(with.mutex);
  return girih::Kernel::fromText(file.name, std::move(file.placed),
                                 with.options);
}

const KernelSlot::Ready &KernelSlot::find() {
  std::unique_lock lock(mutex);
  if (!pending) {
    pending = kernelOf(type);
  }
  girih::Kernel kernel = *pending;
  unsigned attempt = this->attempt;
  lock.unlock();
  std::unique_ptr<const Ready> made;
  try {
    made = makeReady(type, kernel);
  } catch (...) {
    lock.lock();
    if (attempt == this->attempt) {
      pending.reset();
      ++this->attempt;
    }
    throw;
  }
  const Ready *none = nullptr;
  return ready.compare_exchange_strong(none, made.get()) ? *made.release()
                                                         : *none;
}

std::vector<std::int64_t> place(const CallType &type,
                                const KernelSlot::Ready &ready,
                                std::span<const SymbolNumber> numbers) {
  std::vector<std::int64_t> out;
  auto isOf = [](std::string_view name) {
    return [=](const auto &each) { return each.name == name; };
  };
  for (const girih::SymbolSignature &symbol : ready.symbols) {
    auto given = std::ranges::find_if(numbers, isOf(symbol.name));
    if (given == numbers.end()) {
      refuse(type.name + ": the symbol " + std::string(symbol.name) +
             " is no extent, and has to be given");
    }
    out.push_back(given->number);
  }
  for (const SymbolNumber &each : numbers) {
    if (std::ranges::count_if(numbers, isOf(each.name)) > 1) {
      refuse(type.name + ": " + std::string(each.name) + " is given twice");
    }
    if (std::ranges::none_of(ready.symbols, isOf(each.name))) {
      refuse(type.name + ": " + std::string(each.name) +
             " is no symbol to be given: extents are those of the tensors");
    }
  }
  return out;
}

} // namespace girih::kernel::detail

void girih::kernel::compileWith(const girih::JitOptions &options) {
  detail::LaunchOptions &with = detail::launchOptions();
  std::lock_guard lock(with.mutex);
  with.options = options;
}
