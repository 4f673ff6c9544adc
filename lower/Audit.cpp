// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Audit.h"
#include "checker/CheckFile.h"
#include "ir/text/Reader.h"
#include "ir/tool/Files.h"
#include "ir/types/Diagnose.h"
#include "lower/ArtefactJson.h"
#include "lower/tileir/Assemble.h"
#include "lower/tileir/Manifest.h"

using namespace girih::checker;
namespace json = llvm::json;

namespace girih::lower {

static Error refusedByAudit(std::string message) {
  return {Error::Kind::Refused, std::move(message)};
}

namespace {
/// A kernel of the artefact, read from its proof.
struct Proved {
  std::string proofFile; ///< its name
  std::string prefix;    ///< of the names of the kernel's files
  std::vector<Checked> checked;
};

/// Audits one artefact. The manifest is taken for nothing but a list of names:
/// what it should say is made from the kernels, and compared.
class Auditor {
public:
  Auditor(std::string folder, const AuditSettings &settings)
      : folder(std::move(folder)), settings(settings),
        context(registry(), mlir::MLIRContext::Threading::DISABLED) {}

  Expected<Audit> run() {
    if (!readManifest() || !readProofs() || !lowerKernels() ||
        !auditValidators() || !compareManifest() || !compareCubins()) {
      return *error;
    }
    return audit;
  }
  /// Of the kernel, where there is one; once `run` has found nothing.
  std::string digest() const {
    return proved.front().checked.front().verdict.verified->digest();
  }

private:
  std::string folder;
  const AuditSettings &settings;
  mlir::MLIRContext context;
  std::optional<Error> error;
  Audit audit;

  json::Object manifest;
  std::string manifestBytes, producer;
  std::vector<Proved> proved;
  std::vector<Work> work;
  std::vector<std::string> targets;
  std::map<std::string, std::string> validators, cubins; // digest, bytes

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry all;
    tile::registerDialects(all);
    return all;
  }

  bool fail(Error why) {
    error = std::move(why);
    return false;
  }
  bool refuse(const std::string &why) {
    return fail(refusedByAudit(folder + ": " + why));
  }
  bool malformed(const std::string &file, const std::string &why) {
    return fail({Error::Kind::Malformed, folder + "/" + file + ": " + why});
  }

  /// A file of the folder by a name that leads nowhere else.
  bool read(llvm::StringRef name, std::string &into) {
    if (name.empty() || name.contains('/') || name.contains('\0') ||
        name.starts_with(".")) {
      return malformed("manifest.json", "names a file '" + name.str() + "'");
    }
    Expected<std::string> bytes = readFile(folder + "/" + name.str());
    if (!bytes) {
      return fail(bytes.error());
    }
    into = std::move(*bytes);
    return true;
  }

  bool readManifest() {
    if (!read("manifest.json", manifestBytes)) {
      return false;
    }
    Expected<json::Object> parsed =
        parseObject(folder + "/manifest.json", manifestBytes);
    if (!parsed) {
      return fail(parsed.error());
    }
    manifest = std::move(*parsed);
    auto name = manifest.getString("name");
    auto made = manifest.getString("producer");
    if (!name || !made || !manifest.getArray("variants")) {
      return malformed("manifest.json", "has no name, producer or variants");
    }
    audit.name = name->str();
    producer = made->str();
    return true;
  }

  /// The kernels, in the order of the variants; each has one or more of these.
  bool readProofs() {
    for (const json::Value &v : *manifest.getArray("variants")) {
      const json::Object *variant = v.getAsObject();
      const json::Object *proof =
          variant ? variant->getObject("proof") : nullptr;
      auto file = proof ? proof->getString("file") : std::nullopt;
      if (!file || !file->ends_with("proof.json")) {
        return malformed("manifest.json", "a variant has no proof");
      }
      if (!proved.empty() && proved.back().proofFile == *file) {
        continue;
      }
      proved.push_back({file->str(), file->drop_back(10).str(), {}});
      if (!readTargets(*variant) || !judge(proved.back())) {
        return false;
      }
    }
    return !proved.empty() || malformed("manifest.json", "has no variant");
  }

