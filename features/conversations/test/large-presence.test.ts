import type { AddressInfo } from 'node:net'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Actor, befriend, createGroup, sendPrivate } from '#tests/conversations.ts'
import { databases, dialectsInTurn } from '#tests/harness.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { authFields, connectPusher, messagesArrived, type PusherClient, realtimeApp } from '#tests/sockets.ts'

const HERE = 'presence-here'
const SUCCEEDED = 'pusher_internal:subscription_succeeded'
const ADDED = 'pusher_internal:member_added'
const REMOVED = 'pusher_internal:member_removed'
/**
 * The channel `presence-here` shows all members while at most three are online, and again when at most two
 * are left.
 */
const realtime = { maxCompleteMemberList: 3 }

/**
 * The server set-ups in which all tests of this file run: one process, or two processes that share PostgreSQL
 * and Redis. With two processes, members whose number is even connect to the second one.
 */
const setUps = [
  ...dialectsInTurn().map((dialect) => ({ name: `one process on ${dialect}`, dialect, isShared: false })),
  ...(databases.includes('postgres') && findRedis()
    ? [{ name: 'two processes over Redis', dialect: 'postgres' as const, isShared: true }]
    : []),
]

/** Starts the server processes, with members of whom Ann has private chats with Ben and Eve. */
async function open({ dialect, isShared }: (typeof setUps)[number]) {
  const env: Record<string, string> = {}
  if (isShared) {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const secrets = {
      SECRET: 'the secret of both processes: cookies and sessions',
      PUSHER_APP_SECRET: 'their other secret',
    }
    Object.assign(env, { DATABASE_URL: inject('postgres')!, REDIS_URL: redis.url, ...secrets })
  }
  const first = await realtimeApp({ dialect, realtime, env })
  const second = isShared ? await realtimeApp({ dialect, realtime, env, sameDataAs: first.sameData }) : first
  const { Ann, Ben, Cid, Dan, Eve } = await first.members('Ann', 'Ben', 'Cid', 'Dan', 'Eve')
  for (const other of [Ben, Eve]) await befriend(Ann, other)
  await befriend(Cid, Dan)
  await sendPrivate(Ann, Ben, 'Hello')
  await sendPrivate(Eve, Ann, 'Hello')
  const urls = [first, second].map(
    ({ app }) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
  )
  const enter = async (who: Actor, channel = HERE) => {
    const client = await connectPusher(urls[who.id % 2]!)
    return first.subscribeAs(who, channel, client)
  }
  return { ...first, Ann, Ben, Cid, Dan, Eve, enter }
}

/** Waits for the next member list of `presence-here`, and returns the sorted ids of its members. */
async function nextList(client: PusherClient) {
  const { channel, data } = await client.nextMessage(SUCCEEDED)
  expect(channel).toBe(HERE)
  expect(Object.keys(data.presence.hash).sort()).toEqual([...data.presence.ids].sort())
  expect(data.presence.count).toBe(data.presence.ids.length)
  return data.presence.ids.map(Number).sort()
}
const ids = (...members: Actor[]) => members.map(({ id }) => id).sort()

