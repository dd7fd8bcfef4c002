//! CUDA devices, through the driver's own library.

use crate::driver::{Argument, Driver, Footprint, Memory, QUEUES, Staging};
use crate::{Api, DeviceError, Info, cache, nvcc, nvrtc};
use cudarc::driver::result::{
    self, DriverError, ctx, device, free_host, free_sync, function, init, malloc_host, malloc_sync, memcpy_dtoh_async,
    memcpy_htod_async, memset_d8_async, module, occupancy, primary_ctx, stream,
};
use cudarc::driver::sys::{
    self, CUcontext, CUdevice_attribute, CUdeviceptr, CUfunction, CUfunction_attribute as Asked,
};
use cudarc::driver::sys::{CUresult, CUstream};
use std::ffi::{CString, c_void};

/// The oldest driver that knows what is asked of it here: CUDA 11.4.
const OLDEST: i32 = 11_040;

/// Threads that run in step, on every card so far.
const WIDTH: usize = 32;

fn absent(detail: String) -> DeviceError {
    DeviceError::NoDevice { api: Api::Cuda, detail }
}

/// Finds the library and wakes it. Nothing else here may be called before this has succeeded.
fn wake() -> Result<i32, DeviceError> {
    // SAFETY: it only tries to load a library.
    if !unsafe { sys::is_culib_present() } {
        let detail = "the driver's library libcuda cannot be loaded".to_owned();
        return Err(DeviceError::NoLoader { api: Api::Cuda, detail });
    }
    init().map_err(|e| absent(code(&e)))?;
    let mut version = 0;
    // SAFETY: `version` is alive.
    unsafe { sys::cuDriverGetVersion(&mut version).result() }.map_err(|e| absent(code(&e)))?;
    let text = |v: i32| format!("{}.{}", v / 1000, v % 1000 / 10);
    if version < OLDEST {
        return Err(absent(format!("the driver serves CUDA {}, at least {} is needed", text(version), text(OLDEST))));
    }
    Ok(version)
}

fn code(e: &DriverError) -> String {
    format!("{:?}", e.0)
}

/// Every CUDA device.
pub fn list() -> Result<Vec<Info>, DeviceError> {
    let version = wake()?;
    let count = device::get_count().map_err(|e| absent(code(&e)))?;
    if count == 0 {
        return Err(absent("the driver finds no card".to_owned()));
    }
    (0..count)
        .map(|i| {
            let d = device::get(i).map_err(|e| absent(code(&e)))?;
            // SAFETY: a device of this driver.
            let attribute = |a| unsafe { device::get_attribute(d, a) }.unwrap_or(0);
            // SAFETY: a device of this driver.
            let memory = unsafe { device::total_mem(d) }.unwrap_or(0) as u64;
            let (major, minor) = capability(d);
            Ok(Info {
                api: Api::Cuda,
                index: i as usize,
                name: device::get_name(d).unwrap_or_default(),
                driver: format!("CUDA {}.{}, sm_{major}{minor}", version / 1000, version % 1000 / 10),
                memory,
                largest: memory,
                shared: attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR).max(0)
                    as usize,
                doubles: true,
                cpu: false,
                units: attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).max(1) as usize,
                width: WIDTH,
            })
        })
        .collect()
}

fn capability(d: sys::CUdevice) -> (i32, i32) {
    use CUdevice_attribute::{
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
    };
    // SAFETY: a device of this driver.
    unsafe { (device::get_attribute(d, MAJOR).unwrap_or(0), device::get_attribute(d, MINOR).unwrap_or(0)) }
}

/// Opens a device from [`list`].
pub fn open(info: Info) -> Result<Box<dyn Driver>, DeviceError> {
    wake()?;
    let fail = |e: DriverError| lost(&info, "opening it", &e);
    let d = device::get(info.index as i32).map_err(fail)?;
    // SAFETY: a device of this driver; given back when the struct is dropped.
    let context = unsafe { primary_ctx::retain(d) }.map_err(fail)?;
    let mut cuda = Cuda {
        device: d,
        context,
        queues: Vec::new(),
        kernels: Vec::new(),
        modules: Vec::new(),
        memory: Vec::new(),
        staging: Vec::new(),
        info,
    };
    cuda.enter("opening it")?;
    for _ in 0..QUEUES {
        let queue = stream::create(stream::StreamKind::NonBlocking).map_err(|e| lost(&cuda.info, "opening it", &e))?;
        cuda.queues.push(queue);
    }
    Ok(Box::new(cuda))
}

struct Cuda {
    device: sys::CUdevice,
    context: CUcontext,
    queues: Vec<CUstream>,
    kernels: Vec<CUfunction>,
    modules: Vec<sys::CUmodule>,
    memory: Vec<(CUdeviceptr, usize)>,
    staging: Vec<(*mut f64, usize)>,
    info: Info,
}

// SAFETY: handles of the driver, good in every thread once the context is current there, which every call makes sure
// of; the pinned memory belongs to this struct alone.
unsafe impl Send for Cuda {}

// SAFETY: the shared methods only read plain data and ask the driver, which may be asked from any thread.
unsafe impl Sync for Cuda {}

