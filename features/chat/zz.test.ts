import { CompiledQuery, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { groupOf } from '#tests/chat.ts'
import { village } from '#tests/harness.ts'
test.each([[300, 20000], [5000, 15000], [5000, 95000]])('quiet %i %i', async (old, newer) => {
  const { db, members } = await village({ dialect: 'postgres' })
  const { ann, ben } = await members('ann', 'ben')
  const ids = []
  for (const n of ['Quiet', 'A', 'B', 'C']) ids.push(await groupOf(ann, n, ben))
  const fill = (where: string, count: number) => sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < cast(${count} as integer))
      insert into messages (conversation_id, user_id, client_id, body, created_at) select c.id, ${ben.id}, null, 'Message', '2026-01-01T00:00:00.000Z' from n cross join conversations c where ${sql.raw(where)} order by n.i`.execute(db)
  await fill(`c.id = ${ids[0]}`, old)
  await fill(`c.id <> ${ids[0]}`, Math.floor(newer / 3))
  await sql`update members set last_read_id = case when conversation_id = ${ids[0]} then ${old - 5} else (select max(id) from messages) end where user_id = ${ann.id}`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const spy = vi.spyOn(db.getExecutor(), 'executeQuery')
  for (const path of [`/api/group-messages/${ids[0]}`, `/api/group-messages/${ids[0]}?before=${old - 60}`, `/api/group-messages/${ids[0]}?after=${old - 60}`, '/api/unread', '/api/my-groups']) await ann.get(path)
  const qs = spy.mock.calls.map(([q]) => q).filter((q) => /from "messages"|messages where/.test(q.sql) && !/ in \(/.test(q.sql))
  spy.mockRestore()
  for (const q of qs) {
    const { rows } = await db.executeQuery<Record<string, string>>(CompiledQuery.raw(`explain (analyze, timing off) ${q.sql}`, [...q.parameters]))
    console.log(q.sql.slice(0, 60) + '…' + q.sql.slice(-200) + '\n' + rows.map((r) => r['QUERY PLAN']).join('\n'))
  }
  expect(1).toBe(1)
})
