#!/bin/sh
# Builds and runs the tests of the device library with g++; with nvcc (NVCC=path) also checks that all headers compile.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for optimize in ${OPTIMIZE:--O2}; do
    for source in "$here"/*.cpp; do
        name=$(basename "$source" .cpp)
        if ! ${CXX:-g++} -std=c++20 $optimize -Wall -Wextra -Werror -fwrapv -ffp-contract=off -fno-tree-slp-vectorize -DCUF_TARGET_CPU -I"$here/.." \
            "$source" -o "$work/$name" || ! (cd "$here" && "$work/$name"); then
            echo "FAIL $name ($optimize)"
            status=1
        fi
    done
done
if [ -n "${NVCC:-}" ]; then
    for source in "$here"/*.cu; do
        "$NVCC" -std=c++20 -arch=sm_90 -Xcompiler -Wall -I"$here/.." -c "$source" -o "$work/device.o" || status=1
    done
fi
exit $status
