import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  type Actor,
  conversationScene,
  createGroup,
  eachPage,
  sendToGroup,
  spyOnBroadcasts,
} from '#tests/conversations.ts'
import { createTestApp, databases } from '#tests/harness.ts'

describe.each(databases)('three hundred concurrent messages on %s', (dialect) => {
  /**
   * Returns those ids that are smaller than the id before them. The result is empty if the ids are in order.
   */
  const outOfOrder = (ids: readonly number[]) => ids.filter((id, i) => i > 0 && id < ids[i - 1]!)
  const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)

  test('between two people are all stored, and broadcast once each in the order of their ids', async () => {
    const { ann, ben, sendMessage, history, channel, events, ...testApp } = await conversationScene(
      dialect,
      'private',
    )
    const { recorded } = spyOnBroadcasts(testApp)
    const sent = await Promise.all(
      Array.from({ length: 300 }, (_, i) => sendMessage(i % 2 ? ann : ben, `${i}`, { client_id: `c-${i}` })),
    )
    const broadcasts = recorded(events.sent)
    expect(broadcasts.every(({ to }) => to.includes(channel))).toBe(true)
    expect(outOfOrder(broadcasts.map(({ data }) => data.id))).toEqual([])
    expect(broadcasts.map(({ data }) => data.id)).toEqual(ascending(sent.map(({ id }) => id)))
    expect(broadcasts).toHaveLength(300)
    const stored = (await eachPage(ann, history(ann))).toReversed().flat()
    expect(stored).toEqual(broadcasts.map(({ data }) => data))
    expect(new Set(stored.map(({ message }) => message)).size).toBe(300)
  })

  test('by three people in a group are all stored, and broadcast once each in the order of their ids', async () => {
    const testApp = await createTestApp({ dialect })
    const { ann, ben, eve } = await testApp.members('ann', 'ben', 'eve')
    const group = await createGroup(ann, 'Club', ben, eve)
    const { recorded } = spyOnBroadcasts(testApp)
    const sent = await Promise.all(
      Array.from({ length: 300 }, (_, i) => sendToGroup([ann, ben, eve][i % 3]!, group, `${i}`)),
    )
    const broadcasts = recorded('GroupMessageSent')
    expect(outOfOrder(broadcasts.map(({ data }) => data.id))).toEqual([])
    expect(broadcasts.map(({ data }) => data.id)).toEqual(ascending(sent.map(({ id }) => id)))
    expect(broadcasts).toHaveLength(300)
    const stored = (await eachPage(eve, `/api/group-messages/${group}?limit=200`)).toReversed().flat()
    expect(stored.map(({ id, message }) => ({ id, message }))).toEqual(
      broadcasts.map(({ data: { id, message } }) => ({ id, message })),
    )
    const senders = Object.groupBy(broadcasts, ({ data }) => data.userId)
    expect([ann, ben, eve].map(({ id }) => senders[id]?.length)).toEqual([100, 100, 100])
  })

  test('are all read by a member who pages forward while they are sent', async () => {
    const { ann, ben, sendMessage, readHistory } = await conversationScene(dialect, 'private')
    const got: number[] = []
    let over = false
    const reader = async () => {
      for (let last = false; !last; ) {
        last = over
        const page = await readHistory(ben, got.length ? `?after=${got.at(-1)}` : '?limit=200')
        got.push(...page.map(({ id }) => id))
        if (page.length) last = false
        await turn()
      }
    }
    const reading = reader()
    const sent = await Promise.all(
      Array.from({ length: 120 }, (_, i) => sendMessage(i % 2 ? ann : ben, `${i}`)),
    )
    over = true
    await reading
    expect(got).toEqual(ascending(sent.map(({ id }) => id)))
  })

  test.each(['private', 'group'] as const)(
    'with the same client_id, the first of a %s chat and a later one, are each stored once',
    async (kind) => {
      const { ann, trySend, readHistory } = await conversationScene(dialect, kind)
      for (const client_id of ['first', 'later']) {
        const sent = await Promise.all(
          Array.from({ length: 8 }, () => trySend(ann, client_id, { client_id })),
        )
        const [id] = sent.map(({ body }) => body.message?.id)
        expect(sent.map(({ status, body }) => [status < 300, body.message?.id])).toEqual(
          sent.map(() => [true, id]),
        )
      }
      expect((await readHistory(ann)).map(({ message }) => message)).toEqual(['first', 'later'])
    },
  )

  test('that start a chat create one conversation', async () => {
    const { ann, ben, sendMessage, conversation } = await conversationScene(dialect, 'private')
    const first = (who: Actor) => sendMessage(who, 'Hello')
    await Promise.all([ann, ben, ann, ben, ann, ben].map(first))
    for (const who of [ann, ben]) {
      expect((await who.get('/api/conversations')).body).toHaveLength(1)
      expect((await who.get(conversation(who))).status).toBe(200)
    }
  })
})
