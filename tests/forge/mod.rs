//! Wrong table files with right checksums, made by what FORMAT.md alone says.

pub(crate) const PAGE: usize = 4096;
const BLOCK: usize = 65536;

/// Makes every checksum of a table right again, as far as the bytes go.
pub(crate) fn seal(bytes: &mut [u8]) {
    let crc = |bytes: &[u8]| crc32fast::hash(bytes).to_le_bytes();
    let Some((page, rest)) = bytes.split_at_mut_checked(PAGE) else { return };
    let payload = u64::from_le_bytes(page[28..36].try_into().expect("eight bytes"));
    let payload = usize::try_from(payload).unwrap_or(usize::MAX);
    let (fields, own) = page.split_at_mut(PAGE - 4);
    own.copy_from_slice(&crc(fields));
    if rest.len() < payload.saturating_add(4) {
        return;
    }
    let (payload, list) = rest.split_at_mut(payload);
    let (checksums, own) = list.split_at_mut(list.len() - 4);
    for (block, checksum) in payload.chunks(BLOCK).zip(checksums.chunks_exact_mut(4)) {
        checksum.copy_from_slice(&crc(block));
    }
    own.copy_from_slice(&crc(checksums));
}
