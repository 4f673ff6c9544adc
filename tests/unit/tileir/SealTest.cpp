// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An enemy with a debugger changes the kernel between proof and code: whatever
// he changes, and between whichever stages, no code comes of it that was not
// judged.

#include "tests/unit/tileir/Compiled.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace girih;
using namespace girih::tileir;
using checker::Stage;

namespace {

const char *const gemm = "proofs/kernels/gemm/gemm.mlir";

template <typename Op> Op first(tile::KernelOp kernel) {
  Op found;
  kernel.walk([&](Op op) { found = found ? found : op; });
  return found;
}

void swapOperands(mlir::Operation *op, unsigned a, unsigned b) {
  mlir::Value left = op->getOperand(a);
  op->setOperand(a, op->getOperand(b));
  op->setOperand(b, left);
}

/// Twice the same change is none.
struct Change {
  const char *name;
  void (*make)(tile::KernelOp);
};

void swapClaim(tile::KernelOp k) {
  swapOperands(first<tile::ClaimOp>(k), 1, 2);
}

const Change changes[] = {
    {"indices of the claim", swapClaim},
    {"indices of a load",
     [](tile::KernelOp k) { swapOperands(first<tile::LoadOp>(k), 1, 2); }},
    {"bounds of the loop",
     [](tile::KernelOp k) { swapOperands(first<mlir::scf::ForOp>(k), 0, 2); }},
    {"padding",
     [](tile::KernelOp k) {
       auto load = first<tile::LoadOp>(k);
       auto pad = mlir::cast<tile::PadAttr>(load.getPadAttr()).getValue();
       load.setPadAttr(tile::PadAttr::get(
           load.getContext(),
           pad == tile::Pad::Zero ? tile::Pad::NaN : tile::Pad::Zero));
     }},
    {"axes of the grid",
     [](tile::KernelOp k) {
       auto grid = llvm::to_vector(k.getGrid());
       std::swap(grid[0], grid[1]);
       k.setGridAttr(mlir::ArrayAttr::get(k.getContext(), grid));
     }},
    {"the axis that is counted",
     [](tile::KernelOp k) {
       auto tiles = first<tile::NumTilesOp>(k);
       tiles.setAxis(1 - tiles.getAxis());
     }},
};

/// A kernel with the certificates beside it.
struct Read {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::unique_ptr<tile::KernelFile> file;
  proofs::CertificateFile certificates;
  checker::VerifyOptions options;

