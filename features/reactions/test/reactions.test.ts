import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { dialectsInTurn, readTestTableRows } from '#tests/harness.ts'
import {
  makeDownloadAndUnzipTestDataExport,
  parseJsonFileOfTestDataExport,
} from '../../export/test/exports.ts'
import { createTestPostByAuthorAndReturnId } from '../../replies/test/reply-scene.ts'
import {
  PARTY,
  readReactionsAsTestClient,
  readReactorNameAndEmojiTextsAsTestClient,
  startReactionTestApp,
  THUMB,
  toReactionApiPathForTest,
} from './reaction-scene.ts'

describe.each(dialectsInTurn())('reactions on %s', (dialect) => {
  const open = () => startReactionTestApp(dialect)

  test('are added and taken back, any number of times, to posts, replies and messages', async () => {
    const { Ann, Ben, subjects } = await open()
    for (const [subject, id] of subjects) {
      const path = toReactionApiPathForTest(subject, id, THUMB)
      for (let time = 0; time < 2; time++)
        expect(await Ben.put(path)).toMatchObject({
          status: 200,
          body: { reactions: [{ emoji: THUMB, count: 1, mine: true }] },
        })
      await Ann.put(path)
      await Ann.put(toReactionApiPathForTest(subject, id, PARTY))
      expect(await readReactionsAsTestClient(Ben, subject, id)).toEqual([
        { emoji: THUMB, count: 2, mine: true },
        { emoji: PARTY, count: 1, mine: false },
      ])
      expect(await readReactorNameAndEmojiTextsAsTestClient(Ben, subject, id)).toEqual([
        `Ann ${PARTY}`,
        `Ann ${THUMB}`,
        `Ben ${THUMB}`,
      ])
      for (let time = 0; time < 2; time++) expect((await Ben.delete(path)).status).toBe(200)
      expect(await readReactionsAsTestClient(Ben, subject, id)).toMatchObject([
        { emoji: THUMB, count: 1, mine: false },
        { emoji: PARTY },
      ])
    }
  })

  test('of one member at the same time are stored once', async () => {
    const { Ben, post, db } = await open()
    const answers = await Promise.all(
      [THUMB, THUMB, PARTY, THUMB].map((emoji) => Ben.put(toReactionApiPathForTest('post', post, emoji))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await readTestTableRows(db, 'reactions')).toHaveLength(2)
  })

  test('are listed in pages, also for one emoji', async () => {
    const { Ann, Ben, Cleo, Dan, post } = await open()
    for (const who of [Ann, Ben, Cleo, Dan]) await who.put(toReactionApiPathForTest('post', post, THUMB))
    await Dan.put(toReactionApiPathForTest('post', post, PARTY))
    const path = toReactionApiPathForTest('post', post)
    const { body, headers } = await Ann.get(`${path}?limit=2&emoji=${encodeURIComponent(THUMB)}`)
    expect(body).toEqual([
      {
        id: expect.any(Number),
        emoji: THUMB,
        created_at: expect.any(String),
        user: expect.objectContaining({ name: 'Dan' }),
      },
      expect.objectContaining({ user: expect.objectContaining({ name: 'Cleo' }) }),
    ])
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))!
    const last = await Ann.get(next!)
    expect(last.body.map(({ user }: { user: { name: string } }) => user.name)).toEqual(['Ben', 'Ann'])
    expect(last.headers.link).toBeUndefined()
    expect((await Ann.get(`${path}?limit=0`)).status).toBe(422)
  })

  test('are read for many things at once, up to a limit', async () => {
    const { Ann, Ben, post, reply, message, stranger } = await open()
    const other = await createTestPostByAuthorAndReturnId(Ann, { audience: 'members' })
    await Ben.put(toReactionApiPathForTest('reply', reply, THUMB))
    const path = `/api/reactions?posts=${post},${other},999&replies=${reply}&messages=${message}`
    expect((await Ben.get(path)).body).toEqual({
      emoji: ['👍', '😂', '😮', '😢', '🎉', '🙏'],
      posts: { [post]: [], [other]: [] },
      replies: { [reply]: [{ emoji: THUMB, count: 1, mine: true }] },
      messages: { [message]: [] },
    })
    expect((await stranger.get(path)).body).toMatchObject({
      posts: { [post]: [] },
      replies: { [reply]: [{ emoji: THUMB, count: 1, mine: false }] },
      messages: {},
    })
    expect((await stranger.get(path)).body.posts).not.toHaveProperty(String(other))
    const many = Array.from({ length: 101 }, (_, index) => index + 1)
    expect((await Ben.get(`/api/reactions?posts=${many.slice(1)}`)).status).toBe(200)
    for (const list of [many.join(), 'x', '1,-2', '1'.repeat(5000)])
      expect((await Ben.get(`/api/reactions?messages=${list}`)).status, list).toBe(422)
  })

  test('use the emoji that admins offer; others can only be taken back', async () => {
    const { Admin, Ann, Ben, post } = await open()
    const save = (reaction_emoji: unknown) => Admin.send('PATCH', '/api/admin/settings', { reaction_emoji })
    await Ben.put(toReactionApiPathForTest('post', post, PARTY))
    const offered = ['👍', '❤', '👩‍🚀', '🇯🇵', '👍🏽']
    expect((await save(offered)).status).toBe(200)
    expect((await Ann.get('/api/reactions')).body.emoji).toEqual(['👍', '❤️', '👩‍🚀', '🇯🇵', '👍🏽'])
    expect(await Ann.put(toReactionApiPathForTest('post', post, PARTY))).toMatchObject({
      status: 422,
      body: { errors: { emoji: ['This emoji is not offered here.'] } },
    })
    expect(await readReactionsAsTestClient(Ann, 'post', post)).toEqual([
      { emoji: PARTY, count: 1, mine: false },
    ])
    expect((await Ben.delete(toReactionApiPathForTest('post', post, PARTY))).body).toEqual({ reactions: [] })
    for (const emoji of ['x', '👍👍', '%00', '<b>', 'é'.repeat(50)])
      expect((await Ben.put(toReactionApiPathForTest('post', post, emoji))).status, emoji).toBe(422)
    const four = offered.slice(1)
    for (const refused of [
      four,
      [...four, '🇯🇵'],
      [...four, 'a'],
      [...four, '👍👍'],
      [...four, '❤️'],
      '👍',
      null,
    ])
      expect((await save(refused)).status, String(refused)).toBe(422)
    expect((await save([...offered, '🎉', '😂', '😮', '😢'])).status).toBe(422)
    expect((await Ben.send('PATCH', '/api/admin/settings', { reaction_emoji: offered })).status).toBe(403)
  })

  test('are in the archive of the member', async () => {
    const { Ben, subjects, post } = await open()
    for (const [subject, id] of subjects) await Ben.put(toReactionApiPathForTest(subject, id, THUMB))
    const { files } = await makeDownloadAndUnzipTestDataExport(Ben)
    const rows = parseJsonFileOfTestDataExport(files, 'data/reactions.json')
    expect(rows).toHaveLength(4)
    expect(rows.at(-1)).toEqual({
      ...{ post_id: post, reply_id: null, message_id: null },
      ...{ emoji: THUMB, created_at: expect.any(String) },
    })
  })

  test('go with the account of the member, with a deleted thing, and with a deleted account of its author', async () => {
    const { Ann, Ben, Cleo, Dan, context, db, post, reply, message, subjects } = await open()
    for (const [subject, id] of subjects) await Ben.put(toReactionApiPathForTest(subject, id, THUMB))
    for (const [subject, id] of subjects.slice(0, 3))
      await Cleo.put(toReactionApiPathForTest(subject, id, THUMB))
    const dans = await createTestPostByAuthorAndReturnId(Dan)
    for (const who of [Ann, Cleo]) await who.put(toReactionApiPathForTest('post', dans, PARTY))
    const remove = (id: number) =>
      transaction(db, (tx) => deleteMember(context, tx, { id, keep_messages: false }).then(() => undefined))
    await remove(Ben.id)
    for (const [subject, id] of subjects.slice(0, 3))
      expect(await readReactionsAsTestClient(Ann, subject, id)).toEqual([
        { emoji: THUMB, count: 1, mine: false },
      ])
    expect(await readTestTableRows(db, 'reactions')).toHaveLength(5)
    await Ann.delete(`/api/chat-messages/${message}`)
    expect(await readReactionsAsTestClient(Ann, 'message', message)).toBeUndefined()
    expect((await Cleo.put(toReactionApiPathForTest('message', message, THUMB))).status).toBe(404)
    await Ann.delete(`/api/replies/${reply}`)
    expect(await readReactionsAsTestClient(Ann, 'reply', reply)).toBeUndefined()
    expect(await readTestTableRows(db, 'reactions')).toHaveLength(3)
    await remove(Ann.id)
    expect(await readTestTableRows(db, 'reactions')).toMatchObject([{ post_id: dans, user_id: Cleo.id }])
    expect(await readReactionsAsTestClient(Dan, 'post', post)).toBeUndefined()
  })

  test('to the messages of a deleted account go with their texts, and stay if the texts stay', async () => {
    for (const keep_messages of [true, false]) {
      const { Ann, Cleo, context, db, message } = await open()
      await Cleo.put(toReactionApiPathForTest('message', message, THUMB))
      await transaction(db, (tx) =>
        deleteMember(context, tx, { id: Ann.id, keep_messages }).then(() => undefined),
      )
      expect(await readReactionsAsTestClient(Cleo, 'message', message)).toEqual(
        keep_messages ? [{ emoji: THUMB, count: 1, mine: true }] : undefined,
      )
      expect(await readTestTableRows(db, 'reactions')).toHaveLength(keep_messages ? 1 : 0)
    }
  })
})
