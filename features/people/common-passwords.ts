import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The first 32 bits of each SHA-256, sorted, made by bin/common-passwords.ts; read at the first check. */
let prefixes: Uint32Array | undefined

function readPrefixes() {
  const { buffer, byteOffset, length } = readFileSync(join(import.meta.dirname, 'common-passwords.bin'))
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + length))
}

/**
 * One of the 100,000 most common ones of at least 8 characters, ignoring case; also true for about one in
 * 43,000 others, whose hashes begin with the same 32 bits.
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
