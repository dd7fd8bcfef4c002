//! OpenCL devices.

use crate::driver::{Argument, Driver, Memory, QUEUES, Staging};
use crate::{Api, DeviceError, Info, cache};
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, Device};
use opencl3::error_codes::{ClError, DLOPEN_RUNTIME_LOAD_FAILED};
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer, CL_MAP_READ, CL_MAP_WRITE, CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_WRITE, ClMem};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::{CL_BLOCKING, CL_NON_BLOCKING, cl_device_id};
use std::ptr;
use std::sync::OnceLock;

/// "No platform with a device": the loader's answer if no driver is installed.
const NO_PLATFORM: i32 = -1001;
const OUT_OF_MEMORY: [i32; 4] = [-4, -5, -6, -61];

/// Threads that run in step, if a device does not tell.
const WIDTH: usize = 32;

fn ids() -> Result<Vec<(cl_device_id, String)>, DeviceError> {
    let absent = |e: ClError| {
        let detail = format!("{e} ({})", e.0);
        match e.0 {
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
    let platforms = get_platforms().map_err(absent)?;
    let mut all = Vec::new();
    for p in platforms {
        // OpenCL returns an error for a platform without devices; here that is no error.
        let devices = p.get_devices(CL_DEVICE_TYPE_ALL).unwrap_or_default();
        let version = p.version().unwrap_or_default();
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
    let d = Device::new(id);
    let text = |t: Result<String, ClError>| t.unwrap_or_default().trim().to_owned();
    let cpu = d.dev_type().is_ok_and(|t| t & CL_DEVICE_TYPE_CPU != 0);
    Info {
        api: Api::OpenCl,
        index,
        name: text(d.name()),
        driver: format!("{}, {platform}", text(d.driver_version())),
        memory: d.global_mem_size().unwrap_or(0),
        largest: d.max_mem_alloc_size().unwrap_or(0),
        shared: d.local_mem_size().unwrap_or(0) as usize,
        doubles: d.double_fp_config().is_ok_and(|c| c != 0),
        cpu,
        units: d.max_compute_units().unwrap_or(1).max(1) as usize,
        // A thread of a CPU runs alone.
        width: if cpu { 1 } else { d.preferred_work_group_size_multiple().unwrap_or(WIDTH).max(1) },
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
    let device = Device::new(*id as cl_device_id);
    let fail = |e: ClError| lost(&info, "opening it", e);
    let context = Context::from_device(&device).map_err(fail)?;
    let mut queues = Vec::new();
    for _ in 0..QUEUES {
        #[allow(deprecated, reason = "the newer call is missing in OpenCL 1.2")]
        // SAFETY: the device belongs to the context.
        queues.push(unsafe { CommandQueue::create(&context, device.id(), 0) }.map_err(fail)?);
    }
    let (kernels, memory, staging) = (Vec::new(), Vec::new(), Vec::new());
    Ok(Box::new(OpenCl { staging, memory, kernels, queues, context, device, info }))
}

/// A buffer, and the host memory into which it is mapped.
struct Host {
    buffer: Buffer<f64>,
    start: *mut f64,
    len: usize,
}

// The fields are dropped in this order: the context comes after what depends on it.
struct OpenCl {
    staging: Vec<Host>,
    memory: Vec<Buffer<u8>>,
    kernels: Vec<(Kernel, Program)>,
    queues: Vec<CommandQueue>,
    context: Context,
    device: Device,
    info: Info,
}

// SAFETY: OpenCL's objects may be used from any thread, a kernel from one at a time, which `&mut self`
// ensures; the mapped memory belongs to this struct alone.
unsafe impl Send for OpenCl {}

// SAFETY: the shared methods of `Driver` only read plain data.
unsafe impl Sync for OpenCl {}

fn lost(info: &Info, what: &'static str, e: ClError) -> DeviceError {
    DeviceError::Lost { device: info.to_string(), what, code: format!("{e}") }
}

impl OpenCl {
    fn lost(&self, what: &'static str) -> impl Fn(ClError) -> DeviceError + use<> {
        let info = self.info.clone();
        move |e| match e.0 {
            // Drivers allocate memory when it is first used, and report a failure here.
            code if OUT_OF_MEMORY.contains(&code) => {
                DeviceError::Memory { device: info.to_string(), what: "the batch", need: 0 }
            }
            _ => lost(&info, what, e),
        }
    }

    fn build(&self, source: &str, name: &'static str) -> Result<Program, DeviceError> {
        let key = cache::key(&[source, &self.info.name, &self.info.driver, "opencl"]);
        if let Some(binary) = cache::load(&key)
            // SAFETY: this device's driver has returned these bytes for the same source.
            && let Ok(mut p) = unsafe { Program::create_from_binary(&self.context, &[self.device.id()], &[&binary]) }
            && p.build(&[self.device.id()], "").is_ok()
        {
            return Ok(p);
        }
        let mut program =
            Program::create_from_source(&self.context, source).map_err(self.lost("taking a kernel's source"))?;
        if program.build(&[self.device.id()], "").is_err() {
            let log = program.get_build_log(self.device.id()).unwrap_or_default();
            return Err(DeviceError::Compile { device: self.info.to_string(), kernel: name, log });
        }
        if let Some(binary) = program.get_binaries().ok().and_then(|b| b.into_iter().next()) {
            cache::store(&key, &binary);
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
        let kernel = Kernel::create(&program, name).map_err(self.lost("making a kernel ready"))?;
        self.kernels.push((kernel, program));
        Ok(self.kernels.len() - 1)
    }

    fn resident(&self, _kernel: usize, _size: usize) -> usize {
        // OpenCL cannot be asked for this; sixteen groups in step hide the latency of memory.
        self.info.units * if self.info.cpu { 1 } else { 16 * self.info.width }
    }

    fn memory(&mut self, bytes: usize, what: &'static str) -> Result<Memory, DeviceError> {
        // OpenCL has no memory of size zero, nor could it be cleared.
        let bytes = bytes.max(8);
        let need = bytes as u64;
        let short = DeviceError::Memory { device: self.info.to_string(), what, need };
        // SAFETY: no host memory is passed.
        let buffer = unsafe { Buffer::create(&self.context, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) };
        self.memory.push(buffer.map_err(|_| short)?);
        let m = Memory(self.memory.len() - 1);
        self.zero(0, m, bytes)?;
        self.finish(0)?;
        Ok(m)
    }

    fn staging(&mut self, numbers: usize) -> Result<Staging, DeviceError> {
        let len = numbers.max(1);
        let need = 8 * len as u64;
        let short = |_| DeviceError::Memory { device: self.info.to_string(), what: "copies to and from it", need };
        let flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
        // SAFETY: no host memory is passed.
        let buffer = unsafe { Buffer::<f64>::create(&self.context, flags, len, ptr::null_mut()) }.map_err(short)?;
        let mut start = ptr::null_mut();
        // SAFETY: the whole of a buffer made above; it stays mapped until it is released.
        unsafe {
            self.queues[0].enqueue_map_buffer(
                &buffer,
                CL_BLOCKING,
                CL_MAP_READ | CL_MAP_WRITE,
                0,
                8 * len,
                &mut start,
                &[],
            )
        }
        .map_err(short)?;
        self.staging.push(Host { buffer, start: start.cast(), len });
        let s = Staging(self.staging.len() - 1);
        self.host(s).fill(0.0);
        Ok(s)
    }

    fn release(&mut self) {
        for queue in &self.queues {
            let _ = queue.finish();
        }
        for h in self.staging.drain(..) {
            // SAFETY: mapped in `staging`; no slice of it is alive, since `host` borrows `self`, and no copy from or to it is
            // under way, since all queues have finished.
            let unmapped = unsafe { self.queues[0].enqueue_unmap_mem_object(h.buffer.get(), h.start.cast(), &[]) };
            if unmapped.is_ok() {
                let _ = self.queues[0].finish();
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
        let fail = self.lost("copying to it");
        // SAFETY: the call blocks, so the bytes are alive long enough.
        unsafe { self.queues[0].enqueue_write_buffer(&mut self.memory[to.0], CL_BLOCKING, 0, bytes, &[]) }
            .map(drop)
            .map_err(fail)
    }

    fn upload(&mut self, queue: usize, from: Staging, to: Memory, numbers: usize) -> Result<(), DeviceError> {
        let fail = self.lost("copying to it");
        let h = &self.staging[from.0];
        assert!(numbers <= h.len, "{numbers} of {} numbers", h.len);
        // SAFETY: within mapped memory, which lives until `release`; the caller finishes the queue before
        // writing there.
        let bytes = unsafe { std::slice::from_raw_parts(h.start.cast::<u8>(), 8 * numbers) };
        // SAFETY: as above.
        unsafe { self.queues[queue].enqueue_write_buffer(&mut self.memory[to.0], CL_NON_BLOCKING, 0, bytes, &[]) }
            .map(drop)
            .map_err(fail)
    }

    fn download(&mut self, queue: usize, from: Memory, to: Staging, numbers: usize) -> Result<(), DeviceError> {
        let fail = self.lost("copying from it");
        let h = &self.staging[to.0];
        assert!(numbers <= h.len, "{numbers} of {} numbers", h.len);
        // SAFETY: as in `upload`.
        let bytes = unsafe { std::slice::from_raw_parts_mut(h.start.cast::<u8>(), 8 * numbers) };
        // SAFETY: as in `upload`.
        unsafe { self.queues[queue].enqueue_read_buffer(&self.memory[from.0], CL_NON_BLOCKING, 0, bytes, &[]) }
            .map(drop)
            .map_err(fail)?;
        self.queues[queue].flush().map_err(self.lost("copying from it"))
    }

    fn zero(&mut self, queue: usize, m: Memory, bytes: usize) -> Result<(), DeviceError> {
        let fail = self.lost("clearing its memory");
        // SAFETY: OpenCL checks the range against the buffer.
        unsafe { self.queues[queue].enqueue_fill_buffer(&mut self.memory[m.0], &[0u8], 0, bytes, &[]) }
            .map(drop)
            .map_err(fail)
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
        let k = &self.kernels[kernel].0;
        for (i, a) in arguments.iter().enumerate() {
            // SAFETY: OpenCL checks number and sizes; that the kinds are those of the kernel is noted beside
            // its source.
            unsafe {
                match a {
                    Argument::Memory(m) => k.set_arg(i as u32, &self.memory[m.0].get()),
                    Argument::Count(n) => k.set_arg(i as u32, n),
                    Argument::Number(x) => k.set_arg(i as u32, x),
                    Argument::Shared(0) => continue,
                    Argument::Shared(bytes) => k.set_arg_local_buffer(i as u32, *bytes),
                }
            }
            .map_err(&fail)?;
        }
        let (global, local) = ([groups * size], [size]);
        // SAFETY: the sizes are alive; the kernel stays within the memory that it is given, see
        // `Device::launch`.
        unsafe {
            self.queues[queue].enqueue_nd_range_kernel(k.get(), 1, ptr::null(), global.as_ptr(), local.as_ptr(), &[])
        }
        .map(drop)
        .map_err(&fail)?;
        self.queues[queue].flush().map_err(fail)
    }

    fn finish(&mut self, queue: usize) -> Result<(), DeviceError> {
        self.queues[queue].finish().map_err(self.lost("running a kernel"))
    }
}

impl Drop for OpenCl {
    fn drop(&mut self) {
        self.release();
    }
}
