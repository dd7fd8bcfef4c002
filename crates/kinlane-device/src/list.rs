//! Which devices there are, and how a user names them.

use crate::driver::Driver;
use crate::{DeviceError, cuda, nvcc, nvrtc, opencl};
use kinlane_kernels::Language;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;

/// An interface to devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// OpenCL, of any vendor.
    OpenCl,
    /// CUDA.
    Cuda,
}

impl Api {
    /// The language of its kernels.
    pub(crate) fn language(self) -> Language {
        match self {
            Self::OpenCl => Language::OpenCl,
            Self::Cuda => Language::Cuda,
        }
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenCl => "opencl",
            Self::Cuda => "cuda",
        })
    }
}

/// A device.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The interface through which it is reached.
    pub api: Api,
    /// Its number there, from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Its driver.
    pub driver: String,
    /// Memory \[bytes\].
    pub memory: u64,
    /// Largest single allocation \[bytes\].
    pub largest: u64,
    /// Memory of a multiprocessor, shared by its work groups \[bytes\].
    pub shared: usize,
    /// Whether it computes in double precision.
    pub doubles: bool,
    /// Whether it is a CPU.
    pub cpu: bool,
    /// Number of multiprocessors or cores.
    pub units: usize,
    /// Number of threads that run in step.
    pub width: usize,
}

impl Info {
    /// Its name for `--device`, such as `opencl:0`.
    pub fn id(&self) -> String {
        format!("{}:{}", self.api, self.index)
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id(), self.name)
    }
}

/// An interface without devices, and the reason.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Absent {
    /// The interface.
    pub api: Api,
    /// The reason.
    pub reason: DeviceError,
}

/// All devices that can be reached, and the interfaces without any.
pub fn devices() -> (Vec<Info>, Vec<Absent>) {
    let (mut found, mut absent) = (Vec::new(), Vec::new());
    for api in [Api::Cuda, Api::OpenCl] {
        match of(api) {
            Ok(list) => found.extend(list),
            Err(reason) => absent.push(Absent { api, reason }),
        }
    }
    (found, absent)
}

fn of(api: Api) -> Result<Vec<Info>, DeviceError> {
    match api {
        Api::OpenCl => opencl::list(),
        Api::Cuda => cuda::list(),
    }
}

/// The devices that a user asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// The CPU's lanes.
    Cpu,
    /// A GPU if there is one, else the CPU.
    Auto,
    /// Devices by number; and whether the CPU's lanes work beside them.
    Devices(Vec<(Api, usize)>, bool),
}

impl Wish {
    /// Checks that the devices named exist, without opening them. After a fork nothing can be asked, nor used.
    ///
    /// # Errors
    /// Why one cannot be had.
    pub fn exists(&self) -> Result<(), DeviceError> {
        match self {
            Self::Devices(devices, _) if !is_forked() => {
                devices.iter().try_for_each(|&(api, index)| find(api, index).map(drop))
            }
            _ => Ok(()),
        }
    }
}

impl FromStr for Wish {
    type Err = DeviceError;

    fn from_str(name: &str) -> Result<Self, DeviceError> {
        let wrong = || DeviceError::Name { name: name.to_owned() };
        let (mut devices, mut lanes) = (Vec::new(), false);
        for part in name.split('+') {
            let (api, index) = part.split_once(':').unwrap_or((part, "0"));
            let api = match api {
                "auto" if name == "auto" => return Ok(Self::Auto),
                "cpu" if part == "cpu" && !lanes => {
                    lanes = true;
                    continue;
                }
                "opencl" => Api::OpenCl,
                "cuda" => Api::Cuda,
                _ => return Err(wrong()),
            };
            let device = (api, index.parse().map_err(|_| wrong())?);
            if devices.contains(&device) {
                return Err(wrong());
            }
            devices.push(device);
        }
        Ok(if devices.is_empty() { Self::Cpu } else { Self::Devices(devices, lanes) })
    }
}

/// The GPUs that `auto` may take, the first that works: those with double precision.
///
/// # Errors
/// Why there is none.
pub fn automatic() -> Result<Vec<(Api, usize)>, String> {
    let (found, absent) = devices();
    let all: Vec<_> = found.iter().filter(|d| d.doubles && !d.cpu).map(|d| (d.api, d.index)).collect();
    if !all.is_empty() {
        return Ok(all);
    }
    let mut why: Vec<String> = absent.iter().map(|a| a.reason.to_string()).collect();
    why.extend(found.iter().map(|d| format!("{d} {}", if d.cpu { "is a CPU" } else { "has no double precision" })));
    Err(why.join("; "))
}