fn lost(info: &Info, what: &'static str, e: &DriverError) -> DeviceError {
    DeviceError::Lost { device: info.to_string(), what, code: code(e) }
}

impl Cuda {
    /// Makes the context this thread's own.
    fn enter(&self, what: &'static str) -> Result<(), DeviceError> {
        // SAFETY: the context is retained until `drop`.
        unsafe { ctx::set_current(self.context) }.map_err(|e| lost(&self.info, what, &e))
    }

    /// Groups of `size` threads that a multiprocessor has room for.
    fn groups(&self, kernel: usize, size: usize) -> Option<usize> {
        self.enter("planning").ok()?;
        // SAFETY: a function of a loaded module.
        let n = unsafe { occupancy::max_active_block_per_multiprocessor(self.kernels[kernel], size as i32, 0) };
        n.ok().map(|n| n.max(0) as usize)
    }

    fn short(&self, e: &DriverError, what: &'static str, need: usize) -> DeviceError {
        match e.0 {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                DeviceError::Memory { device: self.info.to_string(), what, need: need as u64 }
            }
            _ => lost(&self.info, "giving memory", e),
        }
    }

    /// Machine code for this very card.
    fn image(&self, source: &str, name: &'static str) -> Result<Vec<u8>, DeviceError> {
        let (major, minor) = capability(self.device);
        let architecture = format!("sm_{major}{minor}");
        // A kernel that was compiled with another version is as good, so that a machine without NVRTC can use it.
        let mut parts = vec![source, &architecture, "cuda"];
        parts.extend(nvrtc::Nvrtc::OPTIONS);
        let key = cache::key(&parts);
        if let Some(image) = cache::load(&key) {
            return Ok(image);
        }
        let refused = |log| DeviceError::Compile { device: self.info.to_string(), kernel: name, log };
        let compiled = match (nvrtc::find(), nvcc::find()) {
            (Ok(nvrtc), _) => nvrtc.compile(source, &architecture),
            (Err(_), Some(nvcc)) => nvcc::compile(&nvcc, source, &architecture),
            (Err(absent), None) => return Err(absent),
        };
        let (image, _) = compiled.map_err(refused)?;
        cache::store(&key, &image);
        Ok(image)
    }
}

impl Driver for Cuda {
    fn info(&self) -> &Info {
        &self.info
    }

    fn kernel(&mut self, source: &str, name: &'static str) -> Result<usize, DeviceError> {
        let what = "loading a kernel";
        self.enter(what)?;
        let image = self.image(source, name)?;
        // SAFETY: machine code as NVRTC gave it, alive during the call.
        let module = unsafe { module::load_data(image.as_ptr().cast()) }.map_err(|e| lost(&self.info, what, &e))?;
        self.modules.push(module);
        let c_name = CString::new(name).unwrap_or_default();
        // SAFETY: the module is loaded until `drop`.
        let f = unsafe { module::get_function(module, c_name) }.map_err(|e| lost(&self.info, what, &e))?;
        self.kernels.push(f);
        Ok(self.kernels.len() - 1)
    }

    fn resident(&self, kernel: usize, size: usize) -> usize {
        self.info.units * size * self.groups(kernel, size).unwrap_or(1).max(1)
    }

