//! Every method there is.

use super::bdf::{self, Formulas};
use super::dirk::{self, Dirk};
use super::exponential::Exponential;
use super::runge_kutta::{self, RungeKutta};
use super::tableau::{self, Rosenbrock};

/// A method: what it is, and the numbers that make it.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Name, as `--method` takes it.
    pub name: &'static str,
    /// Its family.
    pub family: &'static str,
    /// Key in `docs/bibliography.bib`.
    pub source: &'static str,
    /// Order of the solution; of a method with several, the highest.
    pub order: u32,
    /// Behaviour on stiff problems.
    pub stability: Stability,
    /// What steps.
    pub kind: Kind,
}

/// Behaviour on stiff problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stability {
    /// A-stable, and what is infinitely fast is gone after a step.
    L,
    /// A-stable up to order 2, above in a sector of the left half-plane.
    Alpha,
    /// For problems without fast time scales.
    Explicit,
    /// Explicit, with a long stretch of the negative real axis.
    Stabilised,
    /// Stable where every variable decays by itself; what variables do together is explicit.
    Decay,
}

/// The step function, with its coefficients.
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
    /// With φ functions of h J in Krylov spaces.
    Exponential(Exponential),
    /// A predictor and a corrector that take decay exactly.
    QuasiSteady,
    /// Radau IIA with three stages.
    Radau,
    /// Backward or numerical differentiation.
    Bdf(&'static Formulas),
}

/// The method for all cells when none is asked for, and where cells choose that of stiff ones.
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
        family: t.family,
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
/// `heun`.
pub static HEUN: Method = explicit(&runge_kutta::HEUN);
/// `rks57`.
pub static RKS57: Method = explicit(&runge_kutta::RKS57);

/// All of them: those that the program names itself by the names above.
pub static ALL: [Method; 24] = [
    rosenbrock(&tableau::ROS2),
    rosenbrock(&tableau::ROS3),
    rosenbrock(&tableau::ROS4),
    RODAS3,
    rosenbrock(&tableau::RODAS31),
    rosenbrock(&tableau::RODAS4),
    rosenbrock(&tableau::RODAS4P),
    RODAS5P,
    rosenbrock(&tableau::RANG3),
    Method {
        name: "radau5",
        family: "Radau IIA",
        source: "hairer1996",
        order: 5,
        stability: Stability::L,
        kind: Kind::Radau,
    },
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
];

impl Method {
    /// Looks a method up by name, ignoring case and punctuation.
    pub fn find(name: &str) -> Option<&'static Self> {
        let plain =
            |s: &str| s.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect::<String>();
        ALL.iter().find(|m| plain(m.name) == plain(name))
    }

    /// Whether it solves its equations by iteration.
    pub fn iterates(&self) -> bool {
        matches!(self.kind, Kind::Dirk(_) | Kind::Radau | Kind::Bdf(_))
    }

    /// Whether all its steps have the length of the first: it has no estimate of its errors.
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
            Kind::Exponential(_) => "3 f, 1 J, 3 Krylov spaces of up to 40 J v".to_owned(),
            Kind::QuasiSteady => "2 f, both ways".to_owned(),
            Kind::Radau => "3 f, 1 solve and 1 complex one per iteration; J and LU when needed".to_owned(),
            Kind::Bdf(_) => "1 f and 1 solve per iteration; J and LU when needed".to_owned(),
        }
    }
}
