//! Explicit Runge–Kutta methods: for cells in which nothing is fast, and for comparisons. On a stiff cell
//! their steps are limited by its fastest time scale, and the cell ends when its budget of steps is spent.

use super::control::{self, Clock, Controller, Mask, count};
use super::stages::{STAGES, add_stages};
use super::{Problem, growth};
use kinlane_plan::machine::{Array, Machine, Real};
use kinlane_plan::tables::Layout;

/// An explicit method: kᵢ = f(y + h Σ aᵢⱼ kⱼ), y₁ = y + h Σ bᵢ kᵢ, err = h Σ eᵢ kᵢ.
#[derive(Debug, Clone, Copy)]
pub struct RungeKutta {
    /// Name, as `--method` takes it.
    pub name: &'static str,
    /// Key in `docs/bibliography.bib`.
    pub source: &'static str,
    /// Order of the solution.
    pub order: u32,
    /// Order of the embedded solution.
    pub embedded: u32,
    /// aᵢⱼ, strictly lower triangle, row by row.
    pub a: &'static [f64],
    /// Weights of the solution.
    pub b: &'static [f64],
    /// Weights of the error estimate; if there are none, all steps have the length of the first.
    pub e: &'static [f64],
    /// Weights of a second estimate, if there is one: the larger of the two counts.
    pub second: &'static [f64],
}

impl RungeKutta {
    /// Number of stages.
    pub const fn stages(&self) -> usize {
        self.b.len()
    }
}

/// See [`Controller::first`].
const FIRST: f64 = 3.0;
/// The same for a step over the whole interval: its error is that of the cell, which should not be larger than that of a
/// cell that an L-stable method advances (docs/decisions/0031).
const FIRST_AND_LAST: f64 = 10.0;

/// Heun's method with Euler's embedded: two stages, for cells in which next to nothing happens.
pub const HEUN: RungeKutta = RungeKutta {
    name: "heun",
    source: "hairer1993",
    order: 2,
    embedded: 1,
    a: &[1.0],
    b: &[0.5, 0.5],
    e: &[-0.5, 0.5],
    second: &[],
};

/// The classical method of order 4, with a fixed step.
pub const RK4: RungeKutta = RungeKutta {
    name: "rk4",
    source: "hairer1993",
    order: 4,
    embedded: 4,
    a: &[0.5, 0.0, 0.5, 0.0, 0.0, 1.0],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    e: &[],
    second: &[],
};

/// Fehlberg's pair; the step goes on with the solution of order 5.
pub const RKF45: RungeKutta = RungeKutta {
    name: "rkf45",
    source: "fehlberg1969",
    order: 5,
    embedded: 4,
    a: &[
        1.0 / 4.0,
        3.0 / 32.0,
        9.0 / 32.0,
        1932.0 / 2197.0,
        -7200.0 / 2197.0,
        7296.0 / 2197.0,
        439.0 / 216.0,
        -8.0,
        3680.0 / 513.0,
        -845.0 / 4104.0,
        -8.0 / 27.0,
        2.0,
        -3544.0 / 2565.0,
        1859.0 / 4104.0,
        -11.0 / 40.0,
    ],
    b: &[16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0],
    e: &[1.0 / 360.0, 0.0, -128.0 / 4275.0, -2197.0 / 75240.0, 1.0 / 50.0, 2.0 / 55.0],
    second: &[],
};

/// The pair of Cash and Karp; the step goes on with the solution of order 5.
pub const RKCK45: RungeKutta = RungeKutta {
    name: "rkck45",
    source: "cash1990",
    order: 5,
    embedded: 4,
    a: &[
        1.0 / 5.0,
        3.0 / 40.0,
        9.0 / 40.0,
        3.0 / 10.0,
        -9.0 / 10.0,
        6.0 / 5.0,
        -11.0 / 54.0,
        5.0 / 2.0,
        -70.0 / 27.0,
        35.0 / 27.0,
        1631.0 / 55296.0,
        175.0 / 512.0,
        575.0 / 13824.0,
        44275.0 / 110592.0,
        253.0 / 4096.0,
    ],
    b: &[37.0 / 378.0, 0.0, 250.0 / 621.0, 125.0 / 594.0, 0.0, 512.0 / 1771.0],
    e: &[
        37.0 / 378.0 - 2825.0 / 27648.0,
        0.0,
        250.0 / 621.0 - 18575.0 / 48384.0,
        125.0 / 594.0 - 13525.0 / 55296.0,
        -277.0 / 14336.0,
        512.0 / 1771.0 - 1.0 / 4.0,
    ],
    second: &[],
};

