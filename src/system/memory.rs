//! Large amounts of memory.

use std::{
    io,
    ops::{Deref, DerefMut},
};

use memmap2::MmapMut;

/// Bytes that start as zeros, aligned to a page, on huge pages where the system has them. A page takes up memory once
/// it is written.
pub(crate) struct Memory(MmapMut);

impl Memory {
    /// Memory of this size, in bytes.
    ///
    /// # Errors
    ///
    /// If the system cannot provide this much memory.
    pub(crate) fn zeroed(bytes: u64) -> io::Result<Self> {
        let bytes = bytes.try_into().map_err(|_| io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes)?;
        // A system without huge pages uses small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self(map))
    }

    /// Memory that may be larger than the system has, if little of it is written.
    #[cfg(test)]
    pub(crate) fn sparse(bytes: u64) -> Self {
        let map = memmap2::MmapOptions::new().len(bytes as usize).no_reserve_swap().map_anon();
        Self(map.expect("addresses cost nothing"))
    }
}

impl Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Memory {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
