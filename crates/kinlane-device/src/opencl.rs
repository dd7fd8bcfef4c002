//! OpenCL devices.

use crate::driver::{Argument, Driver, Memory, QUEUES, Staging};
use crate::{Api, DeviceError, Info, cache};
use cl3::command_queue::{self as queues, CL_BLOCKING, CL_NON_BLOCKING};
use cl3::device::{self, CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU};
use cl3::error_codes::{DLOPEN_RUNTIME_LOAD_FAILED, error_text};
use cl3::info_type::InfoType;
use cl3::memory::{self, CL_MAP_READ, CL_MAP_WRITE, CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_WRITE};
use cl3::program::{self, CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_LOG};
use cl3::types::{cl_device_id, cl_event, cl_int};
use cl3::{context, event, kernel, platform};
use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::OnceLock;

/// "No platform with a device": the loader's answer if no driver is installed.
const NO_PLATFORM: i32 = -1001;
/// Codes for "no memory". Drivers allocate when memory is first used, so any call may return them.
const OUT_OF_MEMORY: [i32; 4] = [-4, -5, -6, -61];

/// Threads that run in step, if a device does not tell.
const WIDTH: usize = 32;

fn ids() -> Result<Vec<(cl_device_id, String)>, DeviceError> {
    let absent = |code: cl_int| {
        let detail = format!("{} ({code})", error_text(code));
        match code {
            DLOPEN_RUNTIME_LOAD_FAILED => {
                DeviceError::NoLoader { api: Api::OpenCl, detail: "the library libOpenCL cannot be loaded".to_owned() }
            }
            NO_PLATFORM => {
                let detail = "the loader finds no driver".to_owned();
                DeviceError::NoDevice { api: Api::OpenCl, detail }
            }
            _ => DeviceError::NoDevice { api: Api::OpenCl, detail },
        }
    };
    let platforms = platform::get_platform_ids().map_err(absent)?;
    let mut all = Vec::new();
    for p in platforms {
        // OpenCL returns an error for a platform without devices; here that is no error.
        let devices = device::get_device_ids(p, CL_DEVICE_TYPE_ALL).unwrap_or_default();
        let version =
            platform::get_platform_info(p, platform::CL_PLATFORM_VERSION).map_or_else(|_| String::new(), String::from);
        all.extend(devices.into_iter().map(|d| (d, version.clone())));
    }
    if all.is_empty() {
        return Err(DeviceError::NoDevice { api: Api::OpenCl, detail: "its drivers find no device".to_owned() });
    }
    Ok(all)
}

/// Every OpenCL device, with its handle. Searched for once: drivers have been seen to crash when several
/// threads ask for the first time.
fn found() -> &'static Result<Vec<(usize, Info)>, DeviceError> {
    static FOUND: OnceLock<Result<Vec<(usize, Info)>, DeviceError>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let all = ids()?.into_iter().enumerate();
        Ok(all.map(|(index, (id, platform))| (id as usize, describe(index, id, &platform))).collect())
    })
}

fn describe(index: usize, id: cl_device_id, platform: &str) -> Info {
    let ask = |what| device::get_device_info(id, what).ok();
    let text = |what| ask(what).map_or_else(String::new, |t| String::from(t).trim().to_owned());
    let number = |what| {
        ask(what).map(|answer| match answer {
            InfoType::Uint(n) => u64::from(n),
            InfoType::Ulong(n) => n,
            InfoType::Size(n) => n as u64,
            _ => 0,
        })
    };
    let cpu = number(device::CL_DEVICE_TYPE).is_some_and(|kinds| kinds & CL_DEVICE_TYPE_CPU != 0);
    let width = number(device::CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE).map_or(WIDTH, |n| n as usize);
    Info {
        api: Api::OpenCl,
        index,
        name: text(device::CL_DEVICE_NAME),
        driver: format!("{}, {platform}", text(device::CL_DRIVER_VERSION)),
        memory: number(device::CL_DEVICE_GLOBAL_MEM_SIZE).unwrap_or(0),
        largest: number(device::CL_DEVICE_MAX_MEM_ALLOC_SIZE).unwrap_or(0),
        shared: number(device::CL_DEVICE_LOCAL_MEM_SIZE).unwrap_or(0) as usize,
        doubles: number(device::CL_DEVICE_DOUBLE_FP_CONFIG).is_some_and(|c| c != 0),
        cpu,
        units: number(device::CL_DEVICE_MAX_COMPUTE_UNITS).unwrap_or(1).max(1) as usize,
        // A thread of a CPU runs alone.
        width: if cpu { 1 } else { width.max(1) },
    }
}

