//! Events: what is kept of an event from step to step, and when it happened.

use super::crossing::{bisect, crossing};
use super::step::Step;
use super::{Event, Happening, Quantity, Sought};

/// What is known so far about one event of one cell.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    /// Largest value or rate at the end of any step so far; for a crossing, the level.
    best: f64,
    /// When it was largest \[s\].
    when: f64,
    /// Smallest value or rate since then.
    fallen: f64,
    /// Smallest value until then, and largest since, until the rate has fallen to [`SLOWED`]: how far the steepest
    /// rise leads up.
    low: f64,
    high: f64,
    slowed: bool,
    /// Smallest and largest value so far.
    lowest: f64,
    highest: f64,
    /// The rate at the start, for a maximum the value; zero if it is below.
    first: f64,
    /// The largest jump of the rate that is no kink: what is imposed is known no better.
    coarse: f64,
    /// How fast what is imposed changes, and the fastest that it has.
    slope: f64,
    steepest: f64,
    /// The last ends of steps, the latest at the end.
    nodes: [Node; NODES],
    /// Number of `nodes` in use.
    count: usize,
}

impl Seen {
    /// The initial state, for a cell that has just entered.
    pub const NOTHING: Self = Self {
        best: f64::NEG_INFINITY,
        when: f64::NAN,
        fallen: f64::INFINITY,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        slowed: false,
        lowest: f64::INFINITY,
        highest: f64::NEG_INFINITY,
        first: 0.0,
        coarse: 0.0,
        slope: 0.0,
        steepest: 0.0,
        nodes: [Node { t: 0.0, value: [0.0; 2] }; NODES],
        count: 0,
    };

    /// Whether the rate at the end of the last step is another one than that at the start of this one. Small jumps are those of
    /// a smooth curve that is given as points.
    fn jumps_to(&mut self, start: &Node) -> bool {
        let [before, now] = [self.nodes[self.count - 1].value[1], start.value[1]];
        let jump = (now - before).abs();
        if jump > JUMP * now.abs().max(before.abs()) {
            return true;
        }
        self.coarse = self.coarse.max(jump);
        false
    }

    /// Whether what is imposed, which now changes at this rate, has a kink here. Radicals then grow at the rate at which they did, but
    /// not for long.
    fn bends_to(&mut self, slope: f64) -> bool {
        let jump = (slope - self.slope).abs();
        self.slope = slope;
        self.steepest = self.steepest.max(slope.abs());
        jump > JUMP * self.steepest
    }

