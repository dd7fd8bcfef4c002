//! kinlane: the library.
