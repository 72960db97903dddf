// The checksum of a record, crc32 as zlib has it. Node's own costs a tenth of a start to load, and a hook
// lives for one record, so it goes by half bytes: nothing to prepare. Whoever reads many records uses zlib.

const HALF_BYTES = [
  0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320,
  0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
];

export function crc32(bytes: Uint8Array): number {
  let sum = -1;
  for (let n = 0; n < bytes.length; n++) {
    sum ^= bytes[n] as number;
    sum = (HALF_BYTES[sum & 15] as number) ^ (sum >>> 4);
    sum = (HALF_BYTES[sum & 15] as number) ^ (sum >>> 4);
  }
  return (sum ^ -1) >>> 0;
}
