//! What is noted of a cell while it advances: its state at given times, and when something happens to it.

mod event;
mod step;

pub use step::Step;

use event::Seen;
use step::STATES;

/// A quantity of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// T [K].
    Temperature,
    /// p [Pa].
    Pressure,
    /// Mass fraction of a species.
    MassFraction(usize),
    /// Mole fraction of a species.
    MoleFraction(usize),
    /// Concentration of a species [mol/m³].
    Concentration(usize),
}

impl Quantity {
    /// The species that it is about.
    pub fn species(self) -> Option<usize> {
        match self {
            Self::Temperature | Self::Pressure => None,
            Self::MassFraction(k) | Self::MoleFraction(k) | Self::Concentration(k) => Some(k),
        }
    }
}

/// What may happen to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Happening {
    /// It rises fastest. A rise that is within the tolerances is none. Where the rate hardly changes around its peak, when is known
    /// less well than how fast, by far: of rises that have not slowed to half by three times the time, 1e-6 leaves some per cent open.
    SteepestRise,
    /// After it has risen fastest, the end of the first step at which its rate is below this part of that.
    RiseSlowed(f64),
    /// It is largest. It must have fallen since by clearly more than the tolerances: a plateau has no peak. When, is known less
    /// well than how much, by far: a relative tolerance of 1e-9 tells it where 1e-6 does for crossings.
    Maximum,
    /// It first crosses a level, from either side.
    Crossing(f64),
    /// It is first this much above where it entered.
    Rise(f64),
}

/// An event to look for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// Of what.
    pub quantity: Quantity,
    /// What.
    pub happening: Happening,
}

/// What to note of every cell of a batch, and where.
#[derive(Debug)]
pub struct Watch<'a> {
    /// Times [s] to note the state at, ascending, from 0 to the interval.
    pub times: &'a [f64],
    /// \[n, times, species + 2\] of n cells: T [K], p [Pa], mass fractions. NaN where a cell did not arrive.
    pub series: &'a mut [f64],
    /// Events to look for.
    pub events: &'a [Event],
    /// \[n, events\]: when [s]; NaN where it did not happen.
    pub found: &'a mut [f64],
}

/// A rate at an end of a step counts up to so many times the mean rates of the step and of the one before. In a gas at rest, in steps
/// of 1e5 of its shortest time scales, f is what the method leaves of an error times a fast rate: no rate of the cell.
const STEEP: f64 = 10.0;

/// What is asked of every cell.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'a> {
    /// Times [s] to note the state at.
    pub times: &'a [f64],
    /// Events to look for.
    pub events: &'a [Event],
    /// Molar masses [kg/mol] of the species.
    pub molar_mass: &'a [f64],
    /// Relative tolerance of the integration.
    pub rtol: f64,
    /// Its absolute tolerance, on mass fractions.
    pub atol: f64,
}

/// Where the answers for one cell go: its parts of [`Watch::series`] and [`Watch::found`].
#[derive(Debug)]
pub struct Answers<'a> {
    /// \[times, species + 2\].
    pub series: &'a mut [f64],
    /// \[events\].
    pub found: &'a mut [f64],
}

/// How far a cell has been looked at.
#[derive(Debug, Clone)]
pub struct Noted {
    steps: f64,
    times: usize,
    seen: Vec<Seen>,
    /// Mean rates of the last step, NaN before the first; then the rates at both ends of it, as far as they count.
    rates: Vec<f64>,
    /// \[[`STATES`], variables\], within a step.
    states: Vec<f64>,
}

impl Noted {
    /// Room for so many events, of a gas of so many variables.
    pub fn new(events: usize, variables: usize) -> Self {
        let (rates, states) = (vec![f64::NAN; 3 * variables], vec![0.0; STATES * variables]);
        Self { steps: 0.0, times: 0, seen: vec![Seen::NOTHING; events], rates, states }
    }

    /// A cell has entered.
    pub fn enter(&mut self, to: Answers<'_>) {
        (self.steps, self.times) = (0.0, 0);
        self.seen.fill(Seen::NOTHING);
        self.rates.fill(f64::NAN);
        to.series.fill(f64::NAN);
        to.found.fill(f64::NAN);
    }

    /// Looks at the step that made the cell's accepted steps `steps`, if that is a new one, and at the entry state if
    /// there was none. With the step all times up to `end` [s] are over.
    pub fn look(&mut self, w: &Sought<'_>, s: &Step<'_>, steps: f64, end: f64, to: Answers<'_>) {
        if steps == 0.0 {
            // No step yet: its end is the state.
            rows(w, &Step { h: 0.0, ..*s }, 0.0, (&mut self.times, &mut self.states), to.series);
        }
        if steps <= self.steps {
            return;
        }
        self.steps = steps;
        let Self { times, seen, rates, states, .. } = self;
        let n = rates.len() / 3;
        limit(s, rates);
        let (first, last) = rates[n..].split_at(n);
        let s = &Step { f0: &|i| first[i], f1: &|i| last[i], ..*s };
        rows(w, s, end, (times, states), to.series);
        for ((e, seen), found) in w.events.iter().zip(seen).zip(to.found) {
            event::look(e, s, w, seen, &mut states[..n], found);
        }
    }
}

/// Takes the rates at both ends of a step, as far as they count: see [`Noted`].
fn limit(s: &Step<'_>, rates: &mut [f64]) {
    let (mean, ends) = rates.split_at_mut(rates.len() / 3);
    let (first, last) = ends.split_at_mut(mean.len());
    let within = |rate: f64, most: f64| rate.max(-STEEP * most).min(STEEP * most);
    for (i, ((mean, first), last)) in mean.iter_mut().zip(first).zip(last).enumerate() {
        let before = *mean;
        *mean = ((s.y1)(i) - (s.y0)(i)) / s.h;
        // NaN is less than anything here: a cell's first rate is what it is.
        let most = mean.abs().max(before.abs());
        *first = if before.is_nan() { (s.f0)(i) } else { within((s.f0)(i), most) };
        *last = within((s.f1)(i), most.max(first.abs()));
    }
}

/// Notes the state at all times up to `end` [s] of which it is not noted yet.
fn rows(w: &Sought<'_>, s: &Step<'_>, end: f64, (noted, states): (&mut usize, &mut [f64]), series: &mut [f64]) {
    let (width, n) = (s.species + 2, states.len() / STATES);
    loop {
        let (mut x, mut count) = ([1.0; STATES], 0);
        for (x, &t) in x.iter_mut().zip(&w.times[*noted..]).take_while(|(_, t)| **t <= end) {
            if s.h > 0.0 {
                *x = (t - s.t) / s.h;
            }
            count += 1;
        }
        if count == 0 {
            return;
        }
        s.states(&x[..count], &mut states[..count * n]);
        for state in states.chunks_exact(n).take(count) {
            s.write(state, w.molar_mass, &mut series[*noted * width..(*noted + 1) * width]);
            *noted += 1;
        }
    }
}
