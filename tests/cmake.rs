//! CMake: the CMakeLists.txt of an output folder, and projects that translate when they are configured. Without cmake nothing is tested here.

use std::fs;
use std::path::Path;
use std::process::Command;

const KERNEL: &str = "module scale
  use cudafor
contains
  attributes(global) subroutine by(a)
    real :: a(*)
    a(threadidx%x) = a(threadidx%x)*FACTOR
  end subroutine by
  subroutine scaled(h)
    real :: h(:)
    real, device :: d(size(h))
    d = h
    call by<<<1, size(h)>>>(d)
    h = d
  end subroutine scaled
end module scale
";

const PROGRAM: &str = "program p
  use scale
  use iso_c_binding
  interface
    type(c_ptr) function words() bind(c)
      import :: c_ptr
    end function
  end interface
  real :: h(2) = 1
  character, pointer :: c(:)
  integer :: i
  call scaled(h)
  call c_f_pointer(words(), c, [200])
  do i = 1, 200
    if (c(i) == c_null_char) exit
    write (*, '(a)', advance='no') c(i)
  end do
  print '(2f5.1)', h
end program p
";

const WORDS: &str = "a b  c'd$e#f;g\\\\h(i)%j$$(k)<l>$<m>";
const SHOWN: &str = "a b  c'd$e#f;g\\h(i)%j$$(k)<l>$<m>";

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn done(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    command.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{program}: {e}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{program} {arguments:?}\n{text}{said}"
    );
    text
}

fn has(tool: &str) -> bool {
    let version = Command::new(tool).arg("--version").output();
    version.is_ok_and(|o| o.status.success())
}

fn has_cmake() -> bool {
    has("cmake")
}

/// `scripts/install-toolchain --cmake` installs Ninja, too.
fn generators() -> Vec<&'static str> {
    let all = [("make", "Unix Makefiles"), ("ninja", "Ninja")].into_iter();
    all.filter(|(tool, _)| has(tool))
        .map(|(_, name)| name)
        .collect()
}

/// Options with blanks, quotes, `$`, `#`, `;` come through, and headers from elsewhere are there.
#[test]
fn an_output_folder_is_built_by_cmake() {
    if !has_cmake() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    put(at, "src/scale.CUF", KERNEL);
    put(at, "src/p.cuf", PROGRAM);
    put(
        at,
        "src/words.c",
        "#include <far/words.h>\nconst char *words(void) { return WORDS FAR; }\n",
    );
    put(at, "elsewhere/far/words.h", "#define FAR \"|far\"\n");
    let define = format!("-DWORDS=\"{WORDS}\"");
    let options = [
        "-Ielsewhere",
        "-DFACTOR=2.5",
        "--fflags",
        "-DX=$y#z;w -g",
        &define,
    ];
    done(
        at,
        env!("CARGO_BIN_EXE_cuf2cu"),
        &[&options[..], &["src", "out"]].concat(),
    );
    fs::remove_dir_all(at.join("elsewhere")).unwrap();
    for generator in generators() {
        let configure = [
            "-G",
            generator,
            "-S",
            "out",
            "-B",
            generator,
            "-DCUF_TARGET=cpu",
            "-DCMAKE_BUILD_TYPE=Debug",
        ];
        done(at, "cmake", &configure);
        done(at, "cmake", &["--build", generator, "-j2"]);
        let program = format!("{generator}/p");
        assert_eq!(done(at, &program, &[]), format!("{SHOWN}|far  2.5  2.5\n"));
    }
    done(
        at,
        "cmake",
        &["--install", generators()[0], "--prefix", "root"],
    );
    assert!(at.join("root/bin/p").exists());
}

