//! Types of reactions, and their entries.

/// A type of reaction that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Arrhenius,
    Taylor,
    Troe,
    Ternary,
    TernaryJpl19,
    Branched,
    Tunneling,
    Surface,
    Photolysis,
    UserDefined,
    Emission,
    Loss,
}

/// The version of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// CAMP's lists of objects; molecule/cm³.
    Zero,
    /// Species, phases and reactions; mol/m³.
    One,
}

/// Types by name; those of both versions are read in both.
pub(super) const TYPES: &[(&str, Kind)] = &[
    ("ARRHENIUS", Kind::Arrhenius),
    ("TAYLOR_SERIES", Kind::Taylor),
    ("TROE", Kind::Troe),
    ("TERNARY_CHEMICAL_ACTIVATION", Kind::Ternary),
    ("TERNARY_CHEMICAL_ACTIVATION_JPL19", Kind::TernaryJpl19),
    ("BRANCHED", Kind::Branched),
    ("BRANCHED_NO_RO2", Kind::Branched),
    ("WENNBERG_NO_RO2", Kind::Branched),
    ("TUNNELING", Kind::Tunneling),
    ("WENNBERG_TUNNELING", Kind::Tunneling),
    ("SURFACE", Kind::Surface),
    ("PHOTOLYSIS", Kind::Photolysis),
    ("USER_DEFINED", Kind::UserDefined),
    ("EMISSION", Kind::Emission),
    ("FIRST_ORDER_LOSS", Kind::Loss),
];

/// Types of CAMP and MUSICA that are not reactions of a gas, or whose rates are programs.
const FOREIGN: &[(&str, &str)] = &[
    ("LAMBDA_RATE_CONSTANT", "its rate constant is a piece of a program"),
    ("AQUEOUS_EQUILIBRIUM", "it takes place in a liquid"),
    ("CONDENSED_PHASE_ARRHENIUS", "it takes place in a liquid"),
    ("CONDENSED_PHASE_PHOTOLYSIS", "it takes place in a liquid"),
    ("DISSOLVED_EQUILIBRIUM", "it takes place in a liquid"),
    ("DISSOLVED_REACTION", "it takes place in a liquid"),
    ("DISSOLVED_REVERSIBLE_REACTION", "it takes place in a liquid"),
    ("HENRYS_LAW", "it joins a gas and a liquid"),
    ("HENRYS_LAW_EQUILIBRIUM", "it joins a gas and a liquid"),
    ("HENRYS_LAW_PHASE_TRANSFER", "it joins a gas and a liquid"),
    ("HL_PHASE_TRANSFER", "it joins a gas and a liquid"),
    ("SIMPOL_PHASE_TRANSFER", "it joins a gas and a liquid"),
    ("WET_DEPOSITION", "it acts on a liquid"),
    ("LINEAR_CONSTRAINT", "it is an equation beside the reactions"),
    ("CMAQ_H2O2", "this type of CAMP is not known to MICM"),
    ("CMAQ_OH_HNO3", "this type of CAMP is not known to MICM"),
];

/// Why a type is not read, if it is known.
pub(super) fn foreign(name: &str) -> Option<&'static str> {
    let of_camp = ["AERO_PHASE", "AERO_REP_", "SUB_MODEL_"].iter().any(|start| name.starts_with(start));
    let listed = FOREIGN.iter().find(|(known, _)| *known == name).map(|(_, why)| *why);
    listed.or(of_camp.then_some("it belongs to an aerosol"))
}

impl Kind {
    /// The type of a name.
    pub fn of(name: &str) -> Option<Self> {
        TYPES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    /// The entry of what reacts, if it has one.
    pub fn left(self, version: Version) -> Option<&'static str> {
        match (self, version) {
            (Self::Emission, _) => None,
            (Self::Surface, Version::Zero) => Some("gas-phase reactant"),
            (Self::Surface, Version::One) => Some("gas-phase species"),
            (Self::Loss, Version::Zero) => Some("species"),
            _ => Some("reactants"),
        }
    }

    /// The entries of what comes out; two for a reaction with two branches.
    pub fn right(self, version: Version) -> &'static [&'static str] {
        match (self, version) {
            (Self::Loss, Version::Zero) => &[],
            (Self::Emission, Version::Zero) => &["species"],
            (Self::Surface, _) => &["gas-phase products"],
            (Self::Branched, _) => &["alkoxy products", "nitrate products"],
            _ => &["products"],
        }
    }

    /// All entries that it may have.
    pub fn keys(self, version: Version) -> Vec<&'static str> {
        let mut all = vec!["type", "name"];
        all.push(if version == Version::Zero { "MUSICA name" } else { "gas phase" });
        all.extend(self.left(version));
        all.extend(self.right(version));
        let own: &[&str] = match self {
            Self::Arrhenius => &["A", "B", "C", "D", "E", "Ea"],
            Self::Taylor => &["A", "B", "C", "D", "E", "Ea", "taylor coefficients"],
            Self::Troe | Self::Ternary => &["k0_A", "k0_B", "k0_C", "kinf_A", "kinf_B", "kinf_C", "Fc", "N"],
            Self::TernaryJpl19 => &[
                "k0_A", "k0_B", "k0_C", "k0_D", "kinf_A", "kinf_B", "kinf_C", "kinf_D", "kint_A", "kint_B", "kint_C",
                "kint_D", "Fc", "N",
            ],
            Self::Branched => &["X", "Y", "a0", "n"],
            Self::Tunneling => &["A", "B", "C"],
            Self::Surface if version == Version::One => &["reaction probability", "condensed phase"],
            Self::Surface => &["reaction probability"],
            Self::Photolysis | Self::UserDefined | Self::Emission | Self::Loss => &["scaling factor"],
        };
        all.extend(own);
        all
    }
}
