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
# Objects and programs go to build/$(TARGET), or build/$(TARGET)-flang with FC=flang-22. FFLAGS, CXXFLAGS, NVCCFLAGS and LDLIBS are yours to set.
{%- if !refused.is_empty() %}

ifneq ($(MAKECMDGOALS),clean)
$(error {@ refused @} could not be translated; fix the reported errors and run cuf2cu again before building)
endif
{%- endif %}

TARGET    ?= {@ target @}
ARCH      ?= {@ arch @}
NVCC      ?= nvcc
OPT       ?= -O{@ optimise @}
LDLIBS    ?={% for library in libraries %} {@ library @}{% endfor %}
{%- if !choices.is_empty() %}
# MACROS chooses, with or without{% for choice in choices %} -D{@ choice.name @}{% endfor %}: all objects are made again then. Other macros have to stay.
{%- endif %}
{%- for number in numbers %}
# MACROS chooses -D{@ number.name @}=N with N of{% for value in number.all() %} {@ value @}{% endfor %}.
{%- endfor %}
# As cuf2cu was called: macros, folders of headers and compiled modules, options of the compilers.
MACROS    :={% for option in macros %} {@ option @}{% endfor %}
{%- if !script.is_empty() %}
# The macros of the translation; a build with others stops below.
TRANSLATED :={% for option in macros %} {@ option @}{% endfor %}
{%- endif %}
{%- if !choices.is_empty() %}
joined     = $(subst -U ,-U,$(subst -D ,-D,$(1)))
about      = {% for choice in choices %}-D{@ choice.name @} -D{@ choice.name @}=% -U{@ choice.name @} {% endfor %}
{%- endif %}
INCLUDES  :={% for option in folders %} {@ option @}{% endfor %}
FORTRAN_OPTIONS :={% for option in fflags %} {@ option @}{% endfor %}
{%- if cuda %}
NVCC_OPTIONS :={% for option in nvccflags %} {@ option @}{% endfor %}
{%- endif %}
ifeq ($(origin FC),default)
FC        := {@ compiler @}
endif
ifeq ($(origin CXX),default)
CXX       := g++
endif
ifeq ($(origin CC),default)
CC        := {@ cc @}
endif

{%- if !choices.is_empty() %}
ifneq ($(filter $(about),$(call joined,$(OPT) $(INCLUDES) $(FC) $(FFLAGS) $(FORTRAN_OPTIONS) $(CC) $(CFLAGS) $(CXX) $(CXXFLAGS) $(NVCC) $(NVCCFLAGS){% if cuda %} $(NVCC_OPTIONS){% endif %})),)
$(error All compilers have to get the same of{% for choice in choices %} -D{@ choice.name @}{% endfor %}: MACROS is for that)
endif
{% endif %}
ifeq ($(origin CHECK),command line)
$(error what is checked while the program runs is chosen when this folder is written: cuf2cu --check=$(CHECK))
endif

# LLVM flang has other options and modules than gfortran, and lays out pointers in derived types otherwise.
FLANG := $(if $(findstring gfortran,$(FC)),,$(findstring flang,$(shell $(FC) --version 2>/dev/null)))
B     := build/$(TARGET)$(FLANG:%=-%)
{%- if checks %}
# What is checked while the program runs.
CHECKS    :={% if cuda %} $(if $(filter cpu,$(TARGET)),{% endif %}{% for flag in check_flags %} {@ flag @}{% endfor %}{% if cuda %}){% endif %}
{%- endif %}
{% if !redirected.is_empty() -%}
# Allocatables and pointers of the program are in managed memory.
ifneq ($(FLANG),)
$(error {@ no_managed @})
endif
OBJCOPY   ?= objcopy
MANAGED   :={% for names in redirected %} --redefine-sym {@ names @}{% endfor %}
{% endif -%}
ifeq ($(FLANG),)
DIALECT :={% for flag in fortran_flags %} {@ flag @}{% endfor %}
LAYOUT  :=
else
DIALECT :={% for flag in flang_flags %} {@ flag @}{% endfor %}
LAYOUT  := {@ layout @}
endif
FORTRAN = $(FC) $(OPT) $(DIALECT){% if openmp %} -fopenmp{% endif %}{% for option in predefinitions %} {@ option @}{% endfor %} -I. -J$(B)/mod
{%- if !script.is_empty() %}

