//! Everything that can go wrong with a device, as data.

use crate::Api;
use kinlane_lanes::EngineError;

/// Why a device cannot be used, or has stopped working. Cells that it has already handed back are advanced; the others
/// are as they were.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The name is not that of a device.
    #[error(
        "no device `{name}`: give cpu, auto, opencl, cuda, one of these with its number as opencl:1, or several as cpu+opencl"
    )]
    Name {
        /// The name given.
        name: String,
    },
    /// The library that gives access to the devices is not installed.
    #[error("no {api} here: {detail}; {}", remedy(*.api))]
    NoLoader {
        /// The interface.
        api: Api,
        /// What was tried, and with which result.
        detail: String,
    },
    /// The library is installed, but there is no device.
    #[error("no {api} device here: {detail}; {}", remedy(*.api))]
    NoDevice {
        /// The interface.
        api: Api,
        /// What the library says.
        detail: String,
    },
    /// There are fewer devices than that.
    #[error("no device {api}:{index}: there {} with {api}; `kinlane devices` lists them", counted(*.found))]
    Index {
        /// The interface.
        api: Api,
        /// The number asked for, counted from 0.
        index: usize,
        /// How many there are.
        found: usize,
    },
    /// The device computes in single precision only.
    #[error("{device} has no double precision, which every result here needs; take another device, or cpu")]
    NoDouble {
        /// The device.
        device: String,
    },
    /// There is no compiler for kernels.
    #[error(
        "neither NVRTC nor nvcc to compile kernels with (looked for {}); install the CUDA toolkit or Python's nvidia-cuda-nvrtc-cu12, \
         or set KINLANE_NVRTC to the library's path",
        .tried.join(", ")
    )]
    NoCompiler {
        /// Where it was looked for.
        tried: Vec<String>,
    },
    /// The compiler has refused a kernel. That is a mistake in kinlane or in the driver.
    #[error("{device} cannot compile the kernel `{kernel}`: {log}\nplease report this, with the mechanism")]
    Compile {
        /// The device.
        device: String,
        /// Which kernel.
        kernel: &'static str,
        /// The compiler's log.
        log: String,
    },
    /// The process is a child of one that had opened a device when it was forked.
    #[error(
        "{device} cannot be used: the process that this one was forked from had opened a device; fork before that, or start \
         processes anew (`spawn` in Python's multiprocessing)"
    )]
    Forked {
        /// The device.
        device: String,
    },
    /// The device's memory is insufficient.
    #[error("{device} has no memory left for {what}{}; end what else runs there, allow it more where the option device-memory is given, or take another device", bytes(*.need))]
    Memory {
        /// The device.
        device: String,
        /// What it was for.
        what: &'static str,
        /// How much was needed \[bytes\]; zero where the driver found out later.
        need: u64,
    },
    /// A call failed that should not fail: the device was lost, the driver stopped the kernel, or the driver
    /// is at fault.
    #[error("{device} failed while {what} ({code}); see whether it still works, or take another device, or cpu")]
    Lost {
        /// The device.
        device: String,
        /// What was being done.
        what: &'static str,
        /// The driver's code.
        code: String,
    },
    /// Cells go on from call to call in double precision only.
    #[error("cells go on from call to call in precision f64, not {precision}; take f64, or do without a continuation")]
    Reduced {
        /// The precision asked for.
        precision: &'static str,
    },
    /// The method cannot be planned or the batch was refused, as on the CPU.
    #[error(transparent)]
    Engine(EngineError),
}

impl From<EngineError> for DeviceError {
    fn from(e: EngineError) -> Self {
        Self::Engine(e)
    }
}

fn bytes(need: u64) -> String {
    if need > 0 { format!(", which takes {need} bytes") } else { String::new() }
}

fn remedy(api: Api) -> &'static str {
    match api {
        Api::OpenCl => {
            "install an OpenCL loader and a driver (Debian: ocl-icd-libopencl1, and the card's own or pocl-opencl-icd), \
             or take cpu"
        }
        Api::Cuda => "install NVIDIA's driver on a machine with one of its cards, or take opencl or cpu",
    }
}

fn counted(n: usize) -> String {
    match n {
        1 => "is 1 device".to_owned(),
        n => format!("are {n} devices"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_in_one_line_with_a_remedy() {
        let device = || String::from("opencl:0 card");
        let detail = || String::from("the library cannot be loaded");
        for (error, remedy) in [
            (DeviceError::Name { name: "gpu".into() }, "give cpu"),
            (DeviceError::NoLoader { api: Api::OpenCl, detail: detail() }, "install an OpenCL loader"),
            (DeviceError::NoLoader { api: Api::Cuda, detail: detail() }, "install NVIDIA's driver"),
            (DeviceError::NoDevice { api: Api::OpenCl, detail: detail() }, "pocl-opencl-icd"),
            (DeviceError::Index { api: Api::Cuda, index: 7, found: 1 }, "there is 1 device"),
            (DeviceError::Index { api: Api::Cuda, index: 7, found: 2 }, "there are 2 devices"),
            (DeviceError::NoDouble { device: device() }, "take another device"),
            (DeviceError::NoCompiler { tried: vec!["libnvrtc.so".into()] }, "KINLANE_NVRTC"),
            (DeviceError::Memory { device: device(), what: "cells", need: 9 }, "9 bytes"),
            (DeviceError::Reduced { precision: "mixed" }, "take f64"),
            (DeviceError::Forked { device: device() }, "fork before that"),
            (DeviceError::Lost { device: device(), what: "copying", code: "-5".into() }, "or cpu"),
        ] {
            let said = error.to_string();
            assert!(said.contains(remedy) && said.lines().count() == 1, "{said}");
        }
    }
}
