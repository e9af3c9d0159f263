import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { MAX_PREVIEW_COUNT } from '#core/community/settings-contract.ts'
import { transaction } from '#core/database/transaction.ts'
import * as chat from '#features/messages/retention.ts'
import {
  followAndWrite,
  moderationScene,
  openCases,
  sendReport,
} from '#features/moderation/test/moderation-scene.ts'
import * as posts from '#features/posts/retention.ts'
import { createGroup } from '#tests/conversations.ts'
import { databases } from '#tests/harness.ts'
import { planReaders } from '#tests/query-plans.ts'
import { retentionFunctions, retentionScene, saveRetention } from '#tests/retention-scene.ts'

test.each(databases)('the removal finds old rows by an index on %s', async (dialect) => {
  const { db, context } = await retentionScene(dialect)
  const before = new Date().toISOString()
  const queries = await transaction(db, async (tx) => [
    chat.oldMessages(tx, before).compile(),
    chat.oldAttachments(before).compile(tx),
    posts.oldPictures(before, context.openReports).compile(tx),
  ])
  // The query plan of SQLite must contain no sorting, because SQLite can read the rows in the order of the
  // index. The plan of PostgreSQL may contain sorting, because PostgreSQL sorts the few rows of this small
  // table.
  const avoided = dialect === 'sqlite' ? /\bSCAN\b|TEMP B-TREE/ : /Seq Scan/
  for (const query of queries) {
    const plan = await planReaders[dialect](db, query)
    const said = `${query.sql}\n${plan.join('\n')}`
    expect(
      plan.filter((line) => avoided.test(line)),
      said,
    ).toEqual([])
  }
})

test.each(databases)(
  'members of a chat may not open a report about a removed message on %s',
  async (dialect) => {
    const scene = await moderationScene(dialect)
    const { makeMessagesOld, endGrace, run } = retentionFunctions(scene)
    const { Ada, Mo, May, Ben } = scene
    const ids = await followAndWrite(Ben, Mo, 2)
    expect((await sendReport(Mo, 'message', ids[0]!)).status).toBeLessThan(300)
    const [{ id }] = await openCases(May)
    const readState = async (who: typeof Mo) =>
      (await who.get(`/api/moderation/cases/${id}`)).body.reading as string
    expect([await readState(Mo), await readState(May)]).toEqual(['party', 'closed'])
    await makeMessagesOld(ids, 31)
    await saveRetention(Ada, { keep_messages_days: 30 })
    await endGrace()
    await run()
    expect((await Mo.get(`/api/messages/${Ben.id}`)).body).toEqual([])
    expect([await readState(Mo), await readState(May)]).toEqual(['party', 'closed'])
    expect((await Mo.post(`/api/moderation/cases/${id}/open`)).status).toBe(403)
    for (const who of [May, Ada]) await who.post(`/api/moderation/cases/${id}/open`)
    expect((await May.get(`/api/moderation/cases/${id}`)).body.evidence[0].text).toBe('Message 1')
  },
)

test.each(databases)('the preview stops counting above a hundred thousand on %s', async (dialect) => {
  const { db, members } = await retentionScene(dialect)
  const { Ann, Ben } = await members('Ann', 'Ben')
  const group = await createGroup(Ann, 'Choir', Ben)
  await transaction(db, (tx) =>
    sql`insert into messages (conversation_id, user_id, body, created_at)
      with recursive n (i) as (
        select 1 union all select i + 1 from n where i < ${MAX_PREVIEW_COUNT + 9})
      select ${group}, ${Ann.id}, 'x', '2020-01-01T00:00:00.000Z' from n`.execute(tx),
  )
  const { messages } = (await Ann.get('/api/admin/retention-preview?keep_messages_days=30')).body
  expect(messages.count).toBe(MAX_PREVIEW_COUNT + 1)
})