/// A pair of order 5 and 4 that is stable on twice as much of the negative real axis as other pairs, for one
/// stage more (docs/decisions/0031). On y' = λ y, with z = h λ, a step multiplies by
///
/// ```text
/// R(z) = 1 + z + z²/2 + z³/6 + z⁴/24 + z⁵/120 + 0.7344 z⁶/720 + 0.2516 z⁷/5040,   |R| ≤ 0.3 from z = -8.1 to z = -1.21
/// ```
///
/// No stage is more than 1.02 y there. The estimate of its error, 1.6e-3 z⁵ ((1 + z/9)² + 0.06 (z/9)²) y,
/// vanishes at no real z but 0, so that it sees what grows; beyond the stable interval it is at least two fifths
/// of what the step amplifies. Where equations are not linear it may vanish, for one length of a step: so a second one, of order
/// 3, counts beside it (docs/decisions/0031). On that equation it is at most a tenth of the first for z from −8.3 to −1.
pub const RKS57: RungeKutta = RungeKutta {
    name: "rks57",
    source: "kinlane",
    order: 5,
    embedded: 4,
    a: &[
        0.08798191586227534,
        0.034557724648857535,
        0.09311665401030668,
        -0.1404519931935667,
        0.09802911099072223,
        0.38108677867703616,
        0.07447957177869963,
        0.09190048871199412,
        -0.2102074127487067,
        0.7097178618614062,
        0.24374907289473238,
        -0.4650988204430581,
        0.5364559371804172,
        0.11774726867452827,
        0.27357132378511767,
        -0.2030984188930982,
        0.6304952244367883,
        -0.2425765170418161,
        0.32183676818186835,
        -0.20910427030293174,
        0.6682502243252475,
    ],
    b: &[
        0.04038137811521694,
        -0.000388434370989441,
        0.17757789456856488,
        0.2810318586507634,
        0.09813204467409449,
        0.2800285694776656,
        0.12323668888468431,
    ],
    e: &[
        0.28472306241139556,
        -0.011242127495317701,
        -0.6364675337692284,
        0.5344631321820975,
        -0.2214058367628031,
        -0.0017600083640230135,
        0.05168931179787925,
    ],
    second: &[
        -0.05851162169322532,
        0.001040888093007636,
        0.08618148850115982,
        -0.00938672129575928,
        -0.023313290659204382,
        -0.014478697108113862,
        0.01846795416213537,
    ],
};

/// The pair of Dormand and Prince; the step goes on with the solution of order 5.
pub const DOPRI5: RungeKutta = RungeKutta {
    name: "dopri5",
    source: "dormand1980",
    order: 5,
    embedded: 4,
    a: &[
        1.0 / 5.0,
        3.0 / 40.0,
        9.0 / 40.0,
        44.0 / 45.0,
        -56.0 / 15.0,
        32.0 / 9.0,
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
    b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0],
    e: &[71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0],
    second: &[],
};

/// Work arrays of a step.
#[derive(Debug, Clone, Copy)]
pub struct Workspace {
    /// The state.
    pub y: Array,
    /// The state after the attempt.
    pub y1: Array,
    /// Stages.
    pub k: [Array; STAGES],
    /// The error estimate.
    pub error: Array,
    /// Time and steps.
    pub clock: Clock,
}

impl Workspace {
    /// Lays out the arrays of a method for `n` variables.
    pub fn new(l: &mut Layout, n: usize, method: &RungeKutta) -> Self {
        Self {
            y: l.fine(n),
            y1: l.array(n),
            k: std::array::from_fn(|i| if i < method.stages() { l.array(n) } else { Array::default() }),
            error: l.array(n),
            clock: Clock::new(l),
        }
    }
}

/// Attempts one step from `w.y` and accepts or rejects it.
#[inline(always)]
pub fn attempt<M: Machine, P: Problem<M>>(m: M, p: P, t: &RungeKutta, w: &Workspace) {
    p.rhs(m, w.y, w.k[0]);
    count(m, w.clock.rhs, m.lit(1.0));
    go_on(m, p, t, None, w);
}

/// As [`attempt`], where the first stage holds f(y) already. A mask restricts it to cells whose interval may
/// end with this step: in them nothing may grow faster than the step can follow.
#[inline(always)]
pub fn go_on<M: Machine, P: Problem<M>>(m: M, p: P, t: &RungeKutta, only: Option<Mask<M>>, w: &Workspace) {
    let Workspace { y, y1, k, error, clock } = *w;
    let n = p.len();
    let h = control::next_step(m, &clock);
    for i in 1..t.stages() {
        let row = i * (i - 1) / 2;
        add_stages(m, n, Some(y), Some(h), y1, &k[..i], &t.a[row..row + i]);
        p.rhs(m, y1, k[i]);
    }
    let grows = only.map(
        #[inline(always)]
        |only| growth::multiplied(m, p, t, &clock, y, &k, (h, only)),
    );
    add_stages(m, n, Some(y), Some(h), y1, &k[..t.stages()], t.b);
    if t.e.is_empty() {
        // On a device the array may hold what another kernel has left there.
        m.all(
            n,
            #[inline(always)]
            |s| m.put(error, s, m.lit(0.0)),
        );
    }
    // The first estimate last, for it is what the cell is said to have erred by.
    let second = (!t.second.is_empty()).then(
        #[inline(always)]
        || {
            add_stages(m, n, None, Some(h), error, &k[..t.stages()], t.second);
            clock.norm(m, p, h, [y, y1, error])
        },
    );
    if !t.e.is_empty() {
        add_stages(m, n, None, Some(h), error, &k[..t.stages()], t.e);
    }
    m.function(
        "finish",
        #[inline(always)]
        || {
            let mut norm = clock.norm(m, p, h, [y, y1, error]);
            if let Some(second) = second {
                norm = norm.max(second);
            }
            if let Some(grows) = grows {
                norm = growth::outgrown(m, grows, norm);
            }
            let evaluated = m.lit(t.stages() as f64 - 1.0);
            count(
                m,
                clock.rhs,
                only.map_or(
                    evaluated,
                    #[inline(always)]
                    |only| M::R::select(only, evaluated, m.lit(0.0)),
                ),
            );
            let fixed = t.e.is_empty();
            // Without an estimate, a step is rejected only if its state is impossible, such as far below
            // zero. As long a one would be, too.
            let c = if fixed {
                Controller { order: 1.0, safety: 1.0, grow: 1.0, shrink: 0.1, first: 1.0, again: 0.1 }
            } else {
                let first = if only.is_some() { FIRST_AND_LAST } else { FIRST };
                Controller { order: f64::from(t.embedded + 1), safety: 0.9, grow: 5.0, shrink: 0.2, first, again: 0.1 }
            };
            control::decide_where(m, &clock, c, only, n, y, y1, h, norm);
        },
    );
}
