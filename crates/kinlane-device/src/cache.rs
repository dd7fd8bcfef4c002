//! Compiled kernels on disk, named by a hash of everything that they were made from.
//!
//! The folder is `KINLANE_CACHE`, else `kinlane` in the user's cache folder. If anything goes wrong with it,
//! the only cost is a compilation. Kernels that were not used for longest go when the folder holds more than [`MOST`].

use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most that the stored kernels take \[bytes\]: one takes 0.1 to 4 million, so these are some hundred mechanisms.
const MOST: u64 = 1 << 30;

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
    let path = folder()?.join(key);
    let bytes = fs::read(&path).ok()?;
    let (found, rest) = bytes.split_at_checked(32)?;
    if seal(key, rest) != *found {
        return None;
    }
    // Notes the use. In a folder that another user fills, only that one's uses count.
    let _ = File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
    Some(rest.to_vec())
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
        aside.persist(folder.join(key))?;
        trim(&folder, MOST)
    });
}

/// Whether a file of this name was stored here: the folder may be one that holds other things.
fn is_key(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Removes the kernels that were not used for longest until the others take at most so many bytes.
fn trim(folder: &Path, most: u64) -> io::Result<()> {
    let mut kernels = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Another process may just have removed it.
        if let Ok(about) = entry.metadata()
            && is_key(&entry.file_name().to_string_lossy())
        {
            kernels.push((about.modified()?, about.len(), entry.path()));
        }
    }
    kernels.sort_unstable();
    let mut total: u64 = kernels.iter().map(|&(_, len, _)| len).sum();
    for (_, len, path) in kernels {
        if total <= most {
            break;
        }
        let _ = fs::remove_file(path);
        total -= len;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn kernels_not_used_for_longest_go_first_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = |i: u8| folder.path().join(key(&[&i.to_string()]));
        for i in 0..4 {
            fs::write(path(i), [i; 100]).unwrap();
            let used = SystemTime::UNIX_EPOCH + Duration::from_secs(1000 - u64::from(i));
            File::options().append(true).open(path(i)).unwrap().set_modified(used).unwrap();
        }
        let other = folder.path().join("results.npz");
        fs::write(&other, [0; 1000]).unwrap();
        trim(folder.path(), 400).unwrap();
        assert!((0..4).all(|i| path(i).exists()), "they fit");
        trim(folder.path(), 250).unwrap();
        assert_eq!([0, 1, 2, 3].map(|i| path(i).exists()), [true, true, false, false]);
        assert!(other.exists());
    }
}