# The macros of this build as the preprocessor has them, compared with those of the translation: see the script.
ifneq ($(MAKECMDGOALS),clean)
defined    = $(filter-out -J%,$(FORTRAN)){% for flag in dialect_flags %} {@ flag @}{% endfor %} $(1) $(INCLUDES) -cpp -E -dM -x f95-cpp-input $(if $(FLANG),-,/dev/null) 2>/dev/null </dev/null
CHOICES   := $(shell { $(call defined,$(TRANSLATED)); echo =; $(call defined,$(MACROS) $(FORTRAN_OPTIONS) $(FFLAGS)); } | awk -f {@ script @})
ifneq ($(filter-out 0,$(.SHELLSTATUS)),)
$(error cuf2cu: the shell cannot read the options of this build ($(MACROS) $(FFLAGS)): put a value with blanks, brackets or quotes between quotes, MACROS="'-DN=(3+1)'")
endif
ifneq ($(filter cuf2cu:,$(CHOICES)),)
$(error $(CHOICES))
endif
endif
{%- endif %}

{% if !checksums.is_empty() -%}
# Device code holds what these files say. EDITED=yes: they have been edited, and no device code depends on it.
ifeq ($(EDITED)$(filter clean,$(MAKECMDGOALS)),)
INCLUDED   :={% for file in checksums %} {@ file.1 @}:{@ file.0 @}{% endfor %}
CHANGED    := $(filter-out $(INCLUDED),$(shell sha256sum{% for file in checksums %} {@ file.0 @}{% endfor %} 2>/dev/null | sed 's/ [ *]/:/'))
ifneq ($(CHANGED),)
$(error cuf2cu: $(foreach file,$(CHANGED),$(lastword $(subst :, ,$(file)))) has been edited, but device code holds what it said before: edit the source and translate again (cuf2cu SRC... OUT), or build with EDITED=yes if no device code depends on the edit)
endif
endif

{% endif -%}
{% if cuda -%}
ifeq ($(TARGET),cuda)
CUDA_ROOT ?= $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v $(NVCC))))
DEVICE    = $(NVCC) -std=c++20 $(LAYOUT) $(OPT) -arch=$(ARCH) -x cu{% if relocatable %} -rdc=true{% endif %}{% if openmp %} -Xcompiler -fopenmp{% endif %} -I. -Icuf $(INCLUDES) $(NVCC_OPTIONS) $(NVCCFLAGS)
HOSTCXX   = $(CXX) $(OPT){% if openmp %} -fopenmp{% endif %} $(MACROS) -I. $(INCLUDES) -I$(CUDA_ROOT)/include $(CXXFLAGS)
HOSTC     = $(CC) $(OPT){% if openmp %} -fopenmp{% endif %} $(MACROS) -I. $(INCLUDES) -I$(CUDA_ROOT)/include $(CFLAGS)
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
DEVICE    = $(CXX) $(LAYOUT) $(OPT){% for flag in cpu_flags %} {@ flag @}{% endfor %}{% if let Some(march) = march %} -march={@ march @}{% endif %}{% if openmp %} -fopenmp{% endif %} {% for flag in runtime_checks %} {@ flag @}{% endfor %} -x c++{% if own_cuda %} $(EMULATION){% endif %} -I. -Icuf $(INCLUDES) $(CXXFLAGS)
HOSTCXX   = $(CXX) $(OPT){% if openmp %} -fopenmp{% endif %} $(MACROS) -I. $(INCLUDES){% if cuda_headers %} -Icuf/cpu/cuda{% endif %} $(CXXFLAGS)
HOSTC     = $(CC) $(OPT){% if openmp %} -fopenmp{% endif %} $(MACROS) -I. $(INCLUDES) $(CFLAGS)
LIBRARIES = {% if toolkit_libraries.is_empty() %}$(LDLIBS){% else %}$(filter-out{% for name in toolkit_libraries %} {@ name @}{% endfor %},$(LDLIBS)){% endif %}{% for package in packages %} $(shell pkg-config --libs {@ package @}){% endfor %} -lstdc++ -ldl -lrt -lpthread
RUNTIME   :={% for object in cpu_runtime %} \
  $(B)/{@ object @}{% endfor %}
{%- endif %}
else
$(error {% if cuda && cpu %}TARGET must be cuda or cpu{% else %}this folder was written for --target {@ target @} alone{% endif %})
endif

