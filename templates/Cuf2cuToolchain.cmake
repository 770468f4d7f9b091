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
  if("$ENV{CUF2CU_TARGET}" STREQUAL cpu)
    # The cpu target needs no toolkit: cuf2cu links what stands for the libraries whose modules a program uses. The targets are there and add nothing.
    file(WRITE ${CMAKE_BINARY_DIR}/CMakeFiles/cuf2cu/FindCUDAToolkit.cmake [[
set(CUDAToolkit_VERSION 13.0.0)
set(CUDAToolkit_VERSION_MAJOR 13)
set(CUDAToolkit_VERSION_MINOR 0)
set(CUDAToolkit_VERSION_PATCH 0)
set(CUDAToolkit_TARGET cpu)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CUDAToolkit REQUIRED_VARS CUDAToolkit_TARGET VERSION_VAR CUDAToolkit_VERSION)
foreach(library cudart cudart_static cudadevrt cuda_driver toolkit cublas cublas_static cublasLt cublasLt_static cufft cufft_static cufftw cufftw_static
        curand curand_static cusolver cusolver_static cusparse cusparse_static nvToolsExt nvtx3)
  if(NOT TARGET CUDA::${library})
    add_library(CUDA::${library} INTERFACE IMPORTED)
  endif()
endforeach()
]])
    list(PREPEND CMAKE_MODULE_PATH ${CMAKE_BINARY_DIR}/CMakeFiles/cuf2cu)
  endif()
else()
  list(APPEND CMAKE_Fortran_SOURCE_FILE_EXTENSIONS cuf CUF)
  # What holds Fortran in it or in its libraries is linked by cuf2cu, whatever the language of its main program: it links device code, too.
  set(CMAKE_Fortran_LINKER_PREFERENCE 100)
  set(CMAKE_Fortran_LINKER_PREFERENCE_PROPAGATES 1)
endif()
