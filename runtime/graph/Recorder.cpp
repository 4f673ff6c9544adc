// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graph/Recorder.h"

#include "runtime/graph/GraphState.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace girih::detail {

Recorder::Recorder(const RecordOptions &options, std::optional<GraphRank> rank)
    : options(options), rank(rank) {}

Recorder::~Recorder() {
  for (const GraphBuffer &buffer : buffers) {
    buffer.record->endRecording(AccessMode::Read);
    if (buffer.mode != AccessMode::Read) {
      buffer.record->endRecording(AccessMode::Write);
    }
  }
}

size_t Recorder::bufferOf(const std::shared_ptr<Record> &hold,
                          AccessMode mode) {
  auto [found, isNew] = numbers.try_emplace(hold.get(), buffers.size());
  if (isNew) {
    buffers.push_back({hold, AccessMode::Read});
    hold->beginRecording(AccessMode::Read);
  }
  GraphBuffer &buffer = buffers[found->second];
  if (mode != AccessMode::Read && buffer.mode == AccessMode::Read) {
    buffer.mode = AccessMode::Write;
    hold->beginRecording(AccessMode::Write);
  }
  return found->second;
}

/// Behind the last writer and, to write, behind who has read since. A piece is
/// in no order with other pieces.
void Recorder::order(const Record &record, AccessMode mode, size_t node) {
  auto &tensor = uses[record.whole()];
  std::set<size_t> before;
  for (auto &[used, by] : tensor) {
    if (used != &record && used->isPiece() && record.isPiece()) {
      continue;
    }
    before.insert(by.writers.begin(), by.writers.end());
    if (mode != AccessMode::Read) {
      before.insert(by.readers.begin(), by.readers.end());
    }
  }
  for (size_t from : before) {
    edges.push_back({from, node});
  }
  if (mode == AccessMode::Read) {
    tensor[&record].readers.push_back(node);
    return;
  }
  if (!record.isPiece()) {
    tensor.clear();
  }
  tensor[&record] = {{node}, {}};
}

void Recorder::add(GraphNode node,
                   std::span<const std::shared_ptr<Record>> holds) {
  Device device =
      holds.empty() ? Device::get() : Device(holds.front()->device());
  for (const auto &hold : holds) {
    if (&hold->device() != &device.internal()) {
      throw RuntimeError(3, node.text() + ": its tensors lie on two devices");
    }
  }
  node.prepare(device);
  size_t number = nodes.size(), known = edges.size();
  for (size_t k = 0; k < holds.size(); ++k) {
    GraphArgument &argument = node.arguments[k];
    argument.buffer = bufferOf(holds[k], argument.mode);
  }
  for (size_t k = 0; k < holds.size(); ++k) {
    order(*holds[k], node.arguments[k].mode, number);
  }
  const auto *optOut = std::get_if<GraphOptOut>(&node.work);
  if (optOut && optOut->communicator) {
    if (lastCollective) {
      edges.push_back({*lastCollective, number});
    }
    lastCollective = number;
  }
  // Two arguments may be behind one launch.
  auto first = edges.begin() + static_cast<std::ptrdiff_t>(known);
  std::sort(first, edges.end(),
            [](auto &a, auto &b) { return a.from < b.from; });
  edges.erase(std::unique(first, edges.end()), edges.end());
  nodes.push_back(std::move(node));
}

static GraphArgument argumentOf(const ArgumentView &view, AccessMode mode) {
  GraphArgument out;
  out.mode = mode;
  out.lieAt(view);
  return out;
}

void Recorder::launch(const std::shared_ptr<KernelState> &kernel,
                      const LaunchRequest &request,
                      std::span<const std::shared_ptr<Record>> holds) {
  GraphNode node;
  for (size_t k = 0; k < request.tensors.size(); ++k) {
    const LaunchArgument &tensor = request.tensors[k];
    GraphArgument argument = argumentOf(tensor.view, modeOf(*kernel, k));
    argument.known = tensor.known;
    if (tensor.known == Known::Contents) {
      const auto *bytes = static_cast<const unsigned char *>(tensor.contents);
      argument.contents.assign(
          bytes,
          bytes + tensor.count * std::max(bitsOf(tensor.view.element), 8u) / 8);
      argument.count = tensor.count;
    }
    node.arguments.push_back(std::move(argument));
  }
  node.work = GraphLaunch{kernel,
                          {request.scalars.begin(), request.scalars.end()},
                          {request.symbols.begin(), request.symbols.end()},
                          {}};
  add(std::move(node), holds);
}

void Recorder::copy(const ArgumentView &from,
                    const std::shared_ptr<Record> &fromHold,
                    const ArgumentView &to,
                    const std::shared_ptr<Record> &toHold) {
  GraphNode node;
  node.arguments = {argumentOf(from, AccessMode::Read),
                    argumentOf(to, AccessMode::Write)};
  node.work = GraphCopy{};
  std::array<std::shared_ptr<Record>, 2> holds{fromHold, toHold};
  add(std::move(node), holds);
}

