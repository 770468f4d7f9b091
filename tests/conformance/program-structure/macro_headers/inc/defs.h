#ifndef DEFS_H
#define DEFS_H
#define TWO 2
#include "sub/more.h"
#endif
