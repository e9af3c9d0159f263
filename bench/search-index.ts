import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { transaction } from '#core/database/transaction.ts'
import { kinds } from '#features/search/sources.ts'
import { tables } from '#features/search/tables.ts'
import * as upkeep from '#features/search/upkeep.ts'
import { createDatabase, queryPostgres } from '#tests/services.ts'
import type { Community } from './community.ts'
import type { Copy, Store } from './copies.ts'
import type { Report } from './report.ts'
import { openApp } from './search-app.ts'
import { openCopy, sizeOf } from './search-rows.ts'

export const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN

/** In ms. */
export const time = async (work: () => Promise<unknown>) => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const OWN_TRIGGERS = String.raw`like 'search\_%' escape '\'`

/** The same rows in another database, without the triggers of the index. */
export async function twin(
  community: Community,
  copy: Copy,
  store: Store,
): Promise<Pick<Copy, 'folder' | 'url'>> {
  const { folder } = await store.copy(community)
  if (copy.url) {
    const url = await createDatabase(copy.url, { template: copy.url })
    const { rows } = await queryPostgres(
      url,
      `select tgrelid::regclass || '' as table, tgname as name from pg_trigger where tgname ${OWN_TRIGGERS}`,
    )
    for (const { name, table } of rows) await queryPostgres(url, `drop trigger ${name} on ${table}`)
    return { folder, url }
  }
  const file = join(folder, 'engawa.db')
  copyFileSync(join(copy.folder, 'engawa.db'), file)
  const db = new DatabaseSync(file)
  const triggers = db
    .prepare(`select name from sqlite_master where type = 'trigger' and name ${OWN_TRIGGERS}`)
    .all()
  for (const { name } of triggers) db.exec(`drop trigger "${name}"`)
  db.close()
  return { folder, url: null }
}

/** Brings all texts into the index, as the server does after an update, but without pauses. */
export async function measureFill(report: Report, copy: Copy, texts: number) {
  const { db, close } = await openCopy(copy)
  const batches: number[] = []
  for (const kind of kinds)
    for (let isMore = true; isMore; )
      batches.push(
        await time(async () => {
          isMore = await upkeep.fillBatch(db, kind)
        }),
      )
  const all = batches.reduce((sum, ms) => sum + ms, 0)
  report.add({ what: 'bringing 1,000 texts into the index', ours: (all / texts) * 1000, unit: 'ms' })
  report.add({ what: 'one batch of them, p50', ours: percentile(batches, 0.5), unit: 'ms' })
  report.add({ what: 'one batch of them, p99', ours: percentile(batches, 0.99), unit: 'ms' })
  report.add({ what: 'one batch of them, worst', ours: Math.max(...batches), unit: 'ms' })
  if (copy.url) await copy.query('vacuum analyze')
  const megabytes = async (of: readonly string[]) => (await sizeOf(db, of)) / 2 ** 20
  const [ours, theirs] = [await megabytes(Object.values(tables)), await megabytes(['messages', 'posts'])]
  report.add({ what: 'size of the index', ours, theirs, beside: 'messages and posts', unit: 'MB' })
  await close()
}

/**
 * SQLite only: after the deletion of one message, rewrites the index so that no word of it is left, and tells
 * how long each transaction held the write lock. The pauses between them count in the first figure.
 */
export async function measurePurge(report: Report, copy: Copy) {
  const held: number[] = []
  const restore = watchTransactions((ms) => held.push(ms))
  const { context, close } = await openApp(copy)
  const { db } = context
  await upkeep.lookAfter(db)
  for (const [what, divisor] of [
    ['the newest message', 1],
    ['an old message', 2],
  ] as const) {
    await transaction(db, (tx) =>
      sql`update messages set deleted_at = ${new Date().toISOString()}
        where id = (select cast(max(id) / ${divisor} as integer) from messages)`.execute(tx),
    )
    held.length = 0
    const seconds = (await time(() => upkeep.lookAfter(db))) / 1000
    report.add({ what: `rewriting the index without ${what}`, ours: seconds, unit: 's' })
    report.add({ what: '  its transactions', ours: held.length, unit: '' })
    report.add({ what: '  one of them, p50', ours: percentile(held, 0.5), unit: 'ms' })
    report.add({ what: '  one of them, p99', ours: percentile(held, 0.99), unit: 'ms' })
    report.add({ what: '  one of them, worst', ours: Math.max(...held), unit: 'ms' })
  }
  await close()
  restore()
}

/**
 * Calls `onEnd` with the time of each transaction of the SQLite databases that are opened from now on. Returns a
 * function that ends this.
 */
function watchTransactions(onEnd: (ms: number) => unknown) {
  const { prepare } = DatabaseSync.prototype
  let begun = 0
  DatabaseSync.prototype.prepare = function (text, options) {
    const statement = prepare.call(this, text, options)
    const run = statement.run.bind(statement)
    if (text === 'begin immediate')
      statement.run = () => {
        const result = run()
        begun = performance.now()
        return result
      }
    if (text === 'commit')
      statement.run = () => {
        const result = run()
        onEnd(performance.now() - begun)
        return result
      }
    return statement
  }
  return () => {
    DatabaseSync.prototype.prepare = prepare
  }
}
