# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# girih_verify(NAME KERNELS files... [FAIL_ON refuted unknown] [OPTIONS ...])
#
# A target NAME, part of `all`, that verifies kernels. The build fails with the
# diagnostics of tile-verify when a kernel has a verdict of FAIL_ON (default:
# both) and whenever one is malformed. `unknown` stands for exit code 2: a
# kernel that rests on opt-outs is counted there unless OPTIONS has
# --allow-trust. A kernel is verified again when it or the certificates beside
# it change.
function(girih_verify name)
  cmake_parse_arguments(ARG "" "" "KERNELS;FAIL_ON;OPTIONS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_KERNELS)
    message(FATAL_ERROR "girih_verify(${name}): wants KERNELS files..., and "
      "takes FAIL_ON and OPTIONS; got ${ARGN}")
  endif()
  if(NOT DEFINED ARG_FAIL_ON)
    set(ARG_FAIL_ON refuted unknown)
  endif()
  foreach(verdict IN LISTS ARG_FAIL_ON)
    if(NOT verdict MATCHES "^(refuted|unknown)$")
      message(FATAL_ERROR
        "girih_verify(${name}): FAIL_ON takes refuted and unknown, got ${verdict}")
    endif()
  endforeach()
  set(stamps)
  foreach(kernel IN LISTS ARG_KERNELS)
    _girih_kernel(${kernel} path stem inputs)
    set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir/${stem}.verified)
    add_custom_command(OUTPUT ${stamp}
      COMMAND ${CMAKE_COMMAND} -E make_directory
        ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir
      COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:Girih::tile-verify>
        -DKERNEL=${path} "-DOPTIONS=${ARG_OPTIONS}" "-DFAIL_ON=${ARG_FAIL_ON}"
        -DSTAMP=${stamp} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/GirihVerify.cmake
      DEPENDS ${inputs} Girih::tile-verify
      COMMENT "Verifying ${stem}.mlir"
      VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(${name} ALL DEPENDS ${stamps})
endfunction()

# girih_add_kernel(TARGET FILES files... [ARCHS sm_90 ...] [OPTIONS ...])
#
# Verifies kernels and compiles each NAME.mlir to an artefact in the folder NAME
# beside TARGET, and writes the header NAME.h beside it, which TARGET includes as
# <NAME.h>; what is not VERIFIED fails the build. Of files in C++ (.cpp, .cc,
# .cxx), the kernels that they list with girih::kernel::Listed are recorded while
# TARGET is built, and their artefacts are inside of TARGET, where girih/launch.h
# finds them; TARGET links Girih::launch. ARCHS are those of tile-compile
# (default: sm_90, sm_100, sm_120), OPTIONS further options of it.
# Needs the assembler `tileiras` of a CUDA toolkit of 13.3 or newer: on PATH, or
# in the variable GIRIH_TILEIRAS.
function(girih_add_kernel target)
  # The folder of a target does not wait for the target.
  cmake_policy(SET CMP0112 NEW)
  cmake_parse_arguments(ARG "" "" "FILES;ARCHS;OPTIONS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_FILES OR NOT TARGET ${target})
    message(FATAL_ERROR "girih_add_kernel(${target}): wants a target and FILES "
      "files..., and takes ARCHS and OPTIONS; got ${ARGN}")
  endif()
  find_program(GIRIH_TILEIRAS tileiras
    DOC "The assembler of CUDA Tile IR, of a CUDA toolkit of 13.3 or newer")
  if(NOT GIRIH_TILEIRAS)
    message(FATAL_ERROR "girih_add_kernel(${target}): tileiras is missing: "
      "install a CUDA toolkit of 13.3 or newer, and put its bin folder on PATH "
      "or the path of tileiras into GIRIH_TILEIRAS")
  endif()
  if(NOT ARG_ARCHS)
    set(ARG_ARCHS sm_90 sm_100 sm_120)
  endif()
  list(JOIN ARG_ARCHS "," archs)
  set(recorded ${ARG_FILES})
  list(FILTER recorded INCLUDE REGEX "\\.(cpp|cc|cxx)$")
  if(recorded)
    _girih_add_recorded(${target} "${recorded}"
      --arch=${archs} --tileiras=${GIRIH_TILEIRAS} ${ARG_OPTIONS})
    list(REMOVE_ITEM ARG_FILES ${recorded})
  endif()
  if(NOT ARG_FILES)
    return()
  endif()
  set(stamps)
  foreach(kernel IN LISTS ARG_FILES)
    _girih_kernel(${kernel} path stem inputs)
    set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels.dir/${stem}.compiled)
    add_custom_command(OUTPUT ${stamp}
      COMMAND ${CMAKE_COMMAND} -E make_directory
        ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels.dir
      COMMAND Girih::tile-compile ${path} --arch=${archs}
        --tileiras=${GIRIH_TILEIRAS} ${ARG_OPTIONS}
        -o $<TARGET_FILE_DIR:${target}>/${stem}
        --emit-launcher=$<TARGET_FILE_DIR:${target}>/${stem}.h
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
      DEPENDS ${inputs} Girih::tile-compile
      COMMENT "Compiling ${stem}.mlir for ${archs}"
      VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(${target}_kernels DEPENDS ${stamps})
  add_dependencies(${target} ${target}_kernels)
  target_include_directories(${target} PRIVATE $<TARGET_FILE_DIR:${target}>)
endfunction()

# Kernels in C++: a program of their files records them.
function(_girih_add_recorded target files)
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$")
    message(FATAL_ERROR "girih_add_kernel(${target}): kernels in C++ go into an "
      "executable or a shared library; of a static one the linker would leave "
      "them out")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels.dir/recorded)
  set(recorder ${target}_recorder)
  set(output ${folder}/embedded.cpp)
  add_executable(${recorder} EXCLUDE_FROM_ALL ${files})
  target_link_libraries(${recorder} PRIVATE Girih::record_main Girih::launch)
  # They may include what TARGET may.
  target_include_directories(${recorder} PRIVATE
    $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${recorder} PRIVATE
    $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DRECORDER=$<TARGET_FILE:${recorder}>
      -DTOOL=$<TARGET_FILE:Girih::tile-compile> "-DOPTIONS=${ARGN}"
      -DFOLDER=${folder} -DOUTPUT=${output}
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/GirihRecorded.cmake
    DEPENDS ${recorder} Girih::tile-compile
    COMMENT "Recording and compiling the kernels of ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# The path of a kernel, its name and what a verdict depends on.
function(_girih_kernel kernel path stem inputs)
  cmake_path(ABSOLUTE_PATH kernel NORMALIZE OUTPUT_VARIABLE file)
  cmake_path(GET file STEM LAST_ONLY name)
  cmake_path(REPLACE_EXTENSION file LAST_ONLY .cert OUTPUT_VARIABLE certificates)
  set(found ${file})
  if(EXISTS ${certificates})
    list(APPEND found ${certificates})
  endif()
  set(${path} ${file} PARENT_SCOPE)
  set(${stem} ${name} PARENT_SCOPE)
  set(${inputs} ${found} PARENT_SCOPE)
endfunction()
