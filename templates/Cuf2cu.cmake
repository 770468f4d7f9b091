# CUDA Fortran in a project that CMake builds, translated by cuf2cu when the project is configured, and again when a source has changed:
#
#   find_program(CUF2CU cuf2cu REQUIRED)
#   execute_process(COMMAND ${CUF2CU} cmake-module OUTPUT_FILE ${CMAKE_BINARY_DIR}/Cuf2cu.cmake COMMAND_ERROR_IS_FATAL ANY)
#   include(${CMAKE_BINARY_DIR}/Cuf2cu.cmake)
#   cuf2cu_add_library(kernels SOURCES kernels.cuf solver/ OPTIONS -DN=3)
#   target_link_libraries(app PRIVATE kernels)
#
# The library is a static one of that name, with its module files; main programs among the sources become executables. The project needs the
# languages C, CXX and Fortran. CUF_TARGET is cuda or cpu, as in every CMakeLists.txt that cuf2cu writes. cmake_minimum_required: 3.20.
include_guard(GLOBAL)
find_program(CUF2CU cuf2cu REQUIRED)

function(cuf2cu_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "cuf2cu_add_library(NAME SOURCES file-or-folder... [OPTIONS option...])")
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.cuf2cu)
  set(rule ${out}.d)
  # A failed translation is tried again when its sources change.
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(whole "${source}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${whole}")
    list(APPEND sources "${whole}")
  endforeach()
  execute_process(
    COMMAND ${CUF2CU} --name ${name} --depfile ${rule} ${arg_OPTIONS} ${sources} ${out}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "cuf2cu could not translate the sources of ${name}")
  endif()
  # Each file that was read has a rule of its own there, without a command.
  file(STRINGS ${rule} lines REGEX "^[^ ].*:$")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ":$" "" path "${line}")
    string(REGEX REPLACE "\\\\([ #%\t])" "\\1" path "${path}")
    string(REPLACE "$$" "$" path "${path}")
    get_filename_component(path "${path}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  endforeach()
  add_subdirectory(${out} ${out}.build)
endfunction()
