//! NVRTC, NVIDIA's compiler as a library: found at run time, and usable without a GPU.

use crate::DeviceError;
use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;

type Program = *mut c_void;
type Create = unsafe extern "C" fn(
    *mut Program,
    *const c_char,
    *const c_char,
    c_int,
    *const *const c_char,
    *const *const c_char,
) -> c_int;
type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type Text = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
type Destroy = unsafe extern "C" fn(*mut Program) -> c_int;
type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
type Count = unsafe extern "C" fn(*mut c_int) -> c_int;

/// The compiler.
#[derive(Debug)]
pub struct Nvrtc {
    create: Create,
    compile: Compile,
    log: (Size, Text),
    ptx: (Size, Text),
    cubin: (Size, Text),
    destroy: Destroy,
    version: (c_int, c_int),
    /// Architectures for which it compiles, as 90 for sm_90; empty if it does not tell.
    architectures: Vec<c_int>,
    // The functions above are valid as long as this lives.
    _library: Library,
}

/// File names of the library on various systems.
const NAMES: [&str; 5] = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "nvrtc64_120_0.dll"];

/// Places where it may be: `KINLANE_NVRTC` alone, if it is set; else where the system's loader looks, CUDA's folders, those of
/// environments, and Python's packages.
fn candidates() -> Vec<PathBuf> {
    if let Some(path) = std::env::var_os("KINLANE_NVRTC").filter(|path| !path.is_empty()) {
        return vec![path.into()];
    }
    let mut all: Vec<PathBuf> = NAMES.map(PathBuf::from).into();
    let mut folders: Vec<PathBuf> = Vec::new();
    for (var, inside) in [
        ("CUDA_PATH", ["lib64", "bin"]),
        ("CUDA_HOME", ["lib64", "bin"]),
        ("CUDA_ROOT", ["lib64", "bin"]),
        ("CONDA_PREFIX", ["lib", "Library/bin"]),
    ] {
        let root = std::env::var_os(var).map(PathBuf::from);
        folders.extend(root.into_iter().flat_map(|root| inside.map(|folder| root.join(folder))));
    }
    folders.extend(["/usr/local/cuda/lib64", "/opt/cuda/lib64"].map(PathBuf::from));
    folders.extend(python_folders());
    for f in folders {
        let files = std::fs::read_dir(&f).into_iter().flatten().flatten().map(|e| e.path());
        let mut found: Vec<PathBuf> = files.filter(|p| is_nvrtc(p)).collect();
        found.sort();
        all.extend(found);
    }
    all
}

/// Whether a file is the library itself, and not its built-in functions or the variant for old processors.
fn is_nvrtc(p: &std::path::Path) -> bool {
    let windows = |n: &str| n.starts_with("nvrtc64_") && n.ends_with(".dll") && !n.contains("alt");
    p.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with("libnvrtc.so") || windows(n))
}

/// Folders of `nvidia-cuda-nvrtc` in the active environment and in those of every `python3` on the PATH.
fn python_folders() -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .iter()
        .filter_map(|v| std::env::var_os(v).map(|p| PathBuf::from(p).join("lib")))
        .collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    roots.extend(std::env::split_paths(&path).filter_map(|p| p.parent().map(|p| p.join("lib"))));
    // The interpreters of a version manager are in neighbouring folders, not on the PATH.
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let pyenv = pyenv.or_else(|| std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".pyenv")));
    let versions = pyenv.map(|p| p.join("versions")).and_then(|p| std::fs::read_dir(p).ok());
    roots.extend(versions.into_iter().flatten().flatten().map(|e| e.path().join("lib")));
    roots.extend(std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".local/lib")));
    let mut out = Vec::new();
    for root in roots {
        for python in std::fs::read_dir(root).into_iter().flatten().flatten().map(|e| e.path()) {
            if python.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with("python3")) {
                for packages in ["site-packages", "dist-packages"] {
                    let nvidia = python.join(packages).join("nvidia");
                    out.extend(
                        ["cuda_nvrtc/lib", "cu13/lib"].map(|f| nvidia.join(f)).into_iter().filter(|f| f.is_dir()),
                    );
                }
            }
        }
    }
    out.dedup();
    out
}

