// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// girih._core: the libraries of checker, executor and compiler for Python.
// What they return becomes the plain data of girih/results.py, and an error an
// exception of girih/errors.py; whatever callers hand over was looked through
// in girih/kernels.py.

#include "girih/compiler.h"
#include "girih/executor.h"

#include <cstring>
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace girih {

//===-- Plain data -------------------------------------------------------===//

static nb::object result(const char *name) {
  return nb::module_::import_("girih.results").attr(name);
}

/// Texts quote sources, which may hold any bytes.
static nb::object str(const std::string &text) {
  PyObject *made =
      PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "replace");
  if (!made) {
    throw nb::python_error();
  }
  return nb::steal(made);
}

static nb::object plain(const std::string &text) { return str(text); }
static nb::object plain(std::int64_t number) { return nb::int_(number); }
static nb::object plain(std::size_t number) { return nb::int_(number); }

template <typename T> static nb::object plain(const std::vector<T> &list) {
  nb::list out;
  for (const T &item : list) {
    out.append(plain(item));
  }
  return nb::tuple(out);
}

template <typename T>
static nb::object plain(const std::map<std::string, T> &map) {
  nb::dict out;
  for (const auto &[name, value] : map) {
    out[str(name)] = plain(value);
  }
  return out;
}

static nb::object
plain(const std::vector<std::pair<std::string, std::int64_t>> &symbols) {
  nb::dict out;
  for (const auto &[name, value] : symbols) {
    out[str(name)] = value;
  }
  return out;
}

template <typename T> static nb::object plain(const std::optional<T> &value) {
  return value ? plain(*value) : nb::none();
}

//===-- Diagnostics and errors -------------------------------------------===//

static nb::object plain(const SourceRange &range) {
  return result("SourceRange")(range.line, range.column, range.columns);
}

static nb::object plain(const Note &note) {
  return result("Note")(str(note.kind), str(note.text));
}

static nb::object plain(const Diagnostic &d) {
  bool error = d.severity == Diagnostic::Severity::Error;
  return result("Diagnostic")(
      "severity"_a = error ? "error" : "warning", "rule"_a = str(d.rule),
      "message"_a = str(d.message), "at"_a = plain(d.at),
      "other"_a = plain(d.other), "notes"_a = plain(d.notes));
}

static const char *nameOf(Error::Kind kind) {
  switch (kind) {
  case Error::Kind::Malformed:
    return "malformed";
  case Error::Kind::Refused:
    return "refused";
  case Error::Kind::Usage:
    return "usage";
  case Error::Kind::File:
    return "file";
  case Error::Kind::Missing:
    return "missing";
  case Error::Kind::Limit:
    return "limit";
  case Error::Kind::Failed:
    return "failed";
  }
  return "";
}

[[noreturn]] static void raise(const Error &error) {
  nb::object made =
      nb::module_::import_("girih.errors")
          .attr("from_library")(nameOf(error.kind), str(error.message),
                                plain(error.diagnostics), str(error.text));
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(made.ptr())),
                  made.ptr());
  throw nb::python_error();
}

/// What a call of the libraries returns; other threads run in the meantime.
template <typename Call> static auto valueOf(Call call) {
  auto expected = [&] {
    nb::gil_scoped_release released;
    return call();
  }();
  if (!expected) {
    raise(expected.error());
  }
  return std::move(*expected);
}

static std::string bytesOf(const nb::bytes &bytes) {
  return {bytes.c_str(), bytes.size()};
}

static std::optional<std::string>
bytesOf(const std::optional<nb::bytes> &bytes) {
  return bytes ? std::optional(bytesOf(*bytes)) : std::nullopt;
}

static nb::bytes toBytes(const void *data, std::size_t size) {
  return nb::bytes(static_cast<const char *>(data), size);
}

//===-- Verdicts ---------------------------------------------------------===//

static nb::object plain(const Obligation &o) {
  const char *status[] = {"PROVED", "REFUTED", "UNKNOWN", "BLOCKED"};
  return result("Obligation")(
      "rule"_a = str(o.rule), "label"_a = str(o.label),
      "location"_a = str(o.location), "text"_a = str(o.text),
      "hash"_a = str(o.hash),
      "status"_a = result("Status").attr(status[int(o.status)]),
      "certificate"_a = str(o.certificate), "reason"_a = str(o.reason));
}

