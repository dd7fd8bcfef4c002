//! Random cells, the same on every run.

use kinlane_mech::Network;

/// SplitMix64 (Steele, Lea & Flood 2014).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for every seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// Uniform between `lo` and `hi`.
    pub fn uniform(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// Uniform in the logarithm.
    pub fn log_uniform(&mut self, lo: f64, hi: f64) -> f64 {
        self.uniform(lo.ln(), hi.ln()).exp()
    }
    /// One of `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

/// A gas cell as a user knows it.
#[derive(Debug, Clone)]
pub struct State {
    /// T \[K\].
    pub t: f64,
    /// p \[Pa\].
    pub p: f64,
    /// Mass fractions.
    pub y: Vec<f64>,
}

/// Which species of a random cell are there at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Composition {
    /// Every one, over eight decades.
    Positive,
    /// Two in three; the others are exactly zero.
    WithZeros,
}

impl State {
    /// T of 300 to 3000 K, p of 0.1 to 60 bar.
    pub fn random(r: &mut Random, network: &Network, composition: Composition) -> Self {
        let t = r.uniform(300.0, 3000.0);
        let p = r.log_uniform(1e4, 6e6);
        let n = network.species.len();
        let mut y: Vec<f64> = (0..n)
            .map(|_| {
                let keep = composition == Composition::Positive || r.below(3) > 0;
                let y = r.log_uniform(1e-8, 1.0);
                if keep { y } else { 0.0 }
            })
            .collect();
        if y.iter().all(|&y| y == 0.0) {
            y[r.below(n)] = 1.0;
        }
        let sum: f64 = y.iter().sum();
        y.iter_mut().for_each(|y| *y /= sum);
        Self { t, p, y }
    }
}

/// States over the whole range, half of them with species at zero.
pub fn random_states(network: &Network, count: usize, seed: u64) -> Vec<State> {
    let mut r = Random::new(seed);
    let of = |i: usize| if i.is_multiple_of(2) { Composition::WithZeros } else { Composition::Positive };
    (0..count).map(|i| State::random(&mut r, network, of(i))).collect()
}

/// A fuel and air at ignition temperatures: what a mechanism is made for.
///
/// # Panics
/// If the mechanism lacks the fuel, O2 or N2.
pub fn mixtures(network: &Network, fuel: &str, count: usize) -> Vec<State> {
    let mut r = Random::new(11);
    let at =
        |name: &str| network.species.iter().position(|s| s.name == name).unwrap_or_else(|| panic!("no species {name}"));
    (0..count)
        .map(|_| {
            let mut y = vec![0.0; network.species.len()];
            let f = r.uniform(0.01, 0.1);
            y[at(fuel)] = f;
            y[at("O2")] = 0.233 * (1.0 - f);
            y[at("N2")] = 1.0 - f - y[at("O2")];
            State { t: r.uniform(900.0, 2200.0), p: r.log_uniform(1e5, 3e6), y }
        })
        .collect()
}
