//! The processor: wider instructions where it has them, and hints to its cache.

/// Work that is compiled twice: for all processors of the target, and for those with wider instructions.
pub(crate) trait Work {
    /// The result of the work.
    type Output;

    /// Does the work. It has to be `#[inline(always)]`, like all that it calls in a loop: only what is inlined is
    /// compiled for the wider instructions.
    fn run(self) -> Self::Output;
}

/// Does the work with the widest instructions that the processor has.
pub(crate) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi2,popcnt")]
        unsafe fn run_wide<W: Work>(work: W) -> W::Output {
            work.run()
        }

        let is_wide = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        if is_wide {
            // SAFETY: the processor has all instructions for which the function is compiled.
            return unsafe { run_wide(work) };
        }
    }
    work.run()
}

/// Prefetches the cache line where `value` starts.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction. It changes no memory, and the reference is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
