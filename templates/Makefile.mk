# Builds {@ title @} from the code that cuf2cu wrote.
#
{%- if cuda %}
#   make                with gfortran and nvcc, for the GPU of this machine (ARCH=sm_90 for another)
{%- endif %}
{%- if cuda && cpu %}
#   make TARGET=cpu     with gfortran and g++, without a GPU
{%- else if cpu %}
#   make                with gfortran and g++, without a GPU
{%- endif %}
#
# Objects and programs go to build/$(TARGET). FFLAGS, CXXFLAGS, NVCCFLAGS and LDLIBS are yours to set.

TARGET    ?= {@ target @}
ARCH      ?= native
NVCC      ?= nvcc
OPT       ?= -O{@ optimise @}
LDLIBS    ?={% for library in libraries %} {@ library @}{% endfor %}
MACROS    :={% for option in macros %} {@ option @}{% endfor %}
ifeq ($(origin FC),default)
FC        := {@ compiler @}
endif
ifeq ($(origin CXX),default)
CXX       := g++
endif
ifeq ($(origin CC),default)
CC        := {@ cc @}
endif

B := build/$(TARGET)
{% if !redirected.is_empty() -%}
# Allocatables and pointers of the program are in managed memory.
OBJCOPY   ?= objcopy
MANAGED   :={% for names in redirected %} --redefine-sym {@ names @}{% endfor %}
{% endif -%}
FORTRAN = $(FC) $(OPT){% for flag in fortran_flags %} {@ flag @}{% endfor %}{% if openmp %} -fopenmp{% endif %}{% for option in predefinitions %} {@ option @}{% endfor %} $(MACROS) -I. -J$(B)/mod $(FFLAGS)

{% if cuda -%}
ifeq ($(TARGET),cuda)
CUDA_ROOT ?= $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v $(NVCC))))
DEVICE    = $(NVCC) -std=c++20 $(OPT) -arch=$(ARCH) -x cu{% if relocatable %} -rdc=true{% endif %}{% if openmp %} -Xcompiler -fopenmp{% endif %} -I. -Icuf $(NVCCFLAGS)
HOSTCXX   = $(CXX) $(OPT){% if openmp %} -fopenmp{% endif %} $(MACROS) -I. -I$(CUDA_ROOT)/include $(CXXFLAGS)
HOSTC     = $(CC) $(OPT){% if openmp %} -fopenmp{% endif %} $(MACROS) -I. -I$(CUDA_ROOT)/include $(CFLAGS)
{%- if !cuda_libraries.is_empty() %}
# The file of a library of the toolkit; packages of PyPI have it with its version only.
LIBRARY_FOLDERS := $(wildcard $(CUDA_ROOT)/lib64 $(CUDA_ROOT)/lib $(CUDA_ROOT)/../nccl/lib)
library   = $(firstword $(wildcard $(foreach folder,$(LIBRARY_FOLDERS),$(folder)/lib$(1).so $(folder)/lib$(1).so.*)) -l$(1))
{%- if archives %}
# The archives of a library that there are, or the library, if the first is not there.
archive   = $(firstword $(wildcard $(foreach folder,$(LIBRARY_FOLDERS),$(folder)/lib$(1).a)))
static    = $(if $(call archive,$(firstword $(1))),$(foreach name,$(1),$(call archive,$(name))),$(call library,$(2)))
{%- endif %}
{%- endif %}
LIBRARIES = $(LDLIBS){% if archives %} -Wl,--start-group{% endif %}{% for l in cuda_libraries %}{% if l.archives.is_empty() %} $(call library,{@ l.name @}){% else %} $(call static,{@ l.archives @},{@ l.name @}){% endif %}{% endfor %}{% if archives %} -Wl,--end-group{% endif %}{% if !cuda_libraries.is_empty() %} $(LIBRARY_FOLDERS:%=-Wl,-rpath,%){% endif %} -L$(CUDA_ROOT)/lib64 -L$(CUDA_ROOT)/lib{% if own_cuda %} -Wl,--wrap=__cudaRegisterVar{% endif %}{% if relocatable %} -lcudadevrt{% endif %} -lcudart_static -lstdc++ -ldl -lrt -lpthread
RUNTIME   :={% for object in cuda_runtime %} \
  $(B)/{@ object @}{% endfor %}
{%- endif %}
{%- if cuda && cpu %}
else {% endif -%}
{% if cpu -%}
ifeq ($(TARGET),cpu)
DEVICE    = $(CXX) $(OPT){% for flag in cpu_flags %} {@ flag @}{% endfor %}{% if openmp %} -fopenmp{% endif %} -x c++ -I. -Icuf $(CXXFLAGS)
HOSTCXX   = $(CXX) $(OPT){% if openmp %} -fopenmp{% endif %} $(MACROS) -I. $(CXXFLAGS)
HOSTC     = $(CC) $(OPT){% if openmp %} -fopenmp{% endif %} $(MACROS) -I. $(CFLAGS)
LIBRARIES = {% if toolkit_libraries.is_empty() %}$(LDLIBS){% else %}$(filter-out{% for name in toolkit_libraries %} {@ name @}{% endfor %},$(LDLIBS)){% endif %}{% for package in packages %} $(shell pkg-config --libs {@ package @}){% endfor %} -lstdc++ -ldl -lrt -lpthread
RUNTIME   :={% for object in cpu_runtime %} \
  $(B)/{@ object @}{% endfor %}
{%- endif %}
else
$(error {% if cuda && cpu %}TARGET must be cuda or cpu{% else %}this folder was written for --target {@ target @} alone{% endif %})
endif

