# SPDX-License-Identifier: MIT
# libcairn-predict: what a program needs that loads a model file and asks it. It is linked from the
# objects of libcairn: tools/lighten.c takes from the records what only fitting, describing and
# exporting need, the linker begins with the functions of cmake/cairn-predict.map.in and drops every
# section that they do not reach, and one object is left. So there is no second compilation, no second
# list of learners, and the answers have the same bits. Tables for unwinding, which C does not need,
# are left out, too.
cairn_object_set(cairn_predict_edition src/registry.c)
target_compile_definitions(cairn_predict_edition PRIVATE CAIRN_TO_PREDICT)
configure_file(cmake/cairn-predict.map.in cairn-predict.map @ONLY)
file(STRINGS cmake/cairn-predict.map.in names REGEX "^    cairn_.*;$")
string(REGEX REPLACE "[^a-z0-9_;]+" "" names "${names}")
list(FILTER names EXCLUDE REGEX "^$")
list(TRANSFORM names PREPEND --undefined= OUTPUT_VARIABLE roots)
list(TRANSFORM names PREPEND --keep-global-symbol= OUTPUT_VARIABLE kept)

add_executable(cairn_lighten tools/lighten.c)
target_include_directories(cairn_lighten PRIVATE include src)
target_compile_definitions(cairn_lighten PRIVATE _GNU_SOURCE)
set(cairn_predict ${CMAKE_BINARY_DIR}/predict.o)
set(folder ${CMAKE_BINARY_DIR}/predict)
file(MAKE_DIRECTORY ${folder})
add_custom_command(OUTPUT ${cairn_predict}
  COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
    $<TARGET_FILE:cairn_lighten> ${folder} ${folder}/objects $<TARGET_OBJECTS:cairn_objects>
  COMMAND ${CAIRN_LD} -r --gc-sections ${roots} -o ${cairn_predict}.all
    $<TARGET_OBJECTS:cairn_predict_edition> @${folder}/objects
  COMMAND ${CMAKE_OBJCOPY} --strip-debug --strip-unneeded --remove-section=.eh_frame
    --remove-section=.rela.eh_frame ${kept} ${cairn_predict}.all ${cairn_predict}
  BYPRODUCTS ${cairn_predict}.all ${folder}/objects
  DEPENDS cairn_lighten cairn_objects $<TARGET_OBJECTS:cairn_objects> cairn_predict_edition
    $<TARGET_OBJECTS:cairn_predict_edition> cmake/cairn-predict.map.in
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "What predicting needs")
set_source_files_properties(${cairn_predict} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
add_custom_target(cairn_predict_object DEPENDS ${cairn_predict})
