/** In bytes. What stands before the first frame of an APNG, such as a colour profile, is shorter. */
const MAX_HEAD = 256 * 1024

/** Whether the server shows only the first frame of a moving picture: APNG, or a sequence in AVIF. */
export async function becomesStill(file: Blob) {
  const head = new Uint8Array(await file.slice(0, MAX_HEAD).arrayBuffer())
  const letters = (from: number) => String.fromCharCode(...head.subarray(from, from + 4))
  if (letters(4) === 'ftyp') return letters(8) === 'avis'
  return letters(1) === 'PNG\r' && hasAnimation(new DataView(head.buffer), letters)
}

/** An APNG has the chunk `acTL` before its first frame (PNG, third edition, 11.3.6.1). */
function hasAnimation(data: DataView, letters: (from: number) => string) {
  for (let at = 8; at + 8 <= data.byteLength; at += 12 + data.getUint32(at)) {
    const type = letters(at + 4)
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
  }
  return false
}
