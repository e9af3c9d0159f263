import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The first 32 bits of the SHA-256 hash of each common password, sorted. They are in a file that
 * bin/common-passwords.ts creates, and are read when the first password is checked.
 */
let prefixes: Uint32Array | undefined

function readPrefixes() {
  const { buffer, byteOffset, length } = readFileSync(join(import.meta.dirname, 'common-passwords.bin'))
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + length))
}

/**
 * Returns whether a password is one of the 100,000 most common ones of at least 8 characters, ignoring case.
 * Also returns true for about one in 43,000 other passwords, because their hashes begin with the same 32
 * bits.
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
