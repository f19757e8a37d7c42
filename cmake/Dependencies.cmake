# SPDX-License-Identifier: MIT
# The libraries of the core, all from one place. Modules find their own.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson) # of tools and tests only
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
find_library(STEMMER_LIBRARY stemmer REQUIRED) # has no pkg-config file
find_path(STEMMER_INCLUDE libstemmer.h REQUIRED)

add_library(cairn_dependencies INTERFACE)
target_link_libraries(cairn_dependencies INTERFACE PkgConfig::ZSTD PkgConfig::LZ4 PkgConfig::XXHASH
  PkgConfig::UTF8PROC ${STEMMER_LIBRARY} ZLIB::ZLIB
  Threads::Threads m ${CMAKE_DL_LIBS})
target_include_directories(cairn_dependencies INTERFACE ${STEMMER_INCLUDE})
