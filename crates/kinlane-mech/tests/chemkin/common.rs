//! CHEMKIN input of made-up data.

use kinlane_mech::chemkin::read_str;
use kinlane_mech::{Network, Refusal, Severity};

/// A record with the same data for every species: CH4.
pub fn record(name: &str) -> String {
    record_of(name, "C   1H   4")
}

/// The same with other elements.
pub fn record_of(name: &str, elements: &str) -> String {
    let first = format!("{name:<24}{elements:<20}G   200.000  3500.000  1000.000    1");
    format!(
        "{first}\n 7.48514950E-02 1.33909467E-02-5.73285809E-06 1.22292535E-09-1.01815230E-13    2\n\
         -9.46834459E+03 1.84373180E+01 5.14987613E+00-1.36709788E-02 4.91800599E-05    3\n\
         -4.84743026E-08 1.66693956E-11-1.02466476E+04-4.64130376E+00                   4\n"
    )
}

/// A file with records for its species, of the elements C and H.
pub fn mechanism(species: &str, reactions: &str) -> String {
    let thermo: String = species.split_whitespace().map(record).collect();
    format!(
        "ELEMENTS\nC H\nEND\nSPECIES\n{species}\nEND\nTHERMO\n 300. 1000. 5000.\n{thermo}END\nREACTIONS{reactions}\nEND\n"
    )
}

/// Reads a file that has everything.
pub fn read(text: &str) -> Result<Network, Refusal> {
    read_str(("chem.inp", text), None)
}

/// The codes of the errors in a text, and what they point at.
pub fn errors(text: &str) -> Vec<(&'static str, String)> {
    let refusal = read(text).map(|network| network.reactions).expect_err(text);
    let errors = refusal.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    errors.map(|d| (d.code, refusal.sources.text(d.labels[0].0).to_owned())).collect()
}
