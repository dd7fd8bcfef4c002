//! What is noted of a cell while it advances: its state at given times, and when something happens to it.

use crate::gas::state::{parameter, pressure};
use crate::options::Reactor;

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
    /// It rises fastest. A rise that is within the tolerances is none.
    SteepestRise,
    /// It is largest. It must have fallen since by clearly more than the tolerances: a plateau has no peak.
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

/// Places in a step where a crossing is looked for.
const LOOKS: usize = 8;

/// A step of one cell: both ends, as (phi, T, sigma, what a history imposes) and their rates.
#[allow(missing_debug_implementations, reason = "it holds functions")]
pub struct Step<'a> {
    /// Start and length [s].
    pub t: f64,
    /// See `t`.
    pub h: f64,
    /// State and rate at its start.
    pub y0: &'a dyn Fn(usize) -> f64,
    /// See `y0`.
    pub f0: &'a dyn Fn(usize) -> f64,
    /// State and rate at its end.
    pub y1: &'a dyn Fn(usize) -> f64,
    /// See `y1`.
    pub f1: &'a dyn Fn(usize) -> f64,
    /// Number of species.
    pub species: usize,
    /// Pressure or density, as the reactor says, where neither is imposed.
    pub parameter: f64,
    /// Where among the variables an imposed pressure or specific volume is.
    pub imposed: Option<usize>,
    /// The equations.
    pub reactor: Reactor,
}

impl Step<'_> {
    /// Variable `i` and its rate at `x` between 0 and 1, on the Hermite cubic.
    fn at(&self, i: usize, x: f64) -> [f64; 2] {
        let (a, b) = ((self.y0)(i), (self.y1)(i));
        let (fa, fb) = ((self.f0)(i) * self.h, (self.f1)(i) * self.h);
        if x == 1.0 {
            return [b, fb / self.h];
        }
        let rise = b - a;
        // y = a + x (rise + (1 − x) ((1 − x)(fa − rise) − x (fb − rise)))
        let (u, p, q) = (1.0 - x, fa - rise, fb - rise);
        let inner = u * p - x * q;
        let value = a + x * (rise + u * inner);
        let slope = rise + (1.0 - 2.0 * x) * inner - x * u * (p + q);
        [value, slope / self.h]
    }

    /// T, p and phi·rho scale at `x`.
    fn scalars(&self, x: f64) -> Scalars {
        let n = self.species;
        let ([t, dt], [sigma, dsigma]) = (self.at(n, x), self.at(n + 1, x));
        let imposed = self.imposed.map(|i| self.at(i, x));
        match self.reactor {
            // rho = p/(R T sigma)
            Reactor::ConstP | Reactor::FixedT => {
                let [p, dp] = imposed.unwrap_or([self.parameter, 0.0]);
                let rho = parameter(Reactor::ConstV, p, t, sigma);
                Scalars { t, dt, p, dp, sigma, dsigma, rho, drho: rho * (dp / p - dt / t - dsigma / sigma) }
            }
            Reactor::ConstV => {
                let [rho, drho] = imposed.map_or([self.parameter, 0.0], |[v, dv]| [1.0 / v, -dv / (v * v)]);
                let p = pressure(Reactor::ConstV, rho, t, sigma);
                let dp = p * (drho / rho + dt / t + dsigma / sigma);
                Scalars { t, dt, p, dp, sigma, dsigma, rho, drho }
            }
        }
    }

    /// What the tolerances leave open of a quantity that is `value` at the end of the step.
    fn open(&self, q: Quantity, value: f64, w: &Sought<'_>) -> f64 {
        let atol = match q {
            Quantity::Temperature | Quantity::Pressure => 0.0,
            Quantity::MassFraction(_) => w.atol,
            Quantity::MoleFraction(k) => w.atol / (w.molar_mass[k] * self.scalars(1.0).sigma),
            Quantity::Concentration(k) => w.atol / w.molar_mass[k] * self.scalars(1.0).rho,
        };
        w.rtol * value.abs() + atol
    }

    /// A quantity and its rate at `x`; molar masses turn phi into mass fractions.
    fn value(&self, q: Quantity, x: f64, molar_mass: &[f64]) -> [f64; 2] {
        let s = self.scalars(x);
        match q {
            Quantity::Temperature => [s.t, s.dt],
            Quantity::Pressure => [s.p, s.dp],
            Quantity::MassFraction(k) => self.at(k, x).map(|v| v * molar_mass[k]),
            Quantity::MoleFraction(k) => {
                let [phi, d] = self.at(k, x);
                [phi / s.sigma, (d - phi * s.dsigma / s.sigma) / s.sigma]
            }
            Quantity::Concentration(k) => {
                let [phi, d] = self.at(k, x);
                [phi * s.rho, d * s.rho + phi * s.drho]
            }
        }
    }

    /// T, p and mass fractions at `x`.
    pub fn write(&self, x: f64, molar_mass: &[f64], out: &mut [f64]) {
        let s = self.scalars(x);
        (out[0], out[1]) = (s.t, s.p);
        for (k, w) in molar_mass.iter().enumerate() {
            out[2 + k] = self.at(k, x)[0] * w;
        }
    }
}

