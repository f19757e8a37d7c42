# SPDX-License-Identifier: MIT
# Warnings, floating-point rules and sanitizers, for our own code only.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(cairn_flags INTERFACE)
target_compile_options(cairn_flags INTERFACE
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
  -Wwrite-strings -Wformat=2 -Werror=implicit-function-declaration -Werror=format
  -ffp-contract=off -fno-math-errno
  # NEW(ctx, &p, n) sets p through its address, which this warning cannot see
  -Wno-maybe-uninitialized)
target_compile_definitions(cairn_flags INTERFACE _GNU_SOURCE)
if(CAIRN_SANITIZE)
  target_compile_options(cairn_flags INTERFACE -fsanitize=${CAIRN_SANITIZE}
    -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  link_libraries(-fsanitize=${CAIRN_SANITIZE})
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3 -g1")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")
