#define FOUR 4
