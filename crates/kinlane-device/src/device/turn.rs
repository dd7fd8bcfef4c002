//! How many attempts a worker makes in one launch of a kernel (docs/decisions/0033).

use std::time::Duration;

/// A launch should take this long: a host that asks for a stop does not wait longer, and where a card draws the screen,
/// too, its driver stops what takes seconds.
const TURN: Duration = Duration::from_millis(200);

/// Attempts of the first launch. On a card full of cells with a cell to each thread an attempt takes up to a tenth of a
/// second.
pub const FIRST_TURN: u32 = 8;

/// The turn after one that took so long, at whose end `busy` of `started` workers had cells. It grows only where most had some: in a
/// launch with all of them attempts take longer.
pub fn next_turn(turn: u32, took: Duration, busy: usize, started: usize) -> u32 {
    let most = if 2 * busy < started { 1.0 } else { 8.0 };
    let factor = (TURN.as_secs_f64() / took.as_secs_f64().max(1e-6)).clamp(0.25, most);
    // One that fits well enough stays.
    if (0.5..2.0).contains(&factor) { turn } else { ((f64::from(turn) * factor) as u32).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_come_to_take_a_fifth_of_a_second() {
        for attempt in [1e-7, 2e-5, 0.1, 10.0].map(Duration::from_secs_f64) {
            let (mut turn, mut turns) = (FIRST_TURN, 0);
            while turns < 20 && next_turn(turn, attempt * turn, 5, 10) != turn {
                turn = next_turn(turn, attempt * turn, 5, 10);
                turns += 1;
            }
            let took = attempt * turn;
            assert!(turns < 10 && (took < TURN * 2 || turn == 1) && took > TURN / 3, "{attempt:?}: {turn}, {turns}");
        }
    }

    #[test]
    fn a_few_long_cells_at_the_end_do_not_lengthen_turns() {
        assert_eq!(next_turn(8, Duration::from_millis(1), 4, 10), 8);
        assert_eq!(next_turn(8, Duration::from_secs(1), 4, 10), 2);
    }
}
