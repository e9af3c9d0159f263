import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import { vi } from 'vitest'
import type { TestApp } from '#tests/harness.ts'

/**
 * Starts to record the SQL statements of all connections to this kind of database, without their values.
 * Returns the array to which each new statement is added. Leaves out the statements with which job runners
 * look for jobs, because they can run at any time. `vi.restoreAllMocks` ends the recording.
 */
export function recordSql({ db }: TestApp) {
  const statements: string[] = []
  let prototype = db.getExecutor()
  while (!Object.hasOwn(prototype, 'executeQuery')) prototype = Object.getPrototypeOf(prototype)
  const original = prototype.executeQuery
  vi.spyOn(prototype, 'executeQuery').mockImplementation(function (this: unknown, query: CompiledQuery) {
    if (!/^(update|select).*from "jobs"/.test(query.sql)) statements.push(query.sql)
    return original.call(this as typeof prototype, query) as never
  })
  return statements
}

/**
 * Waits until no SQL statement has run for 100 ms. Clean-ups run after the start of an app; without this
 * wait, their statements would be recorded with those of a request.
 */
export async function databaseIdle(app: TestApp) {
  for (let isIdle = false; !isIdle; ) {
    const statements = recordSql(app)
    await sleep(100)
    vi.restoreAllMocks()
    isIdle = statements.length === 0
  }
}
