# make demo        translates, builds and runs a sample
# make test        runs all tests
# make test-all    runs them with every program compiled as users do it: longer
# make book        makes the book of docs/, build/book/index.html
# make package     makes a static binary, a Debian package and the crates, in build/package/
# make msrv        compiles with the oldest Rust that Cargo.toml promises
# All first install what is missing (see scripts/); everything they write is in build/ and target/.

.PHONY: demo test test-all book package msrv clean

demo:
	@scripts/install-toolchain
	@scripts/demo

test:
	@scripts/install-toolchain --mpi --cmake --libraries
	@scripts/test

test-all:
	@scripts/install-toolchain --mpi --cmake --libraries
	@scripts/test --all

book:
	@scripts/book

package:
	@scripts/package

msrv:
	@scripts/msrv

clean:
	rm -rf build target
