# make demo    translates, builds and runs a sample
# make test    runs all tests
# Both first install what is missing (see scripts/install-toolchain); everything they write is in build/ and target/.

.PHONY: demo test clean

demo:
	@scripts/install-toolchain
	@scripts/demo

test:
	@scripts/install-toolchain --mpi
	@scripts/test

clean:
	rm -rf build target