OBJECTS := $(RUNTIME){% for object in objects %} \
  $(B)/{@ object @}{% endfor %}
{% if relocatable %}
DEVICE_OBJECTS :={% for object in device_objects %} \
  $(B)/{@ object @}{% endfor %}
{% endif %}
# All objects but main programs. `make -s libs` prints what a program that uses the library is linked with.
LIBRARY  := $(B)/lib{@ library @}.a
{% if !programs.is_empty() -%}
PROGRAMS :={% for program in programs %} $(B)/{@ program.name @}{% endfor %}
{% endif %}
.PHONY: all lib libs install clean
.DELETE_ON_ERROR:
all: {% if programs.is_empty() %}lib{% else %}$(PROGRAMS){% endif %}
lib: $(LIBRARY)

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
install: all
{%- if programs.is_empty() %}
	mkdir -p "$(DESTDIR)$(LIBDIR)" "$(DESTDIR)$(INCLUDEDIR)"
	install -m 644 $(LIBRARY) "$(DESTDIR)$(LIBDIR)"
	install -m 644 $(B)/mod/*.mod "$(DESTDIR)$(INCLUDEDIR)"
{%- else %}
	mkdir -p "$(DESTDIR)$(BINDIR)"
	install -m 755 $(PROGRAMS) "$(DESTDIR)$(BINDIR)"
{%- endif %}

clean:
	rm -rf build

$(LIBRARY): $(OBJECTS){% if relocatable %} $(B)/device_link.o{% endif %}
	rm -f $@
	ar rcs $@ $^

libs:
	@echo $(abspath $(LIBRARY)) $(LIBRARIES)
{% for program in programs %}
$(B)/{@ program.name @}: $(OBJECTS){% if let Some(object) = program.object %} $(B)/{@ object @}{% endif %}{% if relocatable %} $(B)/device_link.o{% endif %}
	$(FC){% if openmp %} -fopenmp{% endif %} $(FORTRAN_OPTIONS) $(LDFLAGS) $^ $(LIBRARIES) -o $@
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
# Its name changes with the options that cuf2cu was called with, with those that stand in their place now, and with the compilers; then all objects are made again.
COMPILERS := $(FC) $(FFLAGS) $(CC) $(CFLAGS) $(CXX) $(CXXFLAGS) $(NVCC) $(NVCCFLAGS) $(ARCH) $(OPT)
GIVEN     := $(firstword $(shell printf '%s' '$(subst ','\'',$(COMPILERS) $(MACROS) $(INCLUDES) $(FORTRAN_OPTIONS) $(NVCC_OPTIONS){% if chooses %} $(CHOICES){% endif %})' | cksum))
AS_CALLED := $(B)/as-called-{@ as_called @}-$(GIVEN)
$(AS_CALLED):
	@mkdir -p $(@D)
	@rm -rf $(B)/as-called-* $(B)/mod
	@touch $@

# A Fortran file comes after the files whose modules it uses; gfortran leaves the file of a module that is what it was.
{%- for (module, object) in modules %}
$(B)/mod/{@ module @}.mod: $(B)/{@ object @}; +
{%- endfor %}
{%- for unit in fortran %}
$(B)/{@ unit.object @}: {@ unit.source @} $(AS_CALLED){% for object in unit.after %} $(B)/{@ object @}{% endfor %}{% for file in unit.included %} {@ file @}{% endfor %}
	@mkdir -p $(@D) $(B)/mod
	$(FORTRAN){% if unit.own %}{% for flag in dialect_flags %} {@ flag @}{% endfor %} $(MACROS) $(INCLUDES) $(FORTRAN_OPTIONS){% endif %} $(FFLAGS) -c $< -o $@
{%- if unit.own && !redirected.is_empty() %}
	$(OBJCOPY) $(MANAGED) $@
{%- endif %}
{% endfor %}
{%- for unit in device %}
$(B)/{@ unit.object @}: {@ unit.source @} $(AS_CALLED)
	@mkdir -p $(@D)
	$(DEVICE){% if chooses && unit.own %} $(CHOICES){% endif %}{% if checks && unit.own %} $(CHECKS){% endif %} -MMD -MP -MF $@.d -c $< -o $@
{% endfor %}
{%- if own_cuda && cpu %}
# CUDA C++ of your own: for the cpu target cuf2cu has translated it, and the headers that it includes.
{%- endif %}
{%- for unit in own_rules %}
{%- if cpu %}
$(B)/{@ unit.object @}: EMULATION = -Icuf/cpu/cuda{% for folder in emulation %} {@ folder @}{% endfor %}
{%- endif %}
$(B)/{@ unit.object @}: {% if cuda && cpu %}$(if $(filter cpu,$(TARGET)),{@ unit.emulated @},{@ unit.source @}){% else if cpu %}{@ unit.emulated @}{% else %}{@ unit.source @}{% endif %} $(AS_CALLED)
	@mkdir -p $(@D)
	$(DEVICE) $(MACROS){% if chooses %} $(CHOICES){% endif %} -MMD -MP -MF $@.d -c $< -o $@
{% endfor %}
{%- for unit in cxx %}
$(B)/{@ unit.object @}: {@ unit.source @} $(AS_CALLED)
	@mkdir -p $(@D)
	$(HOSTCXX) -MMD -MP -MF $@.d -c $< -o $@
{% endfor %}
{%- for unit in c %}
$(B)/{@ unit.object @}: {@ unit.source @} $(AS_CALLED)
	@mkdir -p $(@D)
	$(HOSTC) -MMD -MP -MF $@.d -c $< -o $@
{% endfor %}
# What each C++ and CUDA file includes, as the compilers have noted it.
-include $(wildcard $(addsuffix .d,$(filter-out %.f90.o %.F90.o,$(OBJECTS))))
