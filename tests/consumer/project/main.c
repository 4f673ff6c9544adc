/* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The runtime from C: an artefact that is none is refused with its reason. */

#include <girih.h>
#include <girih/runtime.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  girih_kernel *kernel;
  int code = girih_open("/nowhere", &kernel);
  printf("%d %s\n", code, girih_error());
  return code == 3 && !kernel &&
                 strcmp(girih_error(), "/nowhere is no folder") == 0
             ? 0
             : 1;
}
