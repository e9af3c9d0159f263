import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { readTestTableRows, type TestClient, testDatabaseDialects } from '#tests/harness.ts'
import { connectSubscribedPusherWebSocketTestClient } from '#tests/sockets.ts'
import { createTestPostByAuthorAndReturnId, createTestReply } from '../../replies/test/reply-scene.ts'
import type { ReactionSubjectKind } from '../contract.ts'
import {
  PARTY,
  readReactionsAsTestClient,
  readReactorNameAndEmojiTextsAsTestClient,
  startReactionTestApp,
  THUMB,
  toReactionApiPathForTest,
} from './reaction-scene.ts'

describe.each(testDatabaseDialects)('reactions on %s, for viewers,', (dialect) => {
  const open = () => startReactionTestApp(dialect)

  /**
   * Adds, lists and removes a reaction as `who`. Returns the statuses of the three responses, and whether
   * `GET /api/reactions` contains the post, reply or message.
   */
  const listStatuses = async (who: TestClient, subject: ReactionSubjectKind, id: number) => [
    (await who.put(toReactionApiPathForTest(subject, id, THUMB))).status,
    (await who.get(toReactionApiPathForTest(subject, id))).status,
    (await who.delete(toReactionApiPathForTest(subject, id, THUMB))).status,
    (await readReactionsAsTestClient(who, subject, id)) !== undefined,
  ]
  const refused = [404, 404, 404, false]
  const allowed = [200, 200, 200, true]

  test('follow the visibility of the post, the reply and the message', async () => {
    const { Ann, Ben, Cleo, Dan, Admin, stranger, group, ...ids } = await open()
    const forGroup = await createTestPostByAuthorAndReturnId(Ann, { audience: 'group', group_id: group })
    const replyForGroup = (await createTestReply(Ben, forGroup, 'For the group')).id
    const forFollowers = await createTestPostByAuthorAndReturnId(Ann, { audience: 'followers' })
    const own = await createTestPostByAuthorAndReturnId(Dan, { audience: 'followers' })
    const table: [ReactionSubjectKind, number, TestClient[], TestClient[]][] = [
      ['post', ids.post, [Ann, Ben, Dan], []],
      ['post', forGroup, [Ann, Ben, Admin], [Dan]],
      ['reply', replyForGroup, [Ann, Ben, Admin], [Dan]],
      ['post', forFollowers, [Ann, Ben], [Dan, Admin]],
      ['post', own, [Dan], [Ann]],
      ['message', ids.message, [Ann, Ben, Cleo, Admin], [Dan]],
      ['message', ids.privateMessage, [Ann, Ben], [Cleo, Admin]],
      ['message', 999_999, [], [Ann]],
    ]
    for (const [subject, id, readers, others] of table) {
      for (const who of readers)
        expect(await listStatuses(who, subject, id), `${subject} ${id}`).toEqual(allowed)
      for (const who of others)
        expect(await listStatuses(who, subject, id), `${subject} ${id}`).toEqual(refused)
    }
    for (const [subject, id] of ids.subjects)
      expect((await listStatuses(stranger, subject, id)).slice(0, 3)).toEqual([401, 401, 401])
    await Admin.send('PATCH', '/api/admin/settings', { who_can_read: 'members' })
    expect((await stranger.get(`/api/reactions?posts=${ids.post}`)).status).toBe(401)
  })

  test('do not name people who are blocked, and end with the block', async () => {
    const { Ann, Ben, Cleo, Dan, post, subjects, message } = await open()
    for (const who of [Ben, Cleo, Dan]) await who.put(toReactionApiPathForTest('post', post, THUMB))
    for (const who of [Ben, Cleo]) await who.put(toReactionApiPathForTest('message', message, PARTY))
    await Cleo.post(`/api/users/${Ben.id}/block`)
    for (const [who, other] of [
      [Ben, 'Ben'],
      [Cleo, 'Cleo'],
    ] as const) {
      expect(await readReactorNameAndEmojiTextsAsTestClient(who, 'post', post)).toEqual([
        `Dan ${THUMB}`,
        `${other} ${THUMB}`,
      ])
      expect(await readReactorNameAndEmojiTextsAsTestClient(who, 'message', message)).toEqual([
        `${other} ${PARTY}`,
      ])
      expect(await readReactionsAsTestClient(who, 'post', post)).toEqual([
        { emoji: THUMB, count: 3, mine: true },
      ])
    }
    await Ann.post(`/api/users/${Ben.id}/block`)
    for (const [subject, id] of subjects) expect(await listStatuses(Ben, subject, id)).toEqual(refused)
    expect(await readReactorNameAndEmojiTextsAsTestClient(Ann, 'post', post)).toEqual([
      `Dan ${THUMB}`,
      `Cleo ${THUMB}`,
    ])
    expect(await readReactionsAsTestClient(Ann, 'message', message)).toEqual([
      { emoji: PARTY, count: 1, mine: false },
    ])
  })

  test('end with the access; the member can still take the reaction back', async () => {
    const { Ann, Ben, Cleo, Admin, group, message, privateMessage, db } = await open()
    const forFollowers = await createTestPostByAuthorAndReturnId(Ann, { audience: 'followers' })
    await Cleo.put(toReactionApiPathForTest('post', forFollowers, THUMB))
    await Cleo.put(toReactionApiPathForTest('message', message, THUMB))
    await Cleo.delete(`/api/unfollow/${Ann.id}`)
    await Admin.delete(`/api/groups/${group}/members/${Cleo.id}`)
    for (const [subject, id] of [
      ['post', forFollowers],
      ['message', message],
    ] as const)
      expect(await listStatuses(Cleo, subject, id)).toEqual(refused)
    expect(await readTestTableRows(db, 'reactions')).toEqual([])
    // Ben can still react to the private message, because a chat stays readable for a member who has received
    // a message in it.
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    expect(await listStatuses(Ben, 'message', privateMessage)).toEqual(allowed)
  })

  test('are refused for hidden posts and messages, except to their authors', async () => {
    const { Ann, Ben, post, reply, message, db } = await open()
    await Ben.put(toReactionApiPathForTest('post', post, PARTY))
    await transaction(db, async (tx) => {
      const hidden_at = '2026-01-01T00:00:00.000Z'
      await tx.updateTable('messages').set({ hidden_at }).where('id', '=', message).execute()
      await tx.insertInto('hidden_posts').values({ post_id: post, created_at: hidden_at }).execute()
    })
    for (const [subject, id] of [
      ['post', post],
      ['reply', reply],
      ['message', message],
    ] as const) {
      expect(await listStatuses(Ben, subject, id)).toEqual(refused)
      expect(await listStatuses(Ann, subject, id)).toEqual(allowed)
    }
  })

  test('are live for those who get the other events of the thing', async () => {
    const { Ann, Ben, Cleo, Dan, subscribeAs, group, url, realtime, ...ids } = await open()
    const forGroup = await createTestPostByAuthorAndReturnId(Ann, { audience: 'group', group_id: group })
    const everybody = await connectSubscribedPusherWebSocketTestClient(url, 'posts')
    const bens = await connectSubscribedPusherWebSocketTestClient(url, 'posts')
    await subscribeAs(Ben, 'presence-here', bens)
    const chat = await subscribeAs(Cleo, `private-group-chat.${group}`)
    const room = [Ann.id, Ben.id].sort((a, b) => a - b).join('.')
    const pair = await subscribeAs(Ben, `private-chat.${room}`)
    const own = await subscribeAs(Ann, `presence-user.${Ann.id}`)
    for (const [subject, id] of ids.subjects) await Ann.put(toReactionApiPathForTest(subject, id, THUMB))
    await Ann.put(toReactionApiPathForTest('post', forGroup, PARTY))
    const changed = (subject: ReactionSubjectKind, subject_id: number, emoji: string = THUMB) => ({
      ...{ subject, subject_id },
      reactions: [{ emoji, count: 1 }],
    })
    for (const client of [everybody, bens])
      for (const [subject, id] of ids.subjects.slice(0, 2))
        expect((await client.nextMessage('ReactionsChanged')).data).toEqual(changed(subject, id))
    expect((await bens.nextMessage('ReactionsChanged')).data).toEqual(changed('post', forGroup, PARTY))
    expect((await chat.nextMessage('ReactionsChanged')).data).toEqual(changed('message', ids.message))
    expect((await pair.nextMessage('ReactionsChanged')).data).toEqual(changed('message', ids.privateMessage))
    expect((await own.nextMessage('OwnReactionChanged')).data).toEqual({
      ...{ subject: 'post', subject_id: ids.post, emoji: THUMB, mine: true },
    })
    // Ann repeats her reaction, which changes nothing and sends no event.
    await Ann.put(toReactionApiPathForTest('post', forGroup, PARTY))
    await Ann.delete(toReactionApiPathForTest('post', forGroup, PARTY))
    expect((await bens.nextMessage('ReactionsChanged')).data.reactions).toEqual([])
    await Dan.post(`/api/users/${Ann.id}/mute`)
    realtime.broadcast(['posts'], 'Last', {})
    await everybody.nextMessage('Last')
    expect(everybody.received('ReactionsChanged')).toEqual([])
  })
})