void Recorder::zero(const ArgumentView &to,
                    const std::shared_ptr<Record> &hold) {
  GraphNode node;
  node.arguments = {argumentOf(to, AccessMode::Write)};
  node.work = GraphZero{};
  add(std::move(node), {&hold, 1});
}

void Recorder::optOut(const std::shared_ptr<const OptOut> &work,
                      std::span<const ArgumentView> tensors,
                      std::span<const std::shared_ptr<Record>> holds) {
  bookOptOut(work->name);
  GraphNode node;
  for (size_t k = 0; k < tensors.size(); ++k) {
    node.arguments.push_back(argumentOf(tensors[k], work->modes[k]));
  }
  node.work = GraphOptOut{work, {}, 0};
  add(std::move(node), holds);
}

void Recorder::collective(GraphOptOut part,
                          std::span<const ArgumentView> tensors,
                          std::span<const std::shared_ptr<Record>> holds) {
  GraphNode node;
  for (size_t k = 0; k < tensors.size(); ++k) {
    node.arguments.push_back(argumentOf(tensors[k], part.work->modes[k]));
  }
  node.work = std::move(part);
  add(std::move(node), holds);
}

/// Whether it has an owner beside its set and this recording.
bool Recorder::isOut(const std::shared_ptr<Record> &piece) const {
  return piece.use_count() > 1 + static_cast<long>(numbers.count(piece.get()));
}

/// What waits for the piece waits for the tensor, with other pieces before it.
void Recorder::moveUses(const Record &piece, const Record &tensor) {
  auto &byRecord = uses[&tensor];
  auto found = byRecord.find(&piece);
  if (found == byRecord.end()) {
    return;
  }
  Uses of = std::move(found->second);
  byRecord.erase(found);
  Uses &all = byRecord[&tensor];
  all.writers.insert(all.writers.end(), of.writers.begin(), of.writers.end());
  all.readers.insert(all.readers.end(), of.readers.begin(), of.readers.end());
}

TensorState Recorder::join(PiecesState &&pieces) {
  for (size_t number = 0; number < pieces.records.size(); ++number) {
    if (isOut(pieces.records[number])) {
      throw RuntimeError(3, "piece " + listOf(indexOf(pieces, number)) +
                                " is out: a tensor is joined of all pieces");
    }
  }
  const std::shared_ptr<Record> &tensor = pieces.tensor.record;
  std::vector<size_t> renamed(buffers.size());
  std::vector<GraphBuffer> left;
  std::optional<AccessMode> mode;
  for (size_t k = 0; k < buffers.size(); ++k) {
    GraphBuffer &buffer = buffers[k];
    bool isOfThese =
        buffer.record->isPiece() && buffer.record->whole() == tensor.get();
    if (!isOfThese) {
      renamed[k] = left.size();
      numbers[buffer.record.get()] = left.size();
      left.push_back(std::move(buffer));
      continue;
    }
    if (!mode || buffer.mode != AccessMode::Read) {
      mode = buffer.mode;
    }
    buffer.record->endRecording(AccessMode::Read);
    if (buffer.mode != AccessMode::Read) {
      buffer.record->endRecording(AccessMode::Write);
    }
    moveUses(*buffer.record, *tensor);
    numbers.erase(buffer.record.get());
    renamed[k] = SIZE_MAX;
  }
  buffers = std::move(left);
  if (mode) {
    size_t whole = bufferOf(tensor, *mode);
    for (GraphNode &node : nodes) {
      for (GraphArgument &argument : node.arguments) {
        size_t number = renamed[argument.buffer];
        argument.buffer = number == SIZE_MAX ? whole : number;
      }
    }
  }
  // The uses before the recording become the tensor's.
  pieces.records.clear();
  tensor->setLent(false);
  return std::move(pieces.tensor);
}

/// What a graph writes has no owner beside it: a function that kept a tensor
/// would have it back while replays write it. Pieces are owners of their
/// tensor; where the graph has all of them, it has the tensor.
void Recorder::refuseKept(std::span<const Record *const> results) const {
  for (size_t k = 0; k < buffers.size(); ++k) {
    const GraphBuffer &buffer = buffers[k];
    const Record *record = buffer.record.get();
    auto pieces = std::count_if(
        buffers.begin(), buffers.end(), [&](const GraphBuffer &other) {
          return other.record->isPiece() && other.record->whole() == record;
        });
    // A piece is also known to the set that it is of.
    long holders = 1 + record->isPiece() + pieces +
                   static_cast<long>(record->graphsThatLent()) +
                   std::count(results.begin(), results.end(), record);
    if (buffer.mode != AccessMode::Read &&
        buffer.record.use_count() > holders) {
      throw RuntimeError(3, "a tensor that the graph writes, b" +
                                std::to_string(k) +
                                ", has an owner outside of the pipeline");
    }
    if (pieces) {
      buffer.record->setLent(false);
    }
  }
}

std::shared_ptr<GraphState>
Recorder::finish(std::span<const Record *const> results) {
  refuseKept(results);
  auto state = std::make_shared<GraphState>(options, rank);
  state->build(buffers, std::move(nodes), std::move(edges));
  return state;
}

} // namespace girih::detail
