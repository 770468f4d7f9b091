#ifndef ALL_H
#define ALL_H
#include "sizes.h"
#define TWO 2.0
#endif
