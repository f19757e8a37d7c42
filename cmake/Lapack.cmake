# SPDX-License-Identifier: MIT
# The reference LAPACK as one object of ours: linalg.c, which calls it, and blas2.c and blas3.c, which
# it calls, are linked with what they need of the archives; then every symbol that does not start
# with cairn_ is made local. So a program that links libcairn.a beside a BLAS of its own sees none of
# this one, and ours is never replaced by its. Functions of the C library whose last bits depend on
# the processor become our own on the way. The sections of the archives' members stay apart, so that a
# linker that collects garbage takes what it needs. `cairn_lapack` is the object's path, or empty.
set(cairn_lapack "")
# Objects are joined and cut by GNU ld whatever links the rest: lld has neither --unique nor --gc-sections
# beside -r.
find_program(CAIRN_LD NAMES ld.bfd ld REQUIRED)
set(lapack_sources src/kernels/linalg.c src/kernels/blas2.c src/kernels/blas3.c)
if(CAIRN_SHARED_LAPACK)
  target_sources(cairn_objects PRIVATE src/kernels/linalg.c)
  target_compile_definitions(cairn_objects PRIVATE CAIRN_SHARED_LAPACK)
else()
  add_library(cairn_lapack_parts OBJECT ${lapack_sources})
  target_include_directories(cairn_lapack_parts PRIVATE include src)
  target_link_libraries(cairn_lapack_parts PRIVATE cairn_flags)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND (CAIRN_FUZZ OR NOT CAIRN_SANITIZE MATCHES "address"))
    target_compile_options(cairn_lapack_parts PRIVATE -O3)
  endif()
  set(cairn_lapack ${CMAKE_BINARY_DIR}/lapack.o)
  add_custom_command(OUTPUT ${cairn_lapack}
    COMMAND ${CAIRN_LD} -r --unique=.text -o ${cairn_lapack}.all $<TARGET_OBJECTS:cairn_lapack_parts>
      ${CAIRN_LAPACK_ARCHIVE} ${CAIRN_BLAS_ARCHIVE}
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=cairn_* --redefine-sym cos=cairn_cos
      --redefine-sym log=cairn_log --redefine-sym log10=cairn_log10 --redefine-sym pow=cairn_pow
      --redefine-sym logf=cairn_log_float ${cairn_lapack}.all ${cairn_lapack}
    BYPRODUCTS ${cairn_lapack}.all
    DEPENDS cairn_lapack_parts $<TARGET_OBJECTS:cairn_lapack_parts> ${CAIRN_LAPACK_ARCHIVE}
      ${CAIRN_BLAS_ARCHIVE}
    COMMAND_EXPAND_LISTS VERBATIM COMMENT "LAPACK inside the library")
  set_source_files_properties(${cairn_lapack} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  add_custom_target(cairn_lapack_object DEPENDS ${cairn_lapack})
endif()
