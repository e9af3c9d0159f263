import type { TestProject } from 'vitest/node'
import { findOrStartPostgres } from './services.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a PostgreSQL server for test databases; null if the machine has none. */
    postgres: string | null
  }
}

const missing = `
!!! --------------------------------------------------------------------------
!!! NO POSTGRESQL: every test of it is left out; only SQLite is tested.
!!! Install the server (Debian: apt-get install postgresql), or set
!!! TEST_DATABASE_URL to one that may create databases.
!!! --------------------------------------------------------------------------
`

export default async function setup(project: TestProject) {
  const postgres = await findOrStartPostgres()
  if (!postgres) process.stderr.write(missing)
  project.provide('postgres', postgres?.url ?? null)
  return () => postgres?.stop()
}