struct Scalars {
    t: f64,
    dt: f64,
    p: f64,
    dp: f64,
    sigma: f64,
    dsigma: f64,
    rho: f64,
    drho: f64,
}

/// What is known of one event of one cell.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    /// Largest value or rate at the end of any step so far, or the level to cross.
    best: f64,
    /// When it was largest, [s].
    when: f64,
    /// The smallest value or rate since.
    fallen: f64,
    /// The smallest value until then, and the largest since: how far a steepest rise rises.
    low: f64,
    high: f64,
    /// The smallest value so far.
    lowest: f64,
    /// The last ends of steps, the latest last.
    nodes: [Node; NODES],
    /// How many there are.
    count: usize,
}

impl Seen {
    /// Of a cell that has just entered.
    pub const NOTHING: Self = Self {
        best: f64::NEG_INFINITY,
        when: f64::NAN,
        fallen: f64::INFINITY,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        lowest: f64::INFINITY,
        nodes: [Node { t: 0.0, value: [0.0; 2] }; NODES],
        count: 0,
    };

    /// One more node. Steps may be too short for the clock: of nodes at one time the last counts.
    fn push(&mut self, node: Node) {
        if self.count > 0 && node.t <= self.nodes[self.count - 1].t {
            self.count -= 1;
        } else if self.count == NODES {
            self.nodes.rotate_left(1);
            self.count -= 1;
        }
        self.nodes[self.count] = node;
        self.count += 1;
    }
}

/// So many tolerances are no noise.
const CLEARLY: f64 = 10.0;

/// A rate at an end of a step counts up to so many times the mean rates of the step and of the one before. In a gas at rest, in steps
/// of 1e5 of its shortest time scales, f is what the method leaves of an error times a fast rate: no rate of the cell.
const STEEP: f64 = 10.0;

/// Ends of steps that a peak is interpolated between.
const NODES: usize = 5;

/// A quantity and its rate at an end of a step.
#[derive(Debug, Clone, Copy)]
struct Node {
    t: f64,
    value: [f64; 2],
}

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
    /// Mean rates of the last step; NaN before the first.
    mean: Vec<f64>,
    /// Rates at both ends of it, as far as they count.
    rates: [Vec<f64>; 2],
}

impl Noted {
    /// Room for so many events, of a gas of so many species.
    pub fn new(events: usize, species: usize) -> Self {
        let each = || vec![f64::NAN; species + 2];
        Self { steps: 0.0, times: 0, seen: vec![Seen::NOTHING; events], mean: each(), rates: [each(), each()] }
    }

    /// A cell has entered.
    pub fn enter(&mut self, to: Answers<'_>) {
        (self.steps, self.times) = (0.0, 0);
        self.seen.fill(Seen::NOTHING);
        self.mean.fill(f64::NAN);
        to.series.fill(f64::NAN);
        to.found.fill(f64::NAN);
    }