const PROJECT: &str = "cmake_minimum_required(VERSION 3.20)
project(demo LANGUAGES C CXX Fortran)
execute_process(COMMAND ${CUF2CU} cmake-module OUTPUT_FILE ${CMAKE_BINARY_DIR}/Cuf2cu.cmake COMMAND_ERROR_IS_FATAL ANY)
include(${CMAKE_BINARY_DIR}/Cuf2cu.cmake)
cuf2cu_add_library(kernels SOURCES \"the kernels\" OPTIONS -DFACTOR=2.5)
add_executable(demo demo.f90)
target_link_libraries(demo PRIVATE kernels)
";

/// `cuf2cu_add_library`: a source that changes is translated again by the next build, with the files that it includes.
#[test]
fn a_project_translates_what_it_builds() {
    if !has_cmake() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    put(at, "CMakeLists.txt", PROJECT);
    put(
        at,
        "the kernels/scale.CUF",
        &KERNEL.replace(
            "  subroutine scaled",
            "#include \"more.h\"\n  subroutine scaled",
        ),
    );
    put(at, "the kernels/more.h", "! nothing\n");
    put(
        at,
        "demo.f90",
        "program demo\n  use scale\n  real :: h(2) = 1\n  call scaled(h)\n  print '(2f5.1)', h\nend program demo\n",
    );
    let cuf2cu = format!("-DCUF2CU={}", env!("CARGO_BIN_EXE_cuf2cu"));
    done(
        at,
        "cmake",
        &[
            "-S",
            ".",
            "-B",
            "b",
            "-DCUF_TARGET=cpu",
            "-DCMAKE_BUILD_TYPE=Debug",
            &cuf2cu,
        ],
    );
    let build = || {
        let text = done(at, "cmake", &["--build", "b", "-j2"]);
        (text, done(at, "b/demo", &[]))
    };
    assert_eq!(build().1, "  2.5  2.5\n");
    let (text, _) = build();
    assert!(!text.contains("Building"), "{text}");
    std::thread::sleep(std::time::Duration::from_millis(1100));
    put(
        at,
        "the kernels/scale.CUF",
        &KERNEL.replace("*FACTOR", "*FACTOR + 1"),
    );
    let (text, shown) = build();
    assert_eq!(shown, "  3.5  3.5\n", "{text}");
    assert!(!text.contains("runtime.cpp"), "{text}");
}

/// A main program in C++ is linked by g++ with the library alone, on both targets: its device code is linked in it. Without nvcc the cuda target
/// is not tested.
#[test]
fn a_main_program_in_cpp_takes_the_library() {
    if !has_cmake() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let lists = PROJECT.replace("demo.f90", "demo.cpp");
    put(at, "CMakeLists.txt", &lists);
    let device = "module base\ncontains\n  attributes(device) real function by(x)\n    real, value :: x\n    by = x*FACTOR\n  end function\nend module\n";
    let kernels = "module scale\n  use base\n  use cudafor\ncontains\n  attributes(global) subroutine each(a)\n    real :: a(*)\n    a(threadidx%x) = by(a(threadidx%x))\n  end subroutine\n  subroutine scaled(h, n) bind(c)\n    integer, value :: n\n    real :: h(n)\n    real, device :: d(n)\n    d = h\n    call each<<<1, n>>>(d)\n    h = d\n  end subroutine\nend module\n";
    put(at, "the kernels/base.CUF", device);
    put(at, "the kernels/scale.CUF", kernels);
    let main = "#include <cstdio>\nextern \"C\" void scaled(float *h, int n);\nint main() { float h[2] = {1, 2}; scaled(h, 2); std::printf(\"%.1f %.1f\\n\", h[0], h[1]); }\n";
    put(at, "demo.cpp", main);
    let cuf2cu = format!("-DCUF2CU={}", env!("CARGO_BIN_EXE_cuf2cu"));
    let nvcc = Path::new(env!("CARGO_MANIFEST_DIR")).join("build/cuda/bin/nvcc");
    let compiler = format!("-DCMAKE_CUDA_COMPILER={}", nvcc.display());
    for target in ["cpu", "cuda"] {
        let wanted = format!("-DCUF_TARGET={target}");
        let mut configure = vec!["-S", ".", "-B", target, &wanted, &cuf2cu];
        if target == "cuda" {
            if !nvcc.exists() {
                continue;
            }
            configure.extend([&*compiler, "-DCUF_ARCH=sm_80"]);
        }
        done(at, "cmake", &configure);
        let text = done(at, "cmake", &["--build", target, "-j2"]);
        assert!(text.contains("Linking CXX executable demo"), "{text}");
    }
    assert_eq!(done(at, "cpu/demo", &[]), "2.5 5.0\n");
}

/// A toolkit as NVIDIA's packages have it, by links: the libraries in lib/, with versions in their names.
fn packages(toolkit: &Path, at: &Path) {
    let link = |from: &Path, to: &Path| std::os::unix::fs::symlink(from, to).unwrap();
    for folder in ["include", "nvvm"] {
        fs::create_dir_all(at).unwrap();
        link(&toolkit.join(folder), &at.join(folder));
    }
    // nvcc looks beside the folder that it is called in.
    for folder in ["bin", "lib"] {
        fs::create_dir(at.join(folder)).unwrap();
        for file in fs::read_dir(toolkit.join(folder)).unwrap() {
            let file = file.unwrap().path();
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            if !name.ends_with(".so") {
                link(&file, &at.join(folder).join(name));
            }
        }
    }
}

/// What `scripts/install-toolchain` makes of NVIDIA's packages is a toolkit for CMake's language CUDA. Without them nothing is tested here.
#[test]
fn cmake_takes_the_toolkit_of_packages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let toolkit = root.join("build/cuda");
    if !has_cmake() || !toolkit.join("lib/libcudart_static.a").exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    packages(&fs::canonicalize(toolkit).unwrap(), &at.join("build/cuda"));
    fs::create_dir(at.join("scripts")).unwrap();
    let script = at.join("scripts/install-toolchain");
    fs::copy(root.join("scripts/install-toolchain"), &script).unwrap();
    let mut install = Command::new("sh");
    install.args(["-c", "unset CUF2CU_CUDA_ROOT CUDA_HOME; exec \"$0\""]);
    install.arg(&script).env("PATH", "/usr/bin:/bin");
    assert!(install.status().unwrap().success());
    put(at, "src/scale.CUF", KERNEL);
    let translate = ["-DFACTOR=2.5", "src", "out"];
    done(at, env!("CARGO_BIN_EXE_cuf2cu"), &translate);
    let compiler = format!(
        "-DCMAKE_CUDA_COMPILER={}",
        at.join("build/cuda/bin/nvcc").display()
    );
    let target = ["-DCUF_TARGET=cuda", "-DCUF_ARCH=sm_80", &compiler];
    let configured = done(
        at,
        "cmake",
        &[&["-S", "out", "-B", "b"], &target[..]].concat(),
    );
    assert!(configured.contains("Found CUDAToolkit"), "{configured}");
    done(at, "make", &["-C", "b", "scale.cu.o"]);
}

