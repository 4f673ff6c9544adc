// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that have many of one thing.

#include "fuzz/scaling/ScalingText.h"

#include <algorithm>

namespace girih::fuzz {

/// One row a block of an own tensor of two axes, and a body.
static std::string rows(const std::string &body,
                        const std::string &header = "") {
  return "!C = !tile.tensor<[N, 512] x f32, own>\n"
         "!PC = !tile.partition<[_, _], [N, 512] x f32, own>\n"
         "!P = !tile.piece<[_, _] x f32, own>\n"
         "!T = !tile.tensor<[L] x i32, shared>\n"
         "!PT = !tile.partition<[_], [L] x i32, shared>\n"
         "!I = !tile.tensor<[L] x i32, shared>\n"
         "tile.kernel @k(%c: !C, %t: !T) symbols [a : index, z : index] "
         "grid [N]" +
         header +
         " {\n"
         "  %b = tile.block_id 0\n"
         "  %a = tile.symbol \"a\" : index\n"
         "  %c0 = arith.constant 0 : index\n"
         "  %c1 = arith.constant 1 : index\n"
         "  %f = arith.constant 1.0 : f32\n"
         "  %pc = tile.partition %c by [_, _] : !C\n"
         "  %pt = tile.partition %t by [_] : !T\n" +
         body + "}\n";
}

static std::string claims(size_t n) {
  return rows(times(n, [](size_t i) {
    std::string s = str(i);
    return "  %k" + s + " = arith.constant " + str(i % 512) + " : index\n" +
           "  %o" + s + " = tile.claim %pc[%b, %k" + s + "] : !PC\n";
  }));
}

static std::string claimsOfTensors(size_t n) {
  return times(1,
               [](size_t) {
                 return "!C = !tile.tensor<[N] x f32, own>\n"
                        "!PC = !tile.partition<[_], [N] x f32, own>\n";
               }) +
         "tile.kernel @k(" +
         times(
             n, [](size_t i) { return "%c" + str(i) + ": !C"; }, ", ") +
         ") grid [N] {\n  %b = tile.block_id 0\n" +
         times(n,
               [](size_t i) {
                 std::string s = str(i);
                 return "  %p" + s + " = tile.partition %c" + s +
                        " by [_] : !C\n  %o" + s + " = tile.claim %p" + s +
                        "[%b] : !PC\n";
               }) +
         "}\n";
}

static std::string claimsApart(size_t n) {
  return rows(times(n, [](size_t i) {
    std::string s = str(i);
    return "  %x" + s + " = arith.muli %b, " +
           (i == 0 ? "%a" : "%x" + str(i - 1)) + " : index\n  %o" + s +
           " = tile.claim %pc[%x" + s + ", %c0] : !PC\n";
  }));
}

static std::string stores(size_t n) {
  return rows("  %o = tile.claim %pc[%b, %c0] : !PC\n" +
              times(n, [](size_t) { return "  tile.store %f, %o : !P\n"; }));
}

static std::string selects(size_t n) {
  return rows("  %x0 = arith.addi %b, %c0 : index\n" +
              times(n,
                    [](size_t i) {
                      std::string s = str(i), t = str(i + 1);
                      return "  %g" + s + " = arith.cmpi slt, %x" + s +
                             ", %a : index\n  %y" + s + " = arith.addi %x" + s +
                             ", %a : index\n  %x" + t + " = arith.select %g" +
                             s + ", %x" + s + ", %y" + s + " : index\n";
                    }) +
              "  %o = tile.claim %pc[%x" + str(n) + ", %c0] : !PC\n");
}

static std::string loops(size_t n) {
  return rows(
      times(n,
            [](size_t i) {
              std::string s = str(i);
              return "  scf.for %i" + s +
                     " = %c0 to %a step %c1 {\n    %v = tile.load %pt[%i" + s +
                     "] : !PT\n  }\n";
            }),
      " requires [a <= L]");
}

/// As deep as brackets may be nested.
static std::string loopsNested(size_t n) {
  return rows(times(n, [](size_t) {
    return times(60,
                 [&](size_t i) {
                   return "  scf.for %i" + str(i) + " = %c0 to %a step %c1 {\n";
                 }) +
           "  %v = arith.addi %b, %a : index\n" +
           times(60, [](size_t) { return std::string("}\n"); });
  }));
}

/// Something that is ordered, in loops as deep as brackets may be nested.
static std::string storesNested(size_t n) {
  return rows("  %o = tile.claim %pc[%b, %c0] : !PC\n" + times(n, [](size_t) {
                return times(60,
                             [](size_t i) {
                               return "  scf.for %i" + str(i) +
                                      " = %c0 to %a step %c1 {\n";
                             }) +
                       "  tile.store %f, %o : !P\n" +
                       times(60, [](size_t) { return std::string("}\n"); });
              }));
}

static std::string branchesNested(size_t n) {
  return rows("  %g = arith.cmpi slt, %b, %a : index\n" + times(n, [](size_t) {
                return times(60, [](size_t) { return "  scf.if %g {\n"; }) +
                       "  %v = arith.addi %b, %a : index\n" +
                       times(60, [](size_t) { return "}\n"; });
              }));
}

static std::string tooDeep(size_t n) {
  return rows(
      times(n, [](size_t) { return "scf.for %i = %c0 to %a step %c1 {\n"; }) +
      times(n, [](size_t) { return "}\n"; }));
}

static std::string branches(size_t n) {
  return rows(times(n, [](size_t i) {
    std::string s = str(i);
    return "  %g" + s + " = arith.cmpi slt, %b, %a : index\n  scf.if %g" + s +
           " {\n    %o = tile.claim %pc[%b, %c0] : !PC\n"
           "    tile.store %f, %o : !P\n  }\n";
  }));
}

static std::string carried(size_t n) {
  return rows(times(n, [](size_t i) {
    std::string s = str(i);
    return "  %x" + str(i + 1) + " = scf.for %i" + s +
           " = %c0 to %a step %c1 iter_args(%v = " +
           (i == 0 ? "%c0" : "%x" + s) +
           ") -> (index) {\n    %w = arith.minsi %v, %a : index\n"
           "    scf.yield %w : index\n  }\n";
  }));
}

static std::string lookups(size_t n) {
  return rows("  %x0 = arith.addi %b, %c0 : index\n" +
                  times(n,
                        [](size_t i) {
                          std::string s = str(i);
                          return "  %v" + s + " = tile.load %pt[%x" + s +
                                 "] : !PT\n  %x" + str(i + 1) +
                                 " = arith.index_cast %v" + s +
                                 " : i32 to index\n";
                        }),
              " requires [L >= N] given [within(%t, 0, L)]");
}

static std::string lookupsApart(size_t n) {
  return rows(times(n,
                    [](size_t i) {
                      std::string s = str(i);
                      return "  %v" + s + " = tile.load %pt[%b] : !PT\n";
                    }),
              " requires [L >= N] given [within(%t, 0, L), sorted(%t)]");
}

static std::string symbolsUnder(size_t n, const std::string &grid) {
  return "tile.kernel @k() symbols [" +
         times(
             n + 1, [](size_t i) { return "s" + str(i) + " : index"; }, ", ") +
         "] grid [" + grid + "] {\n  %b = tile.block_id 0\n}\n";
}

static std::string symbols(size_t n) { return symbolsUnder(n, "1"); }

/// The obligation of the grid follows from none of them.
static std::string symbolsOpen(size_t n) { return symbolsUnder(n, "s0 - s1"); }

static std::string requirements(size_t n) {
  return "tile.kernel @k() symbols [" +
         times(
             n, [](size_t i) { return "s" + str(i) + " : index"; }, ", ") +
         "] grid [1] requires [" +
         times(
             n,
             [](size_t i) {
               return "s" + str(i) + " * s" + str(i / 2) + " <= s" +
                      str(i * 7 % (i + 1)) + " + " + str(i);
             },
             ", ") +
         "] {\n  %b = tile.block_id 0\n}\n";
}

static std::string requirementsAlike(size_t n) {
  return "tile.kernel @k() symbols [a : index, b : index] grid [1] requires [" +
         times(
             n,
             [](size_t i) {
               return "mod(a, " + str(i + 2) + ") <= div(b, " + str(i + 3) +
                      ")";
             },
             ", ") +
         "] {\n  %b = tile.block_id 0\n}\n";
}

static std::string longRequirement(size_t n) {
  return "tile.kernel @k() symbols [a : index] grid [1] requires [" +
         times(
             n, [](size_t) { return "a"; }, " * ") +
         " <= 7] {\n  %b = tile.block_id 0\n}\n";
}

static std::string deepRequirement(size_t n) {
  return "tile.kernel @k() symbols [a : index] grid [1] requires [" +
         times(n, [](size_t) { return "("; }) + "a" +
         times(n, [](size_t) { return ")"; }) +
         " <= 7] {\n  %b = tile.block_id 0\n}\n";
}

static std::string axes(size_t n) {
  return "tile.kernel @k(%c: !tile.tensor<[" +
         times(
             n, [](size_t i) { return "E" + str(i); }, ", ") +
         "] x f32, own>) grid [1] {\n  %b = tile.block_id 0\n}\n";
}

/// Many tensors of as many axes as there may be.
static std::string wideTensors(size_t n) {
  return "!C = !tile.tensor<[" +
         times(
             60, [](size_t i) { return "E" + str(i); }, ", ") +
         "] x f32, own>\ntile.kernel @k(" +
         times(
             n, [](size_t i) { return "%c" + str(i) + ": !C"; }, ", ") +
         ") grid [1] {\n  %b = tile.block_id 0\n}\n";
}

static std::string tensors(size_t n) {
  return "tile.kernel @k(" +
         times(
             n,
             [](size_t i) {
               return "%c" + str(i) + ": !tile.tensor<[N" + str(i) +
                      "] x f32, shared>";
             },
             ", ") +
         ") grid [1] {\n  %b = tile.block_id 0\n}\n";
}

static std::string outputs(size_t n) {
  return "!C = !tile.tensor<[N] x f32, out>\n"
         "!PC = !tile.partition<[_], [N] x f32, out>\n"
         "!P = !tile.piece<[_] x f32, out>\ntile.kernel @k(" +
         times(
             n, [](size_t i) { return "%c" + str(i) + ": !C"; }, ", ") +
         ") grid [N] {\n  %b = tile.block_id 0\n"
         "  %f = arith.constant 1.0 : f32\n" +
         times(n,
               [](size_t i) {
                 std::string s = str(i);
                 return "  %p" + s + " = tile.partition %c" + s +
                        " by [_] : !C\n  %o" + s + " = tile.claim %p" + s +
                        "[%b] : !PC\n  tile.store %f, %o" + s + " : !P\n";
               }) +
         "}\n";
}

static std::string gridAxes(size_t n) {
  return "tile.kernel @k() symbols [a : index] grid [" +
         times(
             n, [](size_t) { return "a"; }, ", ") +
         "] {\n  %b = tile.block_id 0\n}\n";
}

static std::string chain(size_t n, const std::string &name,
                         const std::string &other) {
  return rows("  %x0 = arith.addi %b, %c1 : index\n" + times(n, [&](size_t i) {
                return "  %x" + str(i + 1) + " = arith." + name + " %x" +
                       str(i) + ", " + (other.empty() ? "%x" + str(i) : other) +
                       " : index\n";
              }));
}

static std::string sums(size_t n) { return chain(n, "addi", "%a"); }
static std::string doublings(size_t n) { return chain(n, "addi", ""); }
static std::string products(size_t n) { return chain(n, "muli", "%a"); }
static std::string squares(size_t n) { return chain(n, "muli", ""); }
static std::string minima(size_t n) { return chain(n, "minsi", "%a"); }
static std::string divisions(size_t n) { return chain(n, "divsi", "%c1"); }

static std::string rests(size_t n) {
  return rows(times(n, [](size_t i) {
    std::string s = str(i);
    return "  %k" + s + " = arith.constant " + str(i + 2) + " : index\n  %x" +
           s + " = arith.remsi %b, %k" + s + " : index\n";
  }));
}

/// A product of sums of many symbols has many terms.
static std::string manyTerms(size_t n) {
  std::string names = times(
      std::min<size_t>(n, 400),
      [](size_t i) { return "s" + str(i) + " : index"; }, ", ");
  size_t m = std::min<size_t>(n, 400);
  return "tile.kernel @k() symbols [" + names +
         "] grid [1] {\n  %x0 = arith.constant 0 : index\n" +
         times(m,
               [](size_t i) {
                 std::string s = str(i), t = str(i + 1);
                 return "  %s" + s + " = tile.symbol \"s" + s +
                        "\" : index\n  %x" + t + " = arith.addi %x" + s +
                        ", %s" + s + " : index\n";
               }) +
         times(n,
               [&](size_t i) {
                 return "  %y" + str(i) + " = arith.muli %x" + str(m) + ", " +
                        (i == 0 ? "%x" + str(m) : "%y" + str(i - 1)) +
                        " : index\n";
               }) +
         "}\n";
}

static std::string conditions(size_t n) {
  return rows("  %g0 = arith.cmpi slt, %b, %a : index\n" +
              times(n,
                    [](size_t i) {
                      std::string s = str(i);
                      return "  %h" + s + " = arith.cmpi sgt, %b, %c" +
                             str(i % 2) + " : index\n  %g" + str(i + 1) +
                             " = arith." + (i % 3 ? "andi" : "ori") + " %g" +
                             s + ", %h" + s + " : i1\n";
                    }) +
              "  scf.if %g" + str(n) +
              " {\n    %o = tile.claim %pc[%b, %c0] : !PC\n  }\n");
}

/// A tree of conditions that shares its halves.
static std::string sharedConditions(size_t n) {
  return rows("  %g0 = arith.cmpi slt, %b, %a : index\n" +
              times(n,
                    [](size_t i) {
                      std::string s = str(i), t = str(i + 1);
                      return "  %g" + t + " = arith.andi %g" + s + ", %g" + s +
                             " : i1\n";
                    }) +
              "  scf.if %g" + str(n) +
              " {\n    %o = tile.claim %pc[%b, %c0] : !PC\n  }\n");
}

static std::string proves(size_t n) {
  return rows(times(n, [](size_t i) {
    std::string s = str(i);
    return "  %k" + s + " = arith.constant " + str(i) + " : index\n  %g" + s +
           " = arith.cmpi sge, %b, %c0 : index\n  tile.prove %g" + s +
           ", \"it is\" : i1\n";
  }));
}

static std::string trusts(size_t n) {
  return rows(times(n, [](size_t i) {
    std::string s = str(i);
    return "  %g" + s + " = arith.cmpi slt, %b, %a : index\n  tile.trust %g" +
           s + " : i1\n";
  }));
}

static std::string gathers(size_t n) {
  std::string text =
      rows("  %l = tile.iota 0 : vector<8xindex>\n" +
               times(n,
                     [](size_t i) {
                       return "  %v" + str(i) +
                              " = tile.gather %t[%l] : !T, vector<8xindex>\n";
                     }),
           " requires [L >= 8]");
  return text;
}

static std::string scatters(size_t n) {
  return rows("  %l = tile.iota 0 : vector<8xindex>\n"
              "  %r = vector.broadcast %b : index to vector<8xindex>\n"
              "  %v = arith.constant dense<1.0> : vector<8xf32>\n" +
              times(n, [](size_t) {
                return "  tile.scatter %v, %c[%r, %l] : vector<8xf32>, !C, "
                       "vector<8xindex>, vector<8xindex>\n";
              }));
}

/// Lanes of sums of sums: read lane by lane, each half is read twice.
static std::string lanes(size_t n) {
  return rows("  %l0 = tile.iota 0 : vector<8xindex>\n" +
              times(n,
                    [](size_t i) {
                      std::string s = str(i), t = str(i + 1);
                      return "  %l" + t + " = arith.addi %l" + s + ", %l" + s +
                             " : vector<8xindex>\n";
                    }) +
              "  %v = tile.gather %t[%l" + str(n) +
              "] : !T, vector<8xindex>\n");
}

static std::string vectors(size_t n) {
  return rows("  %v0 = arith.constant dense<1.0> : vector<64x64xf32>\n" +
              times(n, [](size_t i) {
                return "  %v" + str(i + 1) + " = arith.addf %v" + str(i) +
                       ", %v" + str(i) + " : vector<64x64xf32>\n";
              }));
}

static std::string reductions(size_t n) {
  return rows("  %v = arith.constant dense<1.0> : vector<64x64xf32>\n" +
              times(n, [](size_t i) {
                return "  %v" + str(i) +
                       " = tile.reduce add %v, 1 : vector<64x64xf32>\n";
              }));
}

static std::string products2(size_t n) {
  return rows("  %x = arith.constant dense<1.0> : vector<16x16xf32>\n" +
              times(n, [](size_t i) {
                return "  %m" + str(i) +
                       " = tile.mma %x, %x, %x : vector<16x16xf32>, "
                       "vector<16x16xf32>, vector<16x16xf32>\n";
              }));
}

static std::string slices(size_t n) {
  return rows(
      "  %s0 = tile.view %t slice [%c0] size [%a] : !T\n" +
      times(n, [](size_t i) {
        return "  %s" + str(i + 1) + " = tile.view %s" + str(i) +
               " slice [%c1] size [%a] : !tile.tensor<[?] x i32, shared>\n";
      }));
}

static std::string permutations(size_t n) {
  return "!A = !tile.tensor<[M, N] x f32, own>\n"
         "!B = !tile.tensor<[N, M] x f32, own>\n"
         "tile.kernel @k(%v0: !A) grid [N] {\n" +
         times(n,
               [](size_t i) {
                 return "  %v" + str(i + 1) + " = tile.view %v" + str(i) +
                        " permute [1, 0] : " + (i % 2 ? "!B" : "!A") + "\n";
               }) +
         "}\n";
}

static std::string partitions(size_t n) {
  return rows(times(n, [](size_t i) {
    return "  %q" + str(i) + " = tile.partition %c by [_, _] : !C\n";
  }));
}

static std::string atomics(size_t n) {
  return "!H = !tile.tensor<[N] x i32, atomic<add>>\n"
         "!PH = !tile.partition<[4], [N] x i32, atomic<add>>\n"
         "tile.kernel @k(%h: !H) grid [ceildiv(N, 4)] {\n"
         "  %b = tile.block_id 0\n"
         "  %v = arith.constant dense<1> : vector<4xi32>\n"
         "  %p = tile.partition %h by [4] : !H\n" +
         times(n,
               [](size_t) { return "  tile.atomic add %v, %p[%b] : !PH\n"; }) +
         "}\n";
}

static std::string atomicScatters(size_t n) {
  return "!H = !tile.tensor<[8] x i32, atomic<add>>\n"
         "tile.kernel @k(%h: !H) grid [1] {\n"
         "  %l = tile.iota 0 : vector<8xindex>\n"
         "  %v = arith.constant dense<1> : vector<8xi32>\n" +
         times(n,
               [](size_t) {
                 return "  tile.atomic_scatter add %v, %h[%l] : vector<8xi32>, "
                        "!H, vector<8xindex>\n";
               }) +
         "}\n";
}

static const char turn[] = "(%p) [n] -> (index) from [n] into [n] bijective {\n"
                           "  %n = tile.symbol \"n\" : index\n"
                           "  %c1 = arith.constant 1 : index\n"
                           "  %last = arith.subi %n, %c1 : index\n"
                           "  %q = arith.subi %last, %p : index\n"
                           "  tile.yield %q\n"
                           "} inverse (%q) {\n"
                           "  %n = tile.symbol \"n\" : index\n"
                           "  %c1 = arith.constant 1 : index\n"
                           "  %last = arith.subi %n, %c1 : index\n"
                           "  %p = arith.subi %last, %q : index\n"
                           "  tile.yield %p\n"
                           "}\n";

static std::string maps(size_t n) {
  return times(n, [](size_t i) { return "tile.map @turn" + str(i) + turn; }) +
         rows("  %n = tile.symbol \"N\" : index\n" + times(n, [](size_t i) {
                return "  %x" + str(i) + " = tile.apply @turn" + str(i) +
                       "(%b) [%n] : index\n";
              }));
}

static std::string applications(size_t n) {
  return std::string("tile.map @turn") + turn +
         rows("  %n = tile.symbol \"N\" : index\n"
              "  %x0 = tile.apply @turn(%b) [%n] : index\n" +
              times(n, [](size_t i) {
                return "  %x" + str(i + 1) + " = tile.apply @turn(%x" + str(i) +
                       ") [%n] : index\n";
              }));
}

/// Each helper calls the one before it twice.
static std::string helpers(size_t n) {
  return times(n,
               [](size_t i) {
                 std::string s = str(i), call;
                 call = i == 0 ? "  %z = arith.addi %x, %x : index\n"
                               : "  %y = func.call @h" + str(i - 1) +
                                     "(%x) : (index) -> index\n"
                                     "  %z = func.call @h" +
                                     str(i - 1) + "(%y) : (index) -> index\n";
                 return "func.func private @h" + s +
                        "(%x: index) -> index {\n" + call +
                        "  func.return %z : index\n}\n";
               }) +
         rows("  %x = func.call @h" + str(n - 1) + "(%b) : (index) -> index\n");
}

static std::string calls(size_t n) {
  return "func.func private @h(%x: index) -> index {\n"
         "  %y = arith.minsi %x, %x : index\n"
         "  func.return %y : index\n}\n" +
         rows(times(n, [](size_t i) {
           return "  %x" + str(i) + " = func.call @h(%b) : (index) -> index\n";
         }));
}

static std::string variants(size_t n) {
  size_t kernels = std::min<size_t>(n, 64), each = n / kernels;
  return "tile.variants @all [" +
         times(
             kernels,
             [&](size_t i) {
               return "@k" + str(i) +
                      (i + 1 < kernels ? " when (N >= " + str(1000 - i) + ")"
                                       : "");
             },
             ", ") +
         "]\n!C = !tile.tensor<[N] x f32, own>\n"
         "!PC = !tile.partition<[_], [N] x f32, own>\n" +
         times(kernels, [&](size_t k) {
           return "tile.kernel @k" + str(k) +
                  "(%c: !C) grid [N] {\n  %b = tile.block_id 0\n"
                  "  %p = tile.partition %c by [_] : !C\n" +
                  times(each,
                        [](size_t i) {
                          return "  %o" + str(i) +
                                 " = tile.claim %p[%b] : !PC\n";
                        }) +
                  "}\n";
         });
}

static std::string givens(size_t n) {
  return rows(
      "  %v = tile.load %pt[%b] : !PT\n",
      " requires [L >= N] given [" +
          times(
              n, [](size_t i) { return "within(%t, 0, L + " + str(i) + ")"; },
              ", ") +
          "]");
}

static std::string longName(size_t n) {
  std::string name = std::string(n, 'x');
  return "tile.kernel @" + name + "() symbols [" + name + " : index] grid [" +
         name + "] {\n  %" + name + " = tile.symbol \"" + name +
         "\" : index\n  %y = arith.addi %" + name + ", %" + name +
         " : index\n}\n";
}

/// A hundred long names, which each of a thousand obligations speaks of.
static std::string longNamesRepeated(size_t n) {
  auto name = [&](size_t i) { return "s" + str(i) + std::string(n, 'x'); };
  return "!C = !tile.tensor<[N, 4096] x f32, own>\n"
         "!PC = !tile.partition<[_, _], [N, 4096] x f32, own>\n"
         "tile.kernel @k(%c: !C) symbols [" +
         times(
             100, [&](size_t i) { return name(i) + " : index"; }, ", ") +
         "] grid [N] requires [" +
         times(
             100, [&](size_t i) { return name(i) + " >= 1"; }, ", ") +
         "] {\n  %b = tile.block_id 0\n"
         "  %pc = tile.partition %c by [_, _] : !C\n" +
         times(1000,
               [](size_t i) {
                 std::string s = str(i);
                 return "  %k" + s + " = arith.constant " + s +
                        " : index\n  %o" + s + " = tile.claim %pc[%b, %k" + s +
                        "] : !PC\n";
               }) +
         "}\n";
}

static std::string longNames(size_t n) {
  std::string name = std::string(1000, 'x');
  return rows(times(n, [&](size_t i) {
    return "  %" + name + str(i) + " = arith.addi %b, %a : index\n";
  }));
}

static std::string longLine(size_t n) {
  return rows(times(n,
                    [](size_t i) {
                      return " %v" + str(i) + " = arith.addi %b, %c1 : index";
                    }) +
              "\n");
}

static std::string comments(size_t n) {
  return rows(times(n, [](size_t) { return "// nothing\n"; }));
}

static std::string aliases(size_t n) {
  return times(n,
               [](size_t i) {
                 return "!T" + str(i) + " = !tile.tensor<[" + str(i) +
                        "] x f32, own>\n";
               }) +
         rows("");
}

static std::string constants(size_t n) {
  return rows(times(n, [](size_t i) {
    return "  %v" + str(i) + " = arith.constant " + str(i) + " : index\n";
  }));
}

static std::string bigConstant(size_t n) {
  size_t lanes = 1;
  while (2 * lanes <= n) {
    lanes *= 2;
  }
  return rows("  %v = arith.constant dense<[" +
              times(
                  lanes, [](size_t i) { return str(i % 10); }, ",") +
              "]> : vector<" + str(lanes) + "xi32>\n");
}

static std::string bigSplats(size_t n) {
  return rows(times(n, [](size_t i) {
    return "  %v" + str(i) + " = arith.constant dense<" + str(i) +
           "> : vector<1048576xi32>\n";
  }));
}

static std::string hints(size_t n) {
  return rows("", " hints {" +
                      times(
                          n,
                          [](size_t i) {
                            return "sm_" + str(i + 80) + " = {occupancy = 1}";
                          },
                          ", ") +
                      "}");
}

static std::string refused(size_t n) {
  return rows("  %o = tile.claim %pc[%c0, %c0] : !PC\n" +
              times(n, [](size_t) { return "  tile.store %f, %o : !P\n"; }));
}

static std::string malformed(size_t n) {
  return rows(
      times(n, [](size_t) { return "  %x = arith.addi %b, %f : index\n"; }));
}

std::vector<ScalingFamily> kernelFamilies() {
  return {{"claims", claims},
          {"claims-of-tensors", claimsOfTensors},
          {"claims-apart", claimsApart},
          {"stores", stores},
          {"selects", selects},
          {"loops", loops},
          {"loops-nested", loopsNested},
          {"stores-nested", storesNested},
          {"branches-nested", branchesNested},
          {"too-deep", tooDeep},
          {"branches", branches},
          {"carried", carried},
          {"lookups", lookups},
          {"lookups-apart", lookupsApart},
          {"symbols", symbols},
          {"symbols-open", symbolsOpen},
          {"requirements", requirements},
          {"requirements-alike", requirementsAlike},
          {"long-requirement", longRequirement},
          {"deep-requirement", deepRequirement},
          {"axes", axes},
          {"wide-tensors", wideTensors},
          {"tensors", tensors},
          {"outputs", outputs},
          {"grid-axes", gridAxes},
          {"sums", sums},
          {"doublings", doublings},
          {"products", products},
          {"squares", squares},
          {"minima", minima},
          {"divisions", divisions},
          {"rests", rests},
          {"many-terms", manyTerms},
          {"conditions", conditions},
          {"shared-conditions", sharedConditions},
          {"proves", proves},
          {"trusts", trusts},
          {"gathers", gathers},
          {"scatters", scatters},
          {"lanes", lanes},
          {"vectors", vectors},
          {"reductions", reductions},
          {"mma", products2},
          {"slices", slices},
          {"permutations", permutations},
          {"partitions", partitions},
          {"atomics", atomics},
          {"atomic-scatters", atomicScatters},
          {"maps", maps},
          {"applications", applications},
          {"helpers", helpers},
          {"calls", calls},
          {"variants", variants},
          {"givens", givens},
          {"long-name", longName},
          {"long-names", longNames},
          {"long-names-repeated", longNamesRepeated},
          {"long-line", longLine},
          {"comments", comments},
          {"aliases", aliases},
          {"constants", constants},
          {"big-constant", bigConstant},
          {"big-splats", bigSplats},
          {"hints", hints},
          {"refused", refused},
          {"malformed", malformed}};
}

} // namespace girih::fuzz