/// Every OpenCL device.
pub fn list() -> Result<Vec<Info>, DeviceError> {
    let all = found().as_ref().map_err(Clone::clone)?;
    Ok(all.iter().map(|(_, info)| info.clone()).collect())
}

/// Opens a device from [`list`].
pub fn open(info: Info) -> Result<Box<dyn Driver>, DeviceError> {
    let all = found().as_ref().map_err(Clone::clone)?;
    let missing = DeviceError::Index { api: Api::OpenCl, index: info.index, found: all.len() };
    let (id, _) = all.get(info.index).ok_or(missing)?;
    let device = *id as cl_device_id;
    let fail = |code| lost(&info, "opening it", code);
    let context = context::create_context(&[device], ptr::null(), None, ptr::null_mut()).map_err(fail)?;
    let context = Object { handle: context, release: context::release_context };
    let mut queues = Vec::new();
    for _ in 0..QUEUES {
        // The newer call is missing in OpenCL 1.2.
        // SAFETY: the device belongs to the context.
        let queue = unsafe { queues::create_command_queue(context.handle, device, 0) }.map_err(fail)?;
        queues.push(Object { handle: queue, release: queues::release_command_queue });
    }
    let (kernels, memory, staging) = (Vec::new(), Vec::new(), Vec::new());
    Ok(Box::new(OpenCl { staging, memory, kernels, queues, context, device, info }))
}

/// An object of the driver, given back at the end. A driver that has lost its device may refuse it: nobody could do anything
/// about that.
struct Object {
    handle: *mut c_void,
    release: unsafe fn(*mut c_void) -> Result<(), cl_int>,
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: made by the driver, counted once, and not used afterwards.
        let _ = unsafe { (self.release)(self.handle) };
    }
}

/// What a call has started need not be waited for: queues are.
fn forget(started: Result<cl_event, cl_int>) -> Result<(), cl_int> {
    started.map(|handle| drop(Object { handle, release: event::release_event }))
}

/// A buffer, and the host memory into which it is mapped.
struct Host {
    buffer: Object,
    start: *mut f64,
    len: usize,
}

// The fields are dropped in this order: the context comes after what depends on it.
struct OpenCl {
    staging: Vec<Host>,
    /// Memory, and its size \[bytes\].
    memory: Vec<(Object, usize)>,
    /// Kernels, each with its program.
    kernels: Vec<[Object; 2]>,
    queues: Vec<Object>,
    context: Object,
    device: cl_device_id,
    info: Info,
}

// SAFETY: OpenCL's objects may be used from any thread, a kernel from one at a time, which `&mut self`
// ensures; the mapped memory belongs to this struct alone.
unsafe impl Send for OpenCl {}

// SAFETY: the shared methods of `Driver` only read plain data.
unsafe impl Sync for OpenCl {}

fn lost(info: &Info, what: &'static str, code: cl_int) -> DeviceError {
    DeviceError::Lost { device: info.to_string(), what, code: error_text(code).to_owned() }
}

impl OpenCl {
    fn lost(&self, doing: &'static str) -> impl Fn(cl_int) -> DeviceError + use<> {
        self.failed(doing, "the batch", 0)
    }

    /// As [`OpenCl::lost`], of a call that allocates so many bytes.
    fn short(&self, what: &'static str, bytes: usize) -> impl Fn(cl_int) -> DeviceError + use<> {
        self.failed("giving memory", what, bytes as u64)
    }

    fn failed(&self, doing: &'static str, what: &'static str, need: u64) -> impl Fn(cl_int) -> DeviceError + use<> {
        let info = self.info.clone();
        move |code| match code {
            code if OUT_OF_MEMORY.contains(&code) => DeviceError::Memory { device: info.to_string(), what, need },
            code => lost(&info, doing, code),
        }
    }

    fn compiled(&self, program: &Object) -> Result<(), cl_int> {
        // Warnings are for those who write kernels: PoCL counts them on stderr.
        program::build_program(program.handle, &[self.device], c"-w", None, ptr::null_mut())
    }

