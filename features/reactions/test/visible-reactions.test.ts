import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { databases, readRows, type TestClient } from '#tests/harness.ts'
import { connectSubscribed } from '#tests/sockets.ts'
import {
  community,
  PARTY,
  path,
  postBy,
  react,
  reactors,
  replyBy,
  shown,
  THUMB,
  type Thing,
  undo,
} from './reaction-scene.ts'

describe.each(databases)('reactions on %s, for viewers,', (dialect) => {
  /** Adds, lists and removes a reaction. Returns the statuses, and whether `who` sees the thing. */
  const tries = async (who: TestClient, thing: Thing) => [
    (await react(who, thing)).status,
    (await who.get(path(thing))).status,
    (await undo(who, thing)).status,
    (await shown(who, thing)) !== undefined,
  ]
  const refused = [404, 404, 404, false]
  const allowed = [200, 200, 200, true]

  test('follow the visibility of the post, the reply and the message', async () => {
    const { Ann, Ben, Cleo, Dan, Admin, stranger, group, post, message, whisper, things } =
      await community(dialect)
    const forGroup = await postBy(Ann, { audience: 'group', group_id: group })
    const inGroup = await replyBy(Ben, forGroup, 'For the group')
    const forFollowers = await postBy(Ann, { audience: 'followers' })
    const own = await postBy(Dan, { audience: 'followers' })
    const table: [Thing, TestClient[], TestClient[]][] = [
      [post, [Ann, Ben, Dan], []],
      [forGroup, [Ann, Ben, Admin], [Dan]],
      [inGroup, [Ann, Ben, Admin], [Dan]],
      [forFollowers, [Ann, Ben], [Dan, Admin]],
      [own, [Dan], [Ann]],
      [message, [Ann, Ben, Cleo, Admin], [Dan]],
      [whisper, [Ann, Ben], [Cleo, Admin]],
      [{ kind: 'message', id: 999_999 }, [], [Ann]],
    ]
    for (const [thing, readers, others] of table) {
      for (const who of readers) expect(await tries(who, thing), JSON.stringify(thing)).toEqual(allowed)
      for (const who of others) expect(await tries(who, thing), JSON.stringify(thing)).toEqual(refused)
    }
    for (const thing of things) expect((await tries(stranger, thing)).slice(0, 3)).toEqual([401, 401, 401])
    await Admin.send('PATCH', '/api/admin/settings', { who_can_read: 'members' })
    expect((await stranger.get(`/api/reactions?posts=${post.id}`)).status).toBe(401)
  })

  test('do not name people who are blocked, and end with the block', async () => {
    const { Ann, Ben, Cleo, Dan, post, things, message } = await community(dialect)
    for (const who of [Ben, Cleo, Dan]) await react(who, post)
    for (const who of [Ben, Cleo]) await react(who, message, PARTY)
    await Cleo.post(`/api/users/${Ben.id}/block`)
    for (const [name, who] of Object.entries({ Ben, Cleo })) {
      expect(await reactors(who, post)).toEqual([`Dan ${THUMB}`, `${name} ${THUMB}`])
      expect(await reactors(who, message)).toEqual([`${name} ${PARTY}`])
      expect(await shown(who, post)).toEqual([{ emoji: THUMB, count: 3, mine: true }])
    }
    await Ann.post(`/api/users/${Ben.id}/block`)
    for (const thing of things) expect(await tries(Ben, thing)).toEqual(refused)
    expect(await reactors(Ann, post)).toEqual([`Dan ${THUMB}`, `Cleo ${THUMB}`])
    expect(await shown(Ann, message)).toEqual([{ emoji: PARTY, count: 1, mine: false }])
  })

  test('end with the access; the member can still take the reaction back', async () => {
    const { Ann, Ben, Cleo, Admin, group, message, whisper, db } = await community(dialect)
    const forFollowers = await postBy(Ann, { audience: 'followers' })
    await react(Cleo, forFollowers)
    await react(Cleo, message)
    await Cleo.delete(`/api/unfollow/${Ann.id}`)
    await Admin.delete(`/api/groups/${group}/members/${Cleo.id}`)
    for (const thing of [forFollowers, message]) expect(await tries(Cleo, thing)).toEqual(refused)
    expect(await readRows(db, 'reactions')).toEqual([])
    // A chat stays readable for a member who has received a message in it.
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    expect(await tries(Ben, whisper)).toEqual(allowed)
  })

  test('are refused for hidden posts and messages, except to their authors', async () => {
    const { Ann, Ben, post, reply, message, db } = await community(dialect)
    await react(Ben, post, PARTY)
    await transaction(db, async (tx) => {
      const hidden_at = '2026-01-01T00:00:00.000Z'
      await tx.updateTable('messages').set({ hidden_at }).where('id', '=', message.id).execute()
      await tx.insertInto('hidden_posts').values({ post_id: post.id, created_at: hidden_at }).execute()
    })
    for (const thing of [post, reply, message]) {
      expect(await tries(Ben, thing)).toEqual(refused)
      expect(await tries(Ann, thing)).toEqual(allowed)
    }
  })

  test('are live for those who get the other events of the thing', async () => {
    const { Ann, Ben, Cleo, Dan, subscribeAs, group, url, realtime, post, reply, message, whisper, things } =
      await community(dialect)
    const forGroup = await postBy(Ann, { audience: 'group', group_id: group })
    const everybody = await connectSubscribed(url, 'posts')
    const bens = await connectSubscribed(url, 'posts')
    await subscribeAs(Ben, 'presence-here', bens)
    const chat = await subscribeAs(Cleo, `private-group-chat.${group}`)
    const pair = await subscribeAs(Ben, `private-chat.${Ann.id}.${Ben.id}`)
    const own = await subscribeAs(Ann, `presence-user.${Ann.id}`)
    for (const thing of things) await react(Ann, thing)
    await react(Ann, forGroup, PARTY)
    const next = async (client: typeof bens) => (await client.nextMessage('ReactionsChanged')).data
    const changed = ({ kind, id }: Thing, emoji: string = THUMB) => ({
      ...{ subject: kind, subject_id: id },
      reactions: [{ emoji, count: 1 }],
    })
    for (const client of [everybody, bens])
      for (const thing of [post, reply]) expect(await next(client)).toEqual(changed(thing))
    expect(await next(bens)).toEqual(changed(forGroup, PARTY))
    expect(await next(chat)).toEqual(changed(message))
    expect(await next(pair)).toEqual(changed(whisper))
    expect((await own.nextMessage('OwnReactionChanged')).data).toEqual({
      ...{ subject: 'post', subject_id: post.id, emoji: THUMB, mine: true },
    })
    // Ann repeats her reaction, which changes nothing and sends no event.
    await react(Ann, forGroup, PARTY)
    await undo(Ann, forGroup, PARTY)
    expect((await next(bens)).reactions).toEqual([])
    await Dan.post(`/api/users/${Ann.id}/mute`)
    realtime.broadcast(['posts'], 'Last', {})
    await everybody.nextMessage('Last')
    expect(everybody.received('ReactionsChanged')).toEqual([])
  })
})
