//! Zones of stars that are heated by what burns in them.

mod batch;
mod plasma;
mod problem;

pub use batch::Zones;
use plasma::Near;
pub use plasma::{Matter, Plasma, Property};

use crate::single::{Single, Stopped};
use crate::{BatchError, OptionError, Options, PlanError, Reactor, Report, Scheme, Status, UsualArithmetic};
use kinlane_mech::scheme::Field;
use kinlane_plan::{Layout, Tables};
use kinlane_solve::methods::auto::is_auto;
use kinlane_solve::methods::{Method, Size, Stepper};
use problem::{Coupled, GIGA, Here, Kept, TEMPERATURES, Work};
use std::cell::RefCell;

/// What stays as it is while a zone burns.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Held {
    /// The density \[g/cm³\].
    Density(f64),
    /// The pressure \[erg/cm³\].
    Pressure(f64),
}

/// The methods that advance a zone; the first is the default.
const METHODS: [&str; 2] = ["bdf", "ndf"];

/// Part of the given tolerances that each step has to meet: errors of many steps add up.
const PART: f64 = 0.03;

/// Factors on the tolerances of steps with which a zone goes on where its steps become too short: in nuclear statistical
/// equilibrium net rates are rounding, which may be more than [`PART`] of the given tolerances. With the last factor these
/// are met.
const LOOSER: [f64; 2] = [10.0, 1.0 / PART];
/// With the last of them a zone begins anew as long as that brings it further by this part of the time ahead.
const WORTH: f64 = 0.01;

/// At constant pressure: the least (∂ln p/∂ln ρ)/(∂ln p/∂ln T) at which the pressure still determines the density.
const LEAST_MATTER: f64 = 1e-4;

/// Most nuclides: the Jacobian and its factors then take 64 MB, and a factorisation a second or two.
const MOST: usize = 2000;

/// Why there is no zone, or why it does not get to where it should.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ZoneError {
    /// The scheme is none of nuclides.
    #[error("a zone that is heated is one of a star, and the scheme is one of an atmosphere")]
    Atmosphere,
    /// The scheme is a network of nuclides whose masses are not all known.
    #[error("the mass of {name} is not known, so neither is the energy that is released")]
    Mass {
        /// The first nuclide without one.
        name: String,
    },
    /// Too many nuclides for a dense Jacobian.
    #[error(
        "a zone that is heated has a dense Jacobian, of {MOST} nuclides at most; the network has {nuclides}: choose \
         those that take part (option nuclides)"
    )]
    Size {
        /// How many there are.
        nuclides: usize,
    },
    /// Abundances that are not one for each nuclide.
    #[error("there are {got} abundances for {nuclides} nuclides")]
    Length {
        /// Abundances.
        got: usize,
        /// Nuclides.
        nuclides: usize,
    },
    /// Numbers that no matter has.
    #[error(
        "there is no such matter: T9 = {t9}, {density} g/cm\u{b3}, {electrons} mol/g of electrons; T9 must be between {} \
         and {}, and the others above zero (neutrons alone have no electrons)",
        TEMPERATURES.start(),
        TEMPERATURES.end()
    )]
    Matter {
        /// T9 \[GK\].
        t9: f64,
        /// Density \[g/cm³\].
        density: f64,
        /// Electrons \[mol/g\].
        electrons: f64,
    },
    /// Light has so much of the pressure that it does not say what the density is.
    #[error(
        "at constant pressure a zone must not consist of light: T9 = {t9}, {density} g/cm\u{b3}; hold the density (const-v)"
    )]
    Light {
        /// T9 \[GK\].
        t9: f64,
        /// Density \[g/cm³\].
        density: f64,
    },
    /// A method that does not advance a zone.
    #[error("a zone that is heated is advanced by {}, not by {name}", METHODS.join(" or "))]
    Method {
        /// As it was asked for.
        name: String,
    },
    /// Zones are advanced elsewhere than asked for.
    #[error("`{option}` means nothing for zones that are heated: each is advanced by one thread of the CPU")]
    Elsewhere {
        /// The option.
        option: &'static str,
    },
    /// A number of threads that cannot be, or a tolerance of a species.
    #[error(transparent)]
    Plan(PlanError),
    /// A reactor in which T does not change.
    #[error("at constant temperature a zone is not heated: advance it as a cell of its scheme, which is faster")]
    Reactor,
    /// An option that cannot be used.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Cells with a source.
    #[error("a zone that is heated takes no source: what it would do to the energy is not known")]
    Source,
    /// Cells that do not belong to the scheme.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// An interval that nothing can be advanced over.
    #[error("the interval is {dt} s, it must be a positive finite number")]
    Interval {
        /// The interval \[s\].
        dt: f64,
    },
    /// The zone could not be followed any further.
    #[error("{done:e} s on its way, at T9 = {t9:.4e}, the zone stops: {status}")]
    Stopped {
        /// Why.
        status: Status,
        /// How far it has come in this call \[s\].
        done: f64,
        /// T9 \[GK\], there.
        t9: f64,
    },
}