    /// Looks at the step that made the cell's accepted steps `steps`, if that is a new one, and at the entry state if
    /// there was none. With the step all times up to `end` [s] are over.
    pub fn look(&mut self, w: &Sought<'_>, s: &Step<'_>, steps: f64, end: f64, to: Answers<'_>) {
        let width = s.species + 2;
        let write = |s: &Step<'_>, index: usize, x: f64, series: &mut [f64]| {
            s.write(x, w.molar_mass, &mut series[index * width..(index + 1) * width]);
        };
        if steps == 0.0 {
            while w.times.get(self.times).is_some_and(|&t| t <= 0.0) {
                write(s, self.times, 1.0, to.series);
                self.times += 1;
            }
        }
        if steps <= self.steps {
            return;
        }
        self.steps = steps;
        self.limit(s);
        let rate = |end: usize, raw: &dyn Fn(usize) -> f64, i: usize| {
            self.rates[end].get(i).copied().unwrap_or_else(|| raw(i))
        };
        let s = &Step { f0: &|i| rate(0, s.f0, i), f1: &|i| rate(1, s.f1, i), ..*s };
        while let Some(&t) = w.times.get(self.times).filter(|&&t| t <= end) {
            write(s, self.times, ((t - s.t) / s.h).clamp(0.0, 1.0), to.series);
            self.times += 1;
        }
        for ((e, seen), found) in w.events.iter().zip(&mut self.seen).zip(to.found) {
            look(e, s, w, seen, found);
        }
    }

    /// Takes the rates at both ends of a step, as far as they count.
    fn limit(&mut self, s: &Step<'_>) {
        let [first, last] = &mut self.rates;
        let within = |rate: f64, most: f64| rate.max(-STEEP * most).min(STEEP * most);
        for (i, ((mean, first), last)) in self.mean.iter_mut().zip(first).zip(last).enumerate() {
            let before = *mean;
            *mean = ((s.y1)(i) - (s.y0)(i)) / s.h;
            // NaN is less than anything here: a cell's first rate is what it is.
            let most = mean.abs().max(before.abs());
            *first = if before.is_nan() { (s.f0)(i) } else { within((s.f0)(i), most) };
            *last = within((s.f1)(i), most.max(first.abs()));
        }
    }
}

/// Looks for an event in a step; `found` is when it happened, NaN until then.
fn look(e: &Event, s: &Step<'_>, w: &Sought<'_>, seen: &mut Seen, found: &mut f64) {
    let at = |x: f64| s.value(e.quantity, x, w.molar_mass);
    match e.happening {
        Happening::SteepestRise | Happening::Maximum => {
            let which = usize::from(e.happening == Happening::SteepestRise);
            if seen.count == 0 {
                // What only falls, or is not there, has no peak.
                seen.best = f64::MIN_POSITIVE;
                peak(which, Node { t: s.t, value: at(0.0) }, seen);
            }
            peak(which, Node { t: s.t + s.h, value: at(1.0) }, seen);
            *found = if stands_out(which, e.quantity, s, w, seen) { seen.when } else { f64::NAN };
        }
        Happening::Crossing(_) | Happening::Rise(_) if !found.is_nan() => {}
        Happening::Crossing(level) => crossing(&|x| at(x)[0] - level, s, found),
        Happening::Rise(by) => {
            if seen.best == f64::NEG_INFINITY {
                seen.best = at(0.0)[0] + by;
            }
            crossing(&|x| at(x)[0] - seen.best, s, found);
        }
    }
}