describe.each(setUps)('presence-here with many members, $name', (setUp) => {
  /**
   * Lets four members enter `presence-here`, so that the channel is large. Reads the member lists that they
   * get.
   */
  async function openLarge() {
    const opened = await open(setUp)
    const { Ann, Ben, Cid, Dan, enter } = opened
    const [ann, ben, cid] = [await enter(Ann), await enter(Ben), await enter(Cid)]
    expect(cid.presence.ids.map(Number).sort()).toEqual(ids(Ann, Ben, Cid))
    expect((await ann.nextMessage(ADDED)).data.user_id).toBe(String(Ben.id))
    for (const client of [ann, ben])
      expect((await client.nextMessage(ADDED)).data.user_id).toBe(String(Cid.id))
    const dan = await enter(Dan)
    expect(dan.presence.ids).toEqual([String(Dan.id)])
    const lists = [await nextList(ann), await nextList(ben), await nextList(cid)]
    expect(lists).toEqual([ids(Ann, Ben), ids(Ann, Ben), ids(Cid)])
    expect(await nextList(dan)).toEqual(ids(Dan))
    return { ...opened, ann, ben, cid, dan }
  }

  test('lists the people of one’s private chats, and announces only their joins and leaves', async () => {
    const { Ann, Ben, Dan, Eve, ann, ben, cid, dan, enter } = await openLarge()
    const eve = await enter(Eve)
    expect(eve.presence.ids.map(Number).sort()).toEqual(ids(Ann, Eve))
    expect((await ann.nextMessage(ADDED)).data).toMatchObject({
      user_id: String(Eve.id),
      user_info: { id: Eve.id, name: 'Eve' },
    })
    eve.ws.close()
    expect((await ann.nextMessage(REMOVED)).data).toEqual({ user_id: String(Eve.id) })
    ben.ws.close()
    expect((await ann.nextMessage(REMOVED)).data).toEqual({ user_id: String(Ben.id) })
    dan.ws.close()
    // Two members are left in the channel, so it is small again, and its list names both.
    expect(await nextList(ann)).toEqual(await nextList(cid))
    expect((await enter(Dan)).presence.ids).toContain(String(Ann.id))
    expect((await ann.nextMessage(ADDED)).data.user_id).toBe(String(Dan.id))
    await messagesArrived(ann, cid)
    expect(cid.received(REMOVED)).toEqual([])
    expect(cid.received(ADDED).map(({ data }) => data.user_id)).toEqual([String(Dan.id)])
    expect(ann.received(REMOVED)).toEqual([])
  })

  test('lists the other person as soon as a private chat begins, and not after a block', async () => {
    const { Ann, Ben, Cid, Dan, ann, ben, cid, dan, enter } = await openLarge()
    await sendPrivate(Cid, Dan, 'Hello')
    expect([await nextList(cid), await nextList(dan)]).toEqual([ids(Cid, Dan), ids(Cid, Dan)])
    await Ben.post(`/api/users/${Ann.id}/block`)
    expect([await nextList(ann), await nextList(ben)]).toEqual([ids(Ann), ids(Ben)])
    ben.ws.close()
    const again = await enter(Ben)
    expect(again.presence.ids).toEqual([String(Ben.id)])
    await messagesArrived(ann, again)
    expect([...ann.received(ADDED), ...ann.received(REMOVED)]).toEqual([])
  })

  test('does not announce a member’s own second window, nor to others who are no peers', async () => {
    const { Ann, Dan, ann, ben, cid, dan, enter } = await openLarge()
    expect((await enter(Dan)).presence.ids).toEqual([String(Dan.id)])
    expect((await enter(Ann)).presence.ids).toHaveLength(2)
    await messagesArrived(ann, ben, cid, dan)
    for (const client of [ann, ben, cid, dan])
      expect([...client.received(ADDED), ...client.received(REMOVED)]).toEqual([])
  })

  test('leaves other presence channels complete, and the list of servers', async () => {
    const { Ann, Ben, Cid, Dan, Eve, context, config, url, enter } = await openLarge()
    const group = await createGroup(Ann, 'Club', Ben, Cid, Dan, Eve)
    const room = `presence-group-chat.${group}`
    const lists = []
    for (const who of [Ann, Ben, Cid, Dan, Eve]) lists.push((await enter(who, room)).presence.ids.length)
    expect(lists).toEqual([1, 2, 3, 4, 5])
    expect(context.realtime.memberIds(HERE).map(Number).sort()).toEqual(ids(Ann, Ben, Cid, Dan))
    for (let n = 1; n <= 5; n++) {
      const client = await connectPusher(url)
      const data = JSON.stringify({ user_id: `guest ${n}` })
      client.subscribe(
        'presence-lobby',
        authFields(config.PUSHER_APP_SECRET, client.id, 'presence-lobby', data),
      )
      expect((await client.nextMessage(SUCCEEDED)).data.presence.count).toBe(n)
    }
  })
})
