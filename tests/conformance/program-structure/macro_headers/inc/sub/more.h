#include "same.h"
#define THREE (TWO+1)
