//! `kinlane check`.

use crate::args::CheckArgs;
use crate::error::Error;
use crate::setup;
use kinlane::mech::Severity;
use kinlane::mech::network::{RateLaw, Reverse};
use kinlane::mech::render::render;
use std::collections::BTreeMap;
use std::io::IsTerminal;

/// Runs the command; `Ok` is the exit code.
pub fn run(args: &CheckArgs) -> Result<i32, Error> {
    let mechanism = setup::mechanism(&args.mechanism)?;
    let network = mechanism.network();
    let warnings = network.notes.iter().filter(|n| n.severity >= Severity::Warning).count();
    let shown: Vec<_> =
        network.notes.iter().filter(|n| !args.quiet || n.severity >= Severity::Warning).cloned().collect();
    if !shown.is_empty() {
        tell!("{}", render(&shown, &network.sources, std::io::stderr().is_terminal()).trim_end());
    }
    if args.quiet {
        return Ok(0);
    }
    say!(
        "{}: {} species of {} ({}), {} reactions",
        mechanism.name(),
        mechanism.species_count(),
        network.elements.len(),
        mechanism.elements().collect::<Vec<_>>().join(" "),
        mechanism.reaction_count(),
    );
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for r in &network.reactions {
        *kinds.entry(kind(&r.rate, r.third_body.is_some())).or_default() += 1;
        let direction = match r.reverse {
            Reverse::Irreversible => "irreversible",
            Reverse::Equilibrium => "reversible, by detailed balance",
            Reverse::Explicit { .. } => "reversible, with their own reverse rate",
        };
        *kinds.entry(direction).or_default() += 1;
    }
    for (kind, count) in kinds {
        say!("  {count:6} {kind}");
    }
    say!("{} notes, {warnings} of them warnings", network.notes.len());
    Ok(0)
}

/// What a rate law is called.
fn kind(rate: &RateLaw, third_body: bool) -> &'static str {
    match rate {
        RateLaw::Arrhenius(_) if third_body => "third body",
        RateLaw::Arrhenius(_) => "elementary",
        RateLaw::Falloff(f) if f.activated => "chemically activated",
        RateLaw::Falloff(_) => "falloff",
        RateLaw::Plog(_) => "PLOG",
        RateLaw::Chebyshev(_) => "Chebyshev",
        RateLaw::LinearBurke(_) => "linear Burke (LMR-R)",
        RateLaw::BlowersMasel { .. } => "Blowers-Masel",
        RateLaw::TwoTemperature { .. } => "two-temperature plasma",
        RateLaw::LandauTeller { .. } => "Landau-Teller",
    }
}
