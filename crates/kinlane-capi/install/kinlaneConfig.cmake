# find_package(kinlane) defines
#   kinlane::kinlane         the shared library, with its header
#   kinlane::static          the static library, with its header
#   kinlane_FORTRAN_SOURCE   the Fortran module, to be compiled with the program that uses it
get_filename_component(_kinlane_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(kinlane_FORTRAN_SOURCE "${_kinlane_prefix}/share/kinlane/kinlane.f90")
if(NOT TARGET kinlane::kinlane)
  add_library(kinlane::kinlane SHARED IMPORTED)
  set_target_properties(kinlane::kinlane PROPERTIES
    IMPORTED_LOCATION "${_kinlane_prefix}/lib/${CMAKE_SHARED_LIBRARY_PREFIX}kinlane${CMAKE_SHARED_LIBRARY_SUFFIX}"
    INTERFACE_INCLUDE_DIRECTORIES "${_kinlane_prefix}/include")
  if(NOT APPLE)
    # Programs look for the file's own name.
    set_property(TARGET kinlane::kinlane PROPERTY IMPORTED_NO_SONAME TRUE)
  endif()
  add_library(kinlane::static STATIC IMPORTED)
  set_target_properties(kinlane::static PROPERTIES
    IMPORTED_LOCATION "${_kinlane_prefix}/lib/${CMAKE_STATIC_LIBRARY_PREFIX}kinlane${CMAKE_STATIC_LIBRARY_SUFFIX}"
    INTERFACE_INCLUDE_DIRECTORIES "${_kinlane_prefix}/include"
    # Named here and not by CMake's Threads, which a project in Fortran alone does not have.
    INTERFACE_LINK_LIBRARIES "pthread;${CMAKE_DL_LIBS};m")
endif()
unset(_kinlane_prefix)
