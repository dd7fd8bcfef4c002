//! A zone of a star that is heated by what burns in it.

mod plasma;
mod problem;

pub use plasma::{Matter, Plasma, Property};

use crate::{Options, Scheme, Status};
use kinlane_plan::machine::Machine;
use kinlane_plan::{Layout, Scalar, Tables};
use kinlane_solve::methods::control::{DONE, Start};
use kinlane_solve::methods::{Method, Size, Stepper};
use problem::{Coupled, Work};
use std::cell::RefCell;

/// What stays as it is while a zone burns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Held {
    /// The density \[g/cm³\].
    Density(f64),
    /// The pressure \[erg/cm³\].
    Pressure(f64),
}

/// The methods that advance a zone; the first is the default.
pub const METHODS: [&str; 2] = ["bdf", "ndf"];

/// Parts of the tolerances that steps get: errors of many steps add up.
const PART: f64 = 0.03;

/// Why there is no zone.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ZoneError {
    /// The scheme is no network of nuclides whose masses are known.
    #[error("the mass of {name} is not known, so neither is the energy that is released")]
    Mass {
        /// The first nuclide without one.
        name: String,
    },
    /// Numbers that no matter has.
    #[error(
        "there is no such matter: T9 = {t9}, {density} g/cm\u{b3}, {electrons} mol/g of electrons; all must be above zero"
    )]
    Matter {
        /// T9 \[GK\].
        t9: f64,
        /// Density \[g/cm³\].
        density: f64,
        /// Electrons \[mol/g\].
        electrons: f64,
    },
    /// A method that does not advance a zone.
    #[error("a zone that is heated is advanced by {}, not by {name}", METHODS.join(" or "))]
    Method {
        /// As it was asked for.
        name: String,
    },
}

/// One zone of a star: nuclides, and a temperature that follows from the energy that they release, at constant density or
/// pressure. Matter is that of [`Plasma`]; energy that neutrinos carry away is not taken from it.
///
/// It is one cell on the scalar machine, with a dense Jacobian: for one zone at a desk. Batches at constant temperature are
/// advanced by [`SchemeSolver`](crate::SchemeSolver).
pub struct Zone {
    scheme: Scheme,
    plasma: Plasma,
    held: Held,
    stepper: Stepper,
    arena: Vec<f64>,
    tables: Tables,
    work: RefCell<Work>,
    budget: u32,
}

impl Zone {
    /// A zone at T9 and a density \[g/cm³\] with abundances \[mol/g\]. With `at_pressure` the pressure of that state is held,
    /// else the density. Of the options tolerances, the method, and the number of steps count.
    ///
    /// # Errors
    /// [`ZoneError`].
    pub fn new(
        scheme: &Scheme,
        [t9, density]: [f64; 2],
        abundances: &[f64],
        at_pressure: bool,
        options: &Options,
    ) -> Result<Self, ZoneError> {
        if let Some(part) = scheme.model.species.iter().find(|part| part.excess.is_none()) {
            return Err(ZoneError::Mass { name: part.name.clone() });
        }
        let name = options.method.as_deref().filter(|name| !name.eq_ignore_ascii_case("auto")).unwrap_or(METHODS[0]);
        let known = METHODS.iter().find(|known| known.eq_ignore_ascii_case(name)).and_then(|name| Method::find(name));
        let Some(method) = known else { return Err(ZoneError::Method { name: name.to_owned() }) };
        let plasma = Plasma::default();
        let work = RefCell::new(Work::new(scheme, density));
        let start = Coupled { scheme, plasma: &plasma, held: Held::Density(density), work: &work };
        let matter = start.matter(abundances);
        let Some([pressure, _]) = plasma.state(t9 * 1e9, density, matter) else {
            return Err(ZoneError::Matter { t9, density, electrons: matter.electrons });
        };
        let held = if at_pressure { Held::Pressure(pressure.value) } else { Held::Density(density) };
        let (mut layout, n) = (Layout::default(), abundances.len() + 1);
        let stepper = Stepper::new(&mut layout, method, Size { n, factors: 0 });
        let (mut arena, tables) = (vec![0.0; layout.len()], Tables::default());
        let m = Scalar::new(&tables, &mut arena);
        let weights = scheme.model.species.iter().map(|part| part.weight);
        abundances.iter().zip(weights).enumerate().for_each(|(i, (y, a))| m.put(stepper.y, i, y * a));
        m.put(stepper.y, n - 1, t9);
        let options = Options { rtol: options.rtol * PART, atol: options.atol * PART, ..options.clone() };
        let first = Start { h: options.first_step.unwrap_or(f64::MAX), ..Start::new(&options, 0.0) };
        stepper.clock.start(first).into_iter().for_each(|(a, x)| m.set(a, x));
        Ok(Self { scheme: scheme.clone(), plasma, held, stepper, arena, tables, work, budget: options.max_steps })
    }

    /// Advances the zone by `dt` \[s\]. It goes on with the step that it had come to.
    ///
    /// # Errors
    /// The status of a zone that does not get to the end; it stays where it was left.
    pub fn advance(&mut self, dt: f64) -> Result<(), Status> {
        self.advance_until(dt, f64::INFINITY).map(|_| ())
    }

    /// Advances the zone by at most `dt` \[s\], to the end of the first step by which T has changed by more than a part `change`.
    /// Returns by how much.
    ///
    /// # Errors
    /// As [`Zone::advance`].
    pub fn advance_until(&mut self, dt: f64, change: f64) -> Result<f64, Status> {
        let first = self.t9();
        let Self { scheme, plasma, held, stepper, arena, tables, work, budget } = self;
        let problem = Coupled { scheme, plasma, held: *held, work };
        let (m, c, n) = (Scalar::new(tables, arena), stepper.clock, stepper.y.len as usize);
        m.set(c.left, dt);
        m.set(c.h, m.var(c.h).min(dt));
        m.set(c.verdict, 0.0);
        m.set(c.budget, m.var(c.steps) + m.var(c.rejected) + f64::from(*budget));
        while m.var(c.verdict) == 0.0 {
            stepper.attempt(m, problem);
            if (m.get(stepper.y, n - 1) / first - 1.0).abs() > change && m.var(c.left) > 0.0 {
                return Ok(dt - m.var(c.left));
            }
        }
        match m.var(c.verdict) {
            DONE => Ok(dt),
            other => Err(Status::from_number(other)),
        }
    }

    /// T9 \[GK\].
    pub fn t9(&self) -> f64 {
        self.state().last().copied().unwrap_or(f64::NAN)
    }

    /// The density \[g/cm³\].
    pub fn density(&self) -> f64 {
        match self.held {
            Held::Density(density) => density,
            Held::Pressure(pressure) => {
                let work = self.work.borrow();
                let (t, abundances) = (self.t9() * 1e9, self.abundances());
                let problem = Coupled { scheme: &self.scheme, plasma: &self.plasma, held: self.held, work: &self.work };
                self.plasma.density(t, pressure, problem.matter(&abundances), work.density).unwrap_or(f64::NAN)
            }
        }
    }

    /// Abundances \[mol/g\].
    pub fn abundances(&self) -> Vec<f64> {
        self.state().iter().zip(&self.scheme.model.species).map(|(x, part)| x / part.weight).collect()
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.arena[self.stepper.clock.steps.at as usize] as u64
    }

    /// Mass fractions, and T9.
    fn state(&self) -> &[f64] {
        let y = self.stepper.y;
        &self.arena[y.at as usize..][..y.len as usize]
    }
}
