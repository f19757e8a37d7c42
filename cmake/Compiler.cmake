# SPDX-License-Identifier: MIT
# Warnings, floating-point rules, hardening and sanitizers, for our own code only.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Binaries name no folder of the machine they were built on: two builds in two folders have the same
# bytes (tools/build-twice).
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build)

add_library(cairn_flags INTERFACE)
target_compile_options(cairn_flags INTERFACE
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
  -Wwrite-strings -Wformat=2 -Werror=implicit-function-declaration -Werror=format
  -ffp-contract=off -fno-math-errno -ffunction-sections -fdata-sections
  # NEW(ctx, &p, n) sets p through its address, which gcc's warning cannot see
  $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
target_compile_definitions(cairn_flags INTERFACE _GNU_SOURCE $<$<CONFIG:Debug>:CAIRN_DEBUG>)

# Sanitizers reach every target, ours or not, that is made after this.
if(CAIRN_SANITIZE)
  add_compile_options(-fsanitize=${CAIRN_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${CAIRN_SANITIZE})
  add_compile_definitions(CAIRN_SANITIZED)
  # hundreds of programs, each with the whole library in it: GNU ld takes most of the build's time
  find_program(LLD ld.lld)
  if(LLD AND CMAKE_C_COMPILER_ID STREQUAL "Clang")
    add_link_options(-fuse-ld=lld)
  endif()
endif()
# What makes an error in C a stop instead of a way in; tools/check-hardening reads it from the
# binaries. Sanitizers bring checks of their own, and fortified calls would hide from them.
if(NOT CAIRN_SANITIZE)
  target_compile_options(cairn_flags INTERFACE -fstack-protector-strong -fstack-clash-protection
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=3>)
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
endif()
if(CAIRN_FUZZ) # so that libFuzzer sees which branches an input takes
  add_compile_options(-fsanitize=fuzzer-no-link)
  if(NOT CAIRN_FUZZ_COMPARES) # and not what was compared there, up to half of the time, nor what the
    # address sanitizer sees as well; alignment is looked at by every other sanitized build
    add_compile_options(-fno-sanitize-coverage=trace-cmp,indirect-calls,stack-depth
      -fno-sanitize=null,object-size,alignment)
  endif()
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")
if(CAIRN_FUZZ) # every second of a run counts
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1")
elseif(CAIRN_SANITIZE MATCHES "address") # most is not optimised: clang would take most of the time
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O0 -g1")
elseif(CAIRN_SANITIZE) # the thread sanitizer is slow enough
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")
else()
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")
endif()
