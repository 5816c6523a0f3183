//! Memory in large amounts.

use std::{
    io,
    ops::{Deref, DerefMut},
};

use memmap2::MmapMut;

/// Bytes that begin as zeros, at a page, on huge pages where the system has some. They take up memory as they
/// are written.
pub(crate) struct Memory(MmapMut);

impl Memory {
    /// # Errors
    ///
    /// If the system does not give so much.
    pub(crate) fn zeroed(bytes: usize) -> io::Result<Self> {
        let map = MmapMut::map_anon(bytes)?;
        // A system that has none goes without.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self(map))
    }
}

impl Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
