//! A line that shows the progress, if someone is watching.

use crate::values::is_positive;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Interval between two updates.
const LOOK: Duration = Duration::from_millis(100);
/// Period over which the rate is measured: cells that were slow or fast long ago say little about those that
/// remain.
const RECENT: Duration = Duration::from_secs(5);

/// Runs `work` and meanwhile shows `progress` out of `total` cells, unless `quiet` or without a terminal.
pub fn watched<R>(quiet: bool, total: usize, progress: &AtomicUsize, work: impl FnOnce() -> R) -> R {
    if quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
    // The bar fills what the text leaves of the line.
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
        bar.set_style(style);
    }
    std::thread::scope(|scope| {
        // Closed when the work has ended, also by a panic.
        let (at_work, ended) = mpsc::channel::<()>();
        let shown = &bar;
        let watcher = scope.spawn(move || {
            let mut pace = Pace::default();
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                let cells = progress.load(Ordering::Relaxed);
                let rate = pace.rate(Instant::now(), cells);
                shown.set_message(line(cells, total, rate));
                shown.set_position(cells as u64);
            }
        });
        let result = work();
        drop(at_work);
        let _ = watcher.join();
        bar.finish_and_clear();
        result
    })
}

/// Runs `work` and meanwhile shows that it is running and for how long, unless `quiet` or without a terminal:
/// for work whose end is not known beforehand.
pub fn working<R>(quiet: bool, what: &str, work: impl FnOnce() -> R) -> R {
    if quiet || !std::io::stderr().is_terminal() {
        return work();
    }
    let sign = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
        sign.set_style(style);
    }
    sign.set_message(what.to_owned());
    sign.enable_steady_tick(LOOK);
    let result = work();
    sign.finish_and_clear();
    result
}

/// The recent progress: how many cells were done at which time.
#[derive(Debug, Default)]
struct Pace(VecDeque<(Instant, usize)>);

impl Pace {
    /// Cells per second over the last seconds; `None` if there were none.
    fn rate(&mut self, now: Instant, cells: usize) -> Option<f64> {
        self.0.push_back((now, cells));
        // The last entry of at least that age is kept, so that the whole period is covered.
        while self.0.get(1).is_some_and(|next| now.duration_since(next.0) >= RECENT) {
            self.0.pop_front();
        }
        let &(then, before) = self.0.front()?;
        let rate = cells.saturating_sub(before) as f64 / now.duration_since(then).as_secs_f64();
        is_positive(rate).then_some(rate)
    }
}

/// The text beside the bar.
fn line(cells: usize, total: usize, rate: Option<f64>) -> String {
    let counts = format!("{}/{} cells", HumanCount(cells as u64), HumanCount(total as u64));
    let Some(rate) = rate else { return counts };
    let left = total.saturating_sub(cells) as f64 / rate;
    // Below ten per second, one decimal is still useful.
    let rate = if rate < 10.0 { format!("{rate:.1}") } else { HumanCount(rate.round() as u64).to_string() };
    format!("{counts}  {rate}/s  {} left", duration(left))
}

/// A duration in its two largest units.
fn duration(seconds: f64) -> String {
    let s = seconds.ceil() as u64;
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {:02} s", s / 60, s % 60),
        3600..86_400 => format!("{} h {:02} min", s / 3600, s / 60 % 60),
        _ => format!("{} d {} h", s / 86_400, s / 3600 % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let start = Instant::now();
        let mut pace = Pace::default();
        let mut rate = None;
        // One minute at 1000 cells per second, then at 10.
        for tenth in 0..700u64 {
            let cells = if tenth < 600 { 100 * tenth } else { 60_000 + (tenth - 600) };
            rate = pace.rate(start + LOOK * tenth as u32, cells as usize);
            assert!(rate.is_some() || tenth == 0, "{tenth}");
        }
        assert!(rate.is_some_and(|r| (r - 10.0).abs() < 0.01), "{rate:?}");
        assert!(pace.0.len() < 60);
        assert_eq!(Pace::default().rate(start, 5), None);
    }

    #[test]
    fn a_line_is_short_and_has_no_decimals() {
        assert_eq!(line(1200, 10_000, Some(1234.567)), "1,200/10,000 cells  1,235/s  8 s left");
        assert_eq!(line(0, 10, None), "0/10 cells");
        assert_eq!(line(9, 10, Some(0.25)), "9/10 cells  0.2/s  4 s left");
        // Even for the largest batches there is room for a bar in 80 columns.
        for (rate, left) in [(1.0, "115 d 17 h"), (1e3, "2 h 46 min"), (3e5, "34 s"), (1e5, "1 min 40 s")] {
            let text = line(1, 10_000_000, Some(rate));
            assert!(text.contains(left) && text.len() < 64, "{text}");
        }
    }
}
