// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one symbol that leaves the shared object.

#include "checker/search/Model.h"
#include "checker/search/Strategy.h"

using namespace girih;
using namespace girih::search;

extern "C" __attribute__((visibility("default"))) const Api *girihSearchApi() {
  static const Api api = {findCertificate, findLemmas, findModel, crossCheck};
  return &api;
}
