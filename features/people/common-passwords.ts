import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Sorted prefixes of hashes, which bin/common-passwords.ts makes. Read at the first use. */
let prefixes: Uint32Array | undefined

function readPrefixes() {
  const { buffer, byteOffset, length } = readFileSync(join(import.meta.dirname, 'common-passwords.bin'))
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + length))
}

/**
 * Whether a password is one of the 100,000 most common ones of at least 8 characters, in whatever case. Of
 * other passwords, one in 43,000 is taken for one of them: its hash begins with the same 32 bits.
 */
export function isCommonPassword(password: string) {
  prefixes ??= readPrefixes()
  const wanted = createHash('sha256').update(password.toLowerCase()).digest().readUInt32LE()
  let [low, high] = [0, prefixes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (prefixes[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return prefixes[low] === wanted
}