static nb::object plain(const Counterexample &c) {
  return result("Counterexample")(
      "obligation"_a = c.obligation, "rule"_a = str(c.rule),
      "symbols"_a = plain(c.symbols), "grid"_a = plain(c.grid),
      "contents"_a = plain(c.contents), "block"_a = plain(c.block),
      "trips"_a = plain(c.trips), "other_block"_a = plain(c.otherBlock),
      "other_trips"_a = plain(c.otherTrips), "tensor"_a = str(c.tensor),
      "element"_a = plain(c.element), "message"_a = str(c.message),
      "replay"_a = str(c.replay));
}

static nb::object plain(const OptOut &o) {
  return result("OptOut")(str(o.form), str(o.text), str(o.location));
}

static nb::object plain(const KernelVerdict &k) {
  return result("KernelVerdict")(
      "name"_a = str(k.name), "variants"_a = str(k.variants),
      "verdict"_a = result("Verdict").attr(verdictName(k.verdict)),
      "obligations"_a = plain(k.obligations),
      "counterexamples"_a = plain(k.counterexamples),
      "diagnostics"_a = plain(k.diagnostics),
      "diagnostics_left_out"_a = k.diagnosticsLeftOut,
      "model"_a = plain(k.model), "opt_outs"_a = plain(k.optOuts),
      "witnesses"_a = plain(k.witnesses),
      "disagreements"_a = plain(k.disagreements), "digest"_a = str(k.digest),
      "text"_a = str(k.text));
}

static nb::object verifyFile(const nb::bytes &name,
                             const std::optional<nb::bytes> &text,
                             const std::optional<nb::bytes> &certificates,
                             bool stored, bool search, bool crossCheck,
                             bool suggest, unsigned indexWidth,
                             std::uint64_t steps, unsigned threads) {
  Source source{bytesOf(name), bytesOf(text)};
  VerifyOptions options;
  options.indexWidth = indexWidth;
  options.certificates = bytesOf(certificates);
  options.stored = stored;
  options.search = search;
  options.steps = steps;
  options.crossCheck = crossCheck;
  options.suggest = suggest;
  options.threads = threads;
  Verification v = valueOf([&] { return verify(source, options); });
  return result("Verification")(
      "kernels"_a = plain(v.kernels), "certificates"_a = str(v.certificates),
      "_verified"_a = v.verified ? nb::cast(*v.verified) : nb::none());
}

//===-- Launches on the executor -----------------------------------------===//

static nb::object plain(const Argument &a) {
  return result("Argument")(str(a.name), str(a.element), a.isTensor,
                            str(a.mode), plain(a.dims));
}

static nb::object plain(const Symbol &s) {
  return result("Symbol")(str(s.name), str(s.type));
}

static nb::object plain(const Signature &s) {
  return result("Signature")(str(s.variants), plain(s.kernels),
                             plain(s.arguments), plain(s.symbols),
                             plain(s.contracts));
}

static nb::object plain(const Fault &f) {
  return result("Fault")(
      "rule"_a = str(f.rule), "headline"_a = str(f.headline),
      "message"_a = str(f.message), "at"_a = plain(f.at),
      "block"_a = plain(f.block), "trips"_a = plain(f.trips),
      "tensor"_a = str(f.tensor), "element"_a = plain(f.element),
      "other_block"_a = plain(f.otherBlock),
      "other_trips"_a = plain(f.otherTrips), "other_at"_a = plain(f.otherAt),
      "other_message"_a = str(f.otherMessage), "text"_a = str(f.text));
}

/// Element, shape, whether the numbers are floats, and their bytes.
static nb::object plain(const Array &array) {
  bool floats = array.integers.empty();
  nb::bytes data =
      floats ? toBytes(array.floats.data(), array.floats.size() * 8)
             : toBytes(array.integers.data(), array.integers.size() * 8);
  return nb::make_tuple(str(array.element), plain(array.shape), floats, data);
}

static nb::object plain(const TensorResult &t) {
  return nb::make_tuple(plain(t.values), plain(t.bounds), plain(t.defined));
}

/// The tensors are apart: girih/kernels.py makes NumPy arrays of them.
static nb::object plain(const Execution &e) {
  nb::object execution = result("Execution")(
      "kernel"_a = str(e.kernel), "grid"_a = plain(e.grid),
      "blocks"_a = e.blocks, "steps"_a = e.steps, "faults"_a = plain(e.faults),
      "bounds_hold"_a = e.boundsHold, "tensors"_a = nb::dict());
  return nb::make_tuple(execution, plain(e.tensors));
}

