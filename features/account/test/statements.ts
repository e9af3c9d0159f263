import type { CompiledQuery } from 'kysely'
import { vi } from 'vitest'
import type { TestApp } from '#tests/harness.ts'

/**
 * Records the SQL statements of all connections to this kind of database, without their values. Returns the
 * list of statements, which grows. Leaves out the statements with which job runners look for jobs, because
 * they can run at any time. `vi.restoreAllMocks` ends the recording.
 */
export function startRecordingSqlStatements({ db }: TestApp) {
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
