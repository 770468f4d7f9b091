#!/bin/sh
# Builds and runs the tests of the cpu target's execution model with g++; with NVCC=path also compiles device.cu. OPTIMIZE lists the levels to test.
# Tests named stop_*.cpp must end with status 1 and the message in their first line's `expect:`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=c++20 -Wall -Wextra -Werror -fwrapv -DCUF_TARGET_CPU -I$here/../.."
status=0
for optimize in ${OPTIMIZE:--O2}; do
    ${CXX:-g++} $flags $optimize -c "$here/../../cpu/runtime.cpp" -o "$work/runtime.o" || exit 1
    for source in "$here"/*.cpp; do
        name=$(basename "$source" .cpp)
        if ! ${CXX:-g++} $flags $optimize "$source" "$work/runtime.o" -o "$work/$name" -lpthread; then
            echo "FAIL $name ($optimize): does not compile"
            status=1
            continue
        fi
        case $name in
        stop_*)
            expected=$(sed -n '1s/.*expect: //p' "$source")
            timeout 60 "$work/$name" >"$work/out" 2>&1
            code=$?
            if [ $code -eq 1 ] && grep -qF -- "$expected" "$work/out"; then
                echo "PASS $name"
            else
                echo "FAIL $name ($optimize): status $code, output:"
                cat "$work/out"
                status=1
            fi
            ;;
        *)
            timeout 120 "$work/$name" || { echo "FAIL $name ($optimize)"; status=1; }
            ;;
        esac
    done
done
if [ -n "${NVCC:-}" ]; then
    "$NVCC" -std=c++20 -arch=sm_90 -Werror all-warnings -Xcompiler -Wall,-Wextra -I"$here/../.." -c "$here/device.cu" -o "$work/device.o" || status=1
fi
exit $status
