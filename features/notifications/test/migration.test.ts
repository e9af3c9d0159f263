import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { allMigrations } from '#app.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnections } from '#tests/databases.ts'
import { databases, readRows } from '#tests/harness.ts'

test.each(databases)('events keep their ids on %s, and no id is given again', async (dialect) => {
  const [{ db } = expect.unreachable()] = await openConnections(dialect)
  await runMigrations(
    db,
    allMigrations.map((list) =>
      Object.fromEntries(Object.entries(list).filter(([name]) => name !== 'notifications 2')),
    ),
  )
  const run = (statement: string) => transaction(db, (tx) => sql.raw(statement).execute(tx))
  const user = (id: number) => `(${id}, 'n${id}', 'n${id}', 'e', 'e${id}', 'x', 'x', 'h${id}', 'n${id}')`
  const users =
    'users (id, name, name_key, email, email_key, password_hash, created_at, handle, name_skeleton)'
  await run(`insert into ${users} values ${user(1)}, ${user(2)}, ${user(3)}`)
  const notification = 'notifications (user_id, kind, subject_id, last_event_id, read_event_id)'
  await run(`insert into ${notification} values (1, 'like', 1, 1, 2)`)
  const event = (actor: number) =>
    run(`insert into notification_events (notification_id, actor_id, created_at) values (1, ${actor}, 'x')`)
  await event(2)
  await event(3)
  await run('delete from notification_events where id = 2')
  await runMigrations(db, allMigrations)
  await event(3)
  expect(await readRows(db, 'notification_events')).toMatchObject([
    { id: 1, actor_id: 2, source_id: 0 },
    { id: 3, actor_id: 3, source_id: 0 },
  ])
  await expect(event(3)).rejects.toThrow(/unique/i)
})