/// One zone of a star: nuclides, and a temperature that follows from the energy that they release, at constant density or
/// pressure. Matter is that of [`Plasma`]; energy that neutrinos carry away is not taken from it.
///
/// It is one cell on the scalar machine, with a dense Jacobian. Batches of zones are advanced by [`Zones`], and at constant
/// temperature by [`SchemeSolver`](crate::SchemeSolver), which is much faster.
///
/// ```no_run
/// use kinlane::mech::reaclib::Selection;
/// use kinlane::{Options, Reactor, ReadOptions, Scheme, Zone};
///
/// let nuclides = Some(Selection::of("he4,c12,o16,ne20,mg24,si28"));
/// let scheme = Scheme::load_with("reaclib", &ReadOptions { nuclides, ..ReadOptions::default() })?;
/// let of = |name: &str| if name == "c12" { 1.0 / 12.0 } else { 0.0 }; // mol/g
/// let abundances: Vec<f64> = scheme.species_names().iter().map(|name| of(name)).collect();
/// let options = Options { reactor: Reactor::ConstV, ..Options::default() };
/// let mut zone = Zone::new(&scheme, [2.5, 1e8], &abundances, &options)?; // GK, g/cm³
/// zone.advance(1e-6)?; // s
/// println!("{} GK after {} steps", zone.t9(), zone.steps());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Zone {
    scheme: Scheme,
    plasma: Plasma,
    held: Held,
    kept: Kept,
    cell: Single,
    tables: Tables,
    work: RefCell<Work>,
    /// How many of [`LOOSER`] have been taken.
    loosened: usize,
}

impl std::fmt::Debug for Zone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scheme = self.scheme.name();
        f.debug_struct("Zone").field("scheme", &scheme).field("held", &self.held).finish_non_exhaustive()
    }
}

impl Zone {
    /// A zone at T9 and a density \[g/cm³\] with abundances \[mol/g\], one for each nuclide. Of the options count the reactor
    /// (at [`Reactor::ConstP`] the pressure of that state is held, at [`Reactor::ConstV`] the density), tolerances, the
    /// method, the first step, and the number of attempted steps in a call.
    ///
    /// # Errors
    /// Any [`ZoneError`] but [`ZoneError::Interval`] and [`ZoneError::Stopped`].
    pub fn new(scheme: &Scheme, state: [f64; 2], abundances: &[f64], options: &Options) -> Result<Self, ZoneError> {
        let _usual = UsualArithmetic::set();
        let (method, nuclides) = (method(scheme, options)?, scheme.species_count());
        let plasma = Plasma::default();
        let work = RefCell::new(Work::new(scheme, state, tolerances(scheme, options)?));
        let (held, kept) = entered(scheme, &plasma, &work, options.reactor, state, abundances)?;
        let mut layout = Layout::default();
        let stepper = Stepper::new(&mut layout, method, Size { n: nuclides, factors: 0 });
        let mut cell = Single::new(layout, stepper, method, options.in_part(scheme.usual_atol(), PART)?);
        cell.state_mut().copy_from_slice(&scheme.mass_fractions(abundances));
        Ok(Self { scheme: scheme.clone(), plasma, held, kept, cell, tables: Tables::default(), work, loosened: 0 })
    }

