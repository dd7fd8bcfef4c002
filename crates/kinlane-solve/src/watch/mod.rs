//! What is recorded of a cell while it advances: its state at given times, and the times of events.

mod crossing;
mod event;
mod step;

pub use step::Step;

use event::Seen;
use step::STATES;

/// A quantity of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// T \[K\].
    Temperature,
    /// p \[Pa\].
    Pressure,
    /// Mass fraction of a species.
    MassFraction(usize),
    /// Mole fraction of a species.
    MoleFraction(usize),
    /// Concentration of a species [mol/m³].
    Concentration(usize),
}

impl Quantity {
    /// The species of the quantity, if it has one.
    pub fn species(self) -> Option<usize> {
        match self {
            Self::Temperature | Self::Pressure => None,
            Self::MassFraction(k) | Self::MoleFraction(k) | Self::Concentration(k) => Some(k),
        }
    }
}

/// What may happen to a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Happening {
    /// It rises fastest. A rise within the tolerances does not count. Where the rate hardly changes around
    /// its peak, the time of the peak is known far less well than its height: of rises that have not slowed
    /// to half by three times that time, a tolerance of 1e-6 leaves some per cent open.
    SteepestRise,
    /// The end of the first step, after the fastest rise, at which the rate is below this part of the
    /// fastest.
    RiseSlowed(f64),
    /// It is largest. It must since have fallen by clearly more than the tolerances: a plateau has no peak.
    /// The time of a maximum is known far less well than its height: it takes a relative tolerance of 1e-9 to
    /// be as good as a crossing at 1e-6.
    Maximum,
    /// It first crosses a level, from either side.
    Crossing(f64),
    /// It is first this much above its value at entry.
    Rise(f64),
}

/// An event to look for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// The quantity.
    pub quantity: Quantity,
    /// What must happen to it.
    pub happening: Happening,
}

/// What to record of every cell of a batch, and where to.
#[derive(Debug)]
pub struct Watch<'a> {
    /// Times \[s\] at which to record the state, ascending, from 0 to the longest interval.
    pub times: &'a [f64],
    /// \[n, times, species + 2\] for n cells: T \[K\], p \[Pa\], mass fractions. NaN where a cell did not
    /// arrive.
    pub series: &'a mut [f64],
    /// Events to look for.
    pub events: &'a [Event],
    /// \[n, events\]: when each happened \[s\]; NaN if it did not.
    pub found: &'a mut [f64],
}

/// Bound on a rate at an end of a step, in units of the mean rates of the step and of the one before. In a
/// gas at rest, in steps of 1e5 of its shortest time scales, f is the remaining error of the method times a
/// fast rate, and not the rate of change of the cell.
const STEEP: f64 = 10.0;

/// Factor on the end of the last step: rounding may put a time of the interval behind it.
pub const LEEWAY: f64 = 1.0 + 1e-9;

/// What is to be recorded of every cell.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'a> {
    /// Times \[s\] at which to record the state.
    pub times: &'a [f64],
    /// Events to look for.
    pub events: &'a [Event],
    /// Molar masses [kg/mol] of the species.
    pub molar_mass: &'a [f64],
    /// Relative tolerance of the integration.
    pub rtol: f64,
    /// Absolute tolerance of the integration, on mass fractions.
    pub atol: f64,
    /// The factor on it of each species; empty if all are 1.
    pub own: &'a [f64],
}

impl Sought<'_> {
    /// Absolute tolerance on the mass fraction of species `k`.
    pub(super) fn atol_of(&self, k: usize) -> f64 {
        self.atol * self.own.get(k).unwrap_or(&1.0)
    }
}

/// Where the results for one cell go: its parts of [`Watch::series`] and [`Watch::found`].
#[derive(Debug)]
pub struct Answers<'a> {
    /// \[times, species + 2\].
    pub series: &'a mut [f64],
    /// \[events\].
    pub found: &'a mut [f64],
}

/// How far a cell has been recorded.
#[derive(Debug, Clone)]
pub struct Noted {
    steps: f64,
    times: usize,
    seen: Vec<Seen>,
    /// Per variable: mean rate over the last step, NaN before the first; then the rates at its start and its
    /// end, bounded by [`STEEP`].
    rates: Vec<f64>,
    /// \[[`STATES`], variables\]: states within a step.
    states: Vec<f64>,
}

impl Noted {
    /// Memory for so many events, in a gas with so many variables.
    pub fn new(events: usize, variables: usize) -> Self {
        let (rates, states) = (vec![f64::NAN; 3 * variables], vec![0.0; STATES * variables]);
        Self { steps: 0.0, times: 0, seen: vec![Seen::NOTHING; events], rates, states }
    }

    /// To be called when a cell has entered.
    pub fn enter(&mut self, to: Answers<'_>) {
        (self.steps, self.times) = (0.0, 0);
        self.seen.fill(Seen::NOTHING);
        self.rates.fill(f64::NAN);
        to.series.fill(f64::NAN);
        to.found.fill(f64::NAN);
    }

    /// Records the step that led to `steps` accepted steps, if it is a new one, and the entry state if there
    /// was no step yet. All times up to `end` \[s\] are then recorded.
    pub fn look(&mut self, w: &Sought<'_>, s: &Step<'_>, steps: f64, end: f64, to: Answers<'_>) {
        if steps == 0.0 {
            // No step yet: a step of length zero, with the entry state at its end.
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

/// Updates `rates` with the rates at both ends of a step, bounded: see [`Noted`].
fn limit(s: &Step<'_>, rates: &mut [f64]) {
    let (mean, ends) = rates.split_at_mut(rates.len() / 3);
    let (first, last) = ends.split_at_mut(mean.len());
    let within = |rate: f64, most: f64| rate.max(-STEEP * most).min(STEEP * most);
    for (i, ((mean, first), last)) in mean.iter_mut().zip(first).zip(last).enumerate() {
        let before = *mean;
        *mean = ((s.y1)(i) - (s.y0)(i)) / s.h;
        // `max` ignores the NaN before the first step; a cell's first rate is taken without bound.
        let most = mean.abs().max(before.abs());
        *first = if before.is_nan() { (s.f0)(i) } else { within((s.f0)(i), most) };
        *last = within((s.f1)(i), most.max(first.abs()));
    }
}

/// Records the state at all times up to `end` \[s\] that are still missing.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Reactor;

    /// Steps of a second from 5 to 6, and then at rest: a rate of a million at an end is not that of the cell, and counts as ten
    /// times the fastest that is known; but for the first rate of all.
    #[test]
    fn rates_at_the_ends_of_steps_are_bounded() {
        let mut rates = [f64::NAN; 3];
        for (y, f, want) in [([5.0, 6.0], [2.0, 1e6], [1.0, 2.0, 20.0]), ([6.0, 6.0], [-1e6, 5.0], [0.0, -10.0, 5.0])] {
            let step = Step {
                t: 0.0,
                h: 1.0,
                y0: &|_| y[0],
                f0: &|_| f[0],
                y1: &|_| y[1],
                f1: &|_| f[1],
                species: 0,
                parameter: 1e5,
                imposed: None,
                reactor: Reactor::ConstP,
                between: &|_, to| to.fill(f64::NAN),
            };
            limit(&step, &mut rates);
            assert_eq!(rates, want);
        }
    }
}
