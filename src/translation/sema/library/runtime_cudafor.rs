//! The names of module `cudafor` (guide 2.8 and chapter 4).

use super::runtime_modules::{External, ExternalType};

const fn ty(name: &'static str, components: &'static str) -> ExternalType {
    ExternalType { name, components }
}

/// Module `cudafor`; `cudadevice` comes with it.
pub const CUDAFOR: External = External {
    name: "cudafor",
    constants: super::runtime_constants::CONSTANTS,
    types: &[
        ty("dim3", "x:i4 y:i4 z:i4"),
        ty("c_devptr", ""),
        ty("cudaevent", ""),
        ty("cudagraph", ""),
        ty("cudagraphexec", ""),
        ty("cudagraphnode", ""),
        ty("cudalaunchconfig", ""),
        ty("cudaarrayptr", ""),
        ty(
            "cudadeviceprop",
            "name:c256 totalglobalmem:i8 sharedmemperblock:i8 regsperblock:i4 warpsize:i4 mempitch:i8 \
             maxthreadsperblock:i4 maxthreadsdim:i4[3] maxgridsize:i4[3] clockrate:i4 totalconstmem:i8 major:i4 minor:i4 \
             texturealignment:i8 texturepitchalignment:i8 deviceoverlap:i4 multiprocessorcount:i4 \
             kernelexectimeoutenabled:i4 integrated:i4 canmaphostmemory:i4 computemode:i4 maxtexture1d:i4 \
             maxtexture1dmipmap:i4 maxtexture1dlinear:i4 maxtexture2d:i4[2] maxtexture2dmipmap:i4[2] \
             maxtexture2dlinear:i4[3] maxtexture2dgather:i4[2] maxtexture3d:i4[3] maxtexturecubemap:i4 \
             maxtexture1dlayered:i4[2] maxtexture2dlayered:i4[3] maxtexturecubemaplayered:i4[2] maxsurface1d:i4 \
             maxsurface2d:i4[2] maxsurface3d:i4[3] maxsurface1dlayered:i4[2] maxsurface2dlayered:i4[3] \
             maxsurfacecubemap:i4 maxsurfacecubemaplayered:i4[2] surfacealignment:i8 concurrentkernels:i4 \
             eccenabled:i4 pcibusid:i4 pcideviceid:i4 pcidomainid:i4 tccdriver:i4 asyncenginecount:i4 \
             unifiedaddressing:i4 memoryclockrate:i4 memorybuswidth:i4 l2cachesize:i4 persistingl2cachemaxsize:i4 \
             maxthreadspermultiprocessor:i4 streamprioritiessupported:i4 globall1cachesupported:i4 \
             locall1cachesupported:i4 sharedmempermultiprocessor:i8 regspermultiprocessor:i4 managedmemory:i4 \
             ismultigpuboard:i4 multigpuboardgroupid:i4 hostnativeatomicsupported:i4 \
             singletodoubleprecisionperfratio:i4 pageablememoryaccess:i4 concurrentmanagedaccess:i4 \
             computepreemptionsupported:i4 canusehostpointerforregisteredmem:i4 cooperativelaunch:i4 \
             cooperativemultidevicelaunch:i4 sharedmemperblockoptin:i8 pageablememoryaccessuseshostpagetables:i4 \
             directmanagedmemaccessfromhost:i4 maxblockspermultiprocessor:i4 accesspolicymaxwindowsize:i4 \
             reservedsharedmemperblock:i8",
        ),
        ty(
            "cudafuncattributes",
            "binaryversion:i4 cachemodeca:i4 constsizebytes:i8 localsizebytes:i8 maxthreadsperblock:i4 numregs:i4 \
             ptxversion:i4 sharedsizebytes:i8 maxdynamicsharedsizebytes:i4 preferredshmemcarveout:i4",
        ),
        ty(
            "cudapointerattributes",
            "memorytype:i4 type:i4 device:i4 devicepointer:t:c_devptr hostpointer:t:c_ptr ismanaged:i4",
        ),
        ty("cudachannelformatdesc", "x:i4 y:i4 z:i4 w:i4 f:i4"),
        ty("cudaextent", "width:i8 height:i8 depth:i8"),
        ty("cudapos", "x:i8 y:i8 z:i8"),
        ty(
            "cudapitchedptr",
            "ptr:t:c_devptr pitch:i8 xsize:i8 ysize:i8",
        ),
        ty(
            "cudamemcpy3dparms",
            "srcarray:t:cudaarrayptr srcpos:t:cudapos srcptr:t:cudapitchedptr dstarray:t:cudaarrayptr \
             dstpos:t:cudapos dstptr:t:cudapitchedptr extent:t:cudaextent kind:i4",
        ),
    ],
    // Besides those of the runtime API (`runtime_api`).
    functions: &[
        ("cudageterrorstring", "c*"),
        ("cudageterrorname", "c*"),
        ("cudaforgetdefaultstream", "i8"),
        ("cudadatatype", "i4"),
        ("c_devloc", "t:c_devptr"),
    ],
    // For type(c_devptr), without iso_c_binding (guide 4.9).
    subroutines: &["c_f_pointer"],
    prefixes: &[],
    // nvfortran's module re-exports iso_c_binding; see `Model::comes_along`.
    includes: &["cudadevice", "iso_c_binding"],
};
