//! What moves with the time of day: KPP's sun, its clock, and photolysis frequencies that follow the sun; and the pieces in
//! which they stand still.

use kinlane::Conditions;

/// KPP's sun: rise and set \[h\].
const DAY: [f64; 2] = [4.5, 19.5];
/// The name of the input that is the sun.
pub const SUN: &str = "SUN";
/// That of KPP's clock: the time from midnight of the first day \[s\].
pub const TIME: &str = "TIME";

/// The sun of KPP at a time \[s\] from midnight: 0 at night, 1 at noon.
fn sun(t: f64) -> f64 {
    let hour = (t / 3600.0).rem_euclid(24.0);
    let [rise, set] = DAY;
    if !(rise..=set).contains(&hour) {
        return 0.0;
    }
    let x = (2.0 * hour - rise - set) / (set - rise);
    (1.0 + (std::f64::consts::PI * x * x).cos()) / 2.0
}

/// What moves of one cell.
#[derive(Debug, Default)]
pub struct Sky {
    /// The input that is the sun.
    pub sun: Option<usize>,
    /// Where the sun stands, if it does not move.
    pub held: Option<f64>,
    /// The input that is the time, if it moves.
    pub clock: Option<usize>,
    /// Photolysis frequencies that follow the sun, each with its value \[1/s\] where the sun is 1.
    pub following: Vec<(usize, f64)>,
}

impl Sky {
    /// Whether there is a sun.
    pub fn has_sun(&self) -> bool {
        self.sun.is_some() || !self.following.is_empty()
    }

    /// Whether rate constants change with the time of day.
    pub fn moves(&self) -> bool {
        self.clock.is_some() || self.held.is_none() && self.has_sun()
    }

    /// The sun at a time \[s\] from midnight.
    pub fn sun(&self, t: f64) -> f64 {
        self.held.unwrap_or_else(|| sun(t))
    }

    /// Sets the surroundings of a cell to those of a time \[s\] from midnight.
    pub fn set(&self, at: &mut Conditions, t: f64) {
        let sun = self.sun(t);
        self.sun.into_iter().for_each(|i| at.inputs[i] = sun);
        self.clock.into_iter().for_each(|i| at.inputs[i] = t);
        self.following.iter().for_each(|&(i, noon)| at.photolysis[i] = noon * sun);
    }
}

/// A stretch of the run in which the sky stands still.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// Its end \[s\].
    pub end: f64,
    /// The time whose sky it has \[s\].
    pub sky: f64,
}

/// The length for which the numbers below are made \[s\].
const MINUTE: f64 = 60.0;
/// The part of what is left before a row that a pair of pieces takes, and the part of the longest piece that the last pair is.
const PART: f64 = 0.4;
const LAST: f64 = 5e-4;
/// The least part of a time that is cut further.
const DIGITS: f64 = 1e-9;

/// The next pieces from `t`, before a row at `to`, where the sky would move on at `turn` \[s\]. Pieces are at most `refresh`
/// long, and have the sky of their middle.
///
/// A radical remembers the sun of the last moments of its life, so pieces get shorter towards a row: in a part ε of the time that
/// is left. They come in pairs with the skies of 1/6 and 5/6 of the pair. So both the mean and the slope of the sun are right, and
/// the error of a radical's lag behind the sun is as ε⁴, where it would be as ε² with the skies of their middles. ε is as
/// √`refresh`, and the last pair as its square, so that at a row, too, errors fall as it gets shorter.
pub fn next(t: f64, turn: f64, to: f64, refresh: f64) -> (Piece, Option<Piece>) {
    let fine = (refresh / MINUTE).min(1.0);
    let (left, whole) = (to - t, turn.min(to) - t);
    let closing = PART * fine.sqrt() * left;
    if closing >= whole {
        return (Piece { end: turn.min(to), sky: t + 0.5 * whole }, None);
    }
    // A time has so many digits only.
    let last = (LAST * fine * refresh).max(DIGITS * to);
    let (length, end) = if left <= last { (left, to) } else { (closing, t + closing) };
    let piece = |end, part| Piece { end, sky: t + part * length };
    (piece(t + 0.5 * length, 1.0 / 6.0), Some(piece(end, 5.0 / 6.0)))
}