/// All compilers that can be loaded, in the order of search.
fn all() -> Result<&'static [Nvrtc], DeviceError> {
    static FOUND: OnceLock<Result<Vec<Nvrtc>, DeviceError>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let places = candidates();
        let mut found: Vec<Nvrtc> = Vec::new();
        for nvrtc in places.iter().filter_map(load) {
            // One library may be found under several names.
            if found.iter().all(|known| known.version != nvrtc.version) {
                found.push(nvrtc);
            }
        }
        let tried = || places.iter().map(|p| p.display().to_string()).collect();
        if found.is_empty() { Err(DeviceError::NoCompiler { tried: tried() }) } else { Ok(found) }
    });
    found.as_deref().map_err(Clone::clone)
}

/// The compiler, if there is one.
///
/// # Errors
/// [`DeviceError::NoCompiler`].
pub fn find() -> Result<&'static Nvrtc, DeviceError> {
    Ok(&all()?[0])
}

/// The compiler for a card of an architecture (90 for sm_90) under a driver of CUDA's major version, and the
/// target to compile for: the card itself or, if no compiler knows it, the newest architecture that one
/// knows; the driver then does the rest.
///
/// # Errors
/// [`DeviceError::NoCompiler`].
pub fn best(major: i32, architecture: i32) -> Result<(&'static Nvrtc, String), DeviceError> {
    let all = all()?;
    choose(all.iter().map(|n| (n, n.version.0, &n.architectures[..])), major, architecture).ok_or_else(|| {
        let unfit = |n: &Nvrtc| {
            format!("NVRTC {}, which is not for sm_{architecture} and a driver of CUDA {major}", n.version())
        };
        DeviceError::NoCompiler { tried: all.iter().map(unfit).collect() }
    })
}

/// See [`best`]; compilers are given with their major version and architectures.
fn choose<'a, N>(
    known: impl Iterator<Item = (N, c_int, &'a [c_int])> + Clone,
    major: i32,
    architecture: i32,
) -> Option<(N, String)> {
    // A driver does not load the code of a compiler of a later major version.
    let loads = |version: c_int| version <= major;
    let knows = |list: &[c_int]| list.is_empty() || list.contains(&architecture);
    let mut fitting = known.clone().filter(|(_, version, list)| loads(*version) && knows(list));
    if let Some((nvrtc, ..)) = fitting.next() {
        return Some((nvrtc, format!("sm_{architecture}")));
    }
    let older = |list: &[c_int]| list.iter().copied().filter(|&a| a < architecture).max();
    let near = known.filter(|(_, version, _)| loads(*version)).filter_map(|(n, _, list)| older(list).map(|a| (n, a)));
    near.max_by_key(|(_, a)| *a).map(|(n, a)| (n, format!("compute_{a}")))
}

fn load(path: &PathBuf) -> Option<Nvrtc> {
    // SAFETY: the functions have had these signatures since the library's first version, and stay valid while
    // it is loaded.
    unsafe {
        let l = Library::new(path).ok()?;
        let version = *l.get::<Version>(b"nvrtcVersion").ok()?;
        let (mut major, mut minor) = (0, 0);
        if version(&mut major, &mut minor) != 0 {
            return None;
        }
        Some(Nvrtc {
            architectures: architectures(&l).unwrap_or_default(),
            create: *l.get(b"nvrtcCreateProgram").ok()?,
            compile: *l.get(b"nvrtcCompileProgram").ok()?,
            log: (*l.get(b"nvrtcGetProgramLogSize").ok()?, *l.get(b"nvrtcGetProgramLog").ok()?),
            ptx: (*l.get(b"nvrtcGetPTXSize").ok()?, *l.get(b"nvrtcGetPTX").ok()?),
            cubin: (*l.get(b"nvrtcGetCUBINSize").ok()?, *l.get(b"nvrtcGetCUBIN").ok()?),
            destroy: *l.get(b"nvrtcDestroyProgram").ok()?,
            version: (major, minor),
            _library: l,
        })
    }
}

