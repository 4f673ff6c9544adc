// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of what one warp does to its rings. Vertices are events, and of
// each fill that its copy has landed. Edges say what comes before what, and
// why; a wait that can only end after what stands behind it is a cycle, and a
// refill has to come after each reader of its slot for reasons that bind the
// copy engine: the order of the program does not.

#include "lower/hopper/verify/Trace.h"
#include "lower/hopper/verify/Verify.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>

using namespace mlir;

namespace girih::hopper {
namespace {

enum class Why {
  Program, ///< the warp issues one after the other
  Copy,    ///< a copy lands after it was started, its wait ends after that
  Slot,    ///< of one slot: read after the wait, released after it was read
  Release, ///< what stands behind a release waits for its sum
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                    boost::no_property, Why>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;
using Edge = boost::graph_traits<Graph>::edge_descriptor;

/// The events of one fill of one slot, by their numbers.
struct Phase {
  std::optional<size_t> fill, wait, release;
  std::vector<size_t> reads;
};

/// The edges that bind the copy engine.
struct Binds {
  const Graph *graph = nullptr;
  bool operator()(const Edge &edge) const {
    return (*graph)[edge] != Why::Program;
  }
};

class Protocol {
public:
  explicit Protocol(const Trace &trace)
      : trace(trace), graph(2 * trace.events.size()) {
    for (auto [n, event] : llvm::enumerate(trace.events)) {
      Phase &phase = phases[{event.ring, event.slot, event.phase}];
      switch (event.kind) {
      case Event::Kind::Fill:
        phase.fill = n;
        break;
      case Event::Kind::Wait:
        phase.wait = n;
        break;
      case Event::Kind::Read:
        phase.reads.push_back(n);
        break;
      case Event::Kind::Release:
        phase.release = n;
        break;
      }
      if (n > 0) {
        boost::add_edge(n - 1, n, Why::Program, graph);
      }
    }
    for (const auto &[key, phase] : phases) {
      connect(phase);
    }
  }

  LogicalResult verify() {
    return success(succeeded(refuseOrphans()) && succeeded(refuseDeadlock()) &&
                   succeeded(refuseUses()) && succeeded(refuseRefills()));
  }

private:
  using Key = std::tuple<Operation *, int64_t, int64_t>;

  Operation *opOf(size_t event) const { return trace.events[event].op; }

  Vertex landed(size_t fill) const { return trace.events.size() + fill; }

  /// The phase of the same slot after this one.
  const Phase *next(const Event &event) const {
    auto found = phases.find({event.ring, event.slot, event.phase + 1});
    return found == phases.end() ? nullptr : &found->second;
  }

  void connect(const Phase &phase) {
    if (phase.fill) {
      boost::add_edge(*phase.fill, landed(*phase.fill), Why::Copy, graph);
      if (phase.wait) {
        boost::add_edge(landed(*phase.fill), *phase.wait, Why::Copy, graph);
      }
    }
    for (size_t read : phase.reads) {
      boost::add_edge(*phase.wait, read, Why::Slot, graph);
    }
    if (!phase.release) {
      return;
    }
    boost::add_edge(*phase.wait, *phase.release, Why::Slot, graph);
    for (size_t read : trace.events[*phase.release].needs) {
      boost::add_edge(read, *phase.release, Why::Slot, graph);
    }
    const Phase *after = next(trace.events[*phase.release]);
    if (after && after->fill && *after->fill > *phase.release) {
      boost::add_edge(*phase.release, *after->fill, Why::Release, graph);
    }
  }

  InFlightDiagnostic refuse(size_t event, const llvm::Twine &why) {
    const Event &at = trace.events[event];
    InFlightDiagnostic error = at.op->emitOpError(why);
    error << " (slot " << at.slot << ", use " << at.phase;
    if (trace.items) {
      error << ", with " << *trace.items << " items";
    }
    error << ")";
    return error;
  }

  /// Waits that no copy ends or that end before their copy, and copies that
  /// nobody waits for.
  LogicalResult refuseOrphans() {
    for (const auto &[key, phase] : phases) {
      if (phase.wait && !phase.fill) {
        return refuse(*phase.wait,
                      "waits for a copy that nobody starts: deadlock");
      }
      if (!phase.wait) {
        return refuse(*phase.fill, "starts a copy that nobody waits for: it "
                                   "may land in what the ring no longer owns");
      }
      const Event &wait = trace.events[*phase.wait];
      if (wait.parity != (wait.phase & 1)) {
        return refuse(*phase.wait, "waits for the wrong parity, " +
                                       llvm::Twine(wait.parity) +
                                       ": it ends before the copy has landed");
      }
    }
    return success();
  }

