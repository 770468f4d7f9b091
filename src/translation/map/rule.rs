//! The rules by which the passes make text: one table, from which the names in maps and docs/source-map.md are made.

/// On which side of a program a rule makes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// CUDA C++ of procedures and loops.
    Device,
    /// CUDA C++ that host code calls, and the Fortran interfaces of it.
    Border,
    /// Edits of host code.
    Host,
}

/// What is known of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// As maps have it: `thread-index`.
    pub name: &'static str,
    pub side: Side,
    pub title: &'static str,
    /// What the rule does, in a sentence.
    pub text: &'static str,
    /// Sections of NVIDIA's guide, separated by commas; may be empty.
    pub guide: &'static str,
}

macro_rules! rules {
    ($($side:ident { $($rule:ident $name:literal $title:literal $guide:literal $text:literal;)* })*) => {
        /// What made a token.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Rule {
            $($($rule,)*)*
        }

        /// All rules, in the order of their numbers.
        pub static RULES: &[Rule] = &[$($(Rule::$rule,)*)*];

        impl Rule {
            /// The entry of the table.
            pub const fn about(self) -> About {
                match self {
                    $($(Rule::$rule => About {
                        name: $name,
                        side: Side::$side,
                        title: $title,
                        guide: $guide,
                        text: $text,
                    },)*)*
                }
            }
        }
    };
}

