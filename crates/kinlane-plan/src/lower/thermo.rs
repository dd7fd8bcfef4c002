//! Thermodynamic polynomials in two shapes, seven and nine coefficients, grouped for the machines; and the element
//! potentials that keep Gibbs energies small.

use crate::machine::Real;
use crate::plan::{Jumps, Nasa7, Nasa9, Plan};
use kinlane_mech::network::{GAS_CONSTANT, Network, Species, ThermoForm};

/// Temperatures \[K\] at which products of e^{±G} must neither overflow nor underflow.
pub const RANGE: [f64; 8] = [200.0, 300.0, 500.0, 1000.0, 1800.0, 3000.0, 4500.0, 6000.0];

/// Element potentials, and the Gibbs energies by which reactions are judged.
pub struct Reference {
    /// λ₁ [K] and λ₂ per element.
    pub lambda: Vec<[f64; 2]>,
    /// Per species its polynomials, its reference pressure \[Pa\], and λ₁ \[K\] and λ₂ of its atoms.
    species: Vec<(Vec<Piece>, f64, [f64; 2])>,
}

impl Reference {
    /// G of a species relative to the reference, at `t` \[K\].
    pub fn gibbs(&self, k: usize, t: f64) -> f64 {
        let (pieces, p0, of) = &self.species[k];
        gibbs(pieces, *p0, t) - of[0] / t - of[1]
    }
}

/// One range of the nine-coefficient form: cp/R = a₀T⁻² + a₁T⁻¹ + a₂ + a₃T + … + a₆T⁴, a₇ and a₈ the constants of
/// h/RT (divided by T) and s/R.
struct Piece {
    low: f64,
    a: [f64; 9],
}

impl Piece {
    /// cp/R.
    fn cp(&self, t: f64) -> f64 {
        let a = &self.a;
        a[0] / (t * t) + a[1] / t + a[2] + t * (a[3] + t * (a[4] + t * (a[5] + t * a[6])))
    }

    /// h/RT and s/R.
    fn h_s(&self, t: f64) -> [f64; 2] {
        let a = &self.a;
        let h = -a[0] / (t * t)
            + a[1] * t.ln() / t
            + a[2]
            + t * (a[3] / 2.0 + t * (a[4] / 3.0 + t * (a[5] / 4.0 + t * a[6] / 5.0)))
            + a[7] / t;
        let s = -a[0] / (2.0 * t * t) - a[1] / t
            + a[2] * t.ln()
            + t * (a[3] + t * (a[4] / 2.0 + t * (a[5] / 3.0 + t * a[6] / 4.0)))
            + a[8];
        [h, s]
    }
}

/// The polynomials of a species as they are in its file: no range is extended or moved.
pub struct Polynomials(Vec<Piece>);

impl Polynomials {
    /// The polynomials of a species, the coldest range first.
    pub fn new(s: &Species) -> Self {
        Self(pieces(s))
    }

    /// cp/R, h/RT and s/R at `t` \[K\] from the coefficients of one range, whether `t` lies in it or not.
    pub fn at(&self, range: usize, t: f64) -> Option<[f64; 3]> {
        let piece = self.0.get(range)?;
        let [h, s] = piece.h_s(t);
        Some([piece.cp(t), h, s])
    }
}

/// Heat capacities are never held constant below this temperature \[K\]: up to here a mechanism's polynomials
/// are followed wherever they lead, as all other codes do.
const HOLD_FROM: f64 = 3500.0;
/// They are held constant from this temperature \[K\] at the latest, unless fits go further.
const HOLD_TO: f64 = 10_000.0;

/// Above this temperature \[K\] no mechanism is meaningful, whatever its fits say.
pub const HOTTEST: f64 = 50_000.0;

/// Upper temperature limit of a species' fit \[K\].
fn limit(s: &Species) -> f64 {
    match &s.thermo.form {
        ThermoForm::Nasa7(r) | ThermoForm::Shomate(r) => r.last().map_or(0.0, |r| r.high),
        ThermoForm::Nasa9(r) => r.last().map_or(0.0, |r| r.high),
        ThermoForm::ConstantCp { range, .. } => range[1],
    }
}

