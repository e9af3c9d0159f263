import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileVariableOf } from '#core/environment/secret-files.ts'
import { DEMO_PASSWORD, demoMembers } from '#demo/members.ts'
import { seedDemoCommunityIfEmpty } from '#demo/seed.ts'
import { exitWithError, loadBuiltFrontend, startApp } from '#main.ts'

const folder = mkdtempSync(join(tmpdir(), 'engawa-demo-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// Ends the process when a signal arrives while the demo community is being created, so that the exit handler
// deletes its folder. Later the running server handles signals itself.
const exit = () => process.exit(130)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, exit)
process.env.DATA_DIR = folder
// Removes these settings, because the demo must not use the database and storage of a real community, and
// must not send mail.
for (const name of [
  'DATABASE_URL',
  'REDIS_URL',
  'MEDIA_URL',
  'SMTP_URL',
  'ADMIN_EMAIL',
  'PUBLIC_URL',
  'BACKUP_AT',
])
  for (const variable of [name, fileVariableOf(name)]) delete process.env[variable]
process.env.LOG_LEVEL ??= 'warn'

try {
  console.log('Filling the demo community …')
  await startApp({
    frontend: loadBuiltFrontend(),
    beforeListen: ({ context }) => seedDemoCommunityIfEmpty(context),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, exit)
  console.log(
    `Log in as ${demoMembers[0]!.email} (an admin) or ${demoMembers[1]!.email}; the password of everybody is ${DEMO_PASSWORD}.`,
  )
  console.log('All of it is in a folder that goes away when you stop this with Ctrl+C.')
} catch (error) {
  exitWithError(error)
}
