//! What a caller chooses for an integration, and what is reported of every cell.

use std::ops::AddAssign;

/// Largest deviation from one that the sum of mass fractions may have where a cell enters, and largest change
/// of it by sources.
pub const SUM_TOLERANCE: f64 = 1e-6;

/// Which equations a gas cell obeys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Reactor {
    /// Constant pressure, adiabatic.
    #[default]
    ConstP,
    /// Constant volume, adiabatic.
    ConstV,
    /// Constant pressure and temperature.
    FixedT,
}

impl Reactor {
    /// All that there are.
    pub const ALL: [Self; 3] = [Self::ConstP, Self::ConstV, Self::FixedT];

    /// Its name, as `--reactor` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ConstP => "const-p",
            Self::ConstV => "const-v",
            Self::FixedT => "fixed-t",
        }
    }
}

/// Options of an integration. `Options::default()` suits most cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Name of the method, as `kinlane methods` lists it; `None` is Rodas5P for all cells in this crate,
    /// `auto` in the library `kinlane`.
    pub method: Option<String>,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance, on mass fractions; in an atmosphere on what amounts are counted in.
    pub atol: f64,
    /// The kind of reactor.
    pub reactor: Reactor,
    /// First step \[s\]; if `None`, each cell chooses its own.
    pub first_step: Option<f64>,
    /// Number of attempted steps after which a cell is given up.
    pub max_steps: u32,
    /// Whether cells can be watched while they advance; costs one right-hand side per step in watched cells.
    pub watched: bool,
    /// Instruction set and number of cells side by side, such as `avx2` or `avx512 x 16`; `None` is the best
    /// on this CPU.
    pub lanes: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: None,
            rtol: 1e-6,
            atol: 1e-12,
            reactor: Reactor::ConstP,
            first_step: None,
            max_steps: 100_000,
            watched: false,
            lanes: None,
        }
    }
}

/// Smallest absolute tolerance. Of what is computed with it, squares among that, nothing leaves the range of a double.
pub const LEAST_ATOL: f64 = 1e-100;

/// Least relative tolerance that doubles can meet; one above [`MOST_RTOL`] is meaningless.
pub const LEAST_RTOL: f64 = 1e-14;
/// See [`LEAST_RTOL`].
const MOST_RTOL: f64 = 0.1;

/// An option is outside its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionError {
    /// Name of the option.
    pub option: &'static str,
    /// The value it has.
    pub value: f64,
    /// What it must be, in words.
    pub must: &'static str,
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { option, value, must } = self;
        write!(f, "{option} is {}, it must be {must}", plain(*value))
    }
}

impl std::error::Error for OptionError {}

/// A number in plain decimals, or with a power of ten where plain decimals would have many zeros.
pub fn plain(x: f64) -> String {
    let text = format!("{x:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// See [`Options::creeps`]. The steps of a small budget are short because they are the first.
const BUDGETS: f64 = 100.0;
const LEAST_BUDGET: u32 = 10_000;

/// The part of its interval with which a cell begins that is watched, if no first step is given. What it makes from nothing in its
/// first steps sets the time of what happens, and while there is less of it than the absolute tolerance no estimate shows its
/// error. Methods that iterate end their iterations by the same tolerance: with them more steps would make more errors.
pub const OPENING: f64 = 1e-9;

impl Options {
    /// Whether a cell that has spent its budget with steps of `h` \[s\] would need so many more budgets for what is `left` \[s\]
    /// that something holds it up, which may not hold up another method: a rate, say, that jumps where a species begins.
    pub fn creeps(&self, left: f64, h: f64) -> bool {
        self.is_patient() && BUDGETS * f64::from(self.max_steps) * h < left
    }

    /// Whether the budget is so large that a cell which has spent it is held up, and no longer at its first, short steps.
    pub fn is_patient(&self) -> bool {
        self.max_steps >= LEAST_BUDGET
    }

    /// Checks that all numbers can be used.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check(&self) -> Result<(), OptionError> {
        let positive = |option, value: f64| {
            let good = value.is_finite() && value > 0.0;
            if good { Ok(()) } else { Err(OptionError { option, value, must: "a positive finite number" }) }
        };
        positive("rtol", self.rtol)?;
        if !(LEAST_RTOL..=MOST_RTOL).contains(&self.rtol) {
            return Err(OptionError { option: "rtol", value: self.rtol, must: "between 1e-14 and 0.1" });
        }
        positive("atol", self.atol)?;
        if self.atol < LEAST_ATOL {
            return Err(OptionError { option: "atol", value: self.atol, must: "at least 1e-100" });
        }
        self.first_step.map_or(Ok(()), |h| positive("first step", h))?;
        positive("max steps", f64::from(self.max_steps))
    }

    /// As [`Options::check`], of a gas.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check_of_gas(&self) -> Result<(), OptionError> {
        self.check()?;
        let must = "below 1, since it is one of mass fractions";
        if self.atol < 1.0 { Ok(()) } else { Err(OptionError { option: "atol", value: self.atol, must }) }
    }
}

