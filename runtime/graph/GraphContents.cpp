// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What contracts give of contents, in graphs: looked up on the device before
// each replay, or in what the host brings, until somebody else writes there.

#include "runtime/arguments/Preconditions.h"
#include "runtime/driver/Buffer.h"
#include "runtime/graph/GraphState.h"

#include <algorithm>
#include <fmt/format.h>

namespace girih::detail {

/// Contents are looked at before the first launch of a replay. What a launch
/// in front writes they do not show. Those that are said once have to stay.
void GraphState::refuseWrittenContents() const {
  for (size_t k = 0; k < nodes.size(); ++k) {
    for (const GraphArgument &argument : nodes[k].arguments) {
      if (argument.known != Known::Validated &&
          argument.known != Known::Contents) {
        continue;
      }
      if (argument.known == Known::Contents &&
          buffers[argument.buffer].record->replayed()) {
        throw RuntimeError(
            3, nodes[k].text() + ": the contents of b" +
                   std::to_string(argument.buffer) +
                   " are given, and replays of another graph write them");
      }
      size_t end = argument.known == Known::Validated ? k : nodes.size();
      for (size_t j = 0; j < end; ++j) {
        for (const GraphArgument &other : nodes[j].arguments) {
          if (other.buffer == argument.buffer &&
              other.mode != AccessMode::Read) {
            throw RuntimeError(
                3,
                fmt::format("{}: the contents of b{} are given, and {} of "
                            "the same graph writes them: they cannot be "
                            "looked at before",
                            nodes[k].text(), argument.buffer, nodes[j].text()));
          }
        }
      }
    }
  }
}

static bool isSameFact(const runtime::Validation &a,
                       const runtime::Validation &b) {
  return a.address == b.address && a.given.kind == b.given.kind &&
         a.bounds.low == b.bounds.low && a.bounds.high == b.bounds.high &&
         a.layout.element == b.layout.element &&
         a.layout.extents == b.layout.extents &&
         a.layout.strides == b.layout.strides;
}

/// What several launches are given of one tensor is looked up once.
void GraphState::listFacts() {
  facts.clear();
  for (size_t k = 0; k < nodes.size(); ++k) {
    const auto *launch = std::get_if<GraphLaunch>(&nodes[k].work);
    if (!launch) {
      continue;
    }
    for (const runtime::Validation &look : launch->prepared.validations) {
      auto argument = std::ranges::find_if(nodes[k].arguments, [&](auto &each) {
        return each.known == Known::Validated && each.address == look.address;
      });
      if (std::ranges::none_of(facts, [&](const Fact &other) {
            return isSameFact(*other.look, look);
          })) {
        facts.push_back({k, argument->buffer, &look});
      }
    }
  }
}

void GraphState::validate(const Stream &stream) const {
  for (const Fact &fact : facts) {
    if (fact.isKnown) {
      continue;
    }
    if (auto error = runtime::validate(driver(), *fact.look, stream.handle())) {
      throw RuntimeError(runtime::exitCode(error->why),
                         nodes[fact.node].text() + ": " + error->reason);
    }
  }
}

void GraphState::forgetContents(const Record &record) noexcept {
  for (Fact &fact : facts) {
    if (buffers[fact.buffer].record->whole() == record.whole()) {
      fact.isKnown = false;
    }
  }
}

void GraphState::refuseBreach(const Fact &fact, const TensorState &to,
                              const void *contents) const {
  const runtime::Validation &look = *fact.look;
  size_t bytes = bitsOf(to.element) / 8;
  const char *first =
      static_cast<const char *>(contents) + (look.address - to.address);
  std::string packed;
  runtime::forEachElement(look.layout, [&](int64_t, int64_t position) {
    packed.append(first + position * bytes, bytes);
  });
  if (auto error =
          runtime::findBreach(look.given, look.bounds, look.layout.element,
                              look.layout.extents, packed.data())) {
    throw RuntimeError(runtime::exitCode(error->why),
                       nodes[fact.node].text() + ": " + error->reason);
  }
}

/// Where the graph writes there itself, a replay would change what is known,
/// and of foreign memory others may; a view that reaches beyond the result the
/// host has not seen.
void GraphState::assign(const TensorState &to, const void *from, size_t count,
                        size_t bytes) {
  std::lock_guard lock(mutex);
  requireOpen();
  bool mayChange = to.record->isForeign();
  mayChange |= std::ranges::any_of(buffers, [&](const GraphBuffer &buffer) {
    return buffer.mode != AccessMode::Read &&
           buffer.record->whole() == to.record->whole();
  });
  bool isImage = isRowMajor(to) && bitsOf(to.element) == 8 * bytes;
  bool fits = count == static_cast<size_t>(to.count());
  std::vector<Fact *> seen;
  uint64_t end = to.address + count * bytes;
  for (Fact &fact : facts) {
    const runtime::Validation &look = *fact.look;
    uint64_t looked = static_cast<uint64_t>(look.layout.span()) * bytes;
    if (fits && isImage && !mayChange && look.address >= to.address &&
        look.address + looked <= end) {
      refuseBreach(fact, to, from);
      seen.push_back(&fact);
    }
  }
  if (fits) {
    forgetContents(*to.record);
  }
  copyInto(to, from, count, bytes, nullptr);
  for (Fact *fact : seen) {
    fact->isKnown = true;
  }
}

} // namespace girih::detail
