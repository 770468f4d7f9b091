# CUDA Fortran in a project that CMake builds as with NVIDIA's compiler, a file at a time by `cuf2cu fc`; nothing in the project changes:
#
#   cuf2cu cmake-toolchain > cuf2cu.cmake
#   cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=$PWD/cuf2cu.cmake
#
# CUF2CU_TARGET, cuda or cpu, is a variable of the environment. -DCUF2CU=... names a cuf2cu that is not in the search path.
if(NOT CMAKE_Fortran_COMPILER_LOADED)
  find_program(CUF2CU cuf2cu REQUIRED)
  list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUF2CU)
  set(CMAKE_Fortran_COMPILER ${CUF2CU} fc)
  # CMake reads this file once more when it has found the compiler and set what is changed below.
  set(CMAKE_USER_MAKE_RULES_OVERRIDE_Fortran ${CMAKE_CURRENT_LIST_FILE})
else()
  list(APPEND CMAKE_Fortran_SOURCE_FILE_EXTENSIONS cuf CUF)
  # What holds Fortran in it or in its libraries is linked by cuf2cu, whatever the language of its main program: it links device code, too.
  set(CMAKE_Fortran_LINKER_PREFERENCE 100)
  set(CMAKE_Fortran_LINKER_PREFERENCE_PROPAGATES 1)
endif()