    /// Adds a node. A step may be too short to change the time: of nodes at the same time the last counts.
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

/// A difference of more than so many tolerances is not noise.
const CLEARLY: f64 = 10.0;

/// A rise ends where its rate has fallen to this part of its maximum.
const SLOWED: f64 = 0.5;

/// A rise that leads up by a smaller part of the whole change is the beginning of what follows: radicals fill up within
/// microseconds, and then grow until the gas ignites, which may be after the end.
const BEGINNING: f64 = 1e-3;

/// A rate jumps if it changes by this part of itself from the end of a step to the start of the next; what is imposed bends, if its
/// rate changes by this part of the largest so far.
const JUMP: f64 = 0.1;

/// A rate that exceeds another by fewer jumps of an imposed curve may be as large.
const JUMPS: f64 = 2.0;

/// Number of ends of steps that a peak is interpolated from.
const NODES: usize = 5;

/// A quantity and its rate at the end of a step.
#[derive(Debug, Clone, Copy)]
struct Node {
    t: f64,
    value: [f64; 2],
}

/// Looks for an event in a step; `found` is when it happened \[s\], NaN until then.
pub fn look(e: &Event, s: &Step<'_>, w: &Sought<'_>, seen: &mut Seen, state: &mut [f64], found: &mut f64) {
    let at = |x: f64| s.value(e.quantity, x, w.molar_mass);
    match e.happening {
        Happening::SteepestRise | Happening::RiseSlowed(_) | Happening::Maximum => {
            let which = usize::from(e.happening != Happening::Maximum);
            let start = Node { t: s.t, value: at(0.0) };
            if seen.count == 0 {
                // A quantity that only falls, or that is zero, has no peak.
                seen.best = f64::MIN_POSITIVE;
                seen.first = start.value[which].max(0.0);
                peak(which, start, seen);
            }
            let before = seen.best;
            if let Some(imposed) = s.imposed
                && seen.bends_to((s.f0)(imposed)) | seen.jumps_to(&start)
            {
                // No polynomial leads across, and the peak may be here.
                seen.count = 0;
                peak(which, start, seen);
            }
            let end = Node { t: s.t + s.h, value: at(1.0) };
            peak(which, end, seen);
            *found = match e.happening {
                Happening::RiseSlowed(_) if seen.best > before => f64::NAN,
                Happening::RiseSlowed(part) if found.is_nan() && end.value[1] < part * seen.best => end.t,
                Happening::RiseSlowed(_) => *found,
                _ if stands_out(which, e.quantity, s, w, seen) => seen.when,
                _ => f64::NAN,
            };
        }
        Happening::Crossing(_) | Happening::Rise(_) if !found.is_nan() => {}
        Happening::Crossing(level) => *found = crossing(e.quantity, level, s, w, state),
        Happening::Rise(by) => {
            if seen.best == f64::NEG_INFINITY {
                seen.best = at(0.0)[0] + by;
            }
            *found = crossing(e.quantity, seen.best, s, w, state);
        }
    }
}

/// Updates the largest value (`which` = 0) or rate (1) so far with the end of one more step.
///
/// Where between the ends the peak lies follows from the polynomial through the rates at the last ends. The
/// values do not enter: the errors of single steps are small beside the values, but not beside the small
/// change of a rate around its peak. A peak is located twice: when one later end is known, and again when two
/// are.
fn peak(which: usize, end: Node, seen: &mut Seen) {
    let g = |n: &Node| n.value[which];
    seen.push(end);
    (seen.lowest, seen.highest) = (seen.lowest.min(end.value[0]), seen.highest.max(end.value[0]));
    if g(&end) > seen.best {
        (seen.best, seen.when) = (g(&end), end.t);
        (seen.fallen, seen.low, seen.high, seen.slowed) = (g(&end), seen.lowest, end.value[0], false);
    } else {
        seen.fallen = seen.fallen.min(g(&end));
        if !seen.slowed {
            (seen.high, seen.slowed) = (seen.high.max(end.value[0]), g(&end) < SLOWED * seen.best);
        }
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

/// Whether a peak exceeds what the tolerances leave open: a value has risen to its maximum, and fallen from it, by more than
/// that, or a steepest rise leads up by more, and not only to where most of the change begins. A rate that is still
/// growing, or a plateau, does not stand out, and neither does a rate that is as large at the start: the first steps are so short that rounding alone
/// makes it grow, and between the points of an imposed curve rates change by as much as they jump there.
fn stands_out(which: usize, q: Quantity, s: &Step<'_>, w: &Sought<'_>, seen: &Seen) -> bool {
    let (drop, from_start) = (seen.best - seen.fallen, seen.best - seen.first);
    match which {
        0 => drop.min(from_start) > CLEARLY * s.open(q, seen.best, w),
        _ => {
            let least = (CLEARLY * w.rtol * seen.best).max(JUMPS * seen.coarse);
            let rise = seen.high - seen.low;
            let whole = seen.highest - seen.lowest;
            let is_clear = rise > CLEARLY * s.open(q, seen.high, w) && rise > BEGINNING * whole;
            drop > least && from_start > least && is_clear
        }
    }
}

/// The polynomial through the rates at some nodes, in Newton's form; times are relative to one of the nodes.
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

/// The time between `lo` and `hi` at which `g` falls through zero; zero if it does not.
fn descent(g: &dyn Fn(f64) -> f64, lo: f64, hi: f64) -> f64 {
    if g(lo) <= 0.0 || g(hi) >= 0.0 { 0.0 } else { bisect(g, lo, hi) }
}

/// The time between `lo` and `hi` at which `g` is largest; it must have a single peak there.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Reactor;

    /// y = sin t on uneven steps: the peak of y is at π/2, that of its rate at 2π.
    #[test]
    fn peaks_of_a_sine() {
        let node = |t: f64| Node { t, value: [t.sin(), t.cos()] };
        let times: Vec<f64> = (0..80).map(|i| 0.3 + 0.1 * f64::from(i) + 0.02 * f64::from(i % 3)).collect();
        for (which, to, want) in [(0, 4.0, std::f64::consts::FRAC_PI_2), (1, 7.5, 2.0 * std::f64::consts::PI)] {
            let mut seen = Seen::NOTHING;
            // Of two ends at the same time the last counts.
            let ends = times.iter().filter(|t| **t < to).flat_map(|t| [Node { t: *t, value: [0.0; 2] }, node(*t)]);
            ends.for_each(|end| peak(which, end, &mut seen));
            assert!((seen.when - want).abs() < 2e-6, "{which}: {} for {want}", seen.when);
        }
    }

    /// T = 1000 + size·g(t), watched on even steps up to t = `to`.
    fn watched(happening: Happening, g: impl Fn(f64) -> [f64; 2], size: f64, to: f64) -> f64 {
        let e = Event { quantity: Quantity::Temperature, happening };
        let w = Sought { times: &[], events: &[e], molar_mass: &[], rtol: 1e-6, atol: 1e-15, own: &[] };
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
                between: &|_, to| to.fill(f64::NAN),
            };
            look(&e, &step, &w, &mut seen, &mut [0.0; 2], &mut found);
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
        // Ten tolerances are 0.01 K: a smaller peak is noise, and so is one from which the value has fallen
        // by less.
        assert!(watched(max, sine, 0.009, 3.0).is_nan() && watched(rise, wave, 0.004, 3.0).is_nan());
        assert!(watched(max, sine, 1.0, FRAC_PI_2 + 0.08).is_nan());
        // A quantity that falls from the start on, after rounding has lifted it.
        let lifted = |by: f64| move |t: f64| [by * t.min(0.1) - 0.2 * t, -0.2];
        assert!(watched(max, lifted(0.201), 1.0, 3.0).is_nan() && watched(max, lifted(0.4), 1.0, 3.0) > 0.0);
        // A rise that is still getting steeper, and a quantity that only falls.
        assert!(watched(rise, wave, 1.0, 1.5).is_nan() && watched(rise, sine, -1.0, FRAC_PI_2).is_nan());
        assert!(watched(rise, sine, -1.0, 2.0 * PI) > 2.0);
    }

    /// A rise counts from where the cell begins, and a level from either side.
    #[test]
    fn rises_and_crossings_are_where_a_line_has_them() {
        let line = |t: f64| [t, 1.0];
        let near = |found: f64, want: f64| assert!((found - want).abs() < 1e-4, "{found} for {want}");
        near(watched(Happening::Rise(0.33), line, 1.0, 2.0), 0.33);
        near(watched(Happening::Crossing(1000.77), line, 1.0, 2.0), 0.77);
        near(watched(Happening::Crossing(999.23), line, -1.0, 2.0), 0.77);
        for never in [Happening::Rise(2.5), Happening::Crossing(999.0), Happening::Crossing(1002.5)] {
            assert!(watched(never, line, 1.0, 2.0).is_nan(), "{never:?}");
        }
    }

    /// Radicals fill up within 0.1 s at rates up to 1, and then grow slowly to far more.
    #[test]
    fn a_beginning_is_no_rise() {
        let fills = |t: f64| [0.1 * (1.0 - (1.0 + t / 0.1) * (-t / 0.1).exp()), t / 0.1 * (-t / 0.1).exp()];
        let grows = |by: f64| move |t: f64| [fills(t)[0] + by * t * t, fills(t)[1] + 2.0 * by * t];
        let rise = Happening::SteepestRise;
        assert!((watched(rise, grows(0.0), 1.0, 100.0) - 0.1).abs() < 0.01);
        assert!((watched(rise, grows(1e-3), 1.0, 100.0) - 0.1).abs() < 0.01);
        assert!(watched(rise, grows(1e-4), 1.0, 1500.0).is_nan());
        // The same, if what comes before the slow growth is hidden by the tolerance, of 0.01 K.
        assert!(watched(rise, grows(1e-3), 0.05, 100.0).is_nan());
    }

    /// A rate that only falls is largest at the start, even if rounding lifts it a little above that.
    #[test]
    fn what_is_fastest_at_the_start_has_no_peak() {
        let rise = Happening::SteepestRise;
        let lifted = |by: f64| move |t: f64| [t - 0.1 * t * t, 1.0 - 0.2 * t + by * t.min(0.05) / 0.05];
        assert!(watched(rise, lifted(0.010_005), 1.0, 3.0).is_nan());
        assert!(watched(rise, lifted(0.011), 1.0, 3.0) > 0.0);
        // At the steepest place of a later rise nothing changes.
        let late = |t: f64| [t - t.cos(), 1.0 + t.sin()];
        assert!((watched(rise, late, 1.0, 3.0) - std::f64::consts::FRAC_PI_2).abs() < 1e-4);
    }

    /// The rate sin t falls to half of its peak at 5π/6; a faster rise, from 2π on, replaces that peak.
    #[test]
    fn rises_slow_down() {
        let half = Happening::RiseSlowed(0.5);
        let once = |t: f64| [-t.cos(), t.sin()];
        let twice = |t: f64| [0.0, t.sin() * if t < 2.0 * std::f64::consts::PI { 1.0 } else { 2.0 }];
        let late = |to: f64, g: fn(f64) -> [f64; 2]| watched(half, g, 1.0, to);
        assert!((late(3.0, once) - 5.0 * std::f64::consts::PI / 6.0).abs() < 0.051);
        assert!(late(2.5, once).is_nan());
        assert!((late(6.0, twice) - 5.0 * std::f64::consts::PI / 6.0).abs() < 0.051);
        assert!(late(8.0, twice).is_nan());
        assert!((late(9.3, twice) - 17.0 * std::f64::consts::PI / 6.0).abs() < 0.051);
    }
}
