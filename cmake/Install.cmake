# SPDX-License-Identifier: MIT
# What `make install` puts where: headers, libraries, pkg-config and CMake package files, manual
# pages and completions. The program and the modules add themselves in their folders when they have
# special wishes; otherwise they are installed here.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/cairn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING
  PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS cairn_shared cairn_course_shared EXPORT cairn LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS cairn_static cairn_course_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# What debuggers want goes into a file of its own, .debug/NAME.debug, where they look for it.
function(cairn_install_debug folder)
  if(NOT IS_ABSOLUTE ${folder})
    set(folder "\${CMAKE_INSTALL_PREFIX}/${folder}")
  endif()
  foreach(target ${ARGN})
    install(CODE "
      set(folder \"\$ENV{DESTDIR}${folder}\")
      set(file \"\${folder}/$<TARGET_FILE_NAME:${target}>\")
      set(debug \"\${folder}/.debug/$<TARGET_FILE_NAME:${target}>.debug\")
      file(MAKE_DIRECTORY \"\${folder}/.debug\")
      execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --only-keep-debug \"\${file}\" \"\${debug}\"
        COMMAND_ERROR_IS_FATAL ANY)
      execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --strip-unneeded
        \"--add-gnu-debuglink=\${debug}\" \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
endfunction()
cairn_install_debug(${CMAKE_INSTALL_LIBDIR} cairn_shared cairn_course_shared)
set(libraries cairn cairn-course)
if(TARGET cairn_predict_shared)
  install(TARGETS cairn_predict_shared EXPORT cairn LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS cairn_predict_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  list(APPEND libraries cairn-predict)
endif()

set(with_cairn "")
set(with_cairn-course ", with calculators, pictures and lessons")
set(with_cairn-predict ": models that were fitted answer rows")
foreach(library ${libraries})
  set(with "${with_${library}}")
  set(packed "")
  if(library STREQUAL "cairn-predict" AND CAIRN_LINKS_PACKED)
    set(packed " -Wl,-z,pack-relative-relocs")
  endif()
  configure_file(cmake/cairn.pc.in ${library}.pc @ONLY)
  configure_file(cmake/cairn-static.pc.in ${library}-static.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${library}.pc ${CMAKE_BINARY_DIR}/${library}-static.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
install(EXPORT cairn NAMESPACE cairn:: FILE cairnTargets.cmake DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cairnConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/cairnConfig.cmake.in cairnConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
install(FILES ${CMAKE_BINARY_DIR}/cairnConfig.cmake ${CMAKE_BINARY_DIR}/cairnConfigVersion.cmake
  DESTINATION ${package})

# The program finds the library relative to itself, wherever the tree is put, and beside itself in
# the build folder. One path for both: CMake would end a path that it means to change at installation
# with an empty element, which is the current directory.
file(RELATIVE_PATH to_library ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
foreach(folder program modules)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${folder}/CMakeLists.txt)
    get_property(parts DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(part ${parts})
      get_target_property(kind ${part} TYPE)
      if(kind STREQUAL EXECUTABLE)
        set_target_properties(${part} PROPERTIES BUILD_WITH_INSTALL_RPATH TRUE
          INSTALL_RPATH "$ORIGIN;$ORIGIN/${to_library}")
        install(TARGETS ${part} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
        cairn_install_debug(${CMAKE_INSTALL_BINDIR} ${part})
      elseif(kind STREQUAL MODULE_LIBRARY)
        install(TARGETS ${part} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/cairn)
        cairn_install_debug(${CMAKE_INSTALL_LIBDIR}/cairn ${part})
      endif()
    endforeach()
  endif()
endforeach()

# Manual pages and completions, printed by the program. A sanitized build has no use for them.
if(TARGET cairn AND NOT CAIRN_SANITIZE)
  set(pages ${CMAKE_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${pages}/done
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages}
    COMMAND ${CMAKE_SOURCE_DIR}/tools/make-pages $<TARGET_FILE:cairn> ${pages}
    COMMAND ${CMAKE_COMMAND} -E touch ${pages}/done
    DEPENDS cairn ${CMAKE_SOURCE_DIR}/tools/make-pages COMMENT "Manual pages and completions")
  add_custom_target(pages ALL DEPENDS ${pages}/done)
  add_dependencies(product pages)
  install(DIRECTORY ${pages}/man DESTINATION ${CMAKE_INSTALL_DATADIR})
  install(DIRECTORY ${pages}/bash-completion ${pages}/zsh ${pages}/fish
    DESTINATION ${CMAKE_INSTALL_DATADIR})
endif()

# Manual pages of the library's functions, made of the comments in the headers where there is Python,
# and everything there is to read, with the examples.
find_program(CAIRN_PYTHON python3)
if(CAIRN_PYTHON)
  set(manual ${CMAKE_BINARY_DIR}/manual)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/cairn/*.h)
  add_custom_command(OUTPUT ${manual}/done
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${CAIRN_PYTHON}
      ${CMAKE_SOURCE_DIR}/tools/c-docs --man ${manual}/man/man3
    COMMAND ${CMAKE_COMMAND} -E touch ${manual}/done
    DEPENDS ${headers} ${CMAKE_SOURCE_DIR}/tools/c-docs ${CMAKE_SOURCE_DIR}/tools/headers.py
    COMMENT "Manual pages of the library")
  add_custom_target(manual ALL DEPENDS ${manual}/done)
  add_dependencies(product manual)
  install(DIRECTORY ${manual}/man DESTINATION ${CMAKE_INSTALL_DATADIR})
else()
  message(STATUS "No python3: the manual pages of the library's functions are not made")
endif()
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
