//! The procedures of the runtime API (guide chapter 4) and what their arguments are: which actual arguments `check` accepts, and how
//! host code passes them. `templates/cudafor.f90` declares the same procedures; tests/runtime_api.rs compares the two.

/// What a dummy argument takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// An integer value of any kind.
    Integer,
    /// An integer value of default kind.
    Default,
    /// A host variable that gets an integer of default kind.
    SetsDefault,
    /// A host variable that gets an integer of any kind.
    SetsInteger,
    /// A host variable that gets a stream.
    SetsStream,
    /// A host array of default integers.
    Defaults,
    /// A host variable of type real(4) that gets a time.
    SetsTime,
    /// A host variable of type real(8).
    Double,
    /// Data in any memory, or an address (type(c_ptr), type(c_devptr)).
    Data,
    /// Data that a kernel could be given, or an address.
    DeviceData,
    /// Device data, or a stream where it is the only argument.
    DeviceDataOrStream,
    /// A value for the elements of device data.
    Value,
    /// An allocatable or pointer array in device memory of this rank, which is allocated; or a variable of type(c_devptr).
    Allocates(u8),
    /// The same in managed memory.
    AllocatesManaged,
    /// A rank-3 device array, or a variable of type(cudaPitchedPtr).
    AllocatesPitched,
    /// An allocated device array of any rank, or an address.
    Frees,
    /// An address in host memory: type(c_ptr).
    HostAddress,
    /// A variable that gets an address.
    SetsAddress,
    /// A device variable, its name, or type(c_ptr) with its name.
    Symbol,
    /// The name of a kernel, as a procedure or as a character value.
    Kernel,
    /// A value of this derived type of cudafor.
    Structure(&'static str),
    /// A variable of this derived type, which is set.
    SetsStructure(&'static str),
}

impl ParamKind {
    /// The dummy in `cudafor` is of any type: data is passed by a descriptor.
    pub fn any_type(self) -> bool {
        matches!(
            self,
            Self::Integer
                | Self::SetsInteger
                | Self::Data
                | Self::DeviceData
                | Self::DeviceDataOrStream
                | Self::Value
                | Self::Symbol
                | Self::Kernel
        )
    }

    /// No array is accepted.
    pub fn is_scalar(self) -> bool {
        matches!(
            self,
            Self::Integer
                | Self::Default
                | Self::SetsDefault
                | Self::SetsInteger
                | Self::SetsStream
                | Self::SetsTime
                | Self::Double
                | Self::Value
                | Self::HostAddress
                | Self::SetsAddress
                | Self::Structure(_)
                | Self::SetsStructure(_)
        )
    }

    /// A number that the host reads: device data has to be copied.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Default | Self::Value)
    }
}

/// A dummy argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dummy {
    /// Folded name.
    pub name: &'static str,
    pub takes: ParamKind,
    pub optional: bool,
}

impl Dummy {
    const fn new(name: &'static str, takes: ParamKind) -> Self {
        Self {
            name,
            takes,
            optional: false,
        }
    }

    const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }
}

/// A function of the API; its result is a default integer, the error code.
#[derive(Clone, Copy, Debug)]
pub struct Procedure {
    /// Folded name.
    pub name: &'static str,
    pub dummies: &'static [Dummy],
}

const fn f(name: &'static str, dummies: &'static [Dummy]) -> Procedure {
    Procedure { name, dummies }
}

/// The function of this folded name.
pub fn find(name: &str) -> Option<&'static Procedure> {
    PROCEDURES.iter().find(|p| p.name == name)
}

impl Procedure {
    /// The dummy of an actual argument: the one of its keyword, or the one at its position.
    pub fn dummy(&self, keyword: Option<&str>, position: usize) -> Option<&'static Dummy> {
        match keyword {
            Some(k) => self.dummies.iter().find(|d| d.name == k),
            None => self.dummies.get(position),
        }
    }
}