    fn build(&self, source: &str, name: &'static str) -> Result<Object, DeviceError> {
        let of = |handle| Object { handle, release: program::release_program };
        // PoCL keeps what it has compiled by itself, and would compile it once more for a binary, for work groups of any size.
        let stored = !self.info.driver.contains("PoCL");
        let key = cache::key(&[source, &self.info.name, &self.info.driver, "opencl"]);
        if stored
            && let Some(binary) = cache::load(&key)
            // SAFETY: this device's driver has returned these bytes for the same source.
            && let Ok(made) = unsafe { program::create_program_with_binary(self.context.handle, &[self.device], &[&binary]) }
        {
            let program = of(made);
            if self.compiled(&program).is_ok() {
                return Ok(program);
            }
        }
        let made = program::create_program_with_source(self.context.handle, &[source]);
        let program = of(made.map_err(self.lost("taking a kernel's source"))?);
        if let Err(code) = self.compiled(&program) {
            let log = program::get_program_build_info(program.handle, self.device, CL_PROGRAM_BUILD_LOG);
            let log = log.map_or_else(|_| String::new(), |log| String::from(log).trim().to_owned());
            return Err(match log.is_empty() {
                true => self.lost("compiling a kernel")(code),
                false => DeviceError::Compile { device: self.info.to_string(), kernel: name, log },
            });
        }
        if stored
            && let Ok(InfoType::VecVecUchar(binaries)) = program::get_program_info(program.handle, CL_PROGRAM_BINARIES)
            && let Some(binary) = binaries.first()
        {
            cache::store(&key, binary);
        }
        Ok(program)
    }
}

impl Driver for OpenCl {
    fn info(&self) -> &Info {
        &self.info
    }

    fn kernel(&mut self, source: &str, name: &'static str) -> Result<usize, DeviceError> {
        let program = self.build(source, name)?;
        let c_name = CString::new(name).unwrap_or_default();
        let kernel = kernel::create_kernel(program.handle, &c_name).map_err(self.lost("making a kernel ready"))?;
        self.kernels.push([Object { handle: kernel, release: kernel::release_kernel }, program]);
        Ok(self.kernels.len() - 1)
    }

    fn resident(&self, _kernel: usize, _size: usize) -> usize {
        // OpenCL cannot be asked for this; sixteen groups in step hide the latency of memory.
        self.info.units * if self.info.cpu { 1 } else { 16 * self.info.width }
    }

    fn memory(&mut self, bytes: usize, what: &'static str) -> Result<Memory, DeviceError> {
        // OpenCL has no memory of size zero, nor could it be cleared.
        let bytes = bytes.max(8);
        // SAFETY: no host memory is passed.
        let made = unsafe { memory::create_buffer(self.context.handle, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) };
        let handle = made.map_err(self.short(what, bytes))?;
        self.memory.push((Object { handle, release: memory::release_mem_object }, bytes));
        let m = Memory(self.memory.len() - 1);
        self.zero(0, m, bytes)?;
        self.finish(0)?;
        Ok(m)
    }

    fn staging(&mut self, numbers: usize) -> Result<Staging, DeviceError> {
        let len = numbers.max(1);
        let short = self.short("copies to and from it", 8 * len);
        let flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
        // SAFETY: no host memory is passed.
        let made = unsafe { memory::create_buffer(self.context.handle, flags, 8 * len, ptr::null_mut()) };
        let buffer = Object { handle: made.map_err(&short)?, release: memory::release_mem_object };
        let mut start = ptr::null_mut();
        let (queue, access) = (self.queues[0].handle, CL_MAP_READ | CL_MAP_WRITE);
        // SAFETY: the whole of the buffer made above; it stays mapped until it is released.
        let mapped = unsafe {
            queues::enqueue_map_buffer(
                queue,
                buffer.handle,
                CL_BLOCKING,
                access,
                0,
                8 * len,
                &mut start,
                0,
                ptr::null(),
            )
        };
        forget(mapped).map_err(&short)?;
        self.staging.push(Host { buffer, start: start.cast(), len });
        let s = Staging(self.staging.len() - 1);
        self.host(s).fill(0.0);
        Ok(s)
    }

    fn release(&mut self) {
        for queue in &self.queues {
            let _ = queues::finish(queue.handle);
        }
        for h in self.staging.drain(..) {
            let queue = self.queues[0].handle;
            // SAFETY: mapped in `staging`; no slice of it is alive, since `host` borrows `self`, and no copy from or to it is
            // under way, since all queues have finished.
            let unmapped =
                unsafe { queues::enqueue_unmap_mem_object(queue, h.buffer.handle, h.start.cast(), 0, ptr::null()) };
            if forget(unmapped).is_ok() {
                let _ = queues::finish(queue);
            }
        }
        self.memory.clear();
    }

    fn host(&mut self, s: Staging) -> &mut [f64] {
        let h = &self.staging[s.0];
        // SAFETY: mapped for `len` numbers, all of them set in `staging`, and borrowed from `self`.
        unsafe { std::slice::from_raw_parts_mut(h.start, h.len) }
    }

