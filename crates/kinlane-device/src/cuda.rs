//! CUDA devices, through the driver's own library.

mod library;

use crate::driver::{Argument, Driver, Footprint, Memory, QUEUES, Staging};
use crate::{Api, DeviceError, Info, cache, nvcc, nvrtc};
use kinlane_kernels::WARP;
use library::{Calls, Device, Failure, Handle, Pointer, number};
use std::ffi::{CStr, CString, c_int, c_void};

/// The oldest driver version with all functions that are used here: CUDA 11.4.
const OLDEST: i32 = 11_040;

fn absent(detail: String) -> DeviceError {
    DeviceError::NoDevice { api: Api::Cuda, detail }
}

/// Finds and initialises the library. Also returns the version that it supports.
fn wake() -> Result<(&'static Calls, i32), DeviceError> {
    let calls = Calls::find().map_err(|detail| DeviceError::NoLoader { api: Api::Cuda, detail })?;
    let mut version = 0;
    // SAFETY: `version` is alive during the call.
    unsafe {
        calls.check((calls.init)(0)).map_err(|e| absent(e.name))?;
        calls.check((calls.version)(&mut version)).map_err(|e| absent(e.name))?;
    }
    let text = |v: i32| format!("{}.{}", v / 1000, v % 1000 / 10);
    if version < OLDEST {
        return Err(absent(format!("the driver serves CUDA {}, at least {} is needed", text(version), text(OLDEST))));
    }
    Ok((calls, version))
}

/// Every CUDA device.
pub fn list() -> Result<Vec<Info>, DeviceError> {
    let (calls, version) = wake()?;
    let mut count = 0;
    // SAFETY: `count` is alive during the call.
    calls.check(unsafe { (calls.device_count)(&mut count) }).map_err(|e| absent(e.name))?;
    if count == 0 {
        return Err(absent("the driver finds no card".to_owned()));
    }
    (0..count)
        .map(|i| {
            let d = device(calls, i).map_err(|e| absent(e.name))?;
            let mut name = [0; 128];
            let mut memory = 0;
            // SAFETY: `d` is a device of this driver, and there is room for the answers.
            let named = unsafe { (calls.device_name)(name.as_mut_ptr(), name.len() as c_int - 1, d) } == 0;
            // SAFETY: as above.
            let _ = unsafe { (calls.device_memory)(&mut memory, d) };
            // SAFETY: the last byte is zero.
            let name = named.then(|| unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned());
            let (major, minor) = capability(calls, d);
            Ok(Info {
                api: Api::Cuda,
                index: i as usize,
                name: name.unwrap_or_default(),
                driver: format!("CUDA {}.{}, sm_{major}{minor}", version / 1000, version % 1000 / 10),
                memory: memory as u64,
                largest: memory as u64,
                shared: attribute(calls, d, number::SHARED_PER_MULTIPROCESSOR) as usize,
                doubles: true,
                cpu: false,
                units: attribute(calls, d, number::MULTIPROCESSORS).max(1) as usize,
                width: WARP,
            })
        })
        .collect()
}

fn device(calls: &Calls, index: c_int) -> Result<Device, Failure> {
    let mut d = 0;
    // SAFETY: `d` is alive during the call.
    calls.check(unsafe { (calls.device)(&mut d, index) }).map(|()| d)
}

fn attribute(calls: &Calls, d: Device, which: c_int) -> c_int {
    let mut value = 0;
    // SAFETY: `value` is alive, and the device is one of this driver.
    let code = unsafe { (calls.device_attribute)(&mut value, which, d) };
    if code == 0 { value.max(0) } else { 0 }
}

fn capability(calls: &Calls, d: Device) -> (c_int, c_int) {
    (attribute(calls, d, number::CAPABILITY_MAJOR), attribute(calls, d, number::CAPABILITY_MINOR))
}