HEADERS := $(wildcard cuf/*.cuh cuf/*.hpp cuf/*/*.hpp){% for header in headers %} \
  {@ header @}{% endfor %}

OBJECTS := $(RUNTIME){% for object in objects %} \
  $(B)/{@ object @}{% endfor %}
{% if relocatable %}
DEVICE_OBJECTS :={% for object in device_objects %} \
  $(B)/{@ object @}{% endfor %}
{% endif %}
{% if programs.is_empty() -%}
# There is no main program: all objects make a library. `make -s libs` prints what a program that uses it is linked with.
PROGRAMS := $(B)/libcuf.a
{% else -%}
PROGRAMS :={% for program in programs %} $(B)/{@ program.name @}{% endfor %}
{% endif %}
.PHONY: all clean{% if programs.is_empty() %} libs{% endif %}
.DELETE_ON_ERROR:
all: $(PROGRAMS)

clean:
	rm -rf build
{% if programs.is_empty() %}
$(B)/libcuf.a: $(OBJECTS)
	rm -f $@
	ar rcs $@ $^

libs:
	@echo $(abspath $(B)/libcuf.a) $(LIBRARIES)
{% endif %}{% for program in programs %}
$(B)/{@ program.name @}: $(OBJECTS){% if let Some(object) = program.object %} $(B)/{@ object @}{% endif %}{% if relocatable %} $(B)/device_link.o{% endif %}
	$(FC){% if openmp %} -fopenmp{% endif %} $(LDFLAGS) $^ $(LIBRARIES) -o $@
{% endfor %}
{%- if relocatable %}
ifeq ($(TARGET),cuda)
$(B)/device_link.o: $(DEVICE_OBJECTS) $(filter %.cpp.o %.cu.o,$(RUNTIME))
	$(NVCC) -dlink -arch=$(ARCH) $^ -L$(CUDA_ROOT)/lib64 -L$(CUDA_ROOT)/lib -lcudadevrt -o $@
else
$(B)/device_link.o:
	@mkdir -p $(@D)
	$(CC) -x c -c /dev/null -o $@
endif
{% endif %}
# A Fortran file comes after the files whose modules it uses.
{%- for unit in fortran %}
$(B)/{@ unit.object @}: {@ unit.source @}{% for object in unit.after %} $(B)/{@ object @}{% endfor %}
	@mkdir -p $(@D) $(B)/mod
	$(FORTRAN){% if unit.own %}{% for flag in dialect_flags %} {@ flag @}{% endfor %}{% endif %} -c $< -o $@
{%- if unit.own && !redirected.is_empty() %}
	$(OBJCOPY) $(MANAGED) $@
{%- endif %}
{% endfor %}
{%- for unit in device %}
$(B)/{@ unit.object @}: {@ unit.source @} $(HEADERS)
	@mkdir -p $(@D)
	$(DEVICE) -c $< -o $@
{% endfor %}
{%- for unit in own_rules %}
$(B)/{@ unit.object @}: {@ unit.source @} $(HEADERS)
	@mkdir -p $(@D)
ifeq ($(TARGET),cuda)
	$(DEVICE) $(MACROS) -c $< -o $@
else
	@echo "{@ unit.source @}: CUDA C++ of your own needs nvcc; the cpu target cannot build it" >&2; false
endif
{% endfor %}
{%- for unit in cxx %}
$(B)/{@ unit.object @}: {@ unit.source @} $(HEADERS)
	@mkdir -p $(@D)
	$(HOSTCXX) -c $< -o $@
{% endfor %}
{%- for unit in c %}
$(B)/{@ unit.object @}: {@ unit.source @} $(HEADERS)
	@mkdir -p $(@D)
	$(HOSTC) -c $< -o $@
{% endfor %}
