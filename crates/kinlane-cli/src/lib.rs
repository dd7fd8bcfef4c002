//! The `kinlane` program: reads the command line, runs one command, and turns errors into messages and exit codes.
#![forbid(unsafe_code)]

/// Prints a line on standard output. A closed pipe, as after `head`, is no reason to panic; what else is lost is told at the
/// end.
macro_rules! say {
    ($($arg:tt)*) => { $crate::files::output::line(format_args!($($arg)*)) };
}

/// Prints a line on standard error.
macro_rules! tell {
    ($($arg:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{}\n", format_args!($($arg)*)));
    }};
}

mod args;
mod commands;
mod date;
mod error;
mod files;
mod mixture;
mod picture;
mod run;
mod swept;
mod terminal;
mod values;
mod words;

use args::{Cli, Command};
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use commands::{
    advance, bench, check, convert, course, demo, devices, equilibrate, explain, flamelet, ignite, methods, pasr, psr,
    rates, shell,
};
use kinlane::units;
use run::stop;
use std::ffi::OsString;

/// The version, as printed by `--version` and in reports.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The words of the command line. A negative number after an option is attached to it as its value, so that
/// the message says what the value must be: clap takes `-1e-6` for an option.
fn arguments() -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::new();
    for word in std::env::args_os() {
        let digit = |rest: &str| rest.starts_with(|c: char| c == '.' || c.is_ascii_digit());
        let negative = |word: &str| word.strip_prefix('-').is_some_and(digit);
        let option = |word: &str| word.len() > 2 && word.starts_with("--") && !word.contains('=');
        match all.last_mut() {
            Some(last) if word.to_str().is_some_and(negative) && last.to_str().is_some_and(option) => {
                last.push("=");
                last.push(word);
            }
            _ => all.push(word),
        }
    }
    all
}

/// An improved error of the command line: for an option that other programs call by another name, such as
/// `--temperature`, it suggests ours; for an option that only this command lacks, it says why.
fn wish(mut fault: clap::Error) -> clap::Error {
    let Some(ContextValue::String(word)) = fault.get(ContextKind::InvalidArg).cloned() else { return fault };
    if fault.kind() != ErrorKind::UnknownArgument {
        return fault;
    }
    let command = std::env::args_os().nth(1).and_then(|word| word.into_string().ok()).unwrap_or_default();
    let of = |commands: &[&str]| commands.contains(&command.as_str());
    let unit = |units: &units::Units| units::before_unit(&word, units).is_some_and(|found| found.0.is_empty());
    // The hint that an option would be a file after `--` helps nobody.
    fault.remove(ContextKind::Suggested);
    let tip = if unit(units::PRESSURES) || unit(units::TIMES) || unit(&[("K", 1.0)]) {
        format!("no blank before the unit, as in 10{word}")
    } else if of(&["advance", "rates"]) && ["--T", "--P"].contains(&word.as_str()) {
        "temperatures and pressures of the cells come from the file of '--states'".to_owned()
    } else if !word.starts_with('-') && std::env::args_os().any(|word| word == "--partition") {
        format!("each table has an option of its own: --partition {word}")
    } else {
        String::new()
    };
    if !tip.is_empty() {
        fault.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    let meant = match word.trim_start_matches('-').to_lowercase().as_str() {
        "t" | "t0" | "temp" | "temperature" | "temperatures" => "--T",
        "p" | "p0" | "pressure" | "pressures" => "--P",
        _ => return fault,
    };
    if of(&["ignite", "equilibrate", "psr", "pasr", "flamelet"]) {
        fault.insert(ContextKind::SuggestedArg, ContextValue::String(meant.to_owned()));
    }
    fault
}

/// The method that was asked for, of a command that is not quiet.
fn method_of(command: &Command) -> Option<&str> {
    let (tolerances, quiet) = match command {
        Command::Advance(a) => (&a.solver.tolerances, a.run.cpu.quiet),
        Command::Ignite(a) => (&a.tolerances, a.run.cpu.quiet),
        Command::Pasr(a) => (&a.tolerances, a.run.cpu.quiet),
        Command::Flamelet(a) => (&a.tolerances, a.run.cpu.quiet),
        Command::Box(a) => (&a.tolerances, a.quiet),
        Command::Burn(a) => (&a.tolerances, a.quiet),
        _ => return None,
    };
    tolerances.method.as_deref().filter(|_| !quiet)
}

/// Runs the command line of this process, and ends the process.
pub fn main() {
    let cli = Cli::try_parse_from(arguments()).unwrap_or_else(|fault| std::process::exit(unparsed(&wish(fault))));
    // A command that writes nothing may end at once.
    if !matches!(cli.command, Command::Explain(_)) {
        stop::listen();
    }
    let done = match &cli.command {
        Command::Advance(a) => advance::run(a),
        Command::Rates(a) => rates::run(a),
        Command::Check(a) => check::run(a),
        Command::Convert(a) => convert::run(a),
        Command::Equilibrate(a) => equilibrate::run(a),
        Command::Ignite(a) => ignite::run(a),
        Command::Psr(a) => psr::run(a),
        Command::Pasr(a) => pasr::run(a),
        Command::Flamelet(a) => flamelet::run(a),
        Command::Box(a) => course::run_box(a),
        Command::Burn(a) => course::run_burn(a),
        Command::Explain(a) => explain::run(a),
        Command::Methods => {
            methods::run();
            Ok(0)
        }
        Command::Completions(a) => shell::completions(a),
        Command::Man(a) => shell::man(a),
        Command::Devices => {
            devices::run();
            Ok(0)
        }
        Command::Bench(a) => bench::run(a),
        Command::Demo(a) => demo::run(a),
    };
    if done.is_ok() {
        commands::ending::tell_unsure(method_of(&cli.command));
    }
    let code = done.and_then(|code| files::output::all_said().map(|()| code)).unwrap_or_else(|e| tell_error(&e));
    std::process::exit(code);
}

/// Prints what clap has to say instead of a command, help or an error; returns the exit code.
fn unparsed(fault: &clap::Error) -> i32 {
    let said = fault.print();
    match fault.use_stderr() {
        true => fault.exit_code(),
        // Help that does not get through must not end with 0.
        false => files::output::complete(said).map_or_else(|e| tell_error(&e), |()| fault.exit_code()),
    }
}

/// Prints an error; returns the exit code.
fn tell_error(error: &error::Error) -> i32 {
    let said = error.to_string();
    // The readers' messages are already rendered, with their own first word.
    let head = if said.starts_with("error") { "" } else { "error: " };
    tell!("{head}{said}");
    error.exit_code()
}