  Read() {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    context.appendDialectRegistry(registry);
    file = tile::readKernelFile(context, gemm, llvm::errs());
    auto text = llvm::MemoryBuffer::getFile(checker::certificatePath(gemm));
    certificates = std::get<proofs::CertificateFile>(
        proofs::parseCertificateFile((*text)->getBuffer().str()));
    options.certificates = &certificates;
  }
  checker::Verdict verify() { return checker::verify(file->kernel, options); }
};

TEST(Seal, AChangeWhileItIsJudgedIsNotVerified) {
  ASSERT_TRUE(Read().verify().verified);
  for (const Change &change : changes) {
    for (Stage at : {Stage::Sealed, Stage::Generated, Stage::Judged}) {
      Read read;
      bool done = false;
      read.options.between = [&](Stage stage, tile::KernelOp kernel) {
        if (stage == at) {
          change.make(kernel);
          done = true;
        }
      };
      checker::Verdict v = read.verify();
      EXPECT_FALSE(v.verified) << change.name << ", stage " << int(at);
      EXPECT_NE(v.kind, checker::VerdictKind::Verified) << change.name;
      EXPECT_TRUE(done) << change.name << ", stage " << int(at);
      // Earlier changes may be noticed by a run of the changed kernel, too.
      if (at == Stage::Judged) {
        EXPECT_EQ(v.modelReason, "the kernel was changed while it was verified")
            << change.name;
      }
    }
  }
}

/// What is changed and changed back leaves the text as it was; what was judged
/// in between are not those of the text.
TEST(Seal, AChangeThatIsTakenBackIsNotCompiled) {
  Read read;
  swapClaim(read.file->kernel); // out of bounds, and uncovered
  read.options.between = [&](Stage stage, tile::KernelOp kernel) {
    if (stage != Stage::Judged) {
      swapClaim(kernel);
    }
  };
  checker::Verdict v = read.verify();
  ASSERT_TRUE(v.verified);
  auto made = tileir::lower(*v.verified);
  ASSERT_TRUE(std::holds_alternative<Lowered>(made));
  auto &lowered = std::get<Lowered>(made);
  std::string said =
      lower::readBack(*v.verified, lowered, writeBytecode(lowered.module))
          .value_or("");
  EXPECT_NE(said.find("what was judged is not what is compiled: "),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("is not what was judged"), std::string::npos) << said;
}

TEST(Seal, AChangeOfTheCallersKernelChangesNothing) {
  for (const Change &change : changes) {
    Compiled c(gemm);
    Bytes before = writeBytecode(c.lowered.module);
    change.make(c.checked.file->kernel);
    auto made = tileir::lower(c.verified());
    ASSERT_TRUE(std::holds_alternative<Lowered>(made)) << change.name;
    EXPECT_EQ(writeBytecode(std::get<Lowered>(made).module), before)
        << change.name;
    EXPECT_EQ(c.gate(before), "") << change.name;
  }
}

TEST(Seal, AChangeOfWhatIsLoweredIsNotCompiled) {
  Compiled c(gemm);
  for (const Change &change : changes) {
    auto made = tileir::lower(c.verified(), {true, false, change.make});
    ASSERT_TRUE(std::holds_alternative<Lowered>(made)) << change.name;
    auto &lowered = std::get<Lowered>(made);
    std::string said =
        lower::readBack(c.verified(), lowered, writeBytecode(lowered.module))
            .value_or("");
    EXPECT_NE(said.find("the bytecode is not that of the verified kernel: "),
              std::string::npos)
        << change.name << ": " << said;
  }
}

TEST(Seal, AChangeOfTheTextIsNotCompiled) {
  const std::pair<std::string, std::string> edits[] = {
      {"pad(zero)", "pad(nan)"},
      {"[128, 64]", "[128, 32]"},
      {"ceildiv(M, 128)", "ceildiv(M, 256)"},
      {"tile.block_id 1", "tile.block_id 0"},
      {"}\n", ""},
      {"f32", "f16"}};
  for (const auto &[from, to] : edits) {
    Compiled c(gemm);
    Bytes bytes = writeBytecode(c.lowered.module);
    auto &text = const_cast<std::string &>(c.verified().text());
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    auto made = tileir::lower(c.verified());
    auto *why = std::get_if<std::string>(&made);
    ASSERT_TRUE(why) << from;
    EXPECT_EQ(*why, "this is not the kernel that was judged, whose digest is " +
                        c.verified().digest());
    EXPECT_EQ(c.gate(bytes), *why);
    // An enemy who knows of the digest, too, has no certificates, unless the
    // change is of no concern to the proof: then the proof is of his text.
    const_cast<std::string &>(c.verified().digest()) = checker::sha256(text);
    made = tileir::lower(c.verified());
    std::string said = "refused";
    if (auto *lowered = std::get_if<Lowered>(&made)) {
      said = lower::readBack(c.verified(), *lowered,
                             writeBytecode(lowered->module))
                 .value_or("");
    }
    EXPECT_EQ(said.empty(), to == "pad(nan)") << from << ": " << said;
  }
}

TEST(Seal, AChangeOfACertificateIsNotCompiled) {
  Compiled c(gemm);
  Bytes bytes = writeBytecode(c.lowered.module);
  auto &judged = const_cast<std::vector<checker::JudgedObligation> &>(
      c.verified().judged());
  ASSERT_GT(judged.size(), 3u);
  auto kept = judged;
  for (size_t i = 0; i + 1 < judged.size(); ++i) {
    std::swap(judged[i].hash, judged[i + 1].hash);
    if (judged[i].hash != judged[i + 1].hash) {
      EXPECT_NE(c.gate(bytes).find("is not what was judged"),
                std::string::npos);
    }
    judged = kept;
    judged[i].certificate = proofs::Certificate();
    EXPECT_NE(c.gate(bytes), "") << i;
    judged = kept;
  }
  judged.pop_back();
  EXPECT_NE(c.gate(bytes).find(" were judged"), std::string::npos);
}

} // namespace
