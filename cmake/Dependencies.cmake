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

# The reference LAPACK is linked into the library, on our own products, so that results have the
# same bits on every processor. A system without the archives takes whatever shared LAPACK it has.
option(CAIRN_SHARED_LAPACK "use the system's shared LAPACK: bits are then this machine's own" OFF)
if(CAIRN_SHARED_LAPACK)
  find_package(LAPACK REQUIRED)
  target_link_libraries(cairn_dependencies INTERFACE ${LAPACK_LIBRARIES})
  set(CAIRN_LAPACK_LIBS " -llapack -lblas")
else()
  # Debian keeps the reference in folders of its own; in the usual place may stand an alternative.
  find_library(CAIRN_LAPACK_ARCHIVE NAMES liblapack.a PATH_SUFFIXES lapack)
  find_library(CAIRN_BLAS_ARCHIVE NAMES libblas.a PATH_SUFFIXES blas)
  foreach(archive CAIRN_LAPACK_ARCHIVE CAIRN_BLAS_ARCHIVE)
    get_filename_component(real "${${archive}}" REALPATH)
    if(NOT EXISTS "${real}" OR real MATCHES "openblas|atlas|blis|mkl")
      message(FATAL_ERROR "No archive of the reference LAPACK and BLAS was found (${archive} is "
        "'${${archive}}'). Install liblapack-dev and libblas-dev, name the archives with "
        "-DCAIRN_LAPACK_ARCHIVE= and -DCAIRN_BLAS_ARCHIVE=, or take a shared LAPACK with "
        "-DCAIRN_SHARED_LAPACK=ON.")
    endif()
  endforeach()
endif()
