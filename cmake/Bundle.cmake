# SPDX-License-Identifier: MIT
# Built-in data and lessons become one C source: see base/bundle.h and tools/pack.c.
add_executable(cairn_pack tools/pack.c)
target_link_libraries(cairn_pack PRIVATE PkgConfig::JANSSON PkgConfig::ZSTD)
target_compile_definitions(cairn_pack PRIVATE _GNU_SOURCE)

# cairn_bundle(TARGET folder...): the files of the folders as a source of the target.
function(cairn_bundle target)
  set(bundle ${CMAKE_BINARY_DIR}/${target}_files.c)
  set(folders)
  set(inputs)
  foreach(folder ${ARGN})
    list(APPEND folders ${CMAKE_SOURCE_DIR}/${folder})
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*)
    list(APPEND inputs ${files})
  endforeach()
  add_custom_command(OUTPUT ${bundle}
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
      $<TARGET_FILE:cairn_pack> ${bundle} ${folders}
    DEPENDS cairn_pack ${inputs}
    COMMENT "Packing ${ARGN}")
  target_sources(${target} PRIVATE ${bundle})
endfunction()
