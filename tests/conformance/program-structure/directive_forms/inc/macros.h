#ifndef MACROS_H
#define MACROS_H
#define VER(a, b) ((a)*100 + (b))
#include "deeper.h"
#endif