/// Architectures for which the library compiles; libraries before CUDA 11.2 do not tell.
///
/// # Safety
/// The library must be NVRTC.
unsafe fn architectures(l: &Library) -> Option<Vec<c_int>> {
    // SAFETY: the functions have these signatures, and `list` has room for as many entries as there are.
    unsafe {
        let mut count = 0;
        let told = (*l.get::<Count>(b"nvrtcGetNumSupportedArchs").ok()?)(&mut count) == 0;
        let mut list = vec![0; usize::try_from(count).ok()?];
        let told = told && (*l.get::<Count>(b"nvrtcGetSupportedArchs").ok()?)(list.as_mut_ptr()) == 0;
        told.then_some(list)
    }
}

impl Nvrtc {
    /// Its version, such as `12.9`.
    pub fn version(&self) -> String {
        format!("{}.{}", self.version.0, self.version.1)
    }

    /// Options that affect the code. Products and sums are not contracted: the bits are those of the CPU.
    pub const OPTIONS: [&'static str; 4] =
        ["--fmad=false", "--std=c++14", "--diag-suppress=177", "--ptxas-options=--verbose"];

    /// Compiles for an architecture: `sm_80` gives machine code, `compute_80` gives PTX. Also returns the
    /// compiler's log; with machine code it says how many registers a kernel takes and what it spills.
    ///
    /// # Errors
    /// The compiler's log.
    pub fn compile(&self, source: &str, architecture: &str) -> Result<(Vec<u8>, String), String> {
        let target = format!("--gpu-architecture={architecture}");
        let options = [target.as_str()].into_iter().chain(Self::OPTIONS);
        let source = CString::new(source).map_err(|e| e.to_string())?;
        let options: Vec<CString> = options.map(CString::new).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
        let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let mut program: Program = std::ptr::null_mut();
        // SAFETY: every string is alive until the program is destroyed, at the end.
        unsafe {
            let none = std::ptr::null();
            let made = (self.create)(&mut program, source.as_ptr(), c"kinlane.cu".as_ptr(), 0, none, none);
            if made != 0 {
                return Err(format!("nvrtcCreateProgram returned {made}"));
            }
            let code = (self.compile)(program, pointers.len() as c_int, pointers.as_ptr());
            let log = text(program, self.log).unwrap_or_default();
            let log = String::from_utf8_lossy(&log).trim_end_matches('\0').trim().to_owned();
            let kind = if architecture.starts_with("sm_") { self.cubin } else { self.ptx };
            let result = if code == 0 {
                text(program, kind).map(|image| (image, log))
            } else {
                Err(format!("{log} (NVRTC {}, code {code})", self.version()))
            };
            (self.destroy)(&mut program);
            result
        }
    }
}

/// A part of a compiled program; text includes the zero that ends it.
///
/// # Safety
/// The program must be alive, and the functions must be those of its library.
unsafe fn text(program: Program, (size, get): (Size, Text)) -> Result<Vec<u8>, String> {
    let mut len = 0;
    // SAFETY: `len` is alive during the call.
    let code = unsafe { size(program, &mut len) };
    let mut out = vec![0u8; len];
    // SAFETY: `out` has the length that was just returned.
    let code = if code == 0 { unsafe { get(program, out.as_mut_ptr().cast()) } } else { code };
    if code == 0 { Ok(out) } else { Err(format!("NVRTC gave no text ({code})")) }
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn a_compiler_is_taken_that_knows_the_card_and_that_the_driver_knows() {
        let old = ("old", 11, &[70, 75, 80, 86][..]);
        let good = ("good", 12, &[80, 89, 90][..]);
        let young = ("young", 13, &[90, 100, 120][..]);
        let silent = ("silent", 11, &[][..]);
        let best = |list: &[(&'static str, i32, &'static [i32])], major, card| {
            choose(list.iter().copied(), major, card).map(|(name, target)| format!("{name} {target}"))
        };
        assert_eq!(best(&[old, young, good], 12, 90).unwrap(), "good sm_90");
        assert_eq!(best(&[young, good], 13, 90).unwrap(), "young sm_90");
        assert_eq!(best(&[old, good], 12, 86).unwrap(), "old sm_86");
        // No compiler knows the card: the driver compiles code for the newest architecture of the newest
        // compiler.
        assert_eq!(best(&[old, good], 12, 100).unwrap(), "good compute_90");
        assert_eq!(best(&[silent], 12, 100).unwrap(), "silent sm_100");
        assert_eq!(best(&[young], 12, 90), None);
    }
}