    fn write(&mut self, to: Memory, bytes: &[u8]) -> Result<(), DeviceError> {
        let ((m, len), queue, n) = (&self.memory[to.0], self.queues[0].handle, bytes.len());
        assert!(n <= *len, "{n} of {len} bytes");
        // SAFETY: within the memory; the call blocks, so the bytes are alive long enough.
        let done = unsafe {
            queues::enqueue_write_buffer(queue, m.handle, CL_BLOCKING, 0, n, bytes.as_ptr().cast(), 0, ptr::null())
        };
        forget(done).map_err(self.lost("copying to it"))
    }

    fn upload(&mut self, queue: usize, from: Staging, to: Memory, numbers: usize) -> Result<(), DeviceError> {
        let (h, (m, len), bytes) = (&self.staging[from.0], &self.memory[to.0], 8 * numbers);
        assert!(numbers <= h.len && bytes <= *len, "{numbers} of {} numbers, {len} bytes", h.len);
        let queue = self.queues[queue].handle;
        // SAFETY: within both; the mapped memory lives until `release`, and the caller finishes the queue before writing there.
        let started = unsafe {
            queues::enqueue_write_buffer(queue, m.handle, CL_NON_BLOCKING, 0, bytes, h.start.cast(), 0, ptr::null())
        };
        forget(started).map_err(self.lost("copying to it"))
    }

    fn download(&mut self, queue: usize, from: Memory, to: Staging, numbers: usize) -> Result<(), DeviceError> {
        let fail = self.lost("copying from it");
        let (h, (m, len), bytes) = (&self.staging[to.0], &self.memory[from.0], 8 * numbers);
        assert!(numbers <= h.len && bytes <= *len, "{numbers} of {} numbers, {len} bytes", h.len);
        let queue = self.queues[queue].handle;
        // SAFETY: as in `upload`.
        let started = unsafe {
            queues::enqueue_read_buffer(queue, m.handle, CL_NON_BLOCKING, 0, bytes, h.start.cast(), 0, ptr::null())
        };
        forget(started).map_err(&fail)?;
        queues::flush(queue).map_err(fail)
    }

    fn zero(&mut self, queue: usize, m: Memory, bytes: usize) -> Result<(), DeviceError> {
        let ((m, len), zero) = (&self.memory[m.0], 0u8);
        assert!(bytes <= *len, "{bytes} of {len} bytes");
        let queue = self.queues[queue].handle;
        // SAFETY: within the memory; the pattern is copied by the call.
        let started = unsafe {
            queues::enqueue_fill_buffer(queue, m.handle, (&raw const zero).cast(), 1, 0, bytes, 0, ptr::null())
        };
        forget(started).map_err(self.lost("clearing its memory"))
    }

    fn launch(
        &mut self,
        queue: usize,
        kernel: usize,
        groups: usize,
        size: usize,
        arguments: &[Argument],
    ) -> Result<(), DeviceError> {
        let fail = self.lost("starting a kernel");
        let kernel = self.kernels[kernel][0].handle;
        for (i, a) in arguments.iter().enumerate() {
            let (bytes, value): (usize, *const c_void) = match a {
                Argument::Memory(m) => (size_of::<*mut c_void>(), (&raw const self.memory[m.0].0.handle).cast()),
                Argument::Count(n) => (size_of_val(n), ptr::from_ref(n).cast()),
                Argument::Number(x) => (size_of_val(x), ptr::from_ref(x).cast()),
                Argument::Shared(0) => continue,
                Argument::Shared(bytes) => (*bytes, ptr::null()),
            };
            // SAFETY: the value is alive, and OpenCL checks number and sizes; that the kinds are those of the kernel is noted
            // beside its source.
            unsafe { kernel::set_kernel_arg(kernel, i as u32, bytes, value) }.map_err(&fail)?;
        }
        let (global, local, queue) = ([groups * size], [size], self.queues[queue].handle);
        // SAFETY: the sizes are alive; the kernel stays within the memory that it is given, see
        // `Device::launch`.
        let started = unsafe {
            let (all, of_group) = (global.as_ptr(), local.as_ptr());
            queues::enqueue_nd_range_kernel(queue, kernel, 1, ptr::null(), all, of_group, 0, ptr::null())
        };
        forget(started).map_err(&fail)?;
        queues::flush(queue).map_err(fail)
    }

    fn finish(&mut self, queue: usize) -> Result<(), DeviceError> {
        queues::finish(self.queues[queue].handle).map_err(self.lost("running a kernel"))
    }
}

impl Drop for OpenCl {
    fn drop(&mut self) {
        self.release();
    }
}