/// The largest value (`which` = 0) or rate (1) so far, with the end of one step more.
///
/// The polynomial through the rates at the last ends says where between them the peak is. The values do not enter: the
/// small errors of single steps, small beside the values, are not small beside what a rate changes by around its peak.
/// A peak is looked at twice, when one end after it is known and when two are.
fn peak(which: usize, end: Node, seen: &mut Seen) {
    let g = |n: &Node| n.value[which];
    seen.push(end);
    seen.lowest = seen.lowest.min(end.value[0]);
    if g(&end) > seen.best {
        (seen.best, seen.when) = (g(&end), end.t);
        (seen.fallen, seen.low, seen.high) = (g(&end), seen.lowest, end.value[0]);
    } else {
        (seen.fallen, seen.high) = (seen.fallen.min(g(&end)), seen.high.max(end.value[0]));
    }
    let nodes = &seen.nodes[..seen.count];
    for (first, three) in nodes.windows(3).enumerate().skip(nodes.len().saturating_sub(4)) {
        let [before, top, after] = [0, 1, 2].map(|i| g(&three[i]));
        if top == seen.best && top >= before && top >= after && (top > before || top > after) {
            let rate = Polynomial::new(nodes, nodes[first + 1].t);
            let (lo, hi) = (three[0].t - three[1].t, three[2].t - three[1].t);
            let x = if which == 1 { golden(&|x| rate.at(x), lo, hi) } else { descent(&|x| rate.at(x), lo, hi) };
            seen.when = three[1].t + x;
        }
    }
}

/// Whether a peak is more than what the tolerances leave open: a value has fallen from its maximum by more, or a steepest
/// rise leads higher up by more. What is still growing, and a plateau, do not stand out.
fn stands_out(which: usize, q: Quantity, s: &Step<'_>, w: &Sought<'_>, seen: &Seen) -> bool {
    let drop = seen.best - seen.fallen;
    match which {
        0 => drop > CLEARLY * s.open(q, seen.best, w),
        _ => drop > CLEARLY * w.rtol * seen.best && seen.high - seen.low > CLEARLY * s.open(q, seen.high, w),
    }
}

/// Through the rates at some nodes, in Newton's form; times from one of them.
struct Polynomial {
    nodes: [f64; NODES],
    coefficients: [f64; NODES],
    count: usize,
}

impl Polynomial {
    fn new(points: &[Node], origin: f64) -> Self {
        let (mut nodes, mut d) = ([0.0; NODES], [0.0; NODES]);
        for (i, p) in points.iter().enumerate() {
            (nodes[i], d[i]) = (p.t - origin, p.value[1]);
        }
        let count = points.len();
        for k in 1..count {
            for i in (k..count).rev() {
                d[i] = (d[i] - d[i - 1]) / (nodes[i] - nodes[i - k]);
            }
        }
        Self { nodes, coefficients: d, count }
    }

    fn at(&self, x: f64) -> f64 {
        (0..self.count).rev().fold(0.0, |value, k| value * (x - self.nodes[k]) + self.coefficients[k])
    }
}

/// Where `g` falls through zero between `lo` and `hi`; zero where it does not.
fn descent(g: &dyn Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    if g(lo) <= 0.0 || g(hi) >= 0.0 {
        return 0.0;
    }
    for _ in 0..60 {
        let mid = 0.5 * (lo + hi);
        if g(mid) > 0.0 { lo = mid } else { hi = mid }
    }
    0.5 * (lo + hi)
}

/// Where `g` is largest between `lo` and `hi`, of one peak between them.
fn golden(g: &dyn Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    let ratio = 0.618_033_988_749_895;
    let (mut a, mut b) = (hi - ratio * (hi - lo), lo + ratio * (hi - lo));
    let (mut ga, mut gb) = (g(a), g(b));
    for _ in 0..60 {
        if ga >= gb {
            (hi, b, gb) = (b, a, ga);
            a = hi - ratio * (hi - lo);
            ga = g(a);
        } else {
            (lo, a, ga) = (a, b, gb);
            b = lo + ratio * (hi - lo);
            gb = g(b);
        }
    }
    0.5 * (lo + hi)
}

