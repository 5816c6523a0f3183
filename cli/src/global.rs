//! The options of every verb.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ColorChoice};
use etcetera::BaseStrategy;
use tilebase::{Store, Threads};

/// The options of every verb.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Folder of the tables [default: the platform's data folder]
    #[arg(long, global = true, value_name = "DIR", env = "TILEBASE_STORE", hide_env_values = true)]
    pub(crate) store: Option<PathBuf>,
    /// Silence the notes on standard error; answers and errors are still written
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Colours: on a terminal, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Work on at most N threads [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Global {
    pub(crate) fn store(&self) -> Result<Store> {
        if let Some(dir) = self.store.as_ref().filter(|dir| !dir.as_os_str().is_empty()) {
            return Ok(Store::new(dir));
        }
        let folders = etcetera::base_strategy::choose_native_strategy()
            .context("the platform names no data folder: give one with --store DIR")?;
        Ok(Store::new(folders.data_dir().join("tilebase")))
    }

    pub(crate) fn threads(&self) -> Threads {
        self.threads.map_or(Threads::ALL, |limit| usize::from(limit).into())
    }
}
