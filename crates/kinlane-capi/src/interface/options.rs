//! Options of mechanisms and solvers, set by the names that they have on the command line.

use crate::interface::arrays::text;
use crate::interface::fault::{Code, ErrorHandle, Fault, freed, guarded};
use crate::interface::handles::{Handle, Held, handle_mut};
use kinlane::device::MappingWish;
use kinlane::mech::reaclib::Selection;
use kinlane::mech::{Refusal, Sources};
use kinlane::units;
use kinlane::{
    Advance, AdvanceBuilder, Format, Mechanism, Options, Place, Precision, Reactor, ReadOptions, Scheme, SchemeBuilder,
    Screening, Zones,
};
use std::ffi::{c_char, c_double};

/// Every option, as the command line has it.
#[derive(Debug, Clone, Default)]
pub struct AllOptions {
    pub read: ReadOptions,
    solve: Options,
    /// Whether cells may have factors on the rates of reactions.
    factors: bool,
    /// Whether cells that are followed have a pressure or a volume imposed on them.
    pub history: bool,
    place: Place,
}

const NAMES: [&str; 22] = [
    "format",
    "phase",
    "thermo",
    "rates",
    "nuclides",
    "partition",
    "screening",
    "method",
    "reactor",
    "rtol",
    "atol",
    "atol-of",
    "first-step",
    "max-steps",
    "factors",
    "history",
    "lanes",
    "threads",
    "device",
    "device-memory",
    "mapping",
    "precision",
];

impl Held for AllOptions {
    const NAME: &str = "kinlane_options";
    const MARK: [u8; 8] = *b"kl opti.";
}

/// `kinlane_options` of the header.
pub type OptionsHandle = Handle<AllOptions>;

impl AllOptions {
    /// Sets an option, or with no value gives it its default again.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), Fault> {
        let default = Options::default();
        let name = name.replace('_', "-");
        let owned = || value.map(str::to_owned);
        match name.as_str() {
            "format" => self.read.format = value.map(format).transpose()?,
            "phase" => self.read.phase = owned(),
            "thermo" => self.read.thermo = value.map(Into::into),
            "rates" => self.read.rates = value.map(Into::into),
            "nuclides" => self.read.nuclides = value.map(Selection::of),
            "partition" => {
                self.read.partition = value.map(|list| std::env::split_paths(list).collect()).unwrap_or_default();
            }
            "screening" => {
                let laws = Screening::ALL.map(|law| (law.name(), Some(law)));
                self.read.screening = one_of(&name, value, &[&[("none", None)], &laws[..]].concat())?;
            }
            "method" => self.solve.method = owned(),
            "reactor" => {
                self.solve.reactor = one_of(&name, value, &Reactor::ALL.map(|r| (r.name(), r)))?;
            }
            "rtol" => self.solve.rtol = value.map_or(Ok(default.rtol), |v| number(&name, v))?,
            "atol" => self.solve.atol = value.map(|v| number(&name, v)).transpose()?,
            "atol-of" => {
                let own = value.map(str::parse).transpose();
                self.solve.atol_of = own.map_err(|e| Fault::argument(format!("{name}: {e}")))?.unwrap_or_default();
            }
            "first-step" => self.solve.first_step = value.map(|v| time(&name, v)).transpose()?,
            "max-steps" => {
                self.solve.max_steps = value.map_or(Ok(default.max_steps), |v| whole(&name, v))?;
            }
            "factors" => self.factors = one_of(&name, value, &[("no", false), ("yes", true)])?,
            "history" => self.history = one_of(&name, value, &[("no", false), ("yes", true)])?,
            "lanes" => self.place.lanes = owned(),
            "threads" => self.place.threads = value.map(|v| whole(&name, v)).transpose()?.map(|n| n as usize),
            "device" => self.place.device = owned(),
            // In MiB, as on the command line.
            "device-memory" => {
                self.place.memory = value.map(|v| whole(&name, v)).transpose()?.map(|mib| u64::from(mib) << 20);
            }
            "mapping" => self.place.mapping = one_of(&name, value, &MappingWish::ALL.map(|m| (m.name(), m)))?,
            "precision" => self.place.precision = one_of(&name, value, &Precision::ALL.map(|p| (p.name(), p)))?,
            _ => {
                let nearest = kinlane::mech::validate::nearest(&name, NAMES);
                let hint = nearest
                    .map_or_else(|| format!("known are {}", NAMES.join(", ")), |n| format!("did you mean `{n}`?"));
                return Err(Fault::argument(format!("there is no option `{name}`; {hint}")));
            }
        }
        Ok(())
    }

    /// A builder of solvers of a gas that do not follow it, with these options.
    pub fn unfollowed(&self, mechanism: &Mechanism) -> Result<AdvanceBuilder, Fault> {
        unused("solvers that do not follow their cells", &[("history", self.history)])?;
        self.gas(mechanism)
    }

    /// A builder of solvers of a gas with these options.
    pub fn gas(&self, mechanism: &Mechanism) -> Result<AdvanceBuilder, Fault> {
        if self.factors {
            unused("solvers with factors, which run on the CPU", &[("device", self.elsewhere())])?;
        }
        let builder =
            if self.factors { Advance::builder(&mechanism.perturbable()) } else { Advance::builder(mechanism) };
        Ok(builder.options(self.solve.clone()).place(self.place.clone()))
    }

    /// Whether a device is wished for.
    fn elsewhere(&self) -> bool {
        self.place.device.as_ref().is_some_and(|d| d != "cpu")
    }

    /// A builder of solvers of a scheme with these options; those that mean nothing there must not be set.
    pub fn scheme(&self, builder: SchemeBuilder) -> Result<SchemeBuilder, Fault> {
        let reactor = ("reactor", self.solve.reactor != Reactor::default());
        unused("reaction schemes", &[reactor, self.precision(), ("factors", self.factors), ("history", self.history)])?;
        Ok(builder.options(self.solve.clone()).place(self.place.clone()))
    }

    /// A solver of zones that are heated, with these options; those that mean nothing there must not be set.
    pub fn zones(&self, scheme: &Scheme) -> Result<Zones, Fault> {
        unused("zones that are heated", &[("factors", self.factors), ("history", self.history)])?;
        Ok(Zones::new(scheme, &self.solve, &self.place)?)
    }

    fn precision(&self) -> (&'static str, bool) {
        ("precision", self.place.precision != Precision::default())
    }
}