/// The temperature \[K\] from which on heat capacities are held constant: the lowest at which some species'
/// cv, extrapolated beyond its fit, is less than half of its value at the end of the fit. Quartics fall
/// steeply there; a little further the heat capacity of a whole mixture would vanish, and its temperature run
/// away.
fn hold(network: &Network, all: &[Vec<Piece>]) -> f64 {
    let cv = |p: &[Piece], t: f64| piece(p, t).cp(t) - 1.0;
    let falls = |(s, p): (&Species, &Vec<Piece>), t: f64| {
        let end = limit(s);
        t > end && cv(p, end) > 0.0 && cv(p, t) < 0.5 * cv(p, end)
    };
    let last = network.species.iter().map(limit).filter(|t| t.is_finite()).fold(HOLD_TO, f64::max).min(HOTTEST);
    let steps = ((last - HOLD_FROM) / 50.0).ceil() as usize;
    (0..steps)
        .map(|i| HOLD_FROM + 50.0 * i as f64)
        .find(|&t| network.species.iter().zip(all).any(|x| falls(x, t)))
        .unwrap_or(last)
}

/// The coefficients that apply at a temperature.
fn piece(pieces: &[Piece], t: f64) -> &Piece {
    pieces.iter().rev().find(|p| t >= p.low).unwrap_or(&pieces[0])
}

fn pieces(s: &Species) -> Vec<Piece> {
    match &s.thermo.form {
        ThermoForm::Nasa7(ranges) => ranges
            .iter()
            .map(|r| Piece { low: r.low, a: [0.0, 0.0, r.a[0], r.a[1], r.a[2], r.a[3], r.a[4], r.a[5], r.a[6]] })
            .collect(),
        ThermoForm::Nasa9(ranges) => ranges.iter().map(|r| Piece { low: r.low, a: r.a }).collect(),
        // cp = A + Bt + Ct² + Dt³ + E/t² [J/(mol K)], h = … + F [kJ/mol], s = … + G, t = T/1000. At the temperature
        // between two ranges the lower one applies, as with seven coefficients.
        ThermoForm::Shomate(ranges) => ranges
            .iter()
            .enumerate()
            .map(|(i, r)| {
                let [a, b, c, d, e, f, g] = r.a.map(|x| x / GAS_CONSTANT);
                Piece {
                    low: if i == 0 { r.low } else { r.low.next_up() },
                    a: [e * 1e6, 0.0, a, b * 1e-3, c * 1e-6, d * 1e-9, 0.0, f * 1e3, g - a * 1000f64.ln()],
                }
            })
            .collect(),
        &ThermoForm::ConstantCp { t0, h0, s0, cp0, range } => {
            let cp = cp0 / GAS_CONSTANT;
            let a = [0.0, 0.0, cp, 0.0, 0.0, 0.0, 0.0, h0 / GAS_CONSTANT - cp * t0, s0 / GAS_CONSTANT - cp * t0.ln()];
            vec![Piece { low: range[0], a }]
        }
    }
}

/// g/RT − ln(p⁰/RT).
fn gibbs(pieces: &[Piece], p0: f64, t: f64) -> f64 {
    let [h, s] = piece(pieces, t).h_s(t);
    h - s - (p0 / (GAS_CONSTANT * t)).ln()
}

/// Jumps of enthalpies, where the polynomials of two ranges do not meet: species, the temperature \[K\] above
/// which the next range applies, and the jump of h/R \[K\].
fn jumps(network: &Network, all: &[Vec<Piece>], hold: f64) -> Vec<(usize, f64, f64)> {
    let of = |(k, pieces): (usize, &'_ Vec<Piece>)| -> Vec<(usize, f64, f64)> {
        // With two ranges of seven coefficients the lower one applies at the middle temperature, else the
        // upper one.
        let seven = matches!(&network.species[k].thermo.form, ThermoForm::Nasa7(r) if r.len() <= 2);
        let meet = |p: &[Piece]| {
            let t = p[1].low;
            let [below, above] = [&p[0], &p[1]].map(|p| t * p.h_s(t)[0]);
            (k, if seven { t } else { t.next_down() }, above - below)
        };
        pieces.windows(2).filter(|p| p[1].low < hold).map(meet).collect()
    };
    all.iter().enumerate().flat_map(of).collect()
}