    fn footprint(&self, kernel: usize, size: usize) -> Option<Footprint> {
        let groups = self.groups(kernel, size)?;
        // SAFETY: a function of a loaded module.
        let of = |a: Asked| unsafe { function::get_function_attribute(self.kernels[kernel], a) };
        let of = |a| of(a).ok().map(|n| n.max(0) as usize);
        Some(Footprint {
            registers: of(Asked::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            local: of(Asked::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            shared: of(Asked::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            groups,
        })
    }

    fn memory(&mut self, bytes: usize, what: &'static str) -> Result<Memory, DeviceError> {
        self.enter("giving memory")?;
        let bytes = bytes.max(8);
        // SAFETY: freed in `release`.
        let at = unsafe { malloc_sync(bytes) }.map_err(|e| self.short(&e, what, bytes))?;
        self.memory.push((at, bytes));
        let m = Memory(self.memory.len() - 1);
        self.zero(0, m, bytes)?;
        self.finish(0)?;
        Ok(m)
    }

    fn staging(&mut self, numbers: usize) -> Result<Staging, DeviceError> {
        self.enter("giving memory")?;
        let len = numbers.max(1);
        // SAFETY: pinned memory for `len` numbers, freed in `release`.
        let at = unsafe { malloc_host(8 * len, 0) }.map_err(|e| self.short(&e, "copies to and from it", 8 * len))?;
        // SAFETY: as long as was asked for; zeros are numbers.
        unsafe { at.cast::<f64>().write_bytes(0, len) };
        self.staging.push((at.cast(), len));
        Ok(Staging(self.staging.len() - 1))
    }

    fn release(&mut self) {
        if self.enter("giving memory up").is_err() {
            return; // the driver has given it up already
        }
        for q in 0..self.queues.len() {
            let _ = self.finish(q);
        }
        for (at, _) in self.memory.drain(..) {
            // SAFETY: from `malloc_sync`, and no queue uses it any more.
            let _ = unsafe { free_sync(at) };
        }
        for (at, _) in self.staging.drain(..) {
            // SAFETY: from `malloc_host`, and no queue uses it any more.
            let _ = unsafe { free_host(at.cast::<c_void>()) };
        }
    }

    fn host(&mut self, s: Staging) -> &mut [f64] {
        let (start, len) = self.staging[s.0];
        // SAFETY: pinned for `len` numbers, set in `staging`, and borrowed from `self`.
        unsafe { std::slice::from_raw_parts_mut(start, len) }
    }

    fn write(&mut self, to: Memory, bytes: &[u8]) -> Result<(), DeviceError> {
        let what = "copying to it";
        self.enter(what)?;
        let (at, len) = self.memory[to.0];
        assert!(bytes.len() <= len, "{} of {len} bytes", bytes.len());
        // Not the synchronous copy: from memory that is not pinned it returns before the bytes have arrived, and no
        // stream here waits for them.
        // SAFETY: inside the memory; the bytes are alive until the stream has been waited for.
        unsafe { memcpy_htod_async(at, bytes, self.queues[0]) }.map_err(|e| lost(&self.info, what, &e))?;
        self.finish(0)
    }

    fn upload(&mut self, queue: usize, from: Staging, to: Memory, numbers: usize) -> Result<(), DeviceError> {
        let what = "copying to it";
        self.enter(what)?;
        let ((start, have), (at, len)) = (self.staging[from.0], self.memory[to.0]);
        assert!(numbers <= have && 8 * numbers <= len, "{numbers} of {have} numbers, {len} bytes");
        // SAFETY: inside both; the host's memory lives until `release`, and the caller finishes the queue before it
        // writes there again.
        unsafe { memcpy_htod_async(at, std::slice::from_raw_parts(start, numbers), self.queues[queue]) }
            .map_err(|e| lost(&self.info, what, &e))
    }

    fn download(&mut self, queue: usize, from: Memory, to: Staging, numbers: usize) -> Result<(), DeviceError> {
        let what = "copying from it";
        self.enter(what)?;
        let ((start, have), (at, len)) = (self.staging[to.0], self.memory[from.0]);
        assert!(numbers <= have && 8 * numbers <= len, "{numbers} of {have} numbers, {len} bytes");
        // SAFETY: as in `upload`.
        unsafe { memcpy_dtoh_async(std::slice::from_raw_parts_mut(start, numbers), at, self.queues[queue]) }
            .map_err(|e| lost(&self.info, what, &e))
    }

    fn zero(&mut self, queue: usize, m: Memory, bytes: usize) -> Result<(), DeviceError> {
        let what = "clearing its memory";
        self.enter(what)?;
        let (at, len) = self.memory[m.0];
        // SAFETY: inside the memory.
        unsafe { memset_d8_async(at, 0, bytes.min(len), self.queues[queue]) }.map_err(|e| lost(&self.info, what, &e))
    }

    fn launch(
        &mut self,
        queue: usize,
        kernel: usize,
        groups: usize,
        size: usize,
        arguments: &[Argument],
    ) -> Result<(), DeviceError> {
        let what = "starting a kernel";
        self.enter(what)?;
        // Eight bytes hold an argument of any kind; the driver reads as many as the kernel declares, from the first on.
        let bits = |a: &Argument| match *a {
            Argument::Memory(m) => Some(self.memory[m.0].0.to_ne_bytes()),
            Argument::Number(x) => Some(x.to_ne_bytes()),
            Argument::Count(n) => {
                let mut eight = [0; 8];
                eight[..4].copy_from_slice(&n.to_ne_bytes());
                Some(eight)
            }
            Argument::Shared(_) => None,
        };
        let mut values: Vec<u64> = arguments.iter().filter_map(bits).map(u64::from_ne_bytes).collect();
        let mut pointers: Vec<*mut c_void> = values.iter_mut().map(|v| std::ptr::from_mut(v).cast()).collect();
        let (grid, block) = ((groups as u32, 1, 1), (size as u32, 1, 1));
        // SAFETY: number and kinds of the arguments are the kernel's, as said beside its source; it stays inside the
        // memory it is given, see `engine.rs`.
        unsafe { result::launch_kernel(self.kernels[kernel], grid, block, 0, self.queues[queue], &mut pointers) }
            .map_err(|e| lost(&self.info, what, &e))
    }

    fn finish(&mut self, queue: usize) -> Result<(), DeviceError> {
        let what = "running a kernel";
        self.enter(what)?;
        // SAFETY: a stream of this context.
        unsafe { stream::synchronize(self.queues[queue]) }.map_err(|e| lost(&self.info, what, &e))
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        self.release();
        // SAFETY: each was made here, once, and is not used after this. What fails has been given up by the driver.
        unsafe {
            for q in self.queues.drain(..) {
                let _ = stream::destroy(q);
            }
            for m in self.modules.drain(..) {
                let _ = module::unload(m);
            }
            let _ = primary_ctx::release(self.device);
        }
    }
}
