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
    pub(crate) fn zeroed(bytes: u64) -> io::Result<Self> {
        let bytes = bytes.try_into().map_err(|_| io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes)?;
        // A system that has none goes without.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self(map))
    }

    /// Much more than the system has, of which but little is written.
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

/// Has the processor bring a value near, for whoever reads it later; of a long one, the line of the cache in which it begins.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, which changes nothing, and the value is there.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