const EVENT: Dummy = Dummy::new("event", ParamKind::Structure("cudaevent"));
const STREAM: Dummy = Dummy::new("stream", ParamKind::Integer);
const DIRECTION: Dummy = Dummy::new("kdir", ParamKind::Integer).optional();
const COUNT: Dummy = Dummy::new("count", ParamKind::Integer);
const WIDTH: Dummy = Dummy::new("width", ParamKind::Integer);
const HEIGHT: Dummy = Dummy::new("height", ParamKind::Integer);
const FUNC: Dummy = Dummy::new("func", ParamKind::Kernel);
const GRAPH: &str = "cudagraph";
const EXEC: Dummy = Dummy::new("graphexec", ParamKind::Structure("cudagraphexec"));
const DST: Dummy = Dummy::new("dst", ParamKind::Data);
const SRC: Dummy = Dummy::new("src", ParamKind::Data);
const DEVICE_DATA: Dummy = Dummy::new("devptr", ParamKind::DeviceData);
const MANAGED: Dummy = Dummy::new("devptr", ParamKind::Data);
const SYMBOL: Dummy = Dummy::new("symbol", ParamKind::Symbol);
const HOST: Dummy = Dummy::new("hostptr", ParamKind::HostAddress);
const SET_HOST: Dummy = Dummy::new("hostptr", ParamKind::SetsAddress);
const DESTINATION: Dummy = Dummy::new("dsta", ParamKind::Structure("cudaarrayptr"));
const SOURCE: Dummy = Dummy::new("srca", ParamKind::Structure("cudaarrayptr"));
const ARRAY: Dummy = Dummy::new("carray", ParamKind::SetsStructure("cudaarrayptr"));
const FORMAT: Dummy = Dummy::new("cdesc", ParamKind::Structure("cudachannelformatdesc"));
const EXTENT: Dummy = Dummy::new("cext", ParamKind::Structure("cudaextent"));
const ALLOCATED: Dummy = Dummy::new("devptr", ParamKind::Allocates(1));

const fn default(name: &'static str) -> Dummy {
    Dummy::new(name, ParamKind::Default)
}
const fn integer(name: &'static str) -> Dummy {
    Dummy::new(name, ParamKind::Integer)
}
const fn sets(name: &'static str) -> Dummy {
    Dummy::new(name, ParamKind::SetsDefault)
}
const fn sets_any(name: &'static str) -> Dummy {
    Dummy::new(name, ParamKind::SetsInteger)
}
const fn is(name: &'static str, structure: &'static str) -> Dummy {
    Dummy::new(name, ParamKind::Structure(structure))
}
const fn gets(name: &'static str, structure: &'static str) -> Dummy {
    Dummy::new(name, ParamKind::SetsStructure(structure))
}

/// The dummies of cudaMemcpyFromSymbol and of its form with Async.
const FROM_SYMBOL: &[Dummy] = &[
    DST,
    SYMBOL,
    COUNT,
    integer("offset").optional(),
    DIRECTION,
    STREAM.optional(),
];

