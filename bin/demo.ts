import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cast, password } from '#demo/cast.ts'
import { fill } from '#demo/fill.ts'
import { explain, site, start } from '#main.ts'

const folder = mkdtempSync(join(tmpdir(), 'engawa-demo-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// Ends the process while the community is being created. The server that runs has its own handlers.
const exit = () => process.exit(130)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, exit)
process.env.DATA_DIR = folder
// The demo uses no database and no storage of real people, and sends no mail.
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
  console.log('Filling the demo community …')
  await start({ site: site(), prepare: ({ context }) => fill(context) })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, exit)
  console.log(
    `Log in as ${cast[0]!.email} (an admin) or ${cast[1]!.email}; the password of everybody is ${password}.`,
  )
  console.log('All of it is in a folder that goes away when you stop this with Ctrl+C.')
} catch (error) {
  explain(error)
}
