//! The mechanisms that are built into the library, so that a first run needs no file.

/// One built-in mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bundled {
    /// The name that [`Mechanism::bundled`](crate::Mechanism::bundled) takes.
    pub name: &'static str,
    /// One line that says what it is.
    pub title: &'static str,
    /// The whole text, a YAML mechanism.
    pub text: &'static str,
}

/// Every bundled mechanism.
pub const BUNDLED: &[Bundled] = &[
    Bundled {
        name: "h2",
        title: "hydrogen and oxygen with N2, AR and HE: Burke, Chaos, Ju, Dryer, Klippenstein (2012)",
        text: include_str!("../../../mechanisms/h2.yaml"),
    },
    Bundled {
        name: "gri30",
        title: "methane and natural gas with nitrogen chemistry: GRI-Mech 3.0 (1999)",
        text: include_str!("../../../mechanisms/gri30.yaml"),
    },
];

/// The entry of that name.
pub(crate) fn find(name: &str) -> Option<&'static Bundled> {
    BUNDLED.iter().find(|b| b.name == name)
}