  /// All kernels are compiled for the same architectures.
  bool readTargets(const json::Object &variant) {
    const json::Object *files = variant.getObject("cubins");
    if (!files || files->empty()) {
      return malformed("manifest.json", "a variant has no cubins");
    }
    if (targets.empty()) {
      for (const auto &entry : *files) {
        targets.push_back(entry.first.str());
      }
    }
    auto unknown = refuseTargets(targets);
    return !unknown || malformed("manifest.json", unknown->message);
  }

  /// Generates the obligations of the kernel in a proof and judges the
  /// certificates beside it.
  bool judge(Proved &kernel) {
    std::string text;
    if (!read(kernel.proofFile, text)) {
      return false;
    }
    Expected<json::Object> proof =
        parseObject(folder + "/" + kernel.proofFile, text);
    if (!proof) {
      return fail(proof.error());
    }
    auto source = proof->getString("kernel");
    const json::Object *model = proof->getObject("model");
    const json::Array *listed = proof->getArray("obligations");
    if (!source || !model || !listed) {
      return malformed(kernel.proofFile, "has no kernel, model or obligations");
    }
    proofs::CertificateFile stored;
    if (!certificatesOf(kernel, *model, *listed, stored)) {
      return false;
    }
    std::string why;
    llvm::raw_string_ostream errors(why);
    std::string at = folder + "/" + kernel.proofFile;
    tile::KernelFiles files =
        tile::readKernelTexts(context, *source, at, errors);
    if (files.size() != 1) {
      return malformed(kernel.proofFile, "has no kernel that is one:\n" + why);
    }
    kernel.checked =
        checkKernels(std::move(files), at, CheckOptions(), &stored, why);
    if (!isProved(kernel, *source)) {
      return false;
    }
    json::Object made = std::move(
        *json::parse(tileir::proofText(kernel.checked.front().verdict))
             ->getAsObject());
    dropLabels(*proof);
    dropLabels(made);
    std::string what = difference(*proof, made);
    audit.obligations += listed->size();
    return what.empty() || refuse(kernel.proofFile + ": " + what +
                                  " is not what its kernel gives");
  }

  /// Labels have the author's names of values, which the printed form has not.
  static void dropLabels(json::Object &proof) {
    for (json::Value &o : *proof.getArray("obligations")) {
      o.getAsObject()->erase("label");
    }
  }

  bool certificatesOf(const Proved &kernel, const json::Object &model,
                      const json::Array &listed,
                      proofs::CertificateFile &into) {
    std::string text = "girih-certificates 1\nmodel";
    for (const auto &[name, value] : model) {
      auto number = value.getAsInteger();
      if (!number) {
        return malformed(kernel.proofFile, "its model has no numbers");
      }
      text += " " + name.str() + "=" + std::to_string(*number);
    }
    text += "\n";
    llvm::StringMap<std::string> known; // obligations that are alike have one
    for (const json::Value &v : listed) {
      const json::Object *o = v.getAsObject();
      auto hash = o ? o->getString("hash") : std::nullopt;
      auto certificate = o ? o->getString("certificate") : std::nullopt;
      if (!hash || !certificate || certificate->contains('\n')) {
        return malformed(kernel.proofFile,
                         "an obligation has no hash or certificate");
      }
      auto [it, isNew] = known.try_emplace(*hash, certificate->str());
      if (isNew) {
        text += hash->str() + " " + certificate->str() + "\n";
      } else if (it->second != *certificate) {
        return malformed(kernel.proofFile, "obligations with the hash " +
                                               hash->str() +
                                               " have two certificates");
      }
    }
    auto parsed = proofs::parseCertificateFile(text);
    if (auto *e = std::get_if<proofs::ParseError>(&parsed)) {
      return malformed(kernel.proofFile, "its certificates: " + e->message);
    }
    into = std::get<proofs::CertificateFile>(std::move(parsed));
    return true;
  }