/// In the order of the guide.
pub const PROCEDURES: &[Procedure] = &[
    // 4.2 devices
    f(
        "cudachoosedevice",
        &[sets("devnum"), is("prop", "cudadeviceprop")],
    ),
    f(
        "cudadevicegetattribute",
        &[sets("val"), default("attribute"), default("devicenum")],
    ),
    f("cudadevicegetcacheconfig", &[sets("cacheconfig")]),
    f("cudadevicegetlimit", &[sets_any("val"), default("limit")]),
    f("cudadevicegetsharedmemconfig", &[sets("config")]),
    f(
        "cudadevicegetstreampriorityrange",
        &[sets("leastpriority"), sets("greatestpriority")],
    ),
    f("cudadevicereset", &[]),
    f("cudadevicesetcacheconfig", &[default("cacheconfig")]),
    f("cudadevicesetlimit", &[default("limit"), integer("val")]),
    f("cudadevicesetsharedmemconfig", &[default("config")]),
    f("cudadevicesynchronize", &[]),
    f("cudagetdevice", &[sets("devnum")]),
    f("cudagetdevicecount", &[sets("numdev")]),
    f(
        "cudagetdeviceproperties",
        &[gets("prop", "cudadeviceprop"), default("devnum")],
    ),
    f("cudasetdevice", &[default("devnum")]),
    f("cudasetdeviceflags", &[default("flags")]),
    f(
        "cudasetvaliddevices",
        &[
            Dummy::new("devices", ParamKind::Defaults),
            default("numdev"),
        ],
    ),
    // 4.3 threads
    f("cudathreadexit", &[]),
    f("cudathreadsynchronize", &[]),
    // 4.4 errors; cudaGetErrorString and cudaGetErrorName return text
    f("cudagetlasterror", &[]),
    f("cudapeekatlasterror", &[]),
    // 4.5 streams; cudaforGetDefaultStream returns a stream
    f(
        "cudaforsetdefaultstream",
        &[
            Dummy::new("devptr", ParamKind::DeviceDataOrStream).optional(),
            integer("stream").optional(),
        ],
    ),
    f(
        "cudastreamattachmemasync",
        &[
            STREAM,
            DEVICE_DATA,
            integer("length").optional(),
            integer("flags").optional(),
        ],
    ),
    f(
        "cudastreamcreate",
        &[Dummy::new("stream", ParamKind::SetsStream)],
    ),
    f(
        "cudastreamcreatewithflags",
        &[
            Dummy::new("stream", ParamKind::SetsStream),
            default("flags"),
        ],
    ),
    f(
        "cudastreamcreatewithpriority",
        &[
            Dummy::new("stream", ParamKind::SetsStream),
            default("flags"),
            default("priority"),
        ],
    ),
    f("cudastreamdestroy", &[STREAM]),
    f("cudastreamgetpriority", &[STREAM, sets("priority")]),
    f("cudastreamquery", &[STREAM]),
    f("cudastreamsynchronize", &[STREAM]),
    f(
        "cudastreamwaitevent",
        &[STREAM, EVENT, integer("flags").optional()],
    ),
    // 4.6 events
    f("cudaeventcreate", &[gets("event", "cudaevent")]),
    f(
        "cudaeventcreatewithflags",
        &[gets("event", "cudaevent"), default("flags")],
    ),
    f("cudaeventdestroy", &[EVENT]),
    f(
        "cudaeventelapsedtime",
        &[
            Dummy::new("time", ParamKind::SetsTime),
            is("start", "cudaevent"),
            is("end", "cudaevent"),
        ],
    ),
    f("cudaeventquery", &[EVENT]),
    f("cudaeventrecord", &[EVENT, STREAM.optional()]),
    f("cudaeventsynchronize", &[EVENT]),
    // 4.7 execution control
    f(
        "cudafuncgetattributes",
        &[gets("attr", "cudafuncattributes"), FUNC],
    ),
    f(
        "cudafuncsetattribute",
        &[FUNC, default("attribute"), default("value")],
    ),
    f("cudafuncsetcacheconfig", &[FUNC, default("cacheconfig")]),
    f(
        "cudafuncsetsharedmemconfig",
        &[FUNC, default("cacheconfig")],
    ),
    f(
        "cudasetdoublefordevice",
        &[Dummy::new("d", ParamKind::Double)],
    ),
    f(
        "cudasetdoubleforhost",
        &[Dummy::new("d", ParamKind::Double)],
    ),
    // 4.8 occupancy
    f(
        "cudaoccupancymaxactiveblockspermultiprocessor",
        &[
            sets_any("numblocks"),
            FUNC,
            integer("blocksize"),
            integer("dynamicsmemsize"),
        ],
    ),
    f(
        "cudaoccupancymaxactiveblockspermultiprocessorwithflags",
        &[
            sets_any("numblocks"),
            FUNC,
            integer("blocksize"),
            integer("dynamicsmemsize"),
            integer("flags"),
        ],
    ),
    f(
        "cudaoccupancymaxpotentialclustersize",
        &[sets("csize"), FUNC, is("config", "cudalaunchconfig")],
    ),
    f(
        "cudaoccupancymaxactiveclusters",
        &[sets("maxc"), FUNC, is("config", "cudalaunchconfig")],
    ),
    // 4.9 memory
    f("cudafree", &[Dummy::new("devptr", ParamKind::Frees)]),
    f("cudafreearray", &[is("carray", "cudaarrayptr")]),
    f(
        "cudafreeasync",
        &[Dummy::new("devptr", ParamKind::Frees), STREAM.optional()],
    ),
    f("cudafreehost", &[HOST]),
    f(
        "cudagetsymboladdress",
        &[Dummy::new("devptr", ParamKind::SetsAddress), SYMBOL],
    ),
    f("cudagetsymbolsize", &[sets_any("size"), SYMBOL]),
    f(
        "cudahostalloc",
        &[SET_HOST, integer("size"), integer("flags").optional()],
    ),
    f(
        "cudahostgetdevicepointer",
        &[
            Dummy::new("devptr", ParamKind::SetsAddress),
            HOST,
            integer("flags").optional(),
        ],
    ),
    f("cudahostgetflags", &[sets_any("flags"), HOST]),
    f(
        "cudahostregister",
        &[HOST, COUNT, integer("flags").optional()],
    ),
    f("cudahostunregister", &[HOST]),
    f("cudamalloc", &[ALLOCATED, COUNT]),
    f(
        "cudamallocarray",
        &[ARRAY, FORMAT, WIDTH, HEIGHT.optional()],
    ),
    f("cudamallocasync", &[ALLOCATED, COUNT, STREAM.optional()]),
    f("cudamallochost", &[SET_HOST, integer("size")]),
    f(
        "cudamallocmanaged",
        &[
            Dummy::new("devptr", ParamKind::AllocatesManaged),
            COUNT,
            integer("flags").optional(),
        ],
    ),
    f(
        "cudamallocpitch",
        &[
            Dummy::new("devptr", ParamKind::Allocates(2)),
            sets_any("pitch"),
            WIDTH,
            HEIGHT,
        ],
    ),
    f(
        "cudamalloc3d",
        &[Dummy::new("pitchptr", ParamKind::AllocatesPitched), EXTENT],
    ),
    f("cudamalloc3darray", &[ARRAY, FORMAT, EXTENT]),
    f(
        "cudamemadvise",
        &[MANAGED, COUNT, default("advice"), integer("device")],
    ),
    f("cudamemcpy", &[DST, SRC, COUNT, DIRECTION]),
    f(
        "cudamemcpyarraytoarray",
        &[
            DESTINATION,
            default("dstx"),
            default("dsty"),
            SOURCE,
            default("srcx"),
            default("srcy"),
            COUNT,
            DIRECTION,
        ],
    ),
    f(
        "cudamemcpyasync",
        &[DST, SRC, COUNT, DIRECTION, STREAM.optional()],
    ),
    f(
        "cudamemcpyfromarray",
        &[
            DST,
            SOURCE,
            default("srcx"),
            default("srcy"),
            COUNT,
            DIRECTION,
        ],
    ),
    f("cudamemcpyfromsymbol", FROM_SYMBOL),
    f("cudamemcpyfromsymbolasync", FROM_SYMBOL),
    f(
        "cudamemcpypeer",
        &[
            Dummy::new("dst", ParamKind::DeviceData),
            default("dstdev"),
            Dummy::new("src", ParamKind::DeviceData),
            default("srcdev"),
            COUNT,
        ],
    ),
    f(
        "cudamemcpypeerasync",
        &[
            Dummy::new("dst", ParamKind::DeviceData),
            default("dstdev"),
            Dummy::new("src", ParamKind::DeviceData),
            default("srcdev"),
            COUNT,
            STREAM.optional(),
        ],
    ),
    f(
        "cudamemcpytoarray",
        &[
            DESTINATION,
            default("dstx"),
            default("dsty"),
            SRC,
            COUNT,
            DIRECTION,
        ],
    ),
    f(
        "cudamemcpytosymbol",
        &[SYMBOL, SRC, COUNT, integer("offset").optional(), DIRECTION],
    ),
    f(
        "cudamemcpytosymbolasync",
        &[
            SYMBOL,
            SRC,
            COUNT,
            integer("offset").optional(),
            DIRECTION,
            STREAM.optional(),
        ],
    ),
    f(
        "cudamemcpy2d",
        &[
            DST,
            integer("dpitch"),
            SRC,
            integer("spitch"),
            WIDTH,
            HEIGHT,
            DIRECTION,
        ],
    ),
    f(
        "cudamemcpy2darraytoarray",
        &[
            DESTINATION,
            default("dstx"),
            default("dsty"),
            SOURCE,
            default("srcx"),
            default("srcy"),
            WIDTH,
            HEIGHT,
            DIRECTION,
        ],
    ),
    f(
        "cudamemcpy2dasync",
        &[
            DST,
            integer("dpitch"),
            SRC,
            integer("spitch"),
            WIDTH,
            HEIGHT,
            DIRECTION,
            STREAM.optional(),
        ],
    ),
    f(
        "cudamemcpy2dfromarray",
        &[
            DST,
            integer("dpitch"),
            SOURCE,
            default("srcx"),
            default("srcy"),
            WIDTH,
            HEIGHT,
            DIRECTION,
        ],
    ),
    f(
        "cudamemcpy2dtoarray",
        &[
            DESTINATION,
            default("dstx"),
            default("dsty"),
            SRC,
            integer("spitch"),
            WIDTH,
            HEIGHT,
            DIRECTION,
        ],
    ),
    f("cudamemcpy3d", &[is("p", "cudamemcpy3dparms")]),
    f(
        "cudamemcpy3dasync",
        &[is("p", "cudamemcpy3dparms"), STREAM.optional()],
    ),
    f("cudamemgetinfo", &[sets_any("free"), sets_any("total")]),
    f(
        "cudamemprefetchasync",
        &[MANAGED, COUNT, integer("device"), STREAM.optional()],
    ),
    f(
        "cudamemset",
        &[DEVICE_DATA, Dummy::new("value", ParamKind::Value), COUNT],
    ),
    f(
        "cudamemsetasync",
        &[
            DEVICE_DATA,
            Dummy::new("value", ParamKind::Value),
            COUNT,
            STREAM.optional(),
        ],
    ),
    f(
        "cudamemset2d",
        &[
            DEVICE_DATA,
            integer("pitch"),
            Dummy::new("value", ParamKind::Value),
            WIDTH,
            HEIGHT,
        ],
    ),
    f(
        "cudamemset3d",
        &[is("pitchptr", "cudapitchedptr"), integer("value"), EXTENT],
    ),
    // 4.10 unified addressing, peers
    f(
        "cudadevicecanaccesspeer",
        &[
            sets_any("canaccesspeer"),
            default("device"),
            default("peerdevice"),
        ],
    ),
    f("cudadevicedisablepeeraccess", &[default("peerdevice")]),
    f(
        "cudadeviceenablepeeraccess",
        &[default("peerdevice"), default("flags")],
    ),
    f(
        "cudapointergetattributes",
        &[
            gets("attr", "cudapointerattributes"),
            Dummy::new("ptr", ParamKind::Data),
        ],
    ),
    // 4.11, 4.12 versions, profiler
    f("cudadrivergetversion", &[sets("iversion")]),
    f("cudaruntimegetversion", &[sets("iversion")]),
    f("cudaprofilerstart", &[]),
    f("cudaprofilerstop", &[]),
    // 4.13 graphs
    f("cudagraphcreate", &[gets("graph", GRAPH), integer("flags")]),
    f("cudagraphdestroy", &[is("graph", GRAPH)]),
    f("cudagraphexecdestroy", &[EXEC]),
    f(
        "cudagraphinstantiate",
        &[
            gets("graphexec", "cudagraphexec"),
            is("graph", GRAPH),
            integer("flags").optional(),
        ],
    ),
    f("cudagraphlaunch", &[EXEC, STREAM]),
    f("cudastreambegincapture", &[STREAM, default("mode")]),
    f("cudastreamendcapture", &[STREAM, gets("graph", GRAPH)]),
    f("cudastreamiscapturing", &[STREAM, sets("status")]),
];