rules! {
    Device {
        Frame "frame" "the frame of the file" ""
            "Comments about the file, #include, #pragma and namespaces: one namespace for each module or procedure that holds device code.";
        Comment "comment" "comment" ""
            "The user's comments and blank lines travel with the statements they stand at.";
        Kernel "kernel" "kernel" "2.2, 3.1.2"
            "A procedure with attributes(global) is a __global__ function of the same name.";
        DeviceProcedure "device-procedure" "device procedure" "2.5, 3.1.3"
            "A procedure with attributes(device) is an inline __device__ function; with attributes(host,device) it is both.";
        Prototype "prototype" "procedure of a submodule" "3.1.3"
            "A procedure that stands in a submodule of another file is declared in the module's header.";
        Parameter "parameter" "dummy argument" "3.1.4, 3.2.8"
            "Dummies with value are values, other scalars references, arrays views that know their bounds.";
        Declaration "declaration" "local variable" "3.2"
            "Locals are declared where they get their first value, if that is the same thing, or at the top of the function.";
        SharedVariable "shared-variable" "shared variable" "3.2.6"
            "A variable with the attribute shared is __shared__; its elements are addressed as Fortran does.";
        ModuleVariable "module-variable" "module variable" "2.12, 3.2.1, 3.2.5"
            "A module's variable with the attribute device, constant or managed is a C++ variable in that memory.";
        NamedConstant "named-constant" "named constant" ""
            "A parameter that device code uses is a constexpr constant.";
        DerivedType "derived-type" "derived type" ""
            "A derived type is a struct that lies in memory as gfortran lays it out.";
        Assignment "assignment" "assignment" ""
            "An assignment of a scalar is one of C++.";
        ArrayAssignment "array-assignment" "array assignment" ""
            "An assignment of arrays in device code is a loop of the thread over the elements; temporaries only where the sides overlap.";
        Where "where" "masked assignment" ""
            "WHERE and FORALL are loops with a condition.";
        If "if" "IF" ""
            "IF statements and constructs are those of C++.";
        Do "do" "DO" ""
            "A counted DO is a for loop; where C++ could count beyond the variable's range the trips are counted as the standard says.";
        Select "select" "SELECT CASE" ""
            "SELECT CASE is a switch, or comparisons where cases are ranges or text.";
        Branch "branch" "EXIT, CYCLE, GO TO, RETURN, STOP" ""
            "Jumps are those of C++; to a construct further out they need a label.";
        Call "call" "procedure call" "3.1.3"
            "A call of a device procedure: scalars by reference or value as its dummies want, arrays as views.";
        Allocate "allocate" "ALLOCATE in device code" "3.6.1"
            "Local allocatable arrays of device code own memory of the thread's heap.";
        Pointer "pointer" "pointer assignment" ""
            "Pointers are views of what they point at.";
        Print "print" "PRINT in device code" "3.6.8"
            "PRINT and WRITE(*,*) are one printf each.";
        Statement "statement" "another statement" ""
            "A statement of device code that has no rule of its own name.";
        Name "name" "name" ""
            "A variable or constant, with another name where C++ has a meaning for its own.";
        Literal "literal" "literal constant" ""
            "A constant of the same value and type.";
        ThreadIndex "thread-index" "threadIdx, blockIdx, blockDim, gridDim" "2.8, 3.6.2"
            "threadIdx and blockIdx count from 1 in Fortran and from 0 in CUDA C++: 1 is added, unless what stands around takes it away again.";
        Element "element" "array element" ""
            "Arrays are column-major views that know their bounds: a(i, j) with Fortran's subscripts.";
        Section "section" "array section" ""
            "A section is a view of a part of the array, without a copy.";
        Component "component" "component" ""
            "A component of a structure.";
        Operator "operator" "operator" ""
            "An operator of C++ with the same meaning; a power is a product or a function, and parentheses stay where they matter.";
        Conversion "conversion" "conversion" ""
            "A value that Fortran converts where C++ would not, or otherwise.";
        Intrinsic "intrinsic" "intrinsic procedure" "3.6.3"
            "Intrinsic procedures are functions of CUDA, or of the runtime where their meaning differs.";
        Constructor "constructor" "constructor" ""
            "Array and structure constructors are initialiser lists or temporaries.";
        Atomic "atomic" "atomic function" "3.6.7"
            "Atomic functions are those of CUDA, at the address of the variable.";
        Synchronise "synchronise" "synchronization" "3.6.4, 3.6.5"
            "Barriers, votes and fences are those of CUDA.";
        DeviceLibrary "device-library" "function of CUDA in device code" "3.6, 3.8"
            "Functions and types of CUDA's modules for device code: shuffles, cooperative groups, tensor cores, random numbers, ...";
        CufLoop "cuf-loop" "CUF loop" "2.11"
            "The loops of !$cuf kernel do are a kernel: each thread takes iterations in steps of the grid, the body stands for one.";
        Captured "captured" "captured variable" "2.11.1"
            "Variables that a CUF loop or array operation uses are parameters of its kernel: scalars by value, arrays as views.";
        Reduction "reduction" "reduction" "2.11.3"
            "A scalar that all iterations combine: each thread has a part, the runtime combines them in an order that does not change from run to run.";
        ArrayOperation "array-operation" "operation on device arrays" "2.11, 3.9.4"
            "An expression of whole device arrays in host code: the device computes the element of a position, the runtime walks over the positions.";
        Narrow "narrow" "32-bit subscripts" ""
            "Where all arrays are small the version of the kernel with 32-bit subscripts runs.";
        FromZero "from-zero" "subscripts from 0" ""
            "A 1 that is added to a thread's index and subtracted as an array's lower bound is left out.";
        Wrap "wrap" "arithmetic that wraps around" ""
            "Integer arithmetic that could overflow, and on which programs rely, is done unsigned.";
        Tidy "tidy" "temporary" ""
            "A value that is needed several times, or before the statement that needs it, has a name.";
    }
    Border {
        Launcher "launcher" "launcher" "2.9, 3.5"
            "A C function that the host calls to start a kernel: it checks the configuration, takes the arguments and reports errors.";
        LauncherCheck "launcher-check" "check of a launch" ""
            "What holds only for some launches is asked before: bounds, strides, sizes.";
        Address "address" "address of a module variable" ""
            "A C function that gives the address of a module's device variable, at which the host's pointer points.";
        Shim "shim" "interface of a launcher" ""
            "The Fortran interface (bind(C)) of a launcher.";
        LineTable "line-table" "lines of statements" ""
            "For messages at run time: which line of the program a statement that waits comes from.";
    }
    Host {
        Copied "copied" "as it was" ""
            "Host code that no rule touches stays as it is, byte for byte.";
        Continuation "continuation" "continued line" ""
            "A line that an edit made too long goes on in the next one.";
        Preprocessor "preprocessor" "line of the preprocessor" ""
            "Directives of the preprocessor, and branches that it leaves out, stay where they were.";
        Conditional "conditional" "conditional compilation" "2.13"
            "Lines with the sentinel !@cuf are code; what is only for CUDA Fortran stays under its macro where there is one.";
        Use "use" "use of modules" "2.12, 3.9"
            "Modules of CUDA Fortran give way to those of the runtime; generated procedures are used where they are called.";
        KernelProcedure "kernel-procedure" "the kernel's name in host code" "2.2, 3.5"
            "A kernel stays a procedure of its module under its name: it calls the launcher, or is its interface.";
        DeviceCodeGone "device-code-gone" "device code in host code" "3.1.3"
            "Device procedures are not host code: they are in the .cu file alone.";
        Launch "launch" "launch" "2.9, 3.5"
            "The chevrons become the first argument of an ordinary call.";
        CufLoopLaunch "cuf-loop-launch" "launch of a CUF loop" "2.11"
            "The loops of !$cuf kernel do give way to the call of their launcher, with bounds and variables as arguments.";
        HostArrayOperation "host-array-operation" "operation on device arrays" "3.9"
            "An operation on whole device arrays is a call that runs it on the device.";
        Attributes "attributes" "attributes of CUDA Fortran" "3.2"
            "device, managed, pinned, constant and the like leave declarations; device data are pointers whose targets are device addresses.";
        Specification "specification" "declaration" ""
            "Declarations that the edited statements need, or that standard Fortran wants otherwise.";
        Interface "interface" "generic interface" "3.1"
            "Procedures that differ only in where arguments lie become one procedure or get names of their own.";
        Purity "purity" "pure procedures" ""
            "Procedures that call the runtime cannot be pure.";
        Allocation "allocation" "ALLOCATE and DEALLOCATE" "3.3"
            "Device and pinned memory comes from the runtime and goes back to it.";
        ScopeExit "scope-exit" "end of a scope" "3.2.1, 3.3.1"
            "Device memory of local variables is given back where control leaves the procedure.";
        Transfer "transfer" "transfer" "3.4.1"
            "An assignment between host and device memory is a copy that blocks.";
        HostRead "host-read" "device data in a host expression" "3.4.2"
            "Host code that reads device data gets a copy of it.";
        Argument "argument" "actual argument" "3.2.1"
            "Device data as an argument goes as its address with its bounds.";
        CopyIn "copy-in" "copy around a statement" "3.4.2"
            "A statement that needs device data on the host works on a copy, which goes back if the statement changes it.";
        HostTemporary "host-temporary" "temporary" ""
            "A value that must be had once, before the statement, is held in a temporary.";
        Owner "owner" "structures with device data" ""
            "Types with device components get procedures that allocate, copy and free them where the language does so by itself.";
        RuntimeCall "runtime-call" "call of the runtime API" "4"
            "Procedures of cudafor are called through the runtime's interfaces.";
        ControlFlow "control-flow" "control flow" ""
            "A statement becomes several: IF statements become constructs, labels move.";
        OpenMp "openmp" "OpenMP, OpenACC" ""
            "Directives name what the generated statements use.";
        Dialect "dialect" "not standard Fortran" ""
            "What nvfortran takes beyond the standard is written as gfortran takes it.";
        Half "half" "real(2)" "2.7.1"
            "real(2) in host code is a type of the runtime.";
    }
}

impl Rule {
    /// As maps have it: `thread-index`.
    pub const fn name(self) -> &'static str {
        self.about().name
    }

    /// The rule of that name.
    pub fn find(name: &str) -> Option<Rule> {
        RULES.iter().copied().find(|r| r.name() == name)
    }
}
