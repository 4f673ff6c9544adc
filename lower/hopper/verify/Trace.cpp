// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/verify/Trace.h"

#include <set>

using namespace mlir;

namespace girih::hopper {
namespace {

using Reads = std::set<size_t>;

/// What is known of a value.
struct Known {
  enum class Kind { Nothing, Number, Counter, Items, Token };
  Kind kind = Kind::Nothing;
  int64_t number = 0;   ///< a Counter: the trip, and what was added to it
  int64_t added = 0;    ///< to a Counter
  size_t wait = 0;      ///< of a Token: the event
  Reads ofLane, ofWarp; ///< reads that this lane, and every lane, needs for it

  static Known of(int64_t number) {
    Known out;
    out.kind = Kind::Number;
    out.number = number;
    return out;
  }
  bool isNumber() const { return kind == Kind::Number; }
};

/// How often a slot was filled and waited for, and whether it was released
/// since.
struct SlotState {
  int64_t fills = 0, waits = 0;
  bool isReleased = true;
};

bool usesRing(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<FillOp, WaitOp, ReleaseOp>(inner) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

class Tracer {
public:
  Tracer(KernelOp kernel, Value items, int64_t count)
      : kernel(kernel), items(items), count(count) {
    if (items) {
      trace.items = count;
      at(items).kind = Known::Kind::Items;
    }
  }

  bool run() { return runBlock(kernel.getBody().front()); }

  Trace trace;
  /// What ring ops depend on, at each trip of the loop over the items.
  std::vector<std::vector<int64_t>> states;
  /// The largest constant that stands beside the counter or the count.
  int64_t margin = 0;

private:
  Known &at(Value value) { return values[value]; }

  bool refuse(Operation *op, const llvm::Twine &why) {
    op->emitOpError(why);
    return false;
  }

  bool runBlock(Block &block) {
    for (Operation &op : block) {
      if (!runOp(&op)) {
        return false;
      }
      for (Value result : op.getResults()) {
        if (result == items) {
          at(result).kind = Known::Kind::Items;
        }
      }
    }
    return true;
  }

  bool runOp(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      return runLoop(loop);
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      return runBranch(branch);
    }
    if (auto before = dyn_cast<BeforeDependencyOp>(op)) {
      return runBlock(before.getBody().front());
    }
    if (auto fill = dyn_cast<FillOp>(op)) {
      return runFill(fill);
    }
    if (auto wait = dyn_cast<WaitOp>(op)) {
      return runWait(wait);
    }
    if (auto read = dyn_cast<ReadOp>(op)) {
      return runRead(read);
    }
    if (auto release = dyn_cast<ReleaseOp>(op)) {
      return runRelease(release);
    }
    evaluate(op);
    return true;
  }

  //===-- Values ----------------------------------------------------------===//

  void evaluate(Operation *op) {
    Known out;
    for (Value operand : op->getOperands()) {
      const Known &known = at(operand);
      out.ofLane.insert(known.ofLane.begin(), known.ofLane.end());
      out.ofWarp.insert(known.ofWarp.begin(), known.ofWarp.end());
    }
    if (isa<WarpSumOp>(op)) {
      out.ofWarp.insert(out.ofLane.begin(), out.ofLane.end());
    } else if (std::optional<Known> number = numberOf(op)) {
      number->ofLane = std::move(out.ofLane);
      number->ofWarp = std::move(out.ofWarp);
      out = std::move(*number);
    }
    for (Value result : op->getResults()) {
      at(result) = out;
    }
  }

  std::optional<Known> numberOf(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto number = dyn_cast<IntegerAttr>(constant.getValue());
      return number ? std::optional(
                          Known::of(number.getType().isInteger(1)
                                        ? number.getValue().getZExtValue()
                                        : number.getValue().getSExtValue()))
                    : std::nullopt;
    }
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      const Known &condition = at(select.getCondition());
      return condition.isNumber()
                 ? std::optional(at(condition.number ? select.getTrueValue()
                                                     : select.getFalseValue()))
                 : std::nullopt;
    }
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      return compared(compare);
    }
    if (isa<arith::TruncIOp>(op) && op->getResultTypes()[0].isInteger(32)) {
      const Known &operand = at(op->getOperand(0));
      return operand.isNumber() && llvm::isInt<31>(operand.number)
                 ? std::optional(operand)
                 : std::nullopt;
    }
    if (isa<arith::ExtUIOp>(op)) {
      const Known &operand = at(op->getOperand(0));
      bool isFlag = op->getOperand(0).getType().isInteger(1);
      return isFlag && operand.isNumber() ? std::optional(operand)
                                          : std::nullopt;
    }
    if (isa<arith::AddIOp, arith::XOrIOp>(op)) {
      const Known &a = at(op->getOperand(0)), &b = at(op->getOperand(1));
      if (a.isNumber() && b.isNumber()) {
        return Known::of(isa<arith::AddIOp>(op) ? a.number + b.number
                                                : a.number ^ b.number);
      }
      if (isa<arith::AddIOp>(op) && a.kind == Known::Kind::Counter &&
          b.isNumber() && b.number >= 0) {
        Known out = Known::of(a.number + b.number);
        out.kind = Known::Kind::Counter;
        out.added = a.added + b.number;
        return out;
      }
    }
    return std::nullopt;
  }

  std::optional<Known> compared(arith::CmpIOp compare) {
    const Known &a = at(compare.getLhs()), &b = at(compare.getRhs());
    auto predicate = compare.getPredicate();
    bool isBelow = predicate == arith::CmpIPredicate::slt ||
                   predicate == arith::CmpIPredicate::ult;
    bool isCounted = a.isNumber() || a.kind == Known::Kind::Counter;
    if (b.kind == Known::Kind::Items && isBelow && isCounted) {
      margin = std::max(margin, a.isNumber() ? a.number : a.added);
      return Known::of(a.number < count);
    }
    if (a.isNumber() && b.isNumber()) {
      if (predicate == arith::CmpIPredicate::eq) {
        return Known::of(a.number == b.number);
      }
      if (predicate == arith::CmpIPredicate::slt) {
        return Known::of(a.number < b.number);
      }
    }
    return std::nullopt;
  }

  //===-- Control ---------------------------------------------------------===//

  /// What is carried from trip to trip needs no reads of the trip: that it does
  /// is not claimed.
  static Known carried(Known value) {
    value.ofLane.clear();
    value.ofWarp.clear();
    if (!value.isNumber()) {
      value.kind = Known::Kind::Nothing;
    }
    return value;
  }

  bool runTrip(scf::ForOp loop, Known counter, std::vector<Known> &state) {
    at(loop.getInductionVar()) = std::move(counter);
    for (auto [arg, value] : llvm::zip(loop.getRegionIterArgs(), state)) {
      at(arg) = value;
    }
    if (!runBlock(*loop.getBody())) {
      return false;
    }
    for (auto [n, value] : llvm::enumerate(loop.getYieldedValues())) {
      state[n] = carried(at(value));
    }
    return true;
  }

  bool runLoop(scf::ForOp loop) {
    std::vector<Known> state;
    for (Value init : loop.getInitArgs()) {
      state.push_back(carried(at(init)));
    }
    if (!usesRing(loop)) {
      bool hasReads = loop.walk([](ReadOp) { return WalkResult::interrupt(); })
                          .wasInterrupted();
      if (hasReads) {
        return refuse(loop, "reads a slot in a loop that is not followed");
      }
      for (Value result : loop.getResults()) {
        at(result) = Known();
      }
      return true;
    }
    const Known &low = at(loop.getLowerBound()), &step = at(loop.getStep());
    Known high = at(loop.getUpperBound());
    bool isItems = high.kind == Known::Kind::Items;
    bool isFollowed = low.isNumber() && low.number == 0 && step.isNumber() &&
                      step.number == 1 && (high.isNumber() || isItems);
    if (!isFollowed) {
      return refuse(loop, "uses a ring and does not count from 0 in steps of 1 "
                          "to a constant or to the one number of items");
    }
    if (isItems && std::exchange(hasItemsLoop, true)) {
      return refuse(loop, "uses a ring and is the second loop over the items");
    }
    int64_t trips = isItems ? count : high.number;
    for (int64_t trip = 0; trip < trips; ++trip) {
      Known counter = Known::of(trip);
      if (isItems) {
        counter.kind = Known::Kind::Counter;
        states.push_back(stateOf(state));
      }
      if (!runTrip(loop, std::move(counter), state)) {
        return false;
      }
    }
    for (auto [result, value] : llvm::zip(loop.getResults(), state)) {
      at(result) = value;
    }
    return true;
  }

  std::vector<int64_t> stateOf(const std::vector<Known> &carried) {
    std::vector<int64_t> out;
    for (const Known &value : carried) {
      out.push_back(value.isNumber());
      out.push_back(value.number);
    }
    for (const auto &[where, slot] : slots) {
      out.push_back(where.second);
      out.push_back(slot.fills - slot.waits);
      out.push_back(slot.isReleased);
      out.push_back(slot.waits & 1);
    }
    return out;
  }

  bool runBranch(scf::IfOp branch) {
    const Known &condition = at(branch.getCondition());
    Block *otherwise = branch.elseBlock();
    if (condition.isNumber()) {
      Block *taken = condition.number ? branch.thenBlock() : otherwise;
      if (taken && !runBlock(*taken)) {
        return false;
      }
      for (auto [n, result] : llvm::enumerate(branch.getResults())) {
        at(result) = at(taken->getTerminator()->getOperand(n));
      }
      return true;
    }
    if (usesRing(branch)) {
      return refuse(branch, "uses a ring under a condition that does not "
                            "follow from constants and the number of items");
    }
    if (!runBlock(*branch.thenBlock()) ||
        (otherwise && !runBlock(*otherwise))) {
      return false;
    }
    for (auto [n, result] : llvm::enumerate(branch.getResults())) {
      Known merged = at(branch.thenYield().getOperand(n));
      const Known &other = at(branch.elseYield().getOperand(n));
      merged.kind = Known::Kind::Nothing;
      merged.ofLane.insert(other.ofLane.begin(), other.ofLane.end());
      merged.ofWarp.insert(other.ofWarp.begin(), other.ofWarp.end());
      at(result) = std::move(merged);
    }
    return true;
  }

  //===-- Rings -----------------------------------------------------------===//

  using Place = std::pair<Operation *, int64_t>;

  /// The slot that an op names; false with a message if it is not known.
  bool placeOf(Operation *op, Value ring, Value slot, Place &out) {
    const Known &number = at(slot);
    int64_t slotCount = cast<RingType>(ring.getType()).getSlots();
    if (!number.isNumber()) {
      return refuse(op, "names a slot that does not follow from constants");
    }
    if (number.number < 0 || number.number >= slotCount) {
      return refuse(op, llvm::Twine("names slot ") +
                            llvm::Twine(number.number) + " of a ring of " +
                            llvm::Twine(slotCount));
    }
    out = {ring.getDefiningOp(), number.number};
    return true;
  }

  bool runFill(FillOp fill) {
    Place place;
    if (!placeOf(fill, fill.getRing(), fill.getSlot(), place)) {
      return false;
    }
    int64_t phase = slots[place].fills++;
    trace.events.push_back(
        {Event::Kind::Fill, fill, place.first, place.second, phase, 0, {}});
    return true;
  }

  bool runWait(WaitOp wait) {
    Place place;
    if (!placeOf(wait, wait.getRing(), wait.getSlot(), place)) {
      return false;
    }
    const Known &parity = at(wait.getParity());
    if (!parity.isNumber()) {
      return refuse(wait, "names a parity that does not follow from constants");
    }
    Known token;
    token.kind = Known::Kind::Token;
    token.wait = trace.events.size();
    at(wait.getToken()) = token;
    int64_t phase = slots[place].waits++;
    slots[place].isReleased = false;
    trace.events.push_back({Event::Kind::Wait,
                            wait,
                            place.first,
                            place.second,
                            phase,
                            parity.number,
                            {}});
    return true;
  }

  /// The event of an op that has a token; null with a message if it is carried
  /// from trip to trip.
  Event *add(Operation *op, Value token, Event::Kind kind) {
    const Known &known = at(token);
    if (known.kind != Known::Kind::Token) {
      refuse(op, "has a slot whose wait is not in the same trip");
      return nullptr;
    }
    Event event = trace.events[known.wait];
    event.kind = kind;
    event.op = op;
    trace.events.push_back(event);
    return &trace.events.back();
  }

  bool runRead(ReadOp read) {
    Known words;
    words.ofLane.insert(trace.events.size());
    if (!add(read, read.getToken(), Event::Kind::Read)) {
      return false;
    }
    at(read.getWords()) = std::move(words);
    return true;
  }

  bool runRelease(ReleaseOp release) {
    Event *event = add(release, release.getToken(), Event::Kind::Release);
    if (!event) {
      return false;
    }
    if (!released.insert({event->ring, event->slot, event->phase}).second) {
      return refuse(release, "releases a slot twice");
    }
    const Reads &needed = at(release.getSum()).ofWarp;
    event->needs.assign(needed.begin(), needed.end());
    SlotState &slot = slots[{event->ring, event->slot}];
    slot.isReleased |= event->phase + 1 == slot.waits;
    return true;
  }

  KernelOp kernel;
  Value items;
  int64_t count;
  bool hasItemsLoop = false;
  llvm::DenseMap<Value, Known> values;
  std::map<Place, SlotState> slots;
  std::set<std::tuple<Operation *, int64_t, int64_t>> released;
};

