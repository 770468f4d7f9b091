//! The device library and the execution model of the cpu target: the C++ tests of runtime-headers/tests/.

use std::path::Path;
use std::process::Command;

use cuf2cu::driver::toolchain::find_cuda;

fn script(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("runtime-headers/tests")
        .join(name);
    let mut command = Command::new("sh");
    command.arg(&path).env("OPTIMIZE", "-O1");
    if let Some(cuda) = find_cuda() {
        command.env("NVCC", cuda.nvcc);
    }
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let text = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{name}\n{}",
        String::from_utf8_lossy(&text)
    );
}

#[test]
fn device_library() {
    script("run.sh");
}

#[test]
fn execution_model() {
    script("exec/run.sh");
}
