//! What moves with the time of day: KPP's sun, its clock, and photolysis frequencies that follow the sun.

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

#[cfg(test)]
mod tests {
    use super::sun;

    #[test]
    fn the_sun_is_that_of_kpp() {
        assert_eq!([sun(0.0), sun(43_200.0), sun(86_400.0 + 43_200.0), sun(4.0 * 3600.0)], [0.0, 1.0, 1.0, 0.0]);
        let x = (2.0_f64 * 9.0 - 24.0) / 15.0;
        assert_eq!(sun(9.0 * 3600.0), (1.0 + (std::f64::consts::PI * x * x).cos()) / 2.0);
    }
}