/// Options of CMake for choices of macros, switched back and forth in one build folder.
#[test]
fn choices_of_macros_are_switched() {
    if !has_cmake() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = "module m\n#ifdef SINGLE\n  integer, parameter :: wp = 4\n#else\n  integer, parameter :: wp = 8\n#endif\ncontains\n  attributes(global) subroutine k(a)\n    real(wp) :: a(1)\n    a(1) = 0.1_wp\n  \
        end subroutine\nend module\nprogram p\n  use m\n  real(wp), device :: d(1)\n  real(wp) :: h(1)\n  call k<<<1, 1>>>(d)\n  h = d\n#ifdef LOUD\n  print '(a)', 'loud'\n#endif\n  print '(f20.17)', h\nend program\n";
    put(at, "src/p.CUF", text);
    done(at, env!("CARGO_BIN_EXE_cuf2cu"), &["src", "out"]);
    let run = |options: &[&str]| {
        let configure = [
            "-S",
            "out",
            "-B",
            "b",
            "-DCUF_TARGET=cpu",
            "-DCMAKE_BUILD_TYPE=Debug",
        ];
        done(at, "cmake", &[&configure[..], options].concat());
        done(at, "cmake", &["--build", "b"]);
        done(at, "b/p", &[])
    };
    let [wide, narrow] = [" 0.10000000000000001\n", " 0.10000000149011612\n"];
    assert_eq!(run(&[]), wide);
    assert_eq!(run(&["-DCUF_WITH_SINGLE=ON"]), narrow);
    assert_eq!(run(&["-DCUF_WITH_LOUD=ON"]), format!("loud\n{narrow}"));
    assert_eq!(run(&["-DCUF_WITH_SINGLE=OFF", "-DCUF_WITH_LOUD=OFF"]), wide);
    // Options of the compiler are no choices; they are compared.
    let configure = [
        "-S",
        "out",
        "-B",
        "c",
        "-DCUF_TARGET=cpu",
        "-DCMAKE_Fortran_FLAGS=-DOTHER",
    ];
    let refused = Command::new("cmake")
        .args(configure)
        .current_dir(at)
        .output()
        .unwrap();
    assert!(!refused.status.success());
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("translated without OTHER"), "{text}");
}
