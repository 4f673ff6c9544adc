# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The build step of girih_add_kernel for kernels in C++: records what a program
# lists, compiles it and writes a source file that has the artefacts inside.
#
#   cmake -DRECORDER=PROGRAM -DTOOL=tile-compile -DOPTIONS=... -DFOLDER=... \
#     -DOUTPUT=FILE -P GirihRecorded.cmake
cmake_minimum_required(VERSION 3.20)
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "exit code ${code} of ${command}")
  endif()
endfunction()

run(${RECORDER} ${FOLDER})
file(STRINGS ${FOLDER}/kernels.txt kernels)
foreach(kernel IN LISTS kernels)
  run(${TOOL} ${FOLDER}/${kernel}.mlir -o ${FOLDER}/${kernel} ${OPTIONS})
endforeach()
run(${RECORDER} --embed ${FOLDER} ${OUTPUT})
file(TOUCH_NOCREATE ${OUTPUT})
