# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes to OUT, as rows of a C++ table, the kernels that show each rule; FOLDER
# has them. What a test expects of them is left out.
set(header "^(// (expect|twin): [^\n]*\n)+")
file(GLOB rules RELATIVE ${FOLDER} ${FOLDER}/*)
set(rows "")
foreach(rule IN LISTS rules)
  file(READ ${FOLDER}/${rule}/bad.mlir bad)
  file(READ ${FOLDER}/${rule}/good.mlir good)
  string(REGEX REPLACE "${header}" "" bad "${bad}")
  string(REGEX REPLACE "${header}" "" good "${good}")
  string(APPEND rows
    "{\"${rule}\", R\"mlir(${bad})mlir\", R\"mlir(${good})mlir\"},\n")
endforeach()
file(WRITE ${OUT} "${rows}")
