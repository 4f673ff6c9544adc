// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop of a block and its control ops.

#include "spec/executor/machine/Machine.h"

namespace girih::exec {

std::vector<int64_t> blockIds(const std::vector<int64_t> &grid,
                              int64_t number) {
  std::vector<int64_t> ids(grid.size());
  for (size_t axis = grid.size(); axis-- > 0;) {
    ids[axis] = number % grid[axis];
    number /= grid[axis];
  }
  return ids;
}

Machine::Machine(World &world)
    : world(world), values(world.program.slotCount),
      defined(world.program.slotCount), pieces(world.program.slotCount),
      views(world.program.slotCount) {
  tile::KernelOp kernel = world.program.kernel;
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    Slot slot = world.program.slots.lookup(arg);
    values[slot] = world.scalars[arg.getArgNumber()];
    const auto &layout = world.launch.tensors[arg.getArgNumber()];
    if (layout) {
      views[slot] = wholeView(layout->extents);
    }
  }
}

void Machine::start(int64_t blockNumber) {
  number = blockNumber;
  ids = blockIds(world.launch.grid, number);
  std::fill(defined.begin(), defined.end(), 0);
  frames.clear();
  enter(world.program.body, nullptr);
}

void Machine::run(bool stopBeforeEvent) {
  Result &result = world.result;
  for (bool resumed = true; !frames.empty(); resumed = false) {
    Frame &frame = frames.back();
    if (frame.next == frame.code->instrs.size()) {
      frames.clear(); // only the kernel's body ends without a yield
      return;
    }
    const Instr &instr = frame.code->instrs[frame.next];
    if (stopBeforeEvent && !resumed && instr.isEvent()) {
      return;
    }
    ++frame.next;
    result.exhausted |= result.steps + instr.cost > world.options.maxSteps;
    if (result.exhausted) {
      frames.clear();
      return;
    }
    result.steps += instr.cost;
    if (world.observer) {
      world.observer->at(instr.op, Instance(*this));
    }
    if (instr.skipped) {
      continue;
    }
    auto execute = [&](const auto &form) { return this->execute(form, instr); };
    if (!std::visit(execute, instr.form)) {
      frames.clear();
    }
  }
}

void Machine::enter(const Code *code, const Instr *owner, Wide counter,
                    Wide upper, Wide step) {
  frames.push_back({code, 0, owner, counter, upper, step, 0});
}

void Machine::restart(const Code &code, std::vector<Value> args) {
  for (auto [slot, value] : llvm::zip_equal(code.args, args)) {
    define(slot, std::move(value));
  }
  frames.back().code = &code;
  frames.back().next = 0;
}

void Machine::forget(const Code &code) {
  if (world.observer) {
    std::fill(defined.begin() + code.firstSlot, defined.begin() + code.lastSlot,
              0);
  }
}

Wide Machine::steer(const Instr &instr, size_t operand, unsigned bits) {
  const Value &value = in(instr, operand);
  world.result.boundsHold &= !value.isUncertain(0);
  return signedOf(value.ints[0], bits);
}

bool Machine::execute(const ForForm &form, const Instr &instr) {
  Wide lower = steer(instr, 0, form.bits);
  Wide upper = steer(instr, 1, form.bits);
  Wide step = steer(instr, 2, form.bits);
  if (step <= 0) {
    return stuck(Rule::LoopStep, instr, 2,
                 "loop step " + wideText(step) + " is not positive",
                 "steps by " + wideText(step));
  }
  bool runs = lower < upper;
  for (size_t k = 3; k < instr.in.size(); ++k) {
    define(runs ? form.body->args[k - 2] : instr.out[k - 3], in(instr, k));
  }
  if (runs) {
    Value counter;
    counter.push(wrap(lower, widthOf(form.bits)));
    define(form.body->args[0], std::move(counter));
    enter(form.body, &instr, lower, upper, step);
  }
  return true;
}

bool Machine::execute(const IfForm &form, const Instr &instr) {
  const Code *code = steer(instr, 0, 1) != 0 ? form.then : form.otherwise;
  if (code) {
    enter(code, &instr);
  }
  return true;
}

bool Machine::execute(const WhileForm &form, const Instr &instr) {
  enter(form.condition, &instr);
  restart(*form.condition, operands(instr));
  return true;
}

bool Machine::execute(const MeasureForm &, const Instr &instr) {
  frames.back().measure = steer(instr, 0, 0);
  return true;
}

bool Machine::execute(const ConditionForm &, const Instr &instr) {
  Frame &frame = frames.back();
  const Instr &owner = *frame.owner;
  bool goesOn = steer(instr, 0, 1) != 0;
  std::vector<Value> passed = operands(instr, 1);
  if (!goesOn) {
    // What the last evaluation defined stays for observers: it is what holds
    // behind the loop.
    frames.pop_back();
    for (auto [slot, value] : llvm::zip_equal(owner.out, passed)) {
      define(slot, std::move(value));
    }
    return true;
  }
  Wide now = frame.measure;
  std::string after = " after " + std::to_string(frame.trip) +
                      (frame.trip == 1 ? " trip" : " trips");
  const Instr &measure = (&instr)[-1];
  if (now < 0) {
    return stuck(Rule::WhileMeasure, measure, 0,
                 "the measure of a while is " + wideText(now),
                 "goes on with the measure " + wideText(now) + after);
  }
  if (frame.lastMeasure && now >= *frame.lastMeasure) {
    return stuck(Rule::WhileMeasure, measure, 0,
                 "the measure of a while does not get smaller: " +
                     wideText(*frame.lastMeasure) + ", then " + wideText(now),
                 "goes on with the measure " + wideText(now) + " behind " +
                     wideText(*frame.lastMeasure) + after);
  }
  frame.lastMeasure = now;
  restart(*std::get<WhileForm>(owner.form).body, std::move(passed));
  return true;
}

