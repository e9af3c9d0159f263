import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Database } from '#core/database/database.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import type { Dialect } from '#tests/harness.ts'
import { createDatabase, dropDatabase } from '#tests/services.ts'

/** A folder that is removed when the test is over. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'engawa-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Opens one empty database several times, as several processes do. It is removed when the test is over. */
export async function openEmpty(dialect: Dialect, times = 1): Promise<Database[]> {
  const file = join(temporaryFolder(), 'x.db')
  const url = dialect === 'postgres' ? await createDatabase(inject('postgres')!) : null
  const opened: Database[] = []
  onTestFinished(async () => {
    for (const database of opened) await database.close()
    if (url) await dropDatabase(url)
  })
  for (let i = 0; i < times; i++) opened.push(url ? await openPostgres(url) : openSqlite(file))
  return opened
}
