//! The list of all methods.

use super::bdf::{self, Formulas};
use super::dirk::{self, Dirk};
use super::exponential::Exponential;
use super::runge_kutta::{self, RungeKutta};
use super::tableau::{self, Rosenbrock};

/// A method: its properties and its coefficients.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Name, as `--method` takes it.
    pub name: &'static str,
    /// Its family.
    pub family: &'static str,
    /// Key in `docs/bibliography.bib`.
    pub source: &'static str,
    /// Order of the solution; if it varies, the highest.
    pub order: u32,
    /// Behaviour on stiff problems.
    pub stability: Stability,
    /// The step function of its family.
    pub kind: Kind,
}

/// Behaviour on stiff problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stability {
    /// A-stable, and an infinitely fast component is damped to zero in one step.
    L,
    /// A-stable up to order 2; at higher orders stable in a sector of the left half-plane.
    Alpha,
    /// For problems without fast time scales.
    Explicit,
    /// Explicit, but stable on a long interval of the negative real axis.
    Stabilised,
    /// Stable for the decay of each variable by itself; the coupling between variables is treated explicitly.
    Decay,
}

/// The step function of a family, with the coefficients of a method.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Linearly implicit Runge–Kutta.
    Rosenbrock(&'static Rosenbrock),
    /// Diagonally implicit Runge–Kutta.
    Dirk(&'static Dirk),
    /// Explicit Runge–Kutta.
    Explicit(&'static RungeKutta),
    /// Stabilised explicit, with as many stages as a step needs.
    Chebyshev,
    /// Uses φ functions of h J in Krylov spaces.
    Exponential(Exponential),
    /// A predictor and a corrector that treat decay exactly.
    QuasiSteady,
    /// Heun's method for slow variables, the balance of gain and decay for fast ones.
    Asymptotic,
    /// Radau IIA with three stages.
    Radau,
    /// Backward or numerical differentiation formulas.
    Bdf(&'static Formulas),
}

/// The method for all cells when none is asked for; where each cell has its own, that for stiff ones.
pub const DEFAULT: &Method = &RODAS5P;

const fn rosenbrock(t: &'static Rosenbrock) -> Method {
    Method {
        name: t.name,
        family: if t.w_method { "Rosenbrock-W" } else { "Rosenbrock" },
        source: t.source,
        order: t.order,
        stability: Stability::L,
        kind: Kind::Rosenbrock(t),
    }
}

const fn dirk(t: &'static Dirk) -> Method {
    Method {
        name: t.name,
        family: "SDIRK",
        source: t.source,
        order: t.order,
        stability: Stability::L,
        kind: Kind::Dirk(t),
    }
}

const fn explicit(t: &'static RungeKutta) -> Method {
    Method {
        name: t.name,
        family: "Runge-Kutta",
        source: t.source,
        order: t.order,
        stability: Stability::Explicit,
        kind: Kind::Explicit(t),
    }
}

/// `rodas3`.
pub static RODAS3: Method = rosenbrock(&tableau::RODAS3);
/// `rodas5p`.
pub static RODAS5P: Method = rosenbrock(&tableau::RODAS5P);
/// `bdf`.
pub static BDF: Method = Method {
    name: "bdf",
    family: "multistep",
    source: "hindmarsh2005",
    order: 5,
    stability: Stability::Alpha,
    kind: Kind::Bdf(&bdf::BDF),
};
/// `radau5`.
pub static RADAU5: Method = Method {
    name: "radau5",
    family: "Radau IIA",
    source: "hairer1996",
    order: 5,
    stability: Stability::L,
    kind: Kind::Radau,
};
/// `heun`.
pub static HEUN: Method = explicit(&runge_kutta::HEUN);
/// `rks57`.
pub static RKS57: Method = explicit(&runge_kutta::RKS57);

/// All methods; those that the program itself refers to have names above.
pub static ALL: [Method; 25] = [
    rosenbrock(&tableau::ROS2),
    rosenbrock(&tableau::ROS3),
    rosenbrock(&tableau::ROS4),
    RODAS3,
    rosenbrock(&tableau::RODAS31),
    rosenbrock(&tableau::RODAS4),
    rosenbrock(&tableau::RODAS4P),
    RODAS5P,
    rosenbrock(&tableau::RANG3),
    RADAU5,
    BDF,
    Method {
        name: "ndf",
        family: "multistep",
        source: "shampine1997",
        order: 5,
        stability: Stability::Alpha,
        kind: Kind::Bdf(&bdf::NDF),
    },
    dirk(&dirk::SDIRK4),
    dirk(&dirk::BACKWARD_EULER),
    HEUN,
    explicit(&runge_kutta::RK4),
    explicit(&runge_kutta::RKF45),
    explicit(&runge_kutta::RKCK45),
    explicit(&runge_kutta::DOPRI5),
    RKS57,
    Method {
        name: "rkc",
        family: "Chebyshev",
        source: "sommeijer1998",
        order: 2,
        stability: Stability::Stabilised,
        kind: Kind::Chebyshev,
    },
    Method {
        name: "exp4",
        family: "exponential",
        source: "hochbruck1998",
        order: 4,
        stability: Stability::L,
        kind: Kind::Exponential(Exponential::Exp4),
    },
    Method {
        name: "exprb43",
        family: "exponential",
        source: "hochbruck2006",
        order: 4,
        stability: Stability::L,
        kind: Kind::Exponential(Exponential::Exprb43),
    },
    Method {
        name: "chemeq2",
        family: "quasi-steady",
        source: "mott2001",
        order: 2,
        stability: Stability::Decay,
        kind: Kind::QuasiSteady,
    },
    Method {
        name: "asymptotic",
        family: "quasi-steady",
        source: "guidry2013a",
        order: 2,
        stability: Stability::Decay,
        kind: Kind::Asymptotic,
    },
];

/// Other names of methods: the quasi-steady-state method of Guidry and Harris (`guidry2013b`) has the formulas of
/// CHEMEQ2.
const OTHER_NAMES: [(&str, &str); 1] = [("qss", "chemeq2")];

impl Method {
    /// Looks a method up by name, ignoring case and punctuation.
    pub fn find(name: &str) -> Option<&'static Self> {
        let plain =
            |s: &str| s.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect::<String>();
        let name = plain(name);
        let name = OTHER_NAMES.iter().find(|(other, _)| *other == name).map_or(name.as_str(), |(_, usual)| usual);
        ALL.iter().find(|m| plain(m.name) == name)
    }

    /// Whether the method solves nonlinear equations by iteration.
    pub fn iterates(&self) -> bool {
        matches!(self.kind, Kind::Dirk(_) | Kind::Radau | Kind::Bdf(_))
    }

    /// Whether it suits stiff cells: fast time scales do not limit its steps.
    pub fn is_stiff(&self) -> bool {
        matches!(self.stability, Stability::L | Stability::Alpha)
    }

    /// Whether all steps have the length of the first, because the method has no error estimate.
    pub fn is_fixed(&self) -> bool {
        matches!(self.kind, Kind::Explicit(t) if t.e.is_empty())
    }

    /// What a step costs, in words.
    pub fn cost(&self) -> String {
        match self.kind {
            Kind::Rosenbrock(t) => format!("1 J, 1 LU, {} f, {} solves", t.evaluations(), t.stages()),
            Kind::Dirk(_) => "1 J and LU; 1 f and 1 solve per iteration and stage".to_owned(),
            Kind::Explicit(t) => {
                format!("{} f{}", t.stages(), if self.is_fixed() { ", of a fixed length" } else { "" })
            }
            Kind::Chebyshev => "2 to 250 f; J sometimes".to_owned(),
            Kind::Exponential(_) => "3 f, 1 J, 3 Krylov spaces of up to 160 J v".to_owned(),
            Kind::QuasiSteady | Kind::Asymptotic => "2 f, both ways".to_owned(),
            Kind::Radau => "3 f, 1 solve and 1 complex one per iteration; J and LU when needed".to_owned(),
            Kind::Bdf(_) => "1 f and 1 solve per iteration; J and LU when needed".to_owned(),
        }
    }
}
