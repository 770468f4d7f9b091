# make demo        translates, builds and runs a sample
# make test        runs all tests
# make test-all    runs them with every program compiled as users do it: longer
# All first install what is missing (see scripts/install-toolchain); everything they write is in build/ and target/.

.PHONY: demo test test-all clean

demo:
	@scripts/install-toolchain
	@scripts/demo

test:
	@scripts/install-toolchain --mpi --libraries
	@scripts/test

test-all:
	@scripts/install-toolchain --mpi --libraries
	@scripts/test --all

clean:
	rm -rf build target