bool Machine::execute(const YieldForm &, const Instr &instr) {
  Frame &frame = frames.back();
  const Code &code = *frame.code;
  const Instr &owner = *frame.owner;
  // A yield assigns all at once: an iter_arg may be yielded in another place.
  std::vector<Value> yielded = operands(instr);
  if (auto *loop = std::get_if<WhileForm>(&owner.form)) {
    forget(code);
    ++frame.trip;
    restart(*loop->condition, std::move(yielded));
    return true;
  }
  if (auto *loop = std::get_if<ForForm>(&owner.form)) {
    unsigned width = widthOf(loop->bits);
    Wide next = frame.counter + frame.step;
    if (!fits(next, width)) {
      std::string sum = wideText(frame.counter) + " + " + wideText(frame.step);
      return stuck(Rule::LoopWidth, owner, 2,
                   "loop counter leaves " + std::to_string(width) + " bits",
                   "counts on to " + sum + " = " + wideText(next));
    }
    if (next < frame.upper) {
      forget(code);
      Value counter;
      counter.push(wrap(next, width));
      define(code.args[0], std::move(counter));
      for (size_t k = 0; k < yielded.size(); ++k) {
        define(code.args[k + 1], std::move(yielded[k]));
      }
      frame.counter = next;
      frame.next = 0;
      ++frame.trip;
      return true;
    }
  }
  forget(code);
  frames.pop_back();
  for (size_t k = 0; k < yielded.size(); ++k) {
    define(owner.out[k], std::move(yielded[k]));
  }
  return true;
}

/// What a condition says: its text, else the numbers that it compares.
static std::string stated(mlir::Operation *op, const Instance &at) {
  if (auto text = op->getAttrOfType<mlir::StringAttr>("text")) {
    return text.getValue().str();
  }
  auto compare = op->getOperand(0).getDefiningOp<mlir::arith::CmpIOp>();
  auto a = compare ? at.integer(compare.getLhs()) : std::nullopt,
       b = compare ? at.integer(compare.getRhs()) : std::nullopt;
  if (!a || !b) {
    return "a condition";
  }
  static constexpr const char *signs[] = {"==", "!=", "<", "<=", ">", ">="};
  return wideText(*a) + " " + signs[static_cast<int>(compare.getPredicate())] +
         " " + wideText(*b);
}

bool Machine::execute(const StatementForm &form, const Instr &instr) {
  if (steer(instr, 0, 1) != 0) {
    return true;
  }
  std::string what = stated(instr.op, Instance(*this));
  return stuck(form.rule, instr, 0, what + " does not hold",
               "finds that " + what + " does not hold");
}

std::vector<std::pair<mlir::Operation *, int64_t>> Machine::iterations() const {
  std::vector<std::pair<mlir::Operation *, int64_t>> trips;
  for (const Frame &frame : frames) {
    if (frame.owner && std::holds_alternative<ForForm>(frame.owner->form)) {
      trips.push_back({frame.owner->op, frame.trip});
    }
  }
  return trips;
}

Fault Machine::faultAt(Rule rule, const Instr &instr, int operand) const {
  Fault fault;
  fault.rule = rule;
  fault.op = instr.op;
  fault.operand = operand;
  fault.block = ids;
  fault.iterations = iterations();
  return fault;
}

bool Machine::stuck(Fault fault) {
  world.result.faults.push_back(std::move(fault));
  return false;
}

bool Machine::stuck(Rule rule, const Instr &instr, int operand,
                    std::string headline, std::string message) {
  Fault fault = faultAt(rule, instr, operand);
  fault.headline = std::move(headline);
  fault.message = std::move(message);
  return stuck(std::move(fault));
}

std::vector<int64_t> Instance::block() const { return machine->ids; }

std::vector<int64_t> Instance::grid() const {
  return machine->world.launch.grid;
}

std::vector<std::pair<mlir::Operation *, int64_t>>
Instance::iterations() const {
  return machine->iterations();
}

std::optional<__int128> Instance::integer(mlir::Value value) const {
  const auto &slots = machine->world.program.slots;
  auto it = slots.find(value);
  if (it == slots.end() || !machine->defined[it->second] ||
      !value.getType().isIntOrIndex() ||
      machine->values[it->second].ints.empty()) {
    return std::nullopt;
  }
  return machine->values[it->second].ints[0];
}

std::optional<__int128> Instance::integer(mlir::Value vector,
                                          size_t lane) const {
  const auto &slots = machine->world.program.slots;
  auto it = slots.find(vector);
  if (it == slots.end() || !machine->defined[it->second] ||
      lane >= machine->values[it->second].ints.size()) {
    return std::nullopt;
  }
  return machine->values[it->second].ints[lane];
}

std::optional<View> Instance::view(mlir::Value tensor) const {
  const auto &slots = machine->world.program.slots;
  auto it = slots.find(tensor);
  bool isArgument = mlir::isa<mlir::BlockArgument>(tensor);
  if (it == slots.end() || (!isArgument && !machine->defined[it->second])) {
    return std::nullopt;
  }
  return machine->views[it->second];
}

std::optional<__int128> Instance::symbol(llvm::StringRef name) const {
  const auto &symbols = machine->world.options.symbols;
  auto it = symbols.find(name.str());
  if (it == symbols.end()) {
    return std::nullopt;
  }
  return it->second;
}

} // namespace girih::exec
