// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run: an artefact, arrays from files, a launch, and what came of it. All
// that can be refused without a driver is refused before it is opened.

#ifndef GIRIH_RUNTIME_RUN_RUN_H
#define GIRIH_RUNTIME_RUN_RUN_H

#include "runtime/driver/Launch.h"
#include "runtime/run/Compare.h"
#include "runtime/run/Time.h"

#include <map>
#include <set>

namespace girih::runtime {

/// What to run. Files are .npy, by argument name.
struct Case {
  std::string name;
  std::string artefact; ///< a folder
  std::map<std::string, int64_t> symbols;
  std::map<std::string, std::string> inputs; ///< tensors
  std::map<std::string, double> scalars;
  std::map<std::string, std::string> outputs; ///< tensors to write
  std::map<std::string, std::string> expected, bounds;
  std::set<std::string> validated; ///< tensors to look through on the device
  int samples = 0;                 ///< of timing; none when 0
};

struct Outcome {
  std::string device;
  int64_t blocks = 0;
  std::vector<std::string> believed; ///< what nobody looked up
  std::vector<std::pair<std::string, Comparison>> comparisons;
  std::optional<Timing> timing;

  bool agrees() const;
};

/// Keeps driver, device and the last artefact between runs.
class Session {
public:
  explicit Session(std::optional<Policy> policy = std::nullopt)
      : policy(std::move(policy)) {}

  /// The artefact in a folder; read again only when the folder differs from
  /// the last one.
  Expected<std::shared_ptr<const Artefact>> artefact(const std::string &folder);
  /// The last artefact on the device. Opens the driver at first.
  Expected<Kernel *> kernel();

  const Driver &driver() const { return *opened; }
  const Device &device() const { return *entered; }

private:
  std::optional<Policy> policy; ///< of what is loaded
  std::string folder;
  std::shared_ptr<const Artefact> last;
  std::optional<Driver> opened;
  std::optional<Device> entered;
  std::unique_ptr<Kernel> loaded;
};

Expected<Outcome> runCase(Session &session, const Case &what);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_RUN_RUN_H
