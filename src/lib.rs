//! cuf2cu: CUDA Fortran to CUDA C++ and standard Fortran.