static Array arrayOf(const nb::tuple &given) {
  Array out;
  out.shape = nb::cast<std::vector<std::int64_t>>(given[0]);
  auto data = nb::cast<nb::bytes>(given[2]);
  auto fill = [&](auto &numbers) {
    numbers.resize(data.size() / 8);
    std::memcpy(numbers.data(), data.c_str(), numbers.size() * 8);
  };
  if (nb::cast<bool>(given[1])) {
    fill(out.floats);
  } else {
    fill(out.integers);
  }
  return out;
}

using Symbols = std::map<std::string, std::int64_t>;
using Contents = std::map<std::string, std::vector<std::int64_t>>;

static nb::object run(const Executor &executor, Symbols symbols,
                      std::map<std::string, double> scalars,
                      const nb::dict &inputs, Contents contents,
                      const nb::object &options) {
  Launch launch;
  launch.symbols = std::move(symbols);
  launch.scalars = std::move(scalars);
  for (auto [name, given] : inputs) {
    launch.inputs[nb::cast<std::string>(name)] =
        arrayOf(nb::cast<nb::tuple>(given));
  }
  launch.round = false;
  launch.contents = std::move(contents);
  auto set = [&](const char *name, auto &field) {
    field = nb::cast<std::decay_t<decltype(field)>>(options.attr(name));
  };
  set("variant", launch.variant);
  set("blocks", launch.blocks);
  launch.order = Order(nb::cast<int>(options.attr("order_number")));
  set("seed", launch.seed);
  set("index_width", launch.indexWidth);
  set("values", launch.values);
  set("max_steps", launch.maxSteps);
  set("max_bytes", launch.maxBytes);
  set("max_faults", launch.maxFaults);
  set("max_result_elements", launch.maxResultElements);
  return plain(valueOf([&] { return executor.run(launch); }));
}

//===-- Compiling --------------------------------------------------------===//

static nb::object plain(const TileIr &t) {
  return result("TileIr")(str(t.kernel),
                          toBytes(t.bytecode.data(), t.bytecode.size()),
                          str(t.text));
}

static nb::object tileIr(const VerifiedKernels &kernels,
                         std::vector<std::string> architectures,
                         bool allowTrust) {
  CompileOptions options;
  options.architectures = std::move(architectures);
  options.allowTrust = allowTrust;
  return plain(valueOf([&] { return compileToTileIr(kernels, options); }));
}

static nb::object compileFolder(const VerifiedKernels &kernels,
                                const nb::bytes &folder,
                                std::vector<std::string> architectures,
                                bool allowTrust, bool lineInfo,
                                const nb::bytes &tileiras, unsigned timeLimit,
                                const std::optional<nb::bytes> &cache,
                                const nb::bytes &signingKey) {
  CompileOptions options;
  options.architectures = std::move(architectures);
  options.allowTrust = allowTrust;
  options.lineInfo = lineInfo;
  options.tileiras = bytesOf(tileiras);
  options.timeLimit = timeLimit;
  options.cache = bytesOf(cache);
  options.signingKey = bytesOf(signingKey);
  std::string path = bytesOf(folder);
  Artefact made =
      valueOf([&] { return compileToArtefact(kernels, path, options); });
  nb::object os = nb::module_::import_("os");
  return result("Artefact")(
      os.attr("fsdecode")(toBytes(made.folder.data(), made.folder.size())),
      str(made.name), str(made.assembler));
}

} // namespace girih

NB_MODULE(_core, m) {
  using namespace girih;
  nb::class_<VerifiedKernels>(m, "VerifiedKernels");
  nb::class_<Executor>(m, "Executor")
      .def(
          "__init__",
          [](Executor *self, const nb::bytes &name,
             const std::optional<nb::bytes> &text) {
            Source source{bytesOf(name), bytesOf(text)};
            new (self)
                Executor(valueOf([&] { return Executor::open(source); }));
          },
          "name"_a, "text"_a.none())
      .def_prop_ro("signature",
                   [](const Executor &e) { return plain(e.signature()); })
      .def("run", &run);
  m.def("version", &version);
  m.def("architectures", [] { return plain(architectures()); });
  m.def("verify", &verifyFile, "name"_a, "text"_a.none(),
        "certificates"_a.none(), "stored"_a, "search"_a, "cross_check"_a,
        "suggest"_a, "index_width"_a, "steps"_a, "threads"_a);
  m.def("tile_ir", &tileIr);
  m.def("compile", &compileFolder, "kernels"_a, "folder"_a, "architectures"_a,
        "allow_trust"_a, "line_info"_a, "tileiras"_a, "time_limit"_a,
        "cache"_a.none(), "signing_key"_a);
}
