import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createTemplates, type Templates } from './migrated-databases.ts'
import { dropTemplate, findOrStartPostgres } from './services.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a PostgreSQL server for test databases; null if the machine has none. */
    postgres: string | null
    templateDatabases: Templates
  }
}

const missing = `
!!! --------------------------------------------------------------------------
!!! NO POSTGRESQL: every test of it is left out; only SQLite is tested.
!!! Install the server (Debian: apt-get install postgresql), or set
!!! TEST_DATABASE_URL to one whose role is a superuser.
!!! --------------------------------------------------------------------------
`

export default async function setUpDatabases(project: TestProject) {
  const postgres = await findOrStartPostgres()
  if (!postgres) process.stderr.write(missing)
  project.provide('postgres', postgres?.url ?? null)
  const folder = mkdtempSync(join(tmpdir(), 'engawa-templates-'))
  const templates = await createTemplates(folder, postgres?.url ?? null)
  project.provide('templateDatabases', templates)
  // For tests/server.ts, which other programs than Vitest use too.
  process.env.TEST_SQLITE_TEMPLATE = templates.sqlite
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    if (templates.postgres) await dropTemplate(templates.postgres)
    await postgres?.stop()
  }
}