  bool isProved(const Proved &kernel, llvm::StringRef source) {
    const Verdict &verdict = kernel.checked.front().verdict;
    if (!verdict.verified) {
      size_t open = llvm::count_if(verdict.findings, [](const Finding &f) {
        return f.status != Status::Proved;
      });
      return refuse(
          kernel.proofFile + " proves " +
          std::to_string(verdict.vcs.size() - open) + " of " +
          tile::counted(verdict.vcs.size(), "obligation", "obligations") +
          " of its kernel");
    }
    if (exitCode(verdict, settings.allowTrust)) {
      return refuse("the kernel rests on what it trusts: --allow-trust");
    }
    // What is judged is the text that the digest is of, and no other.
    if (verdict.verified->text() != source) {
      return refuse(kernel.proofFile + ": its kernel is not in printed form");
    }
    return true;
  }

  bool lowerKernels() {
    llvm::StringRef words = producer;
    bool isScheduled = words.contains(" --backend=hopper");
    if (isScheduled && !settings.compile.scheduler) {
      return refuse("its cubins are schedules: audit it with --backend=hopper "
                    "where there is a ptxas");
    }
    tileir::Options options{!words.contains(" --no-facts"),
                            words.contains(" --in-kernel-checks"),
                            {}};
    for (const Proved &kernel : proved) {
      auto lowered =
          lowerAll(kernel.checked, options,
                   isScheduled ? settings.compile.scheduler : Scheduler());
      if (!lowered) {
        return fail(lowered.error());
      }
      work.push_back(std::move(lowered->front()));
      work.back().prefix = kernel.prefix;
    }
    return true;
  }

  /// The kernel that looks up a fact is the one of this installation: any other
  /// might be verified and look at nothing.
  bool auditValidators() {
    for (const Work &w : work) {
      tile::KernelOp kernel = w.lowered.source.kernel();
      for (tile::GivenAttr given : kernel.getGivenFacts()) {
        std::string name = tileir::validatorOf(kernel, given);
        if (!name.empty() && !validators.contains(name) &&
            !auditValidator(name)) {
          return false;
        }
      }
    }
    return true;
  }

  bool auditValidator(const std::string &name) {
    Auditor inner(folder + "/" + name, settings);
    Expected<Audit> found = inner.run();
    if (!found) {
      return fail(found.error());
    }
    std::string path =
        settings.compile.validators + "/" + name + "/" + name + ".mlir";
    std::string why;
    llvm::raw_string_ostream errors(why);
    std::vector<Checked> shipped =
        checkFile(context, path, CheckOptions(), errors, why);
    if (!shipped.front().verdict.verified) {
      return fail({Error::Kind::Missing, path + ": no validator: " + why});
    }
    if (shipped.front().verdict.verified->digest() != inner.digest()) {
      return refuse(name + " is not the validator of this installation");
    }
    validators[name] = sha256(inner.manifestBytes);
    audit.obligations += found->obligations;
    audit.cubins += found->cubins;
    return true;
  }

  /// The manifest that these kernels and files have.
  bool makeManifest(std::string &text) {
    std::vector<OpenedKernel> opened;
    std::vector<tileir::VariantInputs> variants;
    for (const Work &w : work) {
      auto kernel = w.verdict.verified->open();
      if (auto *why = std::get_if<std::string>(&kernel)) {
        return refuse(*why);
      }
      opened.push_back(std::get<OpenedKernel>(std::move(kernel)));
      tileir::ManifestInputs inputs;
      inputs.validators = validators;
      for (const std::string &t : targets) {
        std::string file = w.prefix + t + ".cubin";
        if (!read(file, cubins[file])) {
          return false;
        }
        inputs.cubins.push_back({t, {file, sha256(cubins[file])}});
      }
      std::string proof;
      if (!read(w.prefix + "proof.json", proof)) {
        return false;
      }
      inputs.proof = {w.prefix + "proof.json", sha256(proof)};
      llvm::StringRef made = producer;
      inputs.launches =
          launchesOf(w, targets, made.substr(made.find("tileiras")));
      variants.push_back({*w.verdict.verified, opened.back().kernel(),
                          w.lowered, std::move(inputs)});
    }
    text = tileir::manifestText(audit.name, producer, variants);
    return true;
  }

  /// Of a list its conditions are in the manifest alone: they only choose among
  /// kernels that are each proved for all launches of their contracts.
  static bool takeConditions(json::Object &said, const json::Object &made) {
    json::Array *all = said.getArray("when");
    const json::Array *own = made.getArray("when");
    if (!all || !own || all->size() < own->size()) {
      return false;
    }
    while (all->size() > own->size()) {
      all->erase(all->begin());
    }
    return true;
  }

