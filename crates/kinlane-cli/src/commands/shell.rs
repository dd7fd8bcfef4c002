//! `kinlane completions` and `kinlane man`: generated from the definition of the command line.

use crate::args::Cli;
use crate::error::Error;
use crate::files::output::Outputs;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use std::io;
use std::path::{Path, PathBuf};

/// Print the completions of a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kinlane completions bash > ~/.local/share/bash-completion/completions/kinlane
  kinlane completions zsh > _kinlane                 into a folder of $fpath
  kinlane completions fish > ~/.config/fish/completions/kinlane.fish")]
pub struct CompletionsArgs {
    /// Which shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Write the manual pages, one per command and sub-command
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  kinlane man man1 && man -l man1/kinlane-advance.1")]
pub struct ManArgs {
    /// Folder to write into; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

/// Runs `kinlane completions`; returns the exit code.
pub fn completions(args: &CompletionsArgs) -> Result<i32, Error> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kinlane", &mut text);
    say!("{}", String::from_utf8_lossy(&text).trim_end());
    Ok(0)
}

/// Runs `kinlane man`; returns the exit code.
pub fn man(args: &ManArgs) -> Result<i32, Error> {
    let fail = |fault| Error::Write { path: args.dir.clone(), fault };
    std::fs::create_dir_all(&args.dir).map_err(fail)?;
    let mut command = without_help(Cli::command());
    command.build();
    let (mut outputs, mut count) = (Outputs::default(), 0);
    pages(&args.dir, &command, "kinlane", &mut outputs, &mut count)?;
    outputs.commit()?;
    say!("{count} pages in {}", args.dir.display());
    Ok(0)
}

/// Removes `help` subcommands: `kinlane help COMMAND` prints the same as the page of the command.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// Writes the page of a command, and those that it refers to.
fn pages(dir: &Path, command: &Command, name: &str, outputs: &mut Outputs, count: &mut usize) -> Result<(), Error> {
    page(dir, command.clone(), name, outputs)?;
    *count += 1;
    let mut subs = command.get_subcommands();
    subs.try_for_each(|sub| pages(dir, sub, &format!("{name}-{}", sub.get_name()), outputs, count))
}

fn page(dir: &Path, command: Command, name: &str, outputs: &mut Outputs) -> Result<(), Error> {
    let path = dir.join(format!("{name}.1"));
    let mut text = Vec::new();
    let fail = |fault: io::Error| Error::Write { path: path.clone(), fault };
    clap_mangen::Man::new(command).render(&mut text).map_err(fail)?;
    outputs.bytes(&path, &text)
}