/// The first zero in a step, by bisection.
fn crossing(g: &dyn Fn(f64) -> f64, s: &Step<'_>, found: &mut f64) {
    let (mut lo, mut below) = (0.0, g(0.0));
    for i in 1..=LOOKS {
        let mut hi = i as f64 / LOOKS as f64;
        let above = g(hi);
        if below * above <= 0.0 && below != above {
            for _ in 0..52 {
                let mid = 0.5 * (lo + hi);
                if g(mid) * below > 0.0 { lo = mid } else { hi = mid }
            }
            *found = s.t + 0.5 * (lo + hi) * s.h;
            return;
        }
        (lo, below) = (hi, above);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y = sin t on uneven steps: the peak of y is at π/2, that of its rate at 2π.
    #[test]
    fn peaks_of_a_sine() {
        let node = |t: f64| Node { t, value: [t.sin(), t.cos()] };
        let times: Vec<f64> = (0..80).map(|i| 0.3 + 0.1 * f64::from(i) + 0.02 * f64::from(i % 3)).collect();
        for (which, to, want) in [(0, 4.0, std::f64::consts::FRAC_PI_2), (1, 7.5, 2.0 * std::f64::consts::PI)] {
            let mut seen = Seen::NOTHING;
            // Of two ends at one time the last counts.
            let ends = times.iter().filter(|t| **t < to).flat_map(|t| [Node { t: *t, value: [0.0; 2] }, node(*t)]);
            ends.for_each(|end| peak(which, end, &mut seen));
            assert!((seen.when - want).abs() < 2e-6, "{which}: {} for {want}", seen.when);
        }
    }

    /// T = 1000 + size·g(t), watched on even steps up to t = `to`.
    fn watched(happening: Happening, g: impl Fn(f64) -> [f64; 2], size: f64, to: f64) -> f64 {
        let e = Event { quantity: Quantity::Temperature, happening };
        let w = Sought { times: &[], events: &[e], molar_mass: &[], rtol: 1e-6, atol: 1e-15 };
        let (mut seen, mut found, h) = (Seen::NOTHING, f64::NAN, 0.05);
        let value = |t: f64| [1000.0 + size * g(t)[0], size * g(t)[1]];
        for i in 0..(to / h).round() as usize {
            let t = h * i as f64;
            let part = |t: f64, which: usize| move |i: usize| [value(t)[which], [1.0, 0.0][which]][i];
            let (y0, f0, y1, f1) = (part(t, 0), part(t, 1), part(t + h, 0), part(t + h, 1));
            let step = Step {
                t,
                h,
                y0: &y0,
                f0: &f0,
                y1: &y1,
                f1: &f1,
                species: 0,
                parameter: 1e5,
                imposed: None,
                reactor: Reactor::ConstP,
            };
            look(&e, &step, &w, &mut seen, &mut found);
        }
        found
    }

    #[test]
    fn peaks_stand_out_of_the_tolerance() {
        use std::f64::consts::{FRAC_PI_2, PI};
        let sine = |t: f64| [t.sin(), t.cos()];
        let wave = |t: f64| [-t.cos(), t.sin()];
        let (max, rise) = (Happening::Maximum, Happening::SteepestRise);
        assert!((watched(max, sine, 1.0, 3.0) - FRAC_PI_2).abs() < 1e-4);
        assert!((watched(rise, wave, 1.0, 3.0) - FRAC_PI_2).abs() < 1e-4);
        // Ten tolerances are 0.01 K: below them all is noise, and so is what has not yet fallen by as much.
        assert!(watched(max, sine, 0.009, 3.0).is_nan() && watched(rise, wave, 0.004, 3.0).is_nan());
        assert!(watched(max, sine, 1.0, FRAC_PI_2 + 0.08).is_nan());
        // A rise that is still growing fastest, and what only falls.
        assert!(watched(rise, wave, 1.0, 1.5).is_nan() && watched(rise, sine, -1.0, FRAC_PI_2).is_nan());
        assert!(watched(rise, sine, -1.0, 2.0 * PI) > 2.0);
    }
}
