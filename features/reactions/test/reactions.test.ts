import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { jsonOfExport, makeExport } from '../../export/test/exports.ts'
import { community, PARTY, path, postBy, react, reactors, shown, THUMB, undo } from './reaction-scene.ts'

describe.each(dialectsInTurn())('reactions on %s', (dialect) => {
  test('are added and taken back, any number of times, to posts, replies and messages', async () => {
    const { Ann, Ben, things } = await community(dialect)
    for (const thing of things) {
      for (let time = 0; time < 2; time++)
        expect(await react(Ben, thing)).toMatchObject({
          status: 200,
          body: { reactions: [{ emoji: THUMB, count: 1, mine: true }] },
        })
      await react(Ann, thing)
      await react(Ann, thing, PARTY)
      expect(await shown(Ben, thing)).toEqual([
        { emoji: THUMB, count: 2, mine: true },
        { emoji: PARTY, count: 1, mine: false },
      ])
      expect(await reactors(Ben, thing)).toEqual([`Ann ${PARTY}`, `Ann ${THUMB}`, `Ben ${THUMB}`])
      for (let time = 0; time < 2; time++) expect((await undo(Ben, thing)).status).toBe(200)
      expect(await shown(Ben, thing)).toMatchObject([
        { emoji: THUMB, count: 1, mine: false },
        { emoji: PARTY },
      ])
    }
  })

  test('of one member at the same time are stored once', async () => {
    const { Ben, post, db } = await community(dialect)
    const answers = await Promise.all([THUMB, THUMB, PARTY, THUMB].map((emoji) => react(Ben, post, emoji)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await readRows(db, 'reactions')).toHaveLength(2)
  })

  test('are listed in pages, also for one emoji', async () => {
    const { Ann, Ben, Cleo, Dan, post } = await community(dialect)
    for (const who of [Ann, Ben, Cleo, Dan]) await react(who, post)
    await react(Dan, post, PARTY)
    const { body, headers } = await Ann.get(`${path(post)}?limit=2&emoji=${encodeURIComponent(THUMB)}`)
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
    expect((await Ann.get(`${path(post)}?limit=0`)).status).toBe(422)
  })

  test('are read for many things at once, up to a limit', async () => {
    const { Ann, Ben, post, reply, message, stranger } = await community(dialect)
    const other = await postBy(Ann, { audience: 'members' })
    await react(Ben, reply)
    const url = `/api/reactions?posts=${post.id},${other.id},999&replies=${reply.id}&messages=${message.id}`
    expect((await Ben.get(url)).body).toEqual({
      emoji: ['👍', '😂', '😮', '😢', '🎉', '🙏'],
      posts: { [post.id]: [], [other.id]: [] },
      replies: { [reply.id]: [{ emoji: THUMB, count: 1, mine: true }] },
      messages: { [message.id]: [] },
    })
    expect((await stranger.get(url)).body).toMatchObject({
      posts: { [post.id]: [] },
      replies: { [reply.id]: [{ emoji: THUMB, count: 1, mine: false }] },
      messages: {},
    })
    expect((await stranger.get(url)).body.posts).not.toHaveProperty(String(other.id))
    const many = Array.from({ length: 101 }, (_, index) => index + 1)
    expect((await Ben.get(`/api/reactions?posts=${many.slice(1)}`)).status).toBe(200)
    for (const list of [many.join(), 'x', '1,-2', '1'.repeat(5000)])
      expect((await Ben.get(`/api/reactions?messages=${list}`)).status, list).toBe(422)
  })

  test('use the emoji that admins offer; others can only be taken back', async () => {
    const { Admin, Ann, Ben, post } = await community(dialect)
    const save = (reaction_emoji: unknown) => Admin.send('PATCH', '/api/admin/settings', { reaction_emoji })
    await react(Ben, post, PARTY)
    const offered = ['👍', '❤', '👩‍🚀', '🇯🇵', '👍🏽']
    expect((await save(offered)).status).toBe(200)
    expect((await Ann.get('/api/reactions')).body.emoji).toEqual(['👍', '❤️', '👩‍🚀', '🇯🇵', '👍🏽'])
    expect(await react(Ann, post, PARTY)).toMatchObject({
      status: 422,
      body: { errors: { emoji: ['This emoji is not offered here.'] } },
    })
    expect(await shown(Ann, post)).toEqual([{ emoji: PARTY, count: 1, mine: false }])
    expect((await undo(Ben, post, PARTY)).body).toEqual({ reactions: [] })
    for (const emoji of ['x', '👍👍', '%00', '<b>', 'é'.repeat(50)])
      expect((await react(Ben, post, emoji)).status, emoji).toBe(422)
    const four = offered.slice(1)
    const twice = [
      [...four, '🇯🇵'],
      [...four, '❤️'],
    ]
    for (const refused of [four, ...twice, [...four, 'a'], [...four, '👍👍'], '👍', null])
      expect((await save(refused)).status, String(refused)).toBe(422)
    expect((await save([...offered, '🎉', '😂', '😮', '😢'])).status).toBe(422)
    expect((await Ben.send('PATCH', '/api/admin/settings', { reaction_emoji: offered })).status).toBe(403)
  })

  test('are in the archive of the member', async () => {
    const { Ben, things, post } = await community(dialect)
    for (const thing of things) await react(Ben, thing)
    const { files } = await makeExport(Ben)
    const rows = jsonOfExport(files, 'data/reactions.json')
    expect(rows).toHaveLength(4)
    expect(rows.at(-1)).toEqual({
      ...{ post_id: post.id, reply_id: null, message_id: null },
      ...{ emoji: THUMB, created_at: expect.any(String) },
    })
  })

  test('go with the account of the member, with a deleted thing, and with a deleted account of its author', async () => {
    const { Ann, Ben, Cleo, Dan, context, db, reply, message, post, things, whisper } =
      await community(dialect)
    const open = things.filter((thing) => thing !== whisper)
    for (const thing of things) await react(Ben, thing)
    for (const thing of open) await react(Cleo, thing)
    const dans = await postBy(Dan)
    for (const who of [Ann, Cleo]) await react(who, dans, PARTY)
    const remove = (id: number) =>
      transaction(db, (tx) => deleteMember(context, tx, { id, keep_messages: false }).then(() => undefined))
    await remove(Ben.id)
    for (const thing of open)
      expect(await shown(Ann, thing)).toEqual([{ emoji: THUMB, count: 1, mine: false }])
    expect(await readRows(db, 'reactions')).toHaveLength(5)
    await Ann.delete(`/api/chat-messages/${message.id}`)
    expect(await shown(Ann, message)).toBeUndefined()
    expect((await react(Cleo, message)).status).toBe(404)
    await Ann.delete(`/api/replies/${reply.id}`)
    expect(await shown(Ann, reply)).toBeUndefined()
    expect(await readRows(db, 'reactions')).toHaveLength(3)
    await remove(Ann.id)
    expect(await readRows(db, 'reactions')).toMatchObject([{ post_id: dans.id, user_id: Cleo.id }])
    expect(await shown(Dan, post)).toBeUndefined()
  })

  test.each([true, false])('to messages of a deleted account go with their texts; kept: %s', async (kept) => {
    const { Ann, Cleo, context, db, message } = await community(dialect)
    await react(Cleo, message)
    await transaction(db, (tx) =>
      deleteMember(context, tx, { id: Ann.id, keep_messages: kept }).then(() => undefined),
    )
    expect(await shown(Cleo, message)).toEqual(kept ? [{ emoji: THUMB, count: 1, mine: true }] : undefined)
    expect(await readRows(db, 'reactions')).toHaveLength(kept ? 1 : 0)
  })
})