pub fn lower(plan: &mut Plan, network: &Network) -> Reference {
    let all: Vec<Vec<Piece>> = network.species.iter().map(pieces).collect();
    let lambda = element_potentials(network, &all);
    let of = |s: &Species, i: usize| s.composition.iter().map(|&(e, n)| n * lambda[e][i]).sum::<f64>();

    let mut seven: Vec<(f64, Vec<usize>)> = Vec::new();
    let mut nine: Vec<(usize, Vec<usize>)> = Vec::new();
    for (k, s) in network.species.iter().enumerate() {
        match &s.thermo.form {
            ThermoForm::Nasa7(r) if r.len() <= 2 => {
                let mid = r.get(1).map_or(f64::INFINITY, |r| r.low);
                match seven.iter_mut().find(|g| g.0 == mid) {
                    Some(g) => g.1.push(k),
                    None => seven.push((mid, vec![k])),
                }
            }
            _ => match nine.iter_mut().find(|g| g.0 == all[k].len()) {
                Some(g) => g.1.push(k),
                None => nine.push((all[k].len(), vec![k])),
            },
        }
    }
    // h/RT less λ₁/T, and G = h/RT − s/R − ln(p⁰/RT) less λ₁/T + λ₂: only the constants change.
    let shifted = |k: usize, p: &Piece| {
        let s = &network.species[k];
        let mut a = p.a;
        a[7] -= of(s, 0);
        a[8] += of(s, 1) + (s.thermo.reference_pressure / GAS_CONSTANT).ln();
        a
    };
    for (t_mid, species) in &seven {
        let coefficients = |high: bool| -> Vec<f64> {
            species
                .iter()
                .flat_map(|&k| {
                    shifted(k, if high { all[k].last() } else { all[k].first() }.expect("a species has thermodynamics"))
                        [2..]
                        .to_vec()
                })
                .collect()
        };
        let group = Nasa7 {
            t_mid: *t_mid,
            low: plan.tables.reals(coefficients(false)),
            high: plan.tables.reals(coefficients(true)),
            species: plan.tables.indices(species.iter().copied()),
        };
        plan.thermo.nasa7.push(group);
    }
    for (ranges, species) in &nine {
        let group = Nasa9 {
            ranges: *ranges,
            breaks: plan.tables.reals(species.iter().flat_map(|&k| all[k][1..].iter().map(|p| p.low))),
            a: plan.tables.reals(species.iter().flat_map(|&k| all[k].iter().flat_map(move |p| shifted(k, p)))),
            species: plan.tables.indices(species.iter().copied()),
        };
        plan.thermo.nasa9.push(group);
    }
    let n = plan.species;
    let t = &mut plan.thermo;
    t.gibbs = plan.layout.array(n);
    for a in [&mut t.exp_minus, &mut t.exp_plus] {
        *a = plan.layout.fine(n);
    }
    for a in [&mut t.enthalpy, &mut t.cp, &mut t.dcp] {
        *a = plan.layout.array(n);
    }
    t.hold = hold(network, &all);
    t.ln_hold = Real::ln(t.hold);
    let jumps = jumps(network, &all, t.hold);
    t.jumps = Jumps {
        species: plan.tables.indices(jumps.iter().map(|j| j.0)),
        above: plan.tables.reals(jumps.iter().map(|j| j.1)),
        height: plan.tables.reals(jumps.iter().map(|j| j.2)),
    };
    t.offset = plan.tables.reals(network.species.iter().map(|s| of(s, 0)));
    let species = network.species.iter().zip(all);
    let species = species.map(|(s, p)| (p, s.thermo.reference_pressure, [of(s, 0), of(s, 1)])).collect();
    Reference { lambda, species }
}

/// The |G| of a sane species is a few hundred. An error in a single record would spoil the potentials, and
/// with them the digits of all species of its elements; so species beyond this bound are left out of the fit.
const ABSURD: f64 = 1e5;

/// λ₁, λ₂ of every element by least squares of G over all species and temperatures.
fn element_potentials(network: &Network, all: &[Vec<Piece>]) -> Vec<[f64; 2]> {
    let ne = network.elements.len();
    let n = 2 * ne;
    let mut m = vec![vec![0.0; n + 1]; n];
    for (s, p) in network.species.iter().zip(all) {
        for &t in &RANGE {
            let g = gibbs(p, s.thermo.reference_pressure, t);
            if g.is_nan() || g.abs() > ABSURD {
                continue;
            }
            let mut row = vec![0.0; n];
            for &(e, count) in &s.composition {
                row[2 * e] = count * 1000.0 / t; // λ₁ in thousands of kelvins, for the conditioning
                row[2 * e + 1] = count;
            }
            for i in 0..n {
                for j in 0..n {
                    m[i][j] += row[i] * row[j];
                }
                m[i][n] += row[i] * g;
            }
        }
    }
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += 1e-6; // for elements that no species contains
    }
    for p in 0..n {
        let best = (p..n).max_by(|&a, &b| m[a][p].abs().total_cmp(&m[b][p].abs())).unwrap_or(p);
        m.swap(p, best);
        let pivot = m[p].clone();
        for (i, row) in m.iter_mut().enumerate() {
            if i != p && pivot[p] != 0.0 {
                let l = row[p] / pivot[p];
                row.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= l * y);
            }
        }
    }
    let x = |i: usize| {
        let v = m[i][n] / m[i][i];
        if v.is_finite() { v } else { 0.0 }
    };
    (0..ne).map(|e| [x(2 * e) * 1000.0, x(2 * e + 1)]).collect()
}
