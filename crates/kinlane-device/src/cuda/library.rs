//! The CUDA driver's own functions, looked up in its library at run time.
//!
//! They are bound here and not taken from a crate, because a driver may return a code that is newer than any
//! list of codes, and a closed enum as the type of the result must not hold such a value. Signatures are
//! those of `cuda.h`, which have never changed; names with `_v2` are those to which the header maps them.

use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// What every function returns; zero is success.
type Code = c_int;
/// A device by number.
pub type Device = c_int;
/// Memory on a device.
pub type Pointer = u64;

/// A context, stream, event, module or function of the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Handle(*mut c_void);

impl Handle {
    /// No handle yet.
    pub const NONE: Self = Self(std::ptr::null_mut());
}

// SAFETY: an opaque name of a driver object, valid in every thread once the context is current there.
unsafe impl Send for Handle {}
// SAFETY: plain data.
unsafe impl Sync for Handle {}

/// Attributes of devices and functions, streams and events, by their numbers in `cuda.h`.
pub mod number {
    use std::ffi::{c_int, c_uint};

    pub const MULTIPROCESSORS: c_int = 16;
    pub const CAPABILITY_MAJOR: c_int = 75;
    pub const CAPABILITY_MINOR: c_int = 76;
    pub const SHARED_PER_MULTIPROCESSOR: c_int = 81;
    pub const FUNCTION_SHARED: c_int = 1;
    pub const FUNCTION_LOCAL: c_int = 3;
    pub const FUNCTION_REGISTERS: c_int = 4;
    /// A stream that does not wait for the default one.
    pub const NON_BLOCKING: c_uint = 1;
    /// An event without timing; a thread that waits for it sleeps.
    pub const SLEEP_WITHOUT_TIME: c_uint = 1 | 2;
}

/// A failure of a driver call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The driver's code.
    pub code: i32,
    /// The name of the code, if the driver has one.
    pub name: String,
}

impl Failure {
    /// Whether the card's memory is insufficient.
    pub fn is_memory(&self) -> bool {
        self.code == 2
    }
}

macro_rules! calls {
    ($($name:ident = $symbol:literal ($($argument:ty),*);)*) => {
        /// The functions.
        #[derive(Debug)]
        pub struct Calls {
            $(pub $name: unsafe extern "C" fn($($argument),*) -> Code,)*
            // The functions above are valid as long as this lives.
            _library: Library,
        }

        impl Calls {
            /// # Safety
            /// The library must be that of the CUDA driver.
            unsafe fn bind(library: Library) -> Result<Self, libloading::Error> {
                // SAFETY: the types are those of the functions.
                unsafe {
                    $(let $name = *library.get(concat!($symbol, "\0").as_bytes())?;)*
                    Ok(Self { $($name,)* _library: library })
                }
            }
        }
    };
}

calls! {
    init = "cuInit" (c_uint);
    version = "cuDriverGetVersion" (*mut c_int);
    error_name = "cuGetErrorName" (Code, *mut *const c_char);
    device_count = "cuDeviceGetCount" (*mut c_int);
    device = "cuDeviceGet" (*mut Device, c_int);
    device_name = "cuDeviceGetName" (*mut c_char, c_int, Device);
    device_memory = "cuDeviceTotalMem_v2" (*mut usize, Device);
    device_attribute = "cuDeviceGetAttribute" (*mut c_int, c_int, Device);
    retain = "cuDevicePrimaryCtxRetain" (*mut Handle, Device);
    release = "cuDevicePrimaryCtxRelease_v2" (Device);
    push = "cuCtxPushCurrent_v2" (Handle);
    pop = "cuCtxPopCurrent_v2" (*mut Handle);
    stream = "cuStreamCreate" (*mut Handle, c_uint);
    stream_destroy = "cuStreamDestroy_v2" (Handle);
    event = "cuEventCreate" (*mut Handle, c_uint);
    event_destroy = "cuEventDestroy_v2" (Handle);
    event_record = "cuEventRecord" (Handle, Handle);
    event_wait = "cuEventSynchronize" (Handle);
    memory = "cuMemAlloc_v2" (*mut Pointer, usize);
    memory_free = "cuMemFree_v2" (Pointer);
    host_memory = "cuMemHostAlloc" (*mut *mut c_void, usize, c_uint);
    host_memory_free = "cuMemFreeHost" (*mut c_void);
    to_device = "cuMemcpyHtoDAsync_v2" (Pointer, *const c_void, usize, Handle);
    to_host = "cuMemcpyDtoHAsync_v2" (*mut c_void, Pointer, usize, Handle);
    fill = "cuMemsetD8Async" (Pointer, u8, usize, Handle);
    module = "cuModuleLoadData" (*mut Handle, *const c_void);
    module_unload = "cuModuleUnload" (Handle);
    module_function = "cuModuleGetFunction" (*mut Handle, Handle, *const c_char);
    function_attribute = "cuFuncGetAttribute" (*mut c_int, c_int, Handle);
    blocks = "cuOccupancyMaxActiveBlocksPerMultiprocessor" (*mut c_int, Handle, c_int, usize);
    launch = "cuLaunchKernel" (
        Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void
    );
}

/// File names of the library.
const NAMES: [&str; 3] = ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];

impl Calls {
    /// The functions of the library, or the reason why there are none.
    pub fn find() -> Result<&'static Self, String> {
        static FOUND: OnceLock<Result<Calls, String>> = OnceLock::new();
        let found = FOUND.get_or_init(|| {
            // SAFETY: the driver's library may be loaded at any time, and only it has these names.
            let library = NAMES.into_iter().find_map(|name| unsafe { Library::new(name) }.ok());
            let library = library.ok_or("the driver's library libcuda cannot be loaded")?;
            // SAFETY: the library is the driver's.
            unsafe { Self::bind(library) }.map_err(|e| format!("the driver's library lacks what is needed: {e}"))
        });
        found.as_ref().map_err(Clone::clone)
    }

    /// A code as a result.
    pub fn check(&self, code: Code) -> Result<(), Failure> {
        if code == 0 {
            return Ok(());
        }
        let mut name = std::ptr::null();
        // SAFETY: `name` is alive; it is set to point at a constant of the library.
        let known = unsafe { (self.error_name)(code, &mut name) } == 0 && !name.is_null();
        // SAFETY: as above.
        let name = known.then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned());
        Err(Failure { code, name: name.unwrap_or_else(|| format!("CUDA error {code}")) })
    }
}
