import { type CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { type Actor, befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, type Dialect, databases, readRows } from '#tests/harness.ts'
import { countRowsRead, planReaders, recordSelects } from '#tests/query-plans.ts'

const chatTables =
  /\b(from|join) "?(messages|conversation_members|conversations|message_attachments|group_changes)\b/

/**
 * Creates a private chat, two groups, and chats between other people, to test the queries. `fill` inserts
 * messages directly into the database. `plans` returns the query plans.
 */
async function createQueryFixture(dialect: Dialect) {
  const testApp = await createTestApp({ dialect })
  const { db } = testApp
  const { ann, ben, eve } = await testApp.members('ann', 'ben', 'eve')
  await befriend(ann, ben)
  await befriend(ben, eve)
  const [club, other] = [await createGroup(ann, 'Club', ben, eve), await createGroup(ann, 'Other', eve)]
  await sendPrivate(ann, ben, 'Hello')
  await sendPrivate(ben, eve, 'Hello')
  for (const group of [club, other]) await sendToGroup(eve, group, 'Hello')

  /**
   * Inserts messages until each of the four conversations has `count` of them. Marks the messages as read by
   * ann, except about the last twenty of each conversation. Returns the highest message id.
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
      select c.id, (select case when n.i % 2 = 0 then min(m.user_id) else max(m.user_id) end
          from conversation_members m where m.conversation_id = c.id),
        null, 'Message', ${at} from n cross join conversations c order by n.i, c.id`.execute(tx),
    )
    const top = Number(
      (await sql<{ id: number }>`select max(id) as id from messages`.execute(db)).rows[0]!.id,
    )
    await transaction(db, (tx) =>
      sql`update conversation_members set last_read_id = ${top - 80} where user_id = ${ann.id}`.execute(tx),
    )
    if (dialect === 'postgres') await sql`analyze`.execute(db)
    return top
  }

  const reads = (who: Actor, path: string) => ({ [path]: () => who.get(path) })
  /**
   * Returns the API requests whose database queries must stay fast, as pairs of a name and a function that
   * sends the request.
   */
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
  /**
   * Runs the API requests, and returns the query plan of each SQL query. Replaces the page cursors in the
   * names of the requests by `…`, so that names can be compared.
   */
  async function plans(top: number) {
    const found: { call: string; query: CompiledQuery; plan: string[] }[] = []
    for (const [name, call] of calls(top)) {
      const call_ = name.replace(/=\d+/, '=…')
      for (const query of await recordSelects(db, chatTables, call))
        found.push({ call: call_, query, plan: await planReaders[dialect](db, query) })
    }
    return found
  }
  return { ...testApp, ann, ben, eve, club, fill, plans }
}

const isHistory = ({ call, query }: { call: string; query: CompiledQuery }) =>
  /messages\//.test(call) && /from "messages" as "m" inner join \(select .* from "users"/.test(query.sql)

describe.each(databases)('queries of the chat on %s', (dialect) => {
  test('use no full table scan and do not sort the history', async () => {
    const { fill, plans } = await createQueryFixture(dialect)
    const found = await plans(await fill(2000))
    expect(new Set(found.map(({ call }) => call)).size).toBe(13)
    expect(found.filter(isHistory)).toHaveLength(6)
    for (const { call, query, plan } of found) {
      const said = `${call}\n${query.sql}\n${plan.join('\n')}`
      if (dialect === 'sqlite') {
        // A scan of the subquery `unread` is allowed, because the subquery has at most a hundred rows, found
        // by an index. A scan of `json_each` reads only the ids of a parameter.
        expect(
          plan.filter((line) => /\bSCAN\b/.test(line) && !/SCAN (unread|\(subquery|json_each)/.test(line)),
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
    // Checks only on SQLite that the query uses the index. For PostgreSQL, the next test counts the rows that
    // are read.
    if (dialect === 'sqlite')
      for (const { call, plan } of marks)
        expect(plan.join('\n'), call).toMatch(/INDEX messages_conversation \(conv.*AND/)
  })

  test('cost about the same with a hundred messages and with twenty thousand', async () => {
    const { fill, plans, db } = await createQueryFixture(dialect)
    const shown = async (count: number) => {
      const found = await plans(await fill(count))
      const rows: Record<string, number> = {}
      if (dialect === 'postgres')
        for (const { call, query } of found) rows[call] = (rows[call] ?? 0) + (await countRowsRead(db, query))
      return { plans: found.map(({ call, plan }) => `${call}\n${plan.join('\n')}`), rows }
    }
    const few = await shown(100)
    const many = await shown(20_000)
    expect((await readRows(db, 'messages')).length).toBe(80_000)
    if (dialect === 'sqlite') expect(many.plans).toEqual(few.plans)
    // Compares the numbers of rows that PostgreSQL reads and not its query plans, because it may choose
    // another plan for a larger table.
    for (const [call, count] of Object.entries(many.rows))
      expect(count, call).toBeLessThan(Math.max(2 * few.rows[call]!, 600))
  })
})

// These tests run on PostgreSQL only, which might scan the messages of all chats by id instead of using the
// index of one chat.
describe.each(databases.filter((dialect) => dialect === 'postgres'))(
  'queries of the chat on %s',
  (dialect) => {
    test('do not cost more in a quiet chat when others have many messages', async () => {
      const { db, members } = await createTestApp({ dialect })
      const { ann, ben } = await members('ann', 'ben')
      const quiet = await createGroup(ann, 'Quiet', ben)
      const loud = [
        await createGroup(ann, 'A', ben),
        await createGroup(ann, 'B', ben),
        await createGroup(ann, 'C', ben),
      ]
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
        sql`update conversation_members set last_read_id = case when conversation_id = ${quiet} then 4990 else ${top} end`.execute(
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
        for (const query of await recordSelects(db, chatTables, call))
          costs[name] += await countRowsRead(db, query)
      }
      expect(Object.entries(costs).filter(([, count]) => count > 2000)).toEqual([])
    })
  },
)