  /// Opt-outs are said with their place in the author's file.
  static void dropPlaces(json::Object &variant) {
    if (json::Array *trusted = variant.getArray("trusted")) {
      for (json::Value &text : *trusted) {
        llvm::StringRef all = text.getAsString().value_or("");
        text = all.substr(0, all.rfind(" (")).str();
      }
    }
  }

  bool compareManifest() {
    std::string text;
    if (!makeManifest(text)) {
      return false;
    }
    bool listed = !work.front().prefix.empty();
    std::string name = work.front().lowered.source.kernel().getSymName().str();
    if (!listed && name != audit.name) {
      return refuse("manifest.json: its name is " + audit.name +
                    ", that of the kernel " + name);
    }
    if (!listed && text == manifestBytes) {
      return true;
    }
    json::Object made = std::move(*json::parse(text)->getAsObject());
    json::Object said = manifest;
    json::Array &ours = *made.getArray("variants"),
                &theirs = *said.getArray("variants");
    if (ours.size() != theirs.size()) {
      return refuse("manifest.json has " +
                    tile::counted(theirs.size(), "variant", "variants") +
                    ", its kernels give " + std::to_string(ours.size()));
    }
    for (size_t i = 0; i < ours.size(); ++i) {
      json::Object *variant = theirs[i].getAsObject();
      if (!variant ||
          (listed && !takeConditions(*variant, *ours[i].getAsObject()))) {
        return refuse("manifest.json: variant " + std::to_string(i) +
                      " is not for the launches of its kernel");
      }
      dropPlaces(*variant);
      dropPlaces(*ours[i].getAsObject());
      if (std::string what = difference(*variant, *ours[i].getAsObject());
          !what.empty()) {
        return refuse("manifest.json: " + what + " of variant " +
                      std::to_string(i) + " is not what its kernel gives");
      }
    }
    said.erase("seal");
    made.erase("seal");
    std::string what = difference(said, made);
    return what.empty() ? isSealed()
                        : refuse("manifest.json: " + what +
                                 " is not what its kernel gives");
  }

  bool isSealed() {
    auto seal = manifest.getString("seal");
    size_t line = manifestBytes.find('\n');
    return (seal && line != std::string::npos &&
            *seal == sha256(llvm::StringRef(manifestBytes).substr(line + 1))) ||
           refuse("manifest.json was changed after it was sealed");
  }

  bool compareCubins() {
    const CompileSettings &with = settings.compile;
    bool some = llvm::StringRef(producer).contains(" --backend=hopper");
    bool all = llvm::all_of(
        work, [](const Work &w) { return w.scheduled.has_value(); });
    std::string wanted = (some ? ", " + with.schedulerVersion : "") +
                         (all ? "" : ", " + with.version);
    if (!llvm::StringRef(producer).ends_with(wanted) ||
        (!all && with.assembler.empty())) {
      audit.cubinsLeftOut = "they were made by " + producer + ", here is " +
                            (!all && with.assembler.empty()
                                 ? "no tileiras"
                                 : llvm::StringRef(wanted).drop_front(2).str());
      return true;
    }
    CompileSettings again = with;
    again.targets = targets;
    again.cache =
        runtime::Cache(""); // which may hold the very cubins in question
    for (const Work &w : work) {
      Expected<std::map<std::string, std::string>> made =
          std::map<std::string, std::string>();
      if (w.scheduled) {
        (*made)["sm_90"] = w.scheduled->bytes;
      } else {
        made = cubinsOf(w, "", again);
      }
      if (!made) {
        return fail(made.error());
      }
      for (const std::string &t : targets) {
        std::string file = w.prefix + t + ".cubin";
        if ((*made)[t] != cubins[file]) {
          return refuse(file + " is not what its kernel assembles to (cubins "
                               "with --lineinfo are never)");
        }
        ++audit.cubins;
      }
    }
    return true;
  }
};
} // namespace

Expected<Audit> auditArtefact(const std::string &folder,
                              const AuditSettings &settings) {
  return Auditor(folder, settings).run();
}

} // namespace girih::lower
