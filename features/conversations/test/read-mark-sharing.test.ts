import { describe, expect, test } from 'vitest'
import { deletionScene, runDeletions } from '#tests/account-deletion.ts'
import {
  type Actor,
  conversationKinds,
  conversationScene,
  createGroup,
  sendPrivate,
  sendToGroup,
  spyOnBroadcasts,
  UNUSED_ID,
} from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))

const setSharing = (who: Actor, is_shared: unknown) =>
  who.send('PUT', '/api/account/read-marks', { is_shared })
const idsOf = async (who: Actor, message: number, list: 'seen-by' | 'not-seen-by', query = '') => {
  const { status, body } = await who.get(`/api/chat-messages/${message}/${list}${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map(({ id }: { id: number }) => id)
}

describe.each(cases)('the switch for read marks in a $kind chat on $dialect', ({ dialect, kind }) => {
  const open = () => conversationScene(dialect, kind)
  type Chat = Awaited<ReturnType<typeof open>>
  /** Returns the read mark of the other member, as `who` sees it; 0 if there is none. */
  const seenBy = async (chat: Chat, who: Actor) => {
    const { body } = await who.get(chat.conversation(who))
    return kind === 'private' ? body.seen_id : (body.reads[0]?.last_read_id ?? 0)
  }

  test('is on at first, and keeps read marks from both when one switches it off', async () => {
    const chat = await open()
    const { ann, ben } = chat
    expect((await ben.get('/api/account/read-marks')).body).toEqual({ is_shared: true })
    const one = await chat.sendMessage(ann, 'One')
    await chat.markRead(ben, one.id)
    expect(await seenBy(chat, ann)).toBe(one.id)

    const { recorded, clear } = spyOnBroadcasts(chat)
    expect(await setSharing(ben, false)).toMatchObject({ status: 200, body: { is_shared: false } })
    expect(recorded()).toEqual([
      { to: [chat.channel], event: 'ReadMarkSharingChanged', data: { user_id: ben.id, is_shared: false } },
    ])
    expect((await ben.get('/api/account/read-marks')).body).toEqual({ is_shared: false })
    expect([await seenBy(chat, ann), await seenBy(chat, ben)]).toEqual([0, 0])

    clear()
    const two = await chat.sendMessage(ann, 'Two')
    expect(await chat.unreadCount(ben)).toBe(1)
    await chat.markRead(ben, two.id)
    expect(await chat.unreadCount(ben)).toBe(0)
    expect((await ben.get(chat.conversation(ben))).body.last_read_id).toBe(two.id)
    expect(recorded('UnreadChanged')).toHaveLength(1)
    const calls = () => broadcastsOfMarks(chat)
    expect(calls()).toEqual([[]])
    const three = await chat.sendMessage(ben, 'Three')
    await chat.markRead(ann, three.id)
    expect(calls()).toEqual([[], [ann.id]])
    expect(await seenBy(chat, ben)).toBe(0)

    // A second request with the same choice changes nothing, so no event is broadcast.
    clear()
    await setSharing(ben, false)
    expect(recorded()).toEqual([])
    await setSharing(ben, true)
    expect(recorded('ReadMarkSharingChanged')).toMatchObject([{ data: { is_shared: true } }])
    expect(await seenBy(chat, ann)).toBe(three.id)
    expect(await seenBy(chat, ben)).toBe(three.id)
  })

  /**
   * Returns for each broadcast of the event `MessagesRead` the ids of the members who may receive it;
   * undefined if all may.
   */
  const broadcastsOfMarks = (chat: Chat) => {
    const { calls } = (chat.context.realtime.broadcast as unknown as { mock: { calls: unknown[][] } }).mock
    return calls
      .filter(([, event]) => event === 'MessagesRead')
      .map(([, , , options]) => (options as { onlyFor?: number[] }).onlyFor)
  }

  test('lists who has seen a message, and who has not', async () => {
    const chat = await open()
    const { ann, ben, eve } = chat
    const { id } = await chat.sendMessage(ann, 'One')
    expect(await idsOf(ann, id, 'seen-by')).toEqual([])
    expect(await idsOf(ann, id, 'not-seen-by')).toEqual([ben.id])
    await chat.markRead(ben, id)
    expect(await idsOf(ann, id, 'seen-by')).toEqual([ben.id])
    expect(await idsOf(ann, id, 'not-seen-by')).toEqual([])
    // Neither the author of the message nor the viewer is in the lists of those who have or have not seen it.
    expect(await idsOf(ben, id, 'seen-by')).toEqual([])
    for (const list of ['seen-by', 'not-seen-by']) {
      expect((await eve.get(`/api/chat-messages/${id}/${list}`)).status).toBe(404)
      expect((await ann.get(`/api/chat-messages/${UNUSED_ID}/${list}`)).status).toBe(404)
    }

    await setSharing(ben, false)
    expect(await idsOf(ann, id, 'seen-by')).toEqual([])
    expect(await idsOf(ann, id, 'not-seen-by')).toEqual([])
    for (const list of ['seen-by', 'not-seen-by'])
      expect((await ben.get(`/api/chat-messages/${id}/${list}`)).status).toBe(403)
    await chat.deleteMessage(ann, id)
    expect((await ann.get(`/api/chat-messages/${id}/seen-by`)).status).toBe(404)
  })

  test('refuses anything but true and false', async () => {
    const { ann } = await open()
    for (const value of ['yes', 1, null, undefined])
      expect((await setSharing(ann, value)).status, String(value)).toBe(422)
  })
})

describe.each(dialectsInTurn())('the readers of a message of a group on %s', (dialect) => {
  async function openGroup() {
    const testApp = await createTestApp({ dialect })
    const { ann, ben, cid, dan } = await testApp.members('ann', 'ben', 'cid', 'dan')
    const group = await createGroup(ann, 'Garden', ben, cid, dan)
    const { id } = await sendToGroup(ann, group, 'For all')
    const markRead = (who: Actor) => who.send('PUT', `/api/groups/${group}/read`, { last_read_id: id })
    return { ...testApp, ann, ben, cid, dan, group, id, markRead }
  }

  test('are paged, and everybody in the group may list them', async () => {
    const { ann, ben, cid, dan, id, markRead } = await openGroup()
    for (const who of [ben, cid, dan]) await markRead(who)
    expect(await idsOf(ann, id, 'seen-by')).toEqual([ben.id, cid.id, dan.id])
    expect(await idsOf(ann, id, 'seen-by', `?limit=1&after=${ben.id}`)).toEqual([cid.id])
    expect(await idsOf(ben, id, 'seen-by')).toEqual([cid.id, dan.id])
  })

  test('leave out people whom the viewer may not see', async () => {
    const { ann, ben, cid, dan, id, markRead } = await openGroup()
    for (const who of [ben, cid, dan]) await markRead(who)
    await cid.post(`/api/users/${ben.id}/block`)
    expect(await idsOf(ben, id, 'seen-by')).toEqual([dan.id])
    expect(await idsOf(cid, id, 'seen-by')).toEqual([dan.id])
    expect(await idsOf(ann, id, 'seen-by')).toEqual([ben.id, cid.id, dan.id])
  })

  test.each(['block', 'mute'])(
    'are not listed for a message that a note replaces after a %s',
    async (verb) => {
      const { ann, ben, id } = await openGroup()
      await ben.post(`/api/users/${ann.id}/${verb}`)
      expect((await ben.get(`/api/chat-messages/${id}/seen-by`)).status).toBe(404)
    },
  )

  test('keep the marks of one member from a third', async () => {
    const { ann, ben, cid, group, id, markRead, ...testApp } = await openGroup()
    const { recorded } = spyOnBroadcasts(testApp)
    await setSharing(ben, false)
    expect(recorded()).toMatchObject([{ to: [`private-group-chat.${group}`], data: { user_id: ben.id } }])
    await markRead(ben)
    await markRead(cid)
    const readsOf = async (who: Actor) =>
      (await who.get(`/api/groups/${group}`)).body.reads.map(({ user_id }: { user_id: number }) => user_id)
    expect(await readsOf(ann)).toEqual([cid.id])
    expect(await readsOf(ben)).toEqual([])
    expect(await idsOf(ann, id, 'seen-by')).toEqual([cid.id])
    await setSharing(ben, true)
    expect((await readsOf(ann)).sort()).toEqual([ben.id, cid.id].sort())
  })
})

describe.each(dialectsInTurn())('the read marks of a deleted account on %s', (dialect) => {
  test.each([true, false])('are those that the member showed (%s)', async (is_shared) => {
    const community = await deletionScene({ dialect })
    const { ann, leaver, group, db } = community
    await setSharing(leaver, is_shared)
    const { id } = await sendPrivate(ann, leaver, 'Read this')
    const inGroup = await sendToGroup(ann, group, 'And this')
    await leaver.send('PUT', `/api/conversations/${ann.id}/read`, { last_read_id: id })
    await leaver.send('PUT', `/api/groups/${group}/read`, { last_read_id: inGroup.id })
    expect((await ann.get(`/api/conversations/${leaver.id}`)).body.seen_id).toBe(is_shared ? id : 0)
    await leaver.send('DELETE', '/api/account', { messages: 'keep' })
    await runDeletions(community)
    const [{ user }] = (await ann.get('/api/conversations')).body
    expect((await ann.get(`/api/conversations/${user.id}`)).body.seen_id).toBe(is_shared ? id : 0)
    const seenBy = (await ann.get(`/api/chat-messages/${id}/seen-by`)).body
    expect(seenBy).toMatchObject(is_shared ? [{ id: user.id, is_former: true }] : [])
    expect((await ann.get(`/api/groups/${group}`)).body.reads).toEqual([])
    expect(await idsOf(ann, inGroup.id, 'seen-by')).toEqual([])
    expect(await readRows(db, 'hidden_read_marks')).toEqual([])
  })
})
