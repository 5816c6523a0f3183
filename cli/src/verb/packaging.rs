//! `tilebase completions` and `tilebase man`: files for packages.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use crate::console::Console;

/// Print the completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the completion script of `program`.
    pub(crate) fn run(self, mut program: Command, console: &mut Console) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "tilebase", &mut script);
        console.bytes(&script)
    }
}

/// Print the manual page, or write the pages of all verbs to a folder
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Write tilebase.1, tilebase-query.1 and so on to this folder
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Man {
    /// Prints or writes the pages of `program`.
    pub(crate) fn run(self, program: Command, console: &mut Console) -> Result<()> {
        match self.folder {
            Some(folder) => clap_mangen::generate_to(program, &folder)
                .with_context(|| folder.display().to_string()),
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(program).render(&mut page)?;
                console.bytes(&page)
            }
        }
    }
}
