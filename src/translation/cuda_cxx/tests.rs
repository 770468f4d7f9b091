use super::*;

fn of(text: &str) -> String {
    let macros = kernel_macros(text);
    let out = header(text, "x.cuh", &macros);
    let lines = |t: &str| t.matches('\n').count();
    assert_eq!(lines(&out), lines(text) + 1, "{out}");
    out.split_once('\n').map_or("", |(_, rest)| rest).to_owned()
}

fn launched(text: &str, expected: &str) {
    assert_eq!(of(text), expected);
}

#[test]
fn launches() {
    launched("k<<<1, n>>>(x);", "(::cuf::own::configured(1, n), k(x));");
    launched(
        "if (a) n::k<T, (b > c)><<<f(1, 2), A<B<int>>::v, 0, s>>>(x, g(y)); else return k<1><<<1,1>>>();",
        "if (a) (::cuf::own::configured(f(1, 2), A<B<int>>::v, 0, s), n::k<T, (b > c)>(x, g(y))); \
else return (::cuf::own::configured(1,1), k<1>());",
    );
    launched(
        "(*f)<<<1, 1>>>(); t.k[i]<<<1, 1>>>(); p->template k<int><<<1, N<int>>>>(); ::k<<<1, 1>>>();",
        "(::cuf::own::configured(1, 1), (*f)()); (::cuf::own::configured(1, 1), t.k[i]()); \
(::cuf::own::configured(1, N<int>), p->template k<int>()); (::cuf::own::configured(1, 1), ::k());",
    );
    launched(
        "k<<<\n  1, // blocks\n  1>>>\n (h<<<1, 1>>>(), x);",
        "(::cuf::own::configured(\n  1, // blocks\n  1), k\n ((::cuf::own::configured(1, 1), h()), x));",
    );
}

#[test]
fn what_only_looks_like_a_launch() {
    for text in [
        "// k<<<1, 1>>>(x);\n/* k<<<1, 1>>>(x); */",
        "auto s = \"k<<<1, 1>>>(x)\", r = R\"a(k<<<1, 1>>>(\")\")a\"; char c = '\"';",
        "int a = b << 1 >> 2, c = 1'000; A<B<C<int>>> d;",
        "std::ostream& operator<<<int>(std::ostream&, A<int>);",
    ] {
        launched(text, text);
    }
}

#[test]
fn launches_of_macros() {
    launched(
        "#define RUN(k, ...) \\\n  k<<<1, 1>>>(__VA_ARGS__)\nRUN(f, x);",
        "#define RUN(k, ...) \\\n  (::cuf::own::configured(1, 1), k(__VA_ARGS__))\nRUN(f, x);",
    );
    assert!(of("#define AT(g, b) <<<g, b>>>\n").contains("GCC error"));
}

#[test]
fn kernels() {
    launched(
        "template <class T>\n__global__ void __launch_bounds__(64) k(T* x, int n)\n{\n  if (n) { return; }\n}\n",
        "template <class T>\n void __launch_bounds__(64) k(T* x, int n)\n{ ::cuf::own::kernel_body([=]() mutable -> void {\n  if (n) { return; }\n}); }\n",
    );
    // One brace for two branches.
    launched(
        "__global__ void k(int n) {\n#if A\n  if (n) {\n#else\n  if (!n) {\n#endif\n  }\n}\nint x;",
        " void k(int n) { ::cuf::own::kernel_body([=]() mutable -> void {\n#if A\n  if (n) {\n#else\n  if (!n) {\n#endif\n  }\n}); }\nint x;",
    );
    launched(
        "#define KERNEL __global__ void\nKERNEL k() {}",
        "#define KERNEL  void\nKERNEL k() { ::cuf::own::kernel_body([=]() mutable -> void {}); }",
    );
    launched(
        "__global__ void k(int);\nvoid f() { k<<<1, 1>>>(1); }",
        " void k(int);\nvoid f() { ::cuf::own::launcher(1, 1)(k)(1); }",
    );
    assert!(of("__global__ int x;").contains("GCC error"));
}

#[test]
fn shared_memory_and_variables() {
    launched(
        "void f() { extern __shared__ __align__(16) const volatile T s[][4]; }",
        "void f() { auto* const s = ::cuf::dynamic_shared<const volatile T[4]>(); }",
    );
    launched(
        "namespace n { extern __shared__ float s[]; }",
        "namespace n { static const ::cuf::own::dynamic_array<float> s{}; }",
    );
    launched(
        "__constant__ A<int, 2> c[2] = {{1, 2}}, *d;\n__device__ int f(int);\nextern __device__ int e;",
        "__constant__ A<int, 2> c[2] = {{1, 2}}, *d; CUF_OWN_VARIABLE(c, false); CUF_OWN_VARIABLE(d, false);\n__device__ int f(int);\nextern __device__ int e;",
    );
    launched(
        "__device__ inline int f(int x) { return x; }",
        "__device__ inline int f(int x) { return x; }",
    );
}

#[test]
fn refusals_stay_on_their_lines() {
    let text = of("#include <thrust/sort.h>\n__noinline__ void f() { asm(\"x\"); }\n");
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("#error cuf2cu[CUF0491]: `thrust/sort.h`"),
        "{text}"
    );
    assert!(
        lines[1].starts_with("__attribute__((noinline)) void f() { _Pragma("),
        "{text}"
    );
}

#[test]
fn any_text_is_read() {
    for text in [
        "#",
        "k<<<",
        "k<<<1,1>>>(",
        "R\"(",
        "\"",
        "/*",
        "__global__",
        "extern __shared__",
        "__shared__",
        "}})",
        "<<<>>>()",
        "__constant__ {",
        "#if\n#else\n#endif\n#endif",
        "__device__ <",
        "alignas",
        "__device__ alignas",
        "extern __shared__ alignas [",
        ">>>",
        "x><<<1,1>>>()",
        "__device__ \u{e9} x;",
    ] {
        let _ = header(text, "\"\\", &kernel_macros(text));
    }
}
