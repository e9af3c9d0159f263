const decoder = new TextDecoder('shift_jis')

/**
 * Maps each character to its bytes in Shift_JIS. The map is built with `TextDecoder`, because Node can decode
 * Shift_JIS but cannot encode it.
 */
const bytesOf = new Map<string, number[]>()
for (let lead = 0x81; lead <= 0xfc; lead++)
  for (let trail = 0x40; trail <= 0xfc; trail++) {
    const letter = decoder.decode(Uint8Array.of(lead, trail))
    if ([...letter].length === 1 && letter !== '\uFFFD' && !bytesOf.has(letter))
      bytesOf.set(letter, [lead, trail])
  }
for (let byte = 0; byte < 0x80; byte++) bytesOf.set(String.fromCharCode(byte), [byte])

/**
 * Encodes a text as bytes in Shift_JIS (code page 932). Some characters have two codes: uses the lower one,
 * and Excel may use the other. Throws for characters that are not in `bytesOf`, such as half-width katakana.
 */
export const inShiftJis = (text: string) =>
  Uint8Array.from(
    [...text].flatMap((letter) => {
      const bytes = bytesOf.get(letter)
      if (!bytes) throw new Error(`Shift_JIS has no ${letter}`)
      return bytes
    }),
  )