    /// Gives the zone another T9 \[GK\], density \[g/cm³\] and abundances \[mol/g\]: those that a host's other operators have left. It
    /// goes on with the step that it had; at constant pressure, that of the new state is held. On an error it stays as it was.
    ///
    /// # Errors
    /// [`ZoneError::Length`], [`ZoneError::Matter`], [`ZoneError::Light`].
    pub fn set(&mut self, state: [f64; 2], abundances: &[f64]) -> Result<(), ZoneError> {
        let _usual = UsualArithmetic::set();
        let reactor = self.cell.options().reactor;
        (self.held, self.kept) = entered(&self.scheme, &self.plasma, &self.work, reactor, state, abundances)?;
        self.work.borrow_mut().enter(state);
        self.cell.state_mut().copy_from_slice(&self.scheme.mass_fractions(abundances));
        if std::mem::take(&mut self.loosened) > 0 {
            self.cell.loosen(1.0);
        }
        Ok(())
    }

    /// Advances the zone by `dt` \[s\]. It goes on with the step of the call before.
    ///
    /// # Errors
    /// [`ZoneError::Interval`]; [`ZoneError::Stopped`] if the zone does not get to the end: it stays where it was left.
    pub fn advance(&mut self, dt: f64) -> Result<(), ZoneError> {
        self.advance_while(dt, |_| true).map(|_| ())
    }

    /// Advances the zone by at most `dt` \[s\], as long as `go_on` says so of T9, after every attempted step. Returns by how
    /// much.
    ///
    /// # Errors
    /// As [`Zone::advance`].
    pub fn advance_while(&mut self, dt: f64, mut go_on: impl FnMut(f64) -> bool) -> Result<f64, ZoneError> {
        self.follow(dt, &mut go_on)
    }

    /// The same, not generic: methods are compiled once, not again in every program that has closures of its own.
    fn follow(&mut self, dt: f64, go_on: &mut dyn FnMut(f64) -> bool) -> Result<f64, ZoneError> {
        let _usual = UsualArithmetic::set();
        if !(dt.is_finite() && dt > 0.0) {
            return Err(ZoneError::Interval { dt });
        }
        let mut t9 = self.t9();
        let Self { scheme, plasma, held, kept, cell, tables, work, loosened } = self;
        let problem = Coupled { scheme, plasma, held: *held, kept: *kept, work };
        let (mut before, mut left) = (0.0, cell.options().max_steps);
        loop {
            let (asked, attempted) = (dt - before, cell.attempts());
            let mut wanted = true;
            let moved = cell.advance(tables, problem, asked, left, &mut |accepted, y| {
                if accepted {
                    t9 = problem.settle(&y()).map_or(f64::NAN, |here| here.t9);
                }
                wanted = go_on(t9);
                wanted
            });
            let Stopped { status, done } = match moved {
                // What was asked for, to the last bit, where all of it is done.
                Ok(done) => return Ok(if done < asked { before + done } else { dt }),
                Err(stopped) => stopped,
            };
            before += done;
            // Without any progress a caller who asks again would ask for ever.
            if !wanted && before > 0.0 {
                return Ok(before);
            }
            left = left.saturating_sub(u32::try_from(cell.attempts() - attempted).unwrap_or(u32::MAX));
            let last = *loosened == LOOSER.len();
            if status != Status::StepTooSmall || left == 0 || last && done < WORTH * asked {
                return Err(ZoneError::Stopped { status, done: before, t9 });
            }
            *loosened += usize::from(!last);
            cell.loosen(LOOSER[*loosened - 1]);
        }
    }