/// The number of items: what loops that use rings count to and is no constant.
/// Null if there is none; false with a message if there are two.
bool findItems(KernelOp kernel, Value &items) {
  WalkResult walked = kernel.getBody().walk([&](scf::ForOp loop) {
    Value bound = loop.getUpperBound();
    if (!usesRing(loop) || bound.getDefiningOp<arith::ConstantOp>()) {
      return WalkResult::advance();
    }
    if (items && items != bound) {
      loop.emitOpError("uses a ring and counts to another number of items than "
                       "the loop before it");
      return WalkResult::interrupt();
    }
    items = bound;
    return WalkResult::advance();
  });
  return !walked.wasInterrupted();
}

/// How many trips there are before a state comes again, and after how many more
/// it does; nothing if none does within `trips`.
std::optional<std::pair<int64_t, int64_t>>
repetition(const std::vector<std::vector<int64_t>> &states, int64_t trips) {
  std::map<std::vector<int64_t>, int64_t> seen;
  for (int64_t i = 0; i < trips; ++i) {
    auto [found, isNew] = seen.insert({states[i], i});
    if (!isNew) {
      return std::pair(found->second, i - found->second);
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<std::vector<Trace>> tracesOf(KernelOp kernel) {
  Value items;
  if (!findItems(kernel, items)) {
    return std::nullopt;
  }
  // A ring of 32 slots comes again after 64 trips: both parities.
  constexpr int64_t manyItems = 256;
  Tracer longest(kernel, items, manyItems);
  if (!longest.run()) {
    return std::nullopt;
  }
  std::vector<Trace> out;
  if (!items) {
    out.push_back(std::move(longest.trace));
    return out;
  }
  auto found = repetition(longest.states, manyItems - longest.margin);
  if (!found) {
    kernel.emitOpError("the state of its rings does not come again within ")
        << manyItems << " items, so that its loop cannot be followed";
    return std::nullopt;
  }
  // Each state twice, then the trips in which a guard may fail.
  auto [before, period] = *found;
  int64_t enough = before + 2 * period + longest.margin + 1;
  for (int64_t count = 0; count <= enough; ++count) {
    Tracer tracer(kernel, items, count);
    if (!tracer.run()) {
      return std::nullopt;
    }
    out.push_back(std::move(tracer.trace));
  }
  return out;
}

} // namespace girih::hopper