/// Opens a device from [`list`].
pub fn open(info: Info) -> Result<Box<dyn Driver>, DeviceError> {
    let (calls, version) = wake()?;
    let what = "opening it";
    let d = device(calls, info.index as c_int).map_err(|e| lost(&info, what, e))?;
    let mut context = Handle::NONE;
    // SAFETY: a device of this driver; released when the struct is dropped.
    calls.check(unsafe { (calls.retain)(&mut context, d) }).map_err(|e| lost(&info, what, e))?;
    let mut cuda = Cuda {
        calls,
        version,
        device: d,
        context,
        queues: Vec::new(),
        kernels: Vec::new(),
        modules: Vec::new(),
        memory: Vec::new(),
        staging: Vec::new(),
        info,
    };
    let _current = cuda.enter(what)?;
    for _ in 0..QUEUES {
        let mut q = Queue { stream: Handle::NONE, done: Handle::NONE };
        // SAFETY: the handles are alive; what is created is destroyed in `drop`.
        let mut made = cuda.ask(what, unsafe { (calls.stream)(&mut q.stream, number::NON_BLOCKING) });
        if made.is_ok() {
            // SAFETY: as above.
            made = cuda.ask(what, unsafe { (calls.event)(&mut q.done, number::SLEEP_WITHOUT_TIME) });
        }
        // A stream without its event, too.
        cuda.queues.push(q);
        made?;
    }
    Ok(Box::new(cuda))
}

/// A stream, and the event with which its end is awaited: the waiting thread sleeps, where waiting for a
/// stream would spin.
#[derive(Clone, Copy)]
struct Queue {
    stream: Handle,
    done: Handle,
}

struct Cuda {
    calls: &'static Calls,
    /// The CUDA version that the driver supports, as 12040.
    version: i32,
    device: Device,
    context: Handle,
    queues: Vec<Queue>,
    kernels: Vec<Handle>,
    modules: Vec<Handle>,
    memory: Vec<(Pointer, usize)>,
    staging: Vec<(*mut f64, usize)>,
    info: Info,
}

// SAFETY: handles of the driver are valid in every thread once the context is current there, which every call
// ensures; the pinned memory belongs to this struct alone.
unsafe impl Send for Cuda {}

// SAFETY: the shared methods only read plain data and query the driver, which may be done from any thread.
unsafe impl Sync for Cuda {}

fn lost(info: &Info, what: &'static str, e: Failure) -> DeviceError {
    DeviceError::Lost { device: info.to_string(), what, code: e.name }
}

