//! Results that come in any order, put in the order of their cases.

use std::{collections::BTreeMap, ops::ControlFlow, sync::mpsc::Receiver, thread, time::Duration};

use anyhow::Result;

use crate::check::case::Case;

/// What happens while results are awaited.
pub(crate) enum Event<'c, T> {
    /// The result for the next case.
    Next(&'c Case, T),
    /// There is time until the next result.
    Idle,
}

/// Calls `take` with the results in the order of their numbers. At the end, it gets those behind a gap.
pub(crate) fn in_order<T>(
    cases: &[Case],
    results: &Receiver<Result<(usize, T)>>,
    mut take: impl FnMut(Event<'_, T>) -> Result<ControlFlow<()>>,
) -> Result<()> {
    const PAUSE: Duration = Duration::from_micros(200);
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    loop {
        let result = match results.try_recv() {
            Ok(result) => result,
            Err(_) => {
                if take(Event::Idle)?.is_break() {
                    return Ok(());
                }
                // A pause lets results gather: to wake up for each one costs more than to judge it.
                thread::sleep(PAUSE);
                let Ok(result) = results.recv() else { break };
                result
            }
        };
        let (number, result) = result?;
        waiting.insert(number, result);
        while let Some(result) = waiting.remove(&next) {
            if take(Event::Next(&cases[next], result))?.is_break() {
                return Ok(());
            }
            next += 1;
        }
    }
    for (number, result) in waiting {
        if take(Event::Next(&cases[number], result))?.is_break() {
            break;
        }
    }
    Ok(())
}
