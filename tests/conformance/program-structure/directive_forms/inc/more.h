#define MORE_H DEEP
