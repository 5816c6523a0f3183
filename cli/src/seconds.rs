//! A time limit on the command line, in seconds.

use std::time::Duration;

/// Parses a number of seconds greater than 0.
pub(crate) fn parse(text: &str) -> Result<Duration, &'static str> {
    const EXPECTED: &str = "expected a number of seconds greater than 0, such as 2.5";
    // About 30 years. This can be added to any point in time without overflow.
    const MOST: f64 = 1e9;
    let seconds: f64 = text.parse().map_err(|_| EXPECTED)?;
    let wanted = if seconds > MOST { MOST } else { seconds };
    let duration = Duration::try_from_secs_f64(wanted).map_err(|_| EXPECTED)?;
    if duration.is_zero() { Err(EXPECTED) } else { Ok(duration) }
}
