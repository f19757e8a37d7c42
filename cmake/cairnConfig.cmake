# SPDX-License-Identifier: MIT
# find_package(cairn) gives the target cairn::cairn.
include(${CMAKE_CURRENT_LIST_DIR}/cairnTargets.cmake)
