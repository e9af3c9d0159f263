import { type CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { befriend, groupOf, type Member, say, write } from '#tests/chat.ts'
import { createTestApp, type Dialect, dialects, rowsOf } from '#tests/harness.ts'
import { asked, explained, visited } from '#tests/plans.ts'

const chatTables = /\b(from|join) "?(messages|members|conversations|message_images|group_changes)\b/

/**
 * Creates a private chat, two groups, and chats of other people. `fill` inserts messages into all of them,
 * directly into the database.
 */
async function town(dialect: Dialect) {
  const place = await createTestApp({ dialect })
  const { db } = place
  const { ann, ben, eve } = await place.members('ann', 'ben', 'eve')
  await befriend(ann, ben)
  await befriend(ben, eve)
  const [club, other] = [await groupOf(ann, 'Club', ben, eve), await groupOf(ann, 'Other', eve)]
  await write(ann, ben, 'Hello')
  await write(ben, eve, 'Hello')
  for (const group of [club, other]) await say(eve, group, 'Hello')

  /**
   * Each conversation has so many messages in all, of both sides in turns, which ann has read up to the last
   * twenty.
   */
  async function fill(count: number) {
    const have = Number(
      (
        await sql<{ n: number }>`select count(*) as n from messages where conversation_id = ${club}`.execute(
          db,
        )
      ).rows[0]!.n,
    )
    const at = new Date().toISOString()
    await transaction(db, (tx) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < cast(${count - have} as integer))
      insert into messages (conversation_id, user_id, client_id, body, created_at)
      select c.id, (select case when n.i % 2 = 0 then min(m.user_id) else max(m.user_id) end from members m where m.conversation_id = c.id),
        null, 'Message', ${at} from n cross join conversations c order by n.i, c.id`.execute(tx),
    )
    const top = Number(
      (await sql<{ id: number }>`select max(id) as id from messages`.execute(db)).rows[0]!.id,
    )
    await transaction(db, (tx) =>
      sql`update members set last_read_id = ${top - 80} where user_id = ${ann.id}`.execute(tx),
    )
    if (dialect === 'postgres') await sql`analyze`.execute(db)
    return top
  }

  const reads = (who: Member, path: string) => ({ [path]: () => who.get(path) })
  /** The calls whose cost may not grow, by name. */
  const calls = (top: number) => {
    const middle = Math.floor(top / 2)
    const both = (path: string) => ({
      ...reads(ann, path),
      ...reads(ann, `${path}?before=${middle}`),
      ...reads(ann, `${path}?after=${middle}`),
    })
    const named = { ...both(`/api/messages/${ben.id}`), ...both(`/api/group-messages/${club}`) }
    const lists = [
      '/api/unread',
      '/api/conversations',
      '/api/my-groups',
      `/api/conversations/${ben.id}`,
      `/api/groups/${club}`,
    ]
    const all: Record<string, () => Promise<{ status: number }>> = Object.assign(
      named,
      ...lists.map((path) => reads(ann, path)),
    )
    all['what is read in private'] = () =>
      ann.send('PUT', `/api/conversations/${ben.id}/read`, { last_read_id: top - 40 })
    all['what is read in a group'] = () =>
      ann.send('PUT', `/api/groups/${club}/read`, { last_read_id: top - 40 })
    return Object.entries(all)
  }
  /** Every plan of every call, without the numbers that name places. */
  async function plans(top: number) {
    const found: { call: string; query: CompiledQuery; plan: string[] }[] = []
    for (const [name, call] of calls(top)) {
      const call_ = name.replace(/=\d+/, '=…')
      for (const query of await asked(db, chatTables, call))
        found.push({ call: call_, query, plan: await explained[dialect](db, query) })
    }
    return found
  }
  return { ...place, ann, ben, eve, club, fill, plans }
}

const isHistory = ({ call, query }: { call: string; query: CompiledQuery }) =>
  /messages\//.test(call) && /from "messages" as "m" inner join \(select [^)]* from "users"/.test(query.sql)

describe.each(dialects)('queries of the chat on %s', (dialect) => {
  test('read no table from end to end, and sort no history', async () => {
    const { fill, plans } = await town(dialect)
    const found = await plans(await fill(2000))
    expect(new Set(found.map(({ call }) => call)).size).toBe(13)
    expect(found.filter(isHistory)).toHaveLength(6)
    for (const { call, query, plan } of found) {
      const said = `${call}\n${query.sql}\n${plan.join('\n')}`
      if (dialect === 'sqlite') {
        // `unread` is no table: at most a hundred rows that were found by the index.
        expect(
          plan.filter((line) => /\bSCAN\b/.test(line) && !/SCAN (unread|\(subquery)/.test(line)),
          said,
        ).toEqual([])
        expect(
          plan.filter((line) => /AUTOMATIC/.test(line)),
          said,
        ).toEqual([])
      } else
        expect(
          plan.filter((line) => /Seq Scan/.test(line)),
          said,
        ).toEqual([])
    }
    for (const { call, plan } of found.filter(isHistory)) {
      expect(
        plan.filter((line) => /TEMP B-TREE|\bSort\b/.test(line)),
        call,
      ).toEqual([])
      expect(plan.join('\n'), call).toMatch(
        dialect === 'sqlite'
          ? /INDEX messages_conversation \(conversation_id=\?/
          : /Index.* Scan.* on messages/,
      )
    }
    const marks = found.filter(({ query }) => query.sql.includes('"unread"'))
    expect(marks.length).toBeGreaterThan(0)
    // Which index PostgreSQL takes is told by its cost, below.
    if (dialect === 'sqlite')
      for (const { call, plan } of marks)
        expect(plan.join('\n'), call).toMatch(/INDEX messages_conversation \(conv.*AND/)
  })

  test('are answered in the same way from a hundred messages and from twenty thousand', async () => {
    const { fill, plans, db } = await town(dialect)
    const shown = async (count: number) => {
      const found = await plans(await fill(count))
      const rows: Record<string, number> = {}
      if (dialect === 'postgres')
        for (const { call, query } of found) rows[call] = (rows[call] ?? 0) + (await visited(db, query))
      return { plans: found.map(({ call, plan }) => `${call}\n${plan.join('\n')}`), rows }
    }
    const few = await shown(100)
    const many = await shown(20_000)
    expect((await rowsOf(db, 'messages')).length).toBe(80_000)
    if (dialect === 'sqlite') expect(many.plans).toEqual(few.plans)
    // PostgreSQL chooses by size; what it may not do is look at more because there is more.
    for (const [call, count] of Object.entries(many.rows))
      expect(count, call).toBeLessThan(Math.max(2 * few.rows[call]!, 600))
  })
})

// Going through all messages of the house by their ids may seem the shorter way to those of one chat.
describe.each(dialects.filter((dialect) => dialect === 'postgres'))(
  'queries of the chat on %s',
  (dialect) => {
    test('cost no more in a chat that has long been quiet, however much is said elsewhere', async () => {
      const { db, members } = await createTestApp({ dialect })
      const { ann, ben } = await members('ann', 'ben')
      const quiet = await groupOf(ann, 'Quiet', ben)
      const loud = [await groupOf(ann, 'A', ben), await groupOf(ann, 'B', ben), await groupOf(ann, 'C', ben)]
      const fill = (groups: number[], count: number) =>
        transaction(db, (tx) =>
          sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < cast(${count} as integer))
        insert into messages (conversation_id, user_id, body, created_at)
        select c.id, ${ben.id}, 'Message', ${new Date().toISOString()} from n cross join conversations c
        where c.id in (${sql.join(groups)}) order by n.i`.execute(tx),
        )
      await fill([quiet], 5000)
      await fill(loud, 20_000)
      const top = Number(
        (await sql<{ id: number }>`select max(id) as id from messages`.execute(db)).rows[0]!.id,
      )
      await transaction(db, (tx) =>
        sql`update members set last_read_id = case when conversation_id = ${quiet} then 4990 else ${top} end`.execute(
          tx,
        ),
      )
      await sql`vacuum analyze`.execute(db)
      const path = `/api/group-messages/${quiet}`
      const calls = [path, `${path}?before=2500`, `${path}?after=2500`, '/api/unread', '/api/my-groups'].map(
        (one) => [one, () => ann.get(one)] as const,
      )
      const costs: Record<string, number> = {}
      for (const [name, call] of [
        ...calls,
        ['read', () => ann.send('PUT', `/api/groups/${quiet}/read`, { last_read_id: 4995 })] as const,
      ]) {
        costs[name] = 0
        for (const query of await asked(db, chatTables, call)) costs[name] += await visited(db, query)
      }
      expect(Object.entries(costs).filter(([, count]) => count > 2000)).toEqual([])
    })
  },
)