/// Whether this is a child of a process that has opened devices.
fn is_forked() -> bool {
    OPENED_BY.get().is_some_and(|by| *by != std::process::id())
}

/// A device by its number.
fn find(api: Api, index: usize) -> Result<Info, DeviceError> {
    let mut found = of(api)?;
    if index >= found.len() {
        return Err(DeviceError::Index { api, index, found: found.len() });
    }
    let info = found.swap_remove(index);
    usable(&info)?;
    Ok(info)
}

/// Whether a device can compute in double precision.
fn usable(info: &Info) -> Result<(), DeviceError> {
    if info.doubles { Ok(()) } else { Err(DeviceError::NoDouble { device: info.to_string() }) }
}

/// The process that was the first to open a device, once there is one.
static OPENED_BY: OnceLock<u32> = OnceLock::new();

/// Opens a device. Not in a child of a process that had opened one when it was forked: drivers do not work there, and wait for
/// ever.
pub fn open(api: Api, index: usize) -> Result<Box<dyn Driver>, DeviceError> {
    if is_forked() {
        return Err(DeviceError::Forked { device: format!("{api}:{index}") });
    }
    let info = find(api, index)?;
    OPENED_BY.get_or_init(std::process::id);
    match api {
        Api::OpenCl => opencl::open(info),
        Api::Cuda => cuda::open(info),
    }
}

/// A compiler of kernels for CUDA.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CudaCompiler {
    /// The library NVRTC, of this version.
    Nvrtc(String),
    /// The program at this path, which takes longer to compile.
    Nvcc(PathBuf),
}

/// Finds a compiler for CUDA.
///
/// # Errors
/// [`DeviceError::NoCompiler`].
pub fn cuda_compiler() -> Result<CudaCompiler, DeviceError> {
    match (nvrtc::find(), nvcc::find()) {
        (Ok(found), _) => Ok(CudaCompiler::Nvrtc(found.version().to_string())),
        (Err(_), Some(path)) => Ok(CudaCompiler::Nvcc(path)),
        (Err(e), None) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_understood_or_refused() {
        assert_eq!("cpu".parse(), Ok(Wish::Cpu));
        assert_eq!("auto".parse(), Ok(Wish::Auto));
        assert_eq!("opencl".parse(), Ok(Wish::Devices(vec![(Api::OpenCl, 0)], false)));
        assert_eq!("cuda:3".parse(), Ok(Wish::Devices(vec![(Api::Cuda, 3)], false)));
        let several = vec![(Api::OpenCl, 1), (Api::Cuda, 0)];
        assert_eq!("opencl:1+cpu+cuda".parse(), Ok(Wish::Devices(several, true)));
        for bad in [
            "",
            "gpu",
            "cpu:0",
            "cuda:",
            "opencl:-1",
            "opencl:x",
            "cuda:0:0",
            "cpu+",
            "auto+cpu",
            "cpu+cpu",
            "cuda+cuda:0",
        ] {
            assert_eq!(bad.parse::<Wish>(), Err(DeviceError::Name { name: bad.to_owned() }));
        }
    }

    #[test]
    fn a_device_without_double_precision_is_refused_by_its_name() {
        let (name, driver) = (String::from("old card"), String::new());
        let (api, index, cpu, units, width) = (Api::OpenCl, 1, false, 8, 32);
        let card = Info {
            api,
            index,
            name,
            driver,
            memory: 1 << 30,
            largest: 1 << 28,
            shared: 0,
            doubles: false,
            cpu,
            units,
            width,
        };
        let said = usable(&card).unwrap_err().to_string();
        assert!(said.contains("opencl:1 old card") && said.contains("take another device"), "{said}");
        assert_eq!(usable(&Info { doubles: true, ..card }), Ok(()));
    }

    #[test]
    fn a_number_too_high_says_how_many_there_are() {
        for api in [Api::OpenCl, Api::Cuda] {
            match open(api, 4711).err() {
                Some(DeviceError::Index { index: 4711, found, .. }) => assert!(found > 0),
                Some(DeviceError::NoLoader { .. } | DeviceError::NoDevice { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}
