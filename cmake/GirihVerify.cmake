# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The build step of girih_verify: verifies one kernel, prints what tile-verify
# prints and fails on the verdicts that FAIL_ON lists.
#
#   cmake -DTOOL=tile-verify -DKERNEL=FILE -DOPTIONS=... -DFAIL_ON=... \
#     -DSTAMP=FILE -P GirihVerify.cmake
cmake_minimum_required(VERSION 3.20)
execute_process(COMMAND ${TOOL} ${OPTIONS} ${KERNEL} RESULT_VARIABLE code)
set(verdicts 0 verified 1 refuted 2 unknown)
list(FIND verdicts "${code}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${KERNEL}: not verified: malformed, or exit code ${code}")
endif()
math(EXPR at "${at} + 1")
list(GET verdicts ${at} verdict)
if(verdict IN_LIST FAIL_ON)
  message(FATAL_ERROR "${KERNEL}: ${verdict}, and girih_verify fails on that")
endif()
file(TOUCH ${STAMP})