/// Refuses an option that is set and means nothing for these solvers.
fn unused(solvers: &str, options: &[(&str, bool)]) -> Result<(), Fault> {
    options.iter().find(|u| u.1).map_or(Ok(()), |(name, _)| {
        Err(Fault::new(Code::Plan, format!("the option {name} does not apply to {solvers}")))
    })
}

/// A format of files.
fn format(name: &str) -> Result<Format, Fault> {
    name.parse().map_err(|d| Fault::argument(Refusal::new(d, Sources::default()).to_string()))
}

/// A time \[s\], with a unit behind it or without.
fn time(name: &str, value: &str) -> Result<f64, Fault> {
    let (before, unit) = units::before_unit(value.trim(), units::TIMES).unwrap_or((value, 1.0));
    Ok(units::in_si(number(name, before)?, unit))
}

/// A number, as Rust and C write it.
fn number(name: &str, value: &str) -> Result<f64, Fault> {
    value.trim().parse().map_err(|_| Fault::argument(format!("{name} is `{value}`, it must be a number")))
}

/// A whole number, which may be written as 1e5.
fn whole(name: &str, value: &str) -> Result<u32, Fault> {
    let x = number(name, value)?;
    if x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&x) {
        return Ok(x as u32);
    }
    Err(Fault::argument(format!("{name} is {value}, it must be a whole number between 0 and {}", u32::MAX)))
}

/// One of a few words; the first is the default.
fn one_of<T: Copy>(name: &str, value: Option<&str>, all: &[(&str, T)]) -> Result<T, Fault> {
    let found = all.iter().find(|(word, _)| value.is_none_or(|v| v == *word));
    let words = || all.iter().map(|a| a.0).collect::<Vec<_>>().join(", ");
    found.map(|a| a.1).ok_or_else(|| {
        Fault::argument(format!("{name} is `{}`, it must be one of {}", value.unwrap_or_default(), words()))
    })
}

/// Options with their defaults.
#[unsafe(no_mangle)]
pub extern "C" fn kinlane_options_new() -> *mut OptionsHandle {
    Handle::new(AllOptions::default())
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_options_free(options: *mut OptionsHandle) {
    // SAFETY: the caller's word.
    unsafe { freed(options) };
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_options_set(
    options: *mut OptionsHandle,
    name: *const c_char,
    value: *const c_char,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let (options, name) = unsafe { (handle_mut("options", options)?, text("name", name)?) };
        // SAFETY: the caller's word.
        let value = if value.is_null() { None } else { Some(unsafe { text("value", value)? }) };
        options.set(name, value)
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

/// # Safety
/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinlane_options_set_number(
    options: *mut OptionsHandle,
    name: *const c_char,
    value: c_double,
    error: *mut ErrorHandle,
) -> Code {
    let work = || {
        // SAFETY: the caller's word.
        let (options, name) = unsafe { (handle_mut("options", options)?, text("name", name)?) };
        // The shortest text of a number is read back with all its bits.
        options.set(name, Some(&value.to_string()))
    };
    // SAFETY: the caller's word.
    unsafe { guarded(error, work) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_known_by_its_name_and_has_a_default() {
        let mut options = AllOptions::default();
        for name in NAMES {
            options.set(name, None).expect("a default");
            options.set(&name.replace('-', "_"), None).expect("either spelling");
        }
        assert!(options.set("tolerance", None).is_err());
    }

    #[test]
    fn numbers_keep_their_bits() {
        let mut options = AllOptions::default();
        for x in [1e-6_f64, 0.1 + 0.2, 3e-200, 1.0 / 3.0] {
            options.set("rtol", Some(&x.to_string())).expect("a number");
            assert_eq!(options.solve.rtol.to_bits(), x.to_bits());
        }
        options.set("max-steps", Some("1e5")).expect("whole");
        assert_eq!(options.solve.max_steps, 100_000);
        for bad in ["1.5", "-1", "5e9", "nan", "many"] {
            assert!(options.set("max-steps", Some(bad)).is_err(), "{bad}");
        }
    }
}
