import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import {
  decide,
  followAndWrite,
  moderationScene,
  openCases,
  sendReport,
} from '#features/moderation/test/moderation-scene.ts'
import { pictureRetention } from '#features/posts/retention.ts'
import { eventually } from '#tests/eventually.ts'
import { type Dialect, databases, formData, readRows } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { retentionFunctions, saveRetention } from '#tests/retention-scene.ts'

async function openReportedPost(dialect: Dialect) {
  const scene = await moderationScene(dialect)
  const tools = retentionFunctions(scene)
  const picture = uploadFile(await fourColours(64, 32).png().toBuffer(), 'a.png')
  const form = formData({ text: 'Look' }, { 'images[]': [picture] })
  const { id } = (await scene.Ben.send('POST', '/api/posts', form)).body.post
  await tools.makePostOld(id, 40)
  await saveRetention(scene.Ada, { keep_pictures_days: 30 })
  await tools.endGrace()
  return { ...scene, ...tools, post: id as number }
}

async function countWaitingForLocks(db: Db) {
  const { rows } = await sql<{ count: string }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return Number(rows[0]!.count)
}

describe.each(databases)('the removal of reported things on %s', (dialect) => {
  test('leaves the pictures of a reported post until moderators have decided', async () => {
    const { Ada, Mo, Ann, db, run, post } = await openReportedPost(dialect)
    expect((await sendReport(Ann, 'post', post)).status).toBe(201)
    const preview = '/api/admin/retention-preview?keep_pictures_days=30'
    expect((await Ada.get(preview)).body.pictures).toMatchObject({ count: 0 })
    await run()
    expect(await readRows(db, 'post_attachments')).toHaveLength(1)
    const [{ id }] = await openCases(Mo)
    expect((await Mo.get(`/api/moderation/cases/${id}`)).body.images).toHaveLength(1)
    await decide(Mo, id, 'dismiss')
    expect((await Ada.get(preview)).body.pictures).toMatchObject({ count: 1 })
    await run()
    expect(await readRows(db, 'post_attachments')).toEqual([])
  })

  test('stores who is in a reported private chat, and nobody for a post', async () => {
    const { Mo, Ann, Ben, db, post } = await openReportedPost(dialect)
    const [message] = await followAndWrite(Ben, Mo, 1)
    await sendReport(Ann, 'post', post)
    await sendReport(Mo, 'message', message!)
    const parties = (await readRows(db, 'case_parties')).map(({ user_id }) => Number(user_id))
    expect(parties.sort((a, b) => a - b)).toEqual([Mo.id, Ben.id].sort((a, b) => a - b))
  })

  test('waits for a report, or lets it find no pictures', async () => {
    const { Mo, Ann, db, context, post } = await openReportedPost(dialect)
    const removed = Promise.withResolvers<void>()
    const isReportWaiting = Promise.withResolvers<void>()
    const removing = transaction(db, async (tx) => {
      await pictureRetention.removeBatch.pictures!(context, tx, new Date().toISOString())
      removed.resolve()
      await isReportWaiting.promise
    })
    await removed.promise
    const reporting = sendReport(Ann, 'post', post)
    // SQLite runs one transaction at a time. So there the report waits for the other transaction without a
    // lock that the test could count.
    if (dialect === 'postgres') await eventually(async () => expect(await countWaitingForLocks(db)).toBe(1))
    isReportWaiting.resolve()
    await removing
    expect((await reporting).status).toBe(201)
    const [{ id }] = await openCases(Mo)
    const { evidence, images } = (await Mo.get(`/api/moderation/cases/${id}`)).body
    expect([evidence, images]).toMatchObject([[{ images_count: 0 }], []])
  })
})
