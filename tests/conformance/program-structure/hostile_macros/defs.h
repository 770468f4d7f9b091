/* names that generated or library code might use */
#define N 24
#define I idx
#define T real(8)
#define int mytype
#define at 5
#define data_ payload
#define launch go_on
#define at2(x) (x)*2
#define size_t 3
#define view +
#define index_type -
#define NAME2(a,b) a ## b
#define XSTR(s) STR_(s)
#define STR_(s) #s
#define MIN2(a,b) min(a,b)
#define ADD3(a, \
             b, \
             c) ((a) + (b) + (c))
#define real4 real(4)
#define DEV device
#define EMPTY
#define QUOTED 'it''s // not a comment'
#define NOTE "a /* string */"
#define ON .true.
#define LOGIC(a) .not.a
#define namespace blocks
#define template threads
#define inline 1
#define assert(x) if (.not. (x)) stop 3
#define NDEBUG 7
#define PASTED x##1
#define linux_ 4
