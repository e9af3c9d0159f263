import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cast, password } from '#demo/cast.ts'
import { fill } from '#demo/fill.ts'
import { explain, site, start } from '#main.ts'

const folder = mkdtempSync(join(tmpdir(), 'engawa-demo-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// Until the server has its own way to stop.
const leave = () => process.exit(130)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave)
process.env.DATA_DIR = folder
// The cast never moves in with real people, and writes to nobody.
for (const name of [
  'DATABASE_URL',
  'REDIS_URL',
  'MEDIA_URL',
  'SMTP_URL',
  'ADMIN_EMAIL',
  'PUBLIC_URL',
  'BACKUP_AT',
])
  delete process.env[name]
process.env.LOG_LEVEL ??= 'warn'

try {
  console.log('Inviting the neighbours: this takes half a minute.')
  await start({ site: site(), prepare: ({ context }) => fill(context) })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leave)
  console.log(
    `Log in as ${cast[0]!.email} (an admin) or ${cast[1]!.email}; the password of everybody is ${password}.`,
  )
  console.log('All of it is in a folder that goes away when you stop this with Ctrl+C.')
} catch (error) {
  explain(error)
}
