// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/execution/Kernel.h"

#include "runtime/execution/KernelOfFile.h"

#include <filesystem>
#include <fmt/format.h>

using namespace girih::runtime;

namespace girih {

static std::shared_ptr<KernelState> stateOf(Expected<Artefact> artefact) {
  if (!artefact) {
    throw RuntimeError(exitCode(artefact.error().why), artefact.error().reason);
  }
  return std::make_shared<KernelState>(std::move(*artefact));
}

Kernel Kernel::load(const std::string &folder) {
  return Kernel(stateOf(loadArtefact(folder)));
}

Kernel Kernel::embedded(std::span<const EmbeddedFile> files) {
  auto read = [&](const std::string &name) -> std::optional<std::string> {
    for (const EmbeddedFile &file : files) {
      if (file.name == name) {
        return std::string(file.bytes);
      }
    }
    return std::nullopt;
  };
  return Kernel(stateOf(loadArtefact(read)));
}

Kernel Kernel::fromFile(const std::string &path, const JitOptions &options) {
  return Kernel(kernelOfFile(path, options));
}

Kernel Kernel::fromText(const std::string &name, std::string text,
                        const JitOptions &options) {
  FileToCompile file;
  file.path = name + ".mlir";
  file.text = std::move(text);
  return Kernel(kernelOfText(std::move(file), options));
}

const std::shared_ptr<KernelState> &Kernel::state() const {
  return file ? file->get() : loaded;
}

std::string_view Kernel::name() const { return state()->manifest().name; }

std::vector<SymbolSignature> Kernel::symbols() const {
  return state()->symbolSignatures();
}

std::vector<std::string> Kernel::trusted() const {
  std::vector<std::string> out;
  for (const Variant &variant : state()->manifest().variants) {
    out.insert(out.end(), variant.trusted.begin(), variant.trusted.end());
  }
  return out;
}

void Kernel::compare(const KernelSignature &signature) const {
  state()->compare(signature);
}

void Kernel::prepare(const Device &device) const { state()->prepare(device); }

std::pair<std::vector<double>, std::vector<int64_t>>
Kernel::place(const NamedValues &values, std::span<const bool> writable) const {
  const std::shared_ptr<KernelState> &state = this->state();
  auto refuse = [&](const std::string &why) {
    throw RuntimeError(3, fmt::format("{}: {}", name(), why));
  };
  std::vector<std::optional<double>> scalars(state->scalarCount());
  std::vector<std::optional<int64_t>> symbols(state->symbolCount());
  for (const auto &[name, value] : values) {
    if (state->isScalar(name)) {
      scalars[state->scalarNamed(name)] =
          std::visit([](auto v) { return static_cast<double>(v); }, value);
    } else if (const auto *whole = std::get_if<int64_t>(&value)) {
      symbols[state->symbolNamed(name)] = *whole;
    } else {
      state->symbolNamed(name);
      refuse("the symbol " + name + " is an integer");
    }
  }
  auto all = [&](const auto &given, auto &out) {
    for (const auto &value : given) {
      if (!value) {
        refuse(fmt::format("a scalar or symbol is missing: {} of {} are given",
                           values.size(), scalars.size() + symbols.size()));
      }
      out.push_back(*value);
    }
  };
  std::pair<std::vector<double>, std::vector<int64_t>> out;
  all(scalars, out.first);
  all(symbols, out.second);
  for (size_t k = 0; k < writable.size() && k < state->tensorCount(); ++k) {
    if (!writable[k] && state->modeOf(k) != AccessMode::Read) {
      refuse(fmt::format("tensor {} is written, a shared one is given", k));
    }
  }
  return out;
}

namespace detail {

KernelState &stateOf(const Kernel &kernel) { return *kernel.state(); }

std::string besideProgram(std::string_view name) {
  std::error_code error;
  std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / name).string();
}

void KernelSlot::set(Kernel kernel) {
  const Kernel *none = nullptr;
  // Kept for as long as the process: launches may be in statics.
  auto made = std::make_unique<const Kernel>(std::move(kernel));
  if (!ready.compare_exchange_strong(none, made.get())) {
    throw RuntimeError(
        3, fmt::format("the kernel {} is loaded already", none->name()));
  }
  made.release();
}

const Kernel &KernelSlot::find(const KernelSignature &signature) {
  Kernel found = Kernel::load(besideProgram(signature.name));
  found.compare(signature);
  const Kernel *none = nullptr;
  auto made = std::make_unique<const Kernel>(std::move(found));
  // Another thread may have been first.
  return ready.compare_exchange_strong(none, made.get()) ? *made.release()
                                                         : *none;
}

} // namespace detail
} // namespace girih
