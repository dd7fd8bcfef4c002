//! stub
use crate::{Diagnostic, Refusal, Sources, codes, scheme::Scheme};
/// stub
pub fn read(path: &std::path::Path) -> Result<Scheme, Refusal> {
    Err(Refusal::new(Diagnostic::error(codes::EMPTY, path.display().to_string()), Sources::default()))
}