  LogicalResult refuseDeadlock() {
    std::vector<int> component(boost::num_vertices(graph));
    size_t count = boost::strong_components(graph, component.data());
    if (count == component.size()) {
      return success();
    }
    for (const auto &[key, phase] : phases) {
      if (component[*phase.wait] == component[*phase.fill]) {
        auto error = refuse(*phase.wait, "waits for a copy that is only "
                                         "started behind it: deadlock");
        error.attachNote(opOf(*phase.fill)->getLoc()) << "the copy";
        return error;
      }
    }
    return success();
  }

  LogicalResult refuseUses() {
    for (const auto &[key, phase] : phases) {
      for (size_t read : phase.reads) {
        if (phase.release && read > *phase.release) {
          auto error = refuse(read, "reads a slot that was released");
          error.attachNote(opOf(*phase.release)->getLoc()) << "here";
          return error;
        }
      }
    }
    return success();
  }

  /// Whether `to` comes after `from` for reasons that bind the copy engine.
  bool isBound(Vertex from, Vertex to) const {
    boost::filtered_graph<Graph, Binds> binding(graph, Binds{&graph});
    std::vector<boost::default_color_type> colors(boost::num_vertices(graph));
    boost::breadth_first_search(
        binding, from,
        boost::color_map(boost::make_iterator_property_map(
            colors.begin(), boost::get(boost::vertex_index, graph))));
    return colors[to] != boost::default_color_type::white_color;
  }

  LogicalResult refuseRefills() {
    for (const auto &[key, phase] : phases) {
      const Phase *after = next(trace.events[*phase.fill]);
      if (!after) {
        continue;
      }
      std::vector<size_t> users = phase.reads;
      users.push_back(*phase.wait);
      for (size_t user : users) {
        if (isBound(user, *after->fill)) {
          continue;
        }
        auto error = refuse(*after->fill, "refills a slot before its readers "
                                          "are done");
        error.attachNote(opOf(user)->getLoc())
            << "not ordered before it: " << opOf(user)->getName()
            << "; release the slot, after a warp_sum that needs all that was "
               "read, before it is filled";
        return error;
      }
    }
    return success();
  }

  const Trace &trace;
  Graph graph;
  std::map<Key, Phase> phases;
};

/// What is read goes into sums and nowhere else: else a lane could need it
/// after the slot is refilled.
LogicalResult verifyReads(KernelOp kernel) {
  WalkResult walked = kernel.getBody().walk([](ReadOp read) {
    llvm::SmallVector<Value> open = {read.getWords()};
    llvm::DenseSet<Value> seen;
    while (!open.empty()) {
      Value value = open.pop_back_val();
      if (!seen.insert(value).second) {
        continue;
      }
      for (OpOperand &use : value.getUses()) {
        Operation *user = use.getOwner();
        auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
        if (isa<scf::YieldOp>(user) && branch) {
          open.push_back(branch.getResult(use.getOperandNumber()));
        } else if ((isPure(user) && user->getNumRegions() == 0) ||
                   isa<MmaOp>(user)) {
          llvm::append_range(open, user->getResults());
        } else if (!isa<WarpSumOp>(user)) {
          auto error = read.emitOpError(
              "reads what is used elsewhere than in a warp_sum");
          error.attachNote(user->getLoc()) << "here";
          return WalkResult::interrupt();
        }
      }
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

/// The barriers of a ring are seen by all lanes before one is used.
LogicalResult verifyCreation(KernelOp kernel) {
  RingOp open;
  for (Operation &op : kernel.getBody().front()) {
    if (auto ring = dyn_cast<RingOp>(op)) {
      open = ring;
    } else if (isa<WarpBarrierOp, BlockBarrierOp>(op)) {
      open = nullptr;
    } else if (open) {
      WalkResult walked = op.walk([&](Operation *inner) {
        if (!isa<FillOp, WaitOp>(inner)) {
          return WalkResult::advance();
        }
        auto error = inner->emitOpError("uses a ring before a warp_barrier has "
                                        "shown its barriers to all lanes");
        error.attachNote(open.getLoc()) << "the ring";
        return WalkResult::interrupt();
      });
      if (walked.wasInterrupted()) {
        return failure();
      }
    }
  }
  return success();
}

} // namespace

LogicalResult verifyProtocol(KernelOp kernel) {
  if (failed(verifyCreation(kernel)) || failed(verifyReads(kernel))) {
    return failure();
  }
  auto traces = tracesOf(kernel);
  if (!traces) {
    return failure();
  }
  for (const Trace &trace : *traces) {
    if (failed(Protocol(trace).verify())) {
      return failure();
    }
  }
  return success();
}

} // namespace girih::hopper