/// How a cell ended. The number is what the `status` array of an output file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Status {
    /// Reached the end.
    #[default]
    Done = 0,
    /// The step size has become too small to advance the time.
    StepTooSmall = 1,
    /// The budget of attempted steps is spent.
    TooManySteps = 2,
    /// The right-hand side was not finite in the last attempt, or the state is outside the range in which the
    /// rate laws hold.
    NotFinite = 3,
    /// Stopped by the caller before this cell was finished.
    Cancelled = 4,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Done => "done",
            Self::StepTooSmall => "the step size fell below what the time can resolve",
            Self::TooManySteps => "the budget of steps is spent",
            Self::NotFinite => "the rates are not finite, or the state has left what the laws hold for",
            Self::Cancelled => "stopped from outside",
        })
    }
}

impl Status {
    /// The status that a number in a `status` array stands for; any other number is a failure.
    pub fn from_number(x: f64) -> Self {
        let all = [Self::Done, Self::StepTooSmall, Self::TooManySteps, Self::NotFinite, Self::Cancelled];
        all.into_iter().find(|&s| f64::from(s as u8) == x).unwrap_or(Self::NotFinite)
    }
}

/// What a cell has cost; with u64, what a batch has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost<N = u32> {
    /// Accepted steps.
    pub steps: N,
    /// Rejected attempts.
    pub rejected: N,
    /// Evaluations of the right-hand side.
    pub rhs: N,
    /// Evaluations of the Jacobian.
    pub jac: N,
    /// Factorisations.
    pub factor: N,
}

impl Cost {
    /// The cost as one number, to compare cells by: about how many evaluations of the right-hand side would
    /// take as long. The linear solves of a step are included with its right-hand sides, and a Jacobian and a
    /// factorisation count as two each. With BDF, whose cells side by side wait for each other, the true time
    /// is two to three times as long.
    pub fn work(&self) -> f64 {
        f64::from(self.rhs) + 2.0 * (f64::from(self.jac) + f64::from(self.factor))
    }

    /// From counters in the order of the fields, which is that of `Clock::counters`.
    pub fn of([steps, rejected, rhs, jac, factor]: [f64; 5]) -> Self {
        Self { steps: steps as u32, rejected: rejected as u32, rhs: rhs as u32, jac: jac as u32, factor: factor as u32 }
    }
}

impl<N: AddAssign + From<T>, T> AddAssign<Cost<T>> for Cost<N> {
    fn add_assign(&mut self, c: Cost<T>) {
        self.steps += c.steps.into();
        self.rejected += c.rejected.into();
        self.rhs += c.rhs.into();
        self.jac += c.jac.into();
        self.factor += c.factor.into();
    }
}

/// How one cell ended: its status, its cost, and where it stood.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// What it cost, over all rungs of the failure ladder.
    pub cost: Cost,
    /// Time reached \[s\]: the whole interval unless the cell failed.
    pub t: f64,
    /// The step that would come next \[s\].
    pub h: f64,
    /// For a failed cell, the component that dominated the last error: a species index, or the number of
    /// species for T; else 0.
    pub worst: u32,
}