    /// T9 \[GK\].
    pub fn t9(&self) -> f64 {
        self.here().map_or(f64::NAN, |here| here.t9)
    }

    /// The density \[g/cm³\].
    pub fn density(&self) -> f64 {
        match self.held {
            Held::Density(density) => density,
            Held::Pressure(_) => self.here().map_or(f64::NAN, |here| here.thermal.density),
        }
    }

    fn here(&self) -> Option<Here> {
        let Self { scheme, plasma, held, kept, work, .. } = self;
        Coupled { scheme, plasma, held: *held, kept: *kept, work }.look(self.cell.state())
    }

    /// Abundances \[mol/g\].
    pub fn abundances(&self) -> Vec<f64> {
        self.scheme.abundances(self.cell.state())
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.cell.steps()
    }

    /// What all calls so far have cost, of one cell; it has failed if the last call did.
    pub fn report(&self) -> Report {
        self.cell.report()
    }
}

/// The factor on the absolute tolerance of each nuclide.
fn tolerances(scheme: &Scheme, options: &Options) -> Result<Vec<f64>, ZoneError> {
    let own = options.factors(scheme.usual_atol(), scheme.species_count(), |name| scheme.require(name));
    own.map_err(ZoneError::Plan)
}

/// The method by which zones of a scheme are advanced, if they can be.
fn method(scheme: &Scheme, options: &Options) -> Result<&'static Method, ZoneError> {
    options.in_part(scheme.usual_atol(), PART)?;
    if scheme.field() != Field::Star {
        return Err(ZoneError::Atmosphere);
    }
    let nuclides = scheme.species_count();
    if nuclides > MOST {
        return Err(ZoneError::Size { nuclides });
    }
    if let Some(part) = scheme.model.species.iter().find(|part| part.excess.is_none()) {
        return Err(ZoneError::Mass { name: part.name.clone() });
    }
    if options.reactor == Reactor::FixedT {
        return Err(ZoneError::Reactor);
    }
    let name = options.method.as_deref().filter(|name| !is_auto(name)).unwrap_or(METHODS[0]);
    let known = METHODS.iter().find(|known| known.eq_ignore_ascii_case(name)).and_then(|name| Method::find(name));
    known.ok_or_else(|| ZoneError::Method { name: name.to_owned() })
}

/// What is held and what is kept by a zone that enters with a state.
fn entered(
    scheme: &Scheme,
    plasma: &Plasma,
    work: &RefCell<Work>,
    reactor: Reactor,
    [t9, density]: [f64; 2],
    abundances: &[f64],
) -> Result<(Held, Kept), ZoneError> {
    let nuclides = scheme.species_count();
    if abundances.len() != nuclides {
        return Err(ZoneError::Length { got: abundances.len(), nuclides });
    }
    let start = Coupled { scheme, plasma, held: Held::Density(density), kept: Kept::default(), work };
    let matter = start.matter(abundances);
    let state = plasma.state(t9 * GIGA, density, matter).filter(|_| TEMPERATURES.contains(&t9));
    let Some([pressure, _]) = state else {
        return Err(ZoneError::Matter { t9, density, electrons: matter.electrons });
    };
    let held = match reactor {
        // The pressure of light must not exceed all when T changes a little.
        Reactor::ConstP if pressure.by_temperature * t9 * GIGA * LEAST_MATTER > density * pressure.by_density => {
            return Err(ZoneError::Light { t9, density });
        }
        Reactor::ConstP => Held::Pressure(pressure.value),
        Reactor::ConstV => Held::Density(density),
        Reactor::FixedT => return Err(ZoneError::Reactor),
    };
    let none = ZoneError::Matter { t9, density, electrons: matter.electrons };
    let energy =
        Coupled { held, ..start }.thermal(t9 * GIGA, abundances, density, &mut Near::default()).ok_or(none)?.energy;
    let kept = Kept { sum: scheme.mass_fractions(abundances).iter().sum(), energy };
    Ok((held, kept))
}
