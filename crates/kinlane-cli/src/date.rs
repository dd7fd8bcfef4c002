//! Today's date, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// The date as 2026-01-31. `SOURCE_DATE_EPOCH` sets it, so that a build can be reproduced exactly.
pub fn today() -> String {
    let set = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let [y, m, d] = civil(set.unwrap_or_else(now) / 86_400);
    format!("{y:04}-{m:02}-{d:02}")
}

/// Year, month and day of a day counted from 1970-01-01. Years are taken to start in March, so that a leap
/// day is the last day.
fn civil(days: u64) -> [u64; 3] {
    let days = days + 719_468; // from 0000-03-01
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let first = (153 * month + 2) / 5;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    [era * 400 + year + next, month, day - first + 1]
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn days_have_their_dates() {
        for (day, date) in
            [(0, [1970, 1, 1]), (11_016, [2000, 2, 29]), (11_017, [2000, 3, 1]), (20_777, [2026, 11, 20])]
        {
            assert_eq!(civil(day), date);
        }
    }
}
