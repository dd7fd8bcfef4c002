//! How many attempts a worker makes in one launch of a kernel (docs/decisions/0033).

use std::time::Duration;

/// A launch should take this long: a host that asks for a stop does not wait longer, and where a card draws the screen,
/// too, its driver stops what takes seconds.
const LAUNCH: Duration = Duration::from_millis(200);

/// A number of attempts, and with how many workers it was found to take about as long as it should.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    pub attempts: u32,
    workers: usize,
}

impl Turn {
    /// That of the first launch, whatever the workers: on a card full of cells with a cell to each thread an attempt takes up
    /// to a tenth of a second.
    pub const FIRST: Self = Self { attempts: 8, workers: usize::MAX };

    /// For a launch of so many workers. Where they are more than those before, an attempt may take longer by as much.
    pub fn among(self, workers: usize) -> Self {
        if workers <= self.workers {
            return self;
        }
        let attempts = f64::from(self.attempts) * self.workers as f64 / workers as f64;
        Self { attempts: (attempts as u32).max(Self::FIRST.attempts.min(self.attempts)), workers }
    }

    /// The turn after one that took so long, at whose end `busy` of `started` workers had cells. It grows only where most had
    /// some: in a launch with all of them attempts take longer.
    pub fn next(self, took: Duration, busy: usize, started: usize) -> Self {
        let (most, workers) = if 2 * busy < started { (1.0, self.workers) } else { (8.0, started) };
        let factor = (LAUNCH.as_secs_f64() / took.as_secs_f64().max(1e-6)).clamp(0.25, most);
        // One that fits well enough stays.
        if (0.5..2.0).contains(&factor) {
            return Self { workers, ..self };
        }
        Self { attempts: ((f64::from(self.attempts) * factor) as u32).max(1), workers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_come_to_take_a_fifth_of_a_second() {
        for attempt in [1e-7, 2e-5, 0.1, 10.0].map(Duration::from_secs_f64) {
            let (mut turn, mut turns) = (Turn::FIRST, 0);
            while turns < 20 && turn.next(attempt * turn.attempts, 5, 10).attempts != turn.attempts {
                turn = turn.next(attempt * turn.attempts, 5, 10);
                turns += 1;
            }
            let (turn, took) = (turn.attempts, attempt * turn.attempts);
            assert!(
                turns < 10 && (took < LAUNCH * 2 || turn == 1) && took > LAUNCH / 3,
                "{attempt:?}: {turn}, {turns}"
            );
        }
    }

    #[test]
    fn a_few_long_cells_at_the_end_do_not_lengthen_turns() {
        assert_eq!(Turn::FIRST.next(Duration::from_millis(1), 4, 10), Turn::FIRST);
        assert_eq!(Turn::FIRST.next(Duration::from_secs(1), 4, 10).attempts, 2);
    }

    #[test]
    fn what_one_cell_has_taught_does_not_hold_for_many() {
        let mut turn = Turn::FIRST;
        for _ in 0..5 {
            turn = turn.next(Duration::from_micros(1), 1, 1);
        }
        assert!(turn.attempts > 10_000 && turn.among(1) == turn);
        assert_eq!(turn.among(turn.attempts as usize).attempts, Turn::FIRST.attempts);
        assert_eq!(turn.among(2).attempts, turn.attempts / 2);
        // Few attempts that take long stay few.
        let few = Turn::FIRST.next(Duration::from_secs(1), 10, 10);
        assert_eq!(few.among(1000).attempts, 2);
    }
}
