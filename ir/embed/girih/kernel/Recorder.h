// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the templates of girih/kernel.h tell the recorder, which is a library,
// so that a file with a kernel compiles in a second. Values, launch expressions
// and regions are numbers of the kernel that is being recorded on this thread.

#ifndef GIRIH_KERNEL_RECORDER_H
#define GIRIH_KERNEL_RECORDER_H

#include "girih/kernel/Elements.h"
#include <initializer_list>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

namespace girih::kernel {

/// A place in C++.
using Place = std::source_location;

/// A mistake that only recording shows: `what()` is `file:line: error:
/// message`.
class Error : public std::runtime_error {
public:
  Error(const char *file, unsigned line, const std::string &message);
  Error(Place at, const std::string &message);
  std::string file, message;
  unsigned line;
};

/// What may be done with a tensor.
enum class Mode : std::uint8_t {
  Shared,
  Own,
  Out,
  OutPartial,
  Raw,
  Add,
  Min,
  Max,
  And,
  Or,
  Xor
};
constexpr bool isAtomic(Mode m) { return m >= Mode::Add; }
constexpr bool isWritten(Mode m) { return m >= Mode::Own && m <= Mode::Raw; }

/// An extent, stride or launch scalar: a name, or a number. Structural, so that
/// types of tensors have it.
struct Sym {
  char name[24]{};
  long number = -1;
  template <class I>
    requires std::is_integral_v<I>
  constexpr Sym(I n) : number(long(n)) {
    if (n < 0) {
      throw "an extent is at least 0";
    }
  }
  template <std::size_t N> constexpr Sym(const char (&text)[N]) {
    static_assert(N > 1 && N <= 24, "the name of a launch symbol has 1 to 23 "
                                    "letters");
    for (std::size_t i = 0; i < N; ++i) {
      name[i] = text[i];
    }
  }
  constexpr bool isDynamic() const { return name[0] == '?'; }
};

/// The extent of a view that a value of the kernel decides.
inline constexpr Sym dynamic{"?"};

/// What lies outside of a tensor reads as this.
class pad {
public:
  enum Word : std::uint8_t {
    none,
    zero,
    neg_zero,
    neg_inf,
    pos_inf,
    nan,
    integer,
    real
  };
  constexpr pad(Word w) : word(w) {}
  template <Number N>
  constexpr explicit pad(N n)
      : word(std::is_integral_v<N> ? integer : real), number(double(n)),
        whole(std::is_integral_v<N> ? i64(n) : 0) {}
  Word word;
  double number = 0;
  i64 whole = 0;
};

/// A recorded value, for the constructors of tiles.
struct Recorded {
  int value;
};

namespace recorder {

using Value = int;
using Values = std::initializer_list<Value>;

/// An element or a vector of elements.
struct Type {
  Element element;
  int rank = 0;
  int extents[8]{};
  constexpr bool operator==(const Type &) const = default;
};
/// A tensor or view: `strides` and `align` only of an argument that says so.
struct TensorType {
  Element element;
  Mode mode;
  int rank;
  const Sym *extents;
  const Sym *strides = nullptr;
  int align = 0;
};
/// Tile extents, 0 for a unit axis.
struct By {
  int rank = 0;
  int extents[8]{};
};

//===-- C++ variables of traced types -------------------------------------===//

/// A C++ variable, and the recording that it belongs to; or, without one, a
/// number that it holds as an argument of a call.
struct Slot {
  int number = 0, recording = 0;
  double held = 0;
};
/// Whether this thread records a kernel.
bool isOpen();
Slot declare(Value value);
Slot copy(Slot slot);
Value read(Slot slot, Place at);
void assign(Slot slot, Value value);
/// Gives a value that was recorded without a place the one of its use.
void place(Value value, Place at);

//===-- Ops on values -----------------------------------------------------===//

Value integer(const Type &type, i64 number, Place at);
Value real(const Type &type, double number, Place at);
/// A row of ir/ops/Elementwise.def with operands and result of one type.
Value elementwise(const char *op, const Type &type, Values operands, Place at,
                  const char *flags = "");
Value compare(const char *op, const char *predicate, const Type &type, Value x,
              Value y, Place at);
/// `op %x detail : from to to`: casts, broadcasts, reshapes and transposes.
/// What the author did not write (`implied`) is recorded once a region.
Value cast(const char *op, const Type &from, const Type &to, Value x, Place at,
           const char *detail = "", bool implied = false);
Value select(const Type &type, const Type &maskType, Value mask, Value x,
             Value y, Place at);
Value transpose(const Type &from, const Type &to, const int *axes, Value x,
                Place at);
Value extract(const Type &from, const Type &to, const int *part, Value x,
              Place at);
Value iota(const Type &type, int axis, Place at);
/// `tile.OP WORD %x, axis FLAG : type`: reduce, scan, argmax, argmin.
Value alongAxis(const char *op, const Type &from, const Type &to, Value x,
                int axis, const char *flag, Place at);
Value cat(const Type &type, const Type &result, Value x, Value y, int axis,
          Place at);
/// `tile.OP operands FLAG : types`, of the third one's type.
Value product(const char *op, std::initializer_list<const Type *> types,
              Values operands, const char *flag, Place at);
Value shiftBy(const char *op, const Type &type, Value x, int bits, Place at);

//===-- Tensors -----------------------------------------------------------===//

Value scalarArgument(const char *name, Element element);
Value tensorArgument(const char *name, const TensorType &type);
/// A number of a view: a value, or (when `value` is below 0) a symbol or
/// number.
struct ViewNumber {
  Value value = -1;
  Sym symbol = 0;
  template <class N> ViewNumber(const N &n);
};
using ViewNumbers = std::initializer_list<ViewNumber>;
enum class View : std::uint8_t { Slice, Permute, Unfold, Fix, Flatten };
/// `axes` of a permutation; one axis of an unfold, fix or flatten. Of a slice
/// the numbers are offsets, then what dynamic extents are, then steps.
Value view(View kind, const TensorType &from, const TensorType &to,
           Value tensor, const int *axes, ViewNumbers first, ViewNumbers second,
           ViewNumbers third, Place at);
Value partition(const TensorType &tensor, const By &by, Value x, Place at);
Value numTiles(Value partition, int axis, Place at);
Value inside(const Type &type, Value partition, const Value *indices, Place at);
Value load(const Type &type, Value partition, const Value *indices, pad padding,
           Place at);
Value claim(Value partition, const Value *indices, Place at);
Value loadPiece(const Type &type, Value piece, pad padding, Place at);
void store(Value piece, Value value, Place at);
void atomic(Value partition, const Value *indices, Value value, Mode mode,
            Place at);
/// Coordinates are `rank` vectors of idx of `type`'s shape; `mask` may be -1.
Value gather(const Type &type, Value tensor, const Value *indices, int rank,
             Value mask, pad padding, Place at);
/// Into an atomic tensor an atomic scatter.
void scatter(const Type &type, Value tensor, const Value *indices, int rank,
             Value mask, Value value, Mode mode, Place at);

//===-- Launch expressions and the contract -------------------------------===//

/// A node of an expression on launch symbols.
using Expression = int;
Expression symbol(const Sym &symbol, Element element = Element::Idx);
Expression expression(const char *op, Expression x, Expression y);
/// Its value in the body.
Value value(Expression e, Place at);
void grid(std::initializer_list<Expression> extents, Place at);
Value blockId(int axis, Place at);
Value gridDim(int axis, Place at);
struct Comparison {
  const char *sign;
  Expression x, y;
  Place at;
};
void require(const Comparison &c);
void repack(Value tensor, std::initializer_list<Comparison> when, Place at);
void given(const char *fact, Value tensor, const Expression *e, int count,
           bool assumed, Place at);
void covers(Value tensor, int rank, std::initializer_list<Sym> tile,
            const Expression *blocks, int blockCount, const Expression *trips,
            int tripCount, Place at);
void hint(const char *target, const char *name, i64 value, Place at);

//===-- Statements and control --------------------------------------------===//

/// `tile.OP %c, "text" : i1`; or of a measure.
void statement(const char *op, Value condition, const char *text, Place at);
void print(const char *label, std::initializer_list<Value> values, Place at);

using Control = int;
Control openFor(Element counter, Value low, Value high, Value step, Place at);
Value counterOf(Control loop);
void closeFor(Control loop);
Control openIf(Value condition, Place at);
void openElse(Control branch);
void closeIf(Control branch);
Control openWhile(Place at);
void openBody(Control loop, Value condition);
void closeWhile(Control loop);

//===-- Maps --------------------------------------------------------------===//

struct Map {
  const char *type; // its C++ type, as in __PRETTY_FUNCTION__
  int arguments, results, parameters;
  const Sym *symbols;
  const char *property; // "", "injective" or "bijective"
  bool hasInverse;
};
/// Opens the text of a map; false if this file has it already.
bool openMap(const Map &map, Place at);
void mapExtents(bool into, const Expression *extents, int count);
/// An argument of the region that is open, by its number.
Value mapArgument(int number);
void closeMapRegion(const Value *yields, int count);
void openInverse();
void closeMap();
/// The first result; the others are the numbers behind it.
Value apply(const char *type, const Value *arguments, int argumentCount,
            const Value *parameters, int parameterCount, int results, Place at);

//===-- Files -------------------------------------------------------------===//

/// A recorded file: its text, which is what is reviewed, stored and compared,
/// and the same with the place in C++ behind each op, for diagnostics.
/// `places` has, for each line of the text, the line of C++ that it comes from,
/// 0 for none.
struct File {
  std::string name, text, placed;
  struct Origin {
    std::string file;
    unsigned line = 0;
  };
  std::vector<Origin> places;
};

/// A kernel that a program gives to others, by its C++ type.
struct ListedKernel {
  const char *type;
  File (*record)();
};
bool list(const ListedKernel &kernel);
const std::vector<ListedKernel> &listedKernels();

void begin();
void openKernel(const char *type, Place at);
void closeKernel();
File finish(const char *name, Place at);
/// Forgets what was begun, if anything was.
void abandon();
/// The last name in a pretty function's.
const char *memberName(const char *pretty);
/// `f32`.
const char *textOf(Element element);
/// gemm_128_256 of `gemm<128, 256>` in a pretty function's name.
std::string nameOfType(const char *pretty);
void variants(const char *type);
void when(const char *type, std::initializer_list<Comparison> conditions);

} // namespace recorder
} // namespace girih::kernel

#endif // GIRIH_KERNEL_RECORDER_H
