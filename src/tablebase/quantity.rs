//! Amounts in a form that people read easily.

use std::{fmt, time::Duration};

/// A count with separators: `239,500,800`.
#[derive(Clone, Copy, Debug)]
pub struct Count(pub u64);

/// A number of bytes, with units that are powers of 1,000: `69.06 MB`.
#[derive(Clone, Copy, Debug)]
pub struct Bytes(pub u64);

/// An approximate time: `a second`, `7 seconds`, `80 seconds`, `3 minutes`.
#[derive(Clone, Copy, Debug)]
pub struct Rough(pub Duration);

/// A measured time, given in seconds: `12.3 µs`, `4.5 ms`, `6.7 s`.
#[derive(Clone, Copy, Debug)]
pub struct Seconds(pub f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            seconds if seconds < 1e-3 => (seconds * 1e6, "µs"),
            seconds if seconds < 1.0 => (seconds * 1e3, "ms"),
            seconds => (seconds, "s"),
        };
        write!(f, "{value:.1} {unit}")
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::with_capacity(digits.len() * 4 / 3);
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at) % 3 == 0 {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad_integral(true, "", &text)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PREFIXES: [&str; 6] = ["k", "M", "G", "T", "P", "E"];
        let Some(last) = self.0.checked_ilog(1000).filter(|power| *power > 0) else {
            return write!(f, "{} B", self.0);
        };
        let amount = self.0 as f64 / 1000f64.powi(last as i32);
        write!(f, "{amount:.2} {}B", PREFIXES[last as usize - 1])
    }
}

impl fmt::Display for Rough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(f64, &str); 4] =
            [(86400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (1.0, "seconds")];
        let seconds = match self.0.as_secs_f64() {
            0.0..1.5 => return f.write_str("a second"),
            // The last digit of a long time says nothing.
            long @ 10.0.. => (long / 10.0).round() * 10.0,
            short => short,
        };
        // The largest unit of which the time has at least one and a half.
        let fits = |(unit, _): &&(f64, &str)| seconds >= 1.5 * unit;
        let (unit, name) = UNITS.iter().find(fits).unwrap_or(&UNITS[3]);
        write!(f, "{:.0} {name}", (seconds / unit).round())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_a_person_writes_them() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (239_500_800, "239,500,800")]
        {
            assert_eq!(Count(count).to_string(), text);
        }
        for (bytes, text) in
            [(0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (69_064_000, "69.06 MB")]
        {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
        let times = [
            (0.2, "a second"),
            (1.6, "2 seconds"),
            (44.0, "40 seconds"),
            (89.0, "2 minutes"),
            (3600.0, "60 minutes"),
            (7200.0, "2 hours"),
        ];
        for (seconds, text) in times {
            assert_eq!(Rough(Duration::from_secs_f64(seconds)).to_string(), text);
        }
    }
}
