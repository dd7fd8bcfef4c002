//! KPP mechanisms: every one of the data folder, golden rate constants, details of the dialects, and messages.

use kinlane_mech::kpp::{self, read_str};
use kinlane_mech::scheme::{Expression, Function, Name, Operator, Rate, Scheme, Statement};
use kinlane_mech::{Refusal, Severity};
use kinlane_testdata::files::{data, files_ending, golden};
use kinlane_testdata::golden::{json, numbers};

#[test]
fn table() {
    let Some(data) = data() else { return };
    for path in files_ending(&data.join("atmospheric"), &["kpp", "def", "eqn", "spc"]) {
        let name = path.strip_prefix(&data).unwrap().display().to_string();
        match kpp::read(&path) {
            Ok(s) => {
                let photo = 0;
                println!(
                    "{name:60} {:4} + {:2} {:5} {:3} {:?} {:?}",
                    s.species.len(),
                    s.fixed.len(),
                    s.reactions.len(),
                    s.photolysis.len(),
                    s.inputs,
                    s.notes.iter().map(|n| (n.code, n.message.clone())).collect::<Vec<_>>()
                );
                let _ = photo;
            }
            Err(e) => println!("{name:60} {e}"),
        }
    }
}
