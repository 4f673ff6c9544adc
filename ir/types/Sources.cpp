// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir/types/Sources.h"
#include "ir/types/Diagnose.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tuple>

using namespace llvm;

namespace girih::tile {

/// No author's file is larger, and nobody finds a caret under a longer line.
static constexpr off_t maxSourceBytes = 16 << 20;
static constexpr size_t maxSourceColumns = 1000;

static bool isSourceName(StringRef path) {
  return llvm::StringSwitch<bool>(sys::path::extension(path))
      .Cases({".cpp", ".cc", ".cxx", ".cu"}, true)
      .Cases({".h", ".hpp", ".hxx", ".cuh"}, true)
      .Cases({".inc", ".ipp"}, true)
      .Default(false);
}

static std::tuple<time_t, long> changedAt(const struct stat &status) {
  return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Sources::File Sources::read(StringRef path) const {
  File file;
  if (!isSourceName(path)) {
    return file;
  }
  // A pipe without a writer would be waited for.
  int descriptor =
      open(path.str().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) {
    return file;
  }
  scope_exit closed([&] { close(descriptor); });
  struct stat status, own;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size > maxSourceBytes) {
    return file;
  }
  if (stat(kernel.c_str(), &own) == 0 && S_ISREG(own.st_mode) &&
      changedAt(status) > changedAt(own)) {
    file.why = path.str() + " is newer than " + kernel +
               ", so that its line is not shown: record the kernel again";
    return file;
  }
  file.text.resize(size_t(status.st_size));
  size_t size = 0;
  while (size < file.text.size()) {
    ssize_t got =
        ::read(descriptor, file.text.data() + size, file.text.size() - size);
    if (got <= 0) {
      break;
    }
    size += size_t(got);
  }
  file.text.resize(size);
  file.lines.push_back(0);
  for (size_t at = file.text.find('\n'); at < size;
       at = file.text.find('\n', at + 1)) {
    file.lines.push_back(at + 1);
  }
  return file;
}

/// How much is underlined from a byte of a line on: a name with its scopes.
static unsigned wordAt(StringRef line, unsigned column) {
  StringRef rest = line.drop_front(column - 1);
  size_t size =
      rest.take_while([](char c) { return isAlnum(c) || c == '_' || c == ':'; })
          .rtrim(':')
          .size();
  return unsigned(size);
}

ShownPlace Sources::look(const SourcePlace &place) {
  ShownPlace out{place.file.str(), place.line, place.column, 0, {}, {}};
  auto it = files.find(place.file);
  if (it == files.end()) {
    it = files.emplace(place.file.str(), read(place.file)).first;
  }
  const File &file = it->second;
  out.why = file.why;
  if (file.lines.empty()) {
    return out;
  }
  bool isThere = place.line <= file.lines.size();
  StringRef line;
  if (isThere) {
    line = StringRef(file.text).substr(file.lines[place.line - 1]);
    line = line.split('\n').first.rtrim('\r');
  }
  if (!isThere || place.column > line.size() + 1) {
    out.why = out.file + " has no line " + utostr(place.line) +
              (isThere ? " of " + utostr(place.column) + " columns" : "") +
              ": it is not the file that the kernel was recorded from";
  } else if (line.size() <= maxSourceColumns) {
    out.text = line.str();
    out.columns = place.column > 0 ? wordAt(line, place.column) : 0;
  }
  return out;
}

std::pair<unsigned, unsigned> underlined(const ShownPlace &place) {
  if (place.column > 0) {
    return {place.column, std::max(place.columns, 1u)};
  }
  StringRef line = place.text ? StringRef(*place.text) : "";
  StringRef code = line.take_front(line.find("//")).rtrim();
  auto blank = unsigned(code.size() - code.ltrim().size());
  return {blank + 1, std::max(unsigned(code.size()) - blank, 1u)};
}

std::string headOf(const ShownPlace &place) {
  std::string head = printable(place.file) + ":" + std::to_string(place.line);
  return place.column > 0 ? head + ":" + std::to_string(place.column) : head;
}

void printAt(raw_ostream &os, const ShownPlace &place, const Twine &message) {
  os << headOf(place) << ": " << message << '\n';
  if (place.text) {
    auto [column, columns] = underlined(place);
    printUnderlined(os, *place.text, column, columns);
  }
  if (!place.why.empty()) {
    os << "note: " << printable(place.why) << '\n';
  }
}

} // namespace girih::tile
