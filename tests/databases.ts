import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { OpenedDatabase } from '#core/database/database.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import type { Dialect } from '#tests/harness.ts'
import { createDatabase, dropDatabase } from '#tests/services.ts'

/** Creates a temporary folder, which is removed after the test, and returns its path. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'engawa-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/**
 * Creates an empty database, and opens it `times` times, as several processes would. Returns the opened
 * databases. The database is removed after the test.
 */
export async function openConnections(dialect: Dialect, times = 1): Promise<OpenedDatabase[]> {
  const file = join(temporaryFolder(), 'x.db')
  const url = dialect === 'postgres' ? await createDatabase(inject('postgres')!) : null
  const opened: OpenedDatabase[] = []
  onTestFinished(async () => {
    for (const database of opened) await database.close()
    if (url) await dropDatabase(url)
  })
  for (let i = 0; i < times; i++) opened.push(url ? await openPostgres(url) : openSqlite(file))
  return opened
}
