//! Compiled kernels on disk, named by a hash of everything that they were made from.
//!
//! The folder is `KINLANE_CACHE`, else `kinlane` in the user's cache folder. If anything goes wrong with it,
//! the only cost is a compilation.

use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::PathBuf;

fn folder() -> Option<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    var("KINLANE_CACHE").or_else(|| {
        let user = var("XDG_CACHE_HOME").or_else(|| var("HOME").map(|h| h.join(".cache")));
        user.or_else(|| var("LOCALAPPDATA")).map(|f| f.join("kinlane"))
    })
}

/// Name of a kernel: a hash of its source and of all that determines what a compiler makes of it.
pub fn key(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for p in parts {
        hash.update(p.len().to_le_bytes());
        hash.update(p.as_bytes());
    }
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

/// Hash of a stored kernel together with its key, which detects incomplete files and those of other kernels.
fn seal(key: &str, bytes: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(key).chain_update(bytes).finalize().into()
}

/// What was stored under a key. The first 32 bytes of a file are its seal.
pub fn load(key: &str) -> Option<Vec<u8>> {
    let bytes = std::fs::read(folder()?.join(key)).ok()?;
    let (found, rest) = bytes.split_at_checked(32)?;
    (seal(key, rest) == *found).then(|| rest.to_vec())
}

/// How a file is made that others may read, if the umask lets them: a folder may serve several users.
fn readable() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

/// Stores a kernel, under a temporary name first, so that no reader sees half of it.
pub fn store(key: &str, bytes: &[u8]) {
    let Some(folder) = folder() else { return };
    let whole: Vec<u8> = seal(key, bytes).iter().chain(bytes).copied().collect();
    // Without a cache the next run compiles again, so nothing here is an error.
    let _ = std::fs::create_dir_all(&folder).and_then(|()| {
        let mut aside = readable().tempfile_in(&folder)?;
        aside.write_all(&whole)?;
        Ok(aside.persist(folder.join(key))?)
    });
}