/// While it lives, the context is current in this thread; then the previous one is again, since the thread
/// may belong to a host code.
struct Current(&'static Calls);

impl Drop for Current {
    fn drop(&mut self) {
        let mut ours = Handle::NONE;
        // SAFETY: the context was pushed in this thread when this was made.
        let _ = unsafe { (self.0.pop)(&mut ours) };
    }
}

impl Cuda {
    fn enter(&self, what: &'static str) -> Result<Current, DeviceError> {
        // SAFETY: the context is retained until `drop`.
        self.ask(what, unsafe { (self.calls.push)(self.context) })?;
        Ok(Current(self.calls))
    }

    /// The code of a call as a result.
    fn ask(&self, what: &'static str, code: c_int) -> Result<(), DeviceError> {
        self.calls.check(code).map_err(|e| lost(&self.info, what, e))
    }

    /// As [`Cuda::ask`], for a call that allocates memory.
    fn given(&self, what: &'static str, need: usize, code: c_int) -> Result<(), DeviceError> {
        self.calls.check(code).map_err(|e| {
            if e.is_memory() {
                return DeviceError::Memory { device: self.info.to_string(), what, need: need as u64 };
            }
            lost(&self.info, "giving memory", e)
        })
    }

    /// Number of groups of `size` threads that fit on a multiprocessor.
    fn groups(&self, kernel: usize, size: usize) -> Option<usize> {
        let _current = self.enter("planning").ok()?;
        let mut n = 0;
        // SAFETY: a function of a loaded module; `n` is alive during the call.
        let code = unsafe { (self.calls.blocks)(&mut n, self.kernels[kernel], size as c_int, 0) };
        (code == 0).then_some(n.max(0) as usize)
    }

    /// Machine code for this card; from compilers that do not know the card, code that its driver compiles.
    fn image(&self, source: &str, name: &'static str) -> Result<Vec<u8>, DeviceError> {
        let (major, minor) = capability(self.calls, self.device);
        let refused = |log| DeviceError::Compile { device: self.info.to_string(), kernel: name, log };
        // A driver loads code from compilers of its own major version or older.
        let compiled = match (nvrtc::best(self.version / 1000, 10 * major + minor), nvcc::find()) {
            (Ok((nvrtc, target)), _) => nvrtc.compile(source, &target),
            (Err(_), Some(nvcc)) => nvcc::compile(&nvcc, source, &format!("sm_{major}{minor}")),
            (Err(absent), None) => return Err(absent),
        };
        compiled.map(|(image, _)| image).map_err(refused)
    }

    /// Loads the module of a kernel, from the cache or after compiling it.
    fn module(&self, source: &str, name: &'static str) -> Result<Handle, DeviceError> {
        let (major, minor) = capability(self.calls, self.device);
        // A kernel compiled with another version is as good; so a machine without NVRTC can use it.
        let architecture = format!("sm_{major}{minor}");
        let mut parts = vec![source, &architecture, "cuda"];
        parts.extend(nvrtc::Nvrtc::OPTIONS);
        let key = cache::key(&parts);
        let mut module = Handle::NONE;
        let mut load = |image: &[u8]| {
            // SAFETY: an image from a compiler, ending with a zero if it is text, and alive during the call.
            self.calls.check(unsafe { (self.calls.module)(&mut module, image.as_ptr().cast()) })
        };
        // A kernel stored by another machine, with a compiler too new for this driver, is compiled again.
        if cache::load(&key).is_none_or(|image| load(&image).is_err()) {
            let image = self.image(source, name)?;
            load(&image).map_err(|e| lost(&self.info, "loading a kernel", e))?;
            cache::store(&key, &image);
        }
        Ok(module)
    }
}

impl Driver for Cuda {
    fn info(&self) -> &Info {
        &self.info
    }

    fn kernel(&mut self, source: &str, name: &'static str) -> Result<usize, DeviceError> {
        let what = "loading a kernel";
        let _current = self.enter(what)?;
        let module = self.module(source, name)?;
        self.modules.push(module);
        let c_name = CString::new(name).unwrap_or_default();
        let mut f = Handle::NONE;
        // SAFETY: the module stays loaded until `drop`; the name is alive during the call.
        self.ask(what, unsafe { (self.calls.module_function)(&mut f, module, c_name.as_ptr()) })?;
        self.kernels.push(f);
        Ok(self.kernels.len() - 1)
    }

    fn resident(&self, kernel: usize, size: usize) -> usize {
        self.info.units * size * self.groups(kernel, size).unwrap_or(1).max(1)
    }

    fn footprint(&self, kernel: usize, size: usize) -> Option<Footprint> {
        let groups = self.groups(kernel, size)?;
        let _current = self.enter("planning").ok()?;
        let of = |which: c_int| {
            let mut value = 0;
            // SAFETY: a function of a loaded module; `value` is alive during the call.
            let code = unsafe { (self.calls.function_attribute)(&mut value, which, self.kernels[kernel]) };
            (code == 0).then_some(value.max(0) as usize)
        };
        Some(Footprint {
            registers: of(number::FUNCTION_REGISTERS)?,
            local: of(number::FUNCTION_LOCAL)?,
            shared: of(number::FUNCTION_SHARED)?,
            groups,
        })
    }

    fn memory(&mut self, bytes: usize, what: &'static str) -> Result<Memory, DeviceError> {
        let _current = self.enter("giving memory")?;
        let bytes = bytes.max(8);
        let mut at = 0;
        // SAFETY: `at` is alive; freed in `release`.
        self.given(what, bytes, unsafe { (self.calls.memory)(&mut at, bytes) })?;
        self.memory.push((at, bytes));
        let m = Memory(self.memory.len() - 1);
        self.zero(0, m, bytes)?;
        self.finish(0)?;
        Ok(m)
    }

    fn staging(&mut self, numbers: usize) -> Result<Staging, DeviceError> {
        let _current = self.enter("giving memory")?;
        let len = numbers.max(1);
        let mut at = std::ptr::null_mut();
        // SAFETY: `at` is alive; pinned memory for `len` numbers, freed in `release`.
        let code = unsafe { (self.calls.host_memory)(&mut at, 8 * len, 0) };
        self.given("copies to and from it", 8 * len, code)?;
        // SAFETY: the memory has the length that was asked for; all-zero bytes are valid numbers.
        unsafe { at.cast::<f64>().write_bytes(0, len) };
        self.staging.push((at.cast(), len));
        Ok(Staging(self.staging.len() - 1))
    }

    fn release(&mut self) {
        let Ok(_current) = self.enter("giving memory up") else { return }; // the driver has released it already
        for q in 0..self.queues.len() {
            let _ = self.finish(q);
        }
        for (at, _) in self.memory.drain(..) {
            // SAFETY: allocated by `memory`, and no queue uses it any more.
            let _ = unsafe { (self.calls.memory_free)(at) };
        }
        for (at, _) in self.staging.drain(..) {
            // SAFETY: allocated by `staging`, and no queue uses it any more.
            let _ = unsafe { (self.calls.host_memory_free)(at.cast::<c_void>()) };
        }
    }

    fn host(&mut self, s: Staging) -> &mut [f64] {
        let (start, len) = self.staging[s.0];
        // SAFETY: pinned memory for `len` numbers, all set in `staging`, and borrowed from `self`.
        unsafe { std::slice::from_raw_parts_mut(start, len) }
    }

    fn write(&mut self, to: Memory, bytes: &[u8]) -> Result<(), DeviceError> {
        let what = "copying to it";
        let _current = self.enter(what)?;
        let (at, len) = self.memory[to.0];
        assert!(bytes.len() <= len, "{} of {len} bytes", bytes.len());
        // Not the synchronous copy: from memory that is not pinned it returns before the bytes have arrived,
        // and no stream here waits for them.
        // SAFETY: within the memory; the bytes stay alive until the stream has been waited for.
        let code = unsafe { (self.calls.to_device)(at, bytes.as_ptr().cast(), bytes.len(), self.queues[0].stream) };
        self.ask(what, code)?;
        self.finish(0)
    }

    fn upload(&mut self, queue: usize, from: Staging, to: Memory, numbers: usize) -> Result<(), DeviceError> {
        let what = "copying to it";
        let _current = self.enter(what)?;
        let ((start, have), (at, len)) = (self.staging[from.0], self.memory[to.0]);
        assert!(numbers <= have && 8 * numbers <= len, "{numbers} of {have} numbers, {len} bytes");
        // SAFETY: within both; the host's memory lives until `release`, and the caller finishes the queue
        // before writing there again.
        let code = unsafe { (self.calls.to_device)(at, start.cast(), 8 * numbers, self.queues[queue].stream) };
        self.ask(what, code)
    }

    fn download(&mut self, queue: usize, from: Memory, to: Staging, numbers: usize) -> Result<(), DeviceError> {
        let what = "copying from it";
        let _current = self.enter(what)?;
        let ((start, have), (at, len)) = (self.staging[to.0], self.memory[from.0]);
        assert!(numbers <= have && 8 * numbers <= len, "{numbers} of {have} numbers, {len} bytes");
        // SAFETY: as in `upload`.
        let code = unsafe { (self.calls.to_host)(start.cast(), at, 8 * numbers, self.queues[queue].stream) };
        self.ask(what, code)
    }

    fn zero(&mut self, queue: usize, m: Memory, bytes: usize) -> Result<(), DeviceError> {
        let what = "clearing its memory";
        let _current = self.enter(what)?;
        let (at, len) = self.memory[m.0];
        assert!(bytes <= len, "{bytes} of {len} bytes");
        // SAFETY: within the memory.
        let code = unsafe { (self.calls.fill)(at, 0, bytes, self.queues[queue].stream) };
        self.ask(what, code)
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
        let _current = self.enter(what)?;
        // Eight bytes hold an argument of any kind; the driver reads as many of them as the kernel declares,
        // from the first.
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
        let (f, stream, none) = (self.kernels[kernel], self.queues[queue].stream, std::ptr::null_mut());
        let (groups, size) = (groups as u32, size as u32);
        // SAFETY: number and kinds of the arguments are those of the kernel, as noted beside its source; it
        // stays within the memory that it is given, see `Device::launch`.
        let code = unsafe { (self.calls.launch)(f, groups, 1, 1, size, 1, 1, 0, stream, pointers.as_mut_ptr(), none) };
        self.ask(what, code)
    }

    fn finish(&mut self, queue: usize) -> Result<(), DeviceError> {
        let what = "running a kernel";
        let _current = self.enter(what)?;
        let Queue { stream, done } = self.queues[queue];
        // SAFETY: a stream and an event of this context.
        self.ask(what, unsafe { (self.calls.event_record)(done, stream) })?;
        // SAFETY: as above.
        self.ask(what, unsafe { (self.calls.event_wait)(done) })
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        self.release();
        let current = self.enter("closing it");
        // SAFETY: each was made here, once, and is not used afterwards. What fails to be destroyed the driver
        // has released.
        unsafe {
            for q in self.queues.drain(..) {
                let _ = (self.calls.event_destroy)(q.done);
                let _ = (self.calls.stream_destroy)(q.stream);
            }
            for m in self.modules.drain(..) {
                let _ = (self.calls.module_unload)(m);
            }
            drop(current);
            let _ = (self.calls.release)(self.device);
        }
    }
}