#[cfg(test)]
mod tests {
    use super::{Piece, next, sun};

    #[test]
    fn the_sun_is_that_of_kpp() {
        assert_eq!([sun(0.0), sun(43_200.0), sun(86_400.0 + 43_200.0), sun(4.0 * 3600.0)], [0.0, 1.0, 1.0, 0.0]);
        let x = (2.0_f64 * 9.0 - 24.0) / 15.0;
        assert_eq!(sun(9.0 * 3600.0), (1.0 + (std::f64::consts::PI * x * x).cos()) / 2.0);
    }

    /// What is left at a row of a radical that lives for `life` [s] and is made by light, from minute to minute after `start`; and
    /// the number of pieces.
    fn lagging(start: f64, rows: usize, life: f64, refresh: f64) -> (Vec<f64>, usize) {
        let (mut t, mut amount, mut pieces) = (start, sun(start), 0);
        let mut at_rows = Vec::new();
        for row in 1..=rows {
            let to = start + 60.0 * row as f64;
            while t < to {
                let turn = ((t / refresh + 1e-6).floor() + 1.0) * refresh;
                let (first, second) = next(t, turn, to, refresh);
                for Piece { end, sky } in [Some(first), second].into_iter().flatten() {
                    assert!(t < end && end <= to && (t..=end).contains(&sky), "{t} {end} {sky}");
                    amount = sun(sky) + (amount - sun(sky)) * ((t - end) / life).exp();
                    (t, pieces) = (end, pieces + 1);
                }
            }
            at_rows.push(amount);
        }
        (at_rows, pieces)
    }

    #[test]
    fn the_shortest_pieces_of_long_runs_end() {
        let (mut t, to, mut pieces) = (1e6 - 0.01, 1e6, 0);
        while t < to {
            let (first, second) = next(t, f64::INFINITY, to, 1e-2);
            let end = second.unwrap_or(first).end;
            assert!(t < first.end && first.end <= end, "{t}: {first:?} {second:?}");
            (t, pieces) = (end, pieces + 1);
        }
        assert!(t == to && pieces < 10_000, "{pieces}");
    }

    /// The last half hour before the sun sets at 19:30, with the answer of pieces of two thousandths of a second.
    #[test]
    fn radicals_at_rows_follow_the_sun_as_pieces_get_shorter() {
        let start = 19.0 * 3600.0;
        for life in [0.05, 1.0, 100.0] {
            let mut exact = sun(start);
            let mut want = Vec::new();
            let step = 0.002;
            for i in 0..900_000_u32 {
                let t = start + step * f64::from(i);
                exact = sun(t + 0.5 * step) + (exact - sun(t + 0.5 * step)) * (-step / life).exp();
                if (i + 1) % 30_000 == 0 {
                    want.push(exact);
                }
            }
            let worst = |refresh: f64| {
                let (got, pieces) = lagging(start, 30, life, refresh);
                let error = |i: usize| (got[i] / want[i] - 1.0).abs();
                ((0..29).map(error).fold(0.0, f64::max), error(29), pieces)
            };
            // At most, up to the minute before; and as the sun sets, when a millionth of a millionth of what noon had is left.
            for (refresh, before, last, pieces) in
                [(60.0, 3e-4, 0.1, 40), (6.0, 1e-4, 2e-3, 200), (1.0, 5e-6, 1e-3, 700)]
            {
                let got = worst(refresh);
                println!("{life} s, pieces of {refresh} s: {got:?}");
                assert!(got.0 < before && got.1 < last && got.2 <= 30 * pieces, "{life} s, {refresh} s: {got:?}");
            }
        }
    }
}
