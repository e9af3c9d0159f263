import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createConversation, groupOf, listenAs, type Member, pagesOf, say } from '#tests/chat.ts'
import { createTestApp, dialects } from '#tests/harness.ts'

describe.each(dialects)('three hundred messages at one moment on %s', (dialect) => {
  /** The ids that come after a newer id. */
  const late = (ids: readonly number[]) => ids.filter((id, i) => i > 0 && id < ids[i - 1]!)
  const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b)

  test('between two are all stored, and told once each in the order of their ids', async () => {
    const { ann, ben, says, history, channel, events, ...place } = await createConversation(
      dialect,
      'private',
    )
    const { heard } = listenAs(place)
    const sent = await Promise.all(
      Array.from({ length: 300 }, (_, i) => says(i % 2 ? ann : ben, `${i}`, { client_id: `c-${i}` })),
    )
    const told = heard(events.sent)
    expect(told.every(({ to }) => to.includes(channel))).toBe(true)
    expect(late(told.map(({ data }) => data.id))).toEqual([])
    expect(told.map(({ data }) => data.id)).toEqual(ascending(sent.map(({ id }) => id)))
    expect(told).toHaveLength(300)
    const stored = (await pagesOf(ann, history(ann))).toReversed().flat()
    expect(stored).toEqual(told.map(({ data }) => data))
    expect(new Set(stored.map(({ message }) => message)).size).toBe(300)
  })

  test('of three in a group are all stored, and told once each in the order of their ids', async () => {
    const place = await createTestApp({ dialect })
    const { ann, ben, eve } = await place.members('ann', 'ben', 'eve')
    const group = await groupOf(ann, 'Club', ben, eve)
    const { heard } = listenAs(place)
    const sent = await Promise.all(
      Array.from({ length: 300 }, (_, i) => say([ann, ben, eve][i % 3]!, group, `${i}`)),
    )
    const told = heard('GroupMessageSent')
    expect(late(told.map(({ data }) => data.id))).toEqual([])
    expect(told.map(({ data }) => data.id)).toEqual(ascending(sent.map(({ id }) => id)))
    expect(told).toHaveLength(300)
    const stored = (await pagesOf(eve, `/api/group-messages/${group}?limit=200`)).toReversed().flat()
    expect(stored.map(({ id, message }) => ({ id, message }))).toEqual(
      told.map(({ data: { id, message } }) => ({ id, message })),
    )
    const senders = Object.groupBy(told, ({ data }) => data.userId)
    expect([ann, ben, eve].map(({ id }) => senders[id]?.length)).toEqual([100, 100, 100])
  })

  test('are all there when whoever reads on does so while they are sent', async () => {
    const { ann, ben, says, hears } = await createConversation(dialect, 'private')
    const got: number[] = []
    let over = false
    const reader = async () => {
      for (let last = false; !last; ) {
        last = over
        const page = await hears(ben, got.length ? `?after=${got.at(-1)}` : '?limit=200')
        got.push(...page.map(({ id }) => id))
        if (page.length) last = false
        await turn()
      }
    }
    const reading = reader()
    const sent = await Promise.all(Array.from({ length: 120 }, (_, i) => says(i % 2 ? ann : ben, `${i}`)))
    over = true
    await reading
    expect(got).toEqual(ascending(sent.map(({ id }) => id)))
  })

  test('that are the first of all open one conversation', async () => {
    const { ann, ben, says, conversation } = await createConversation(dialect, 'private')
    const first = (who: Member) => says(who, 'Hello')
    await Promise.all([ann, ben, ann, ben, ann, ben].map(first))
    for (const who of [ann, ben]) {
      expect((await who.get('/api/conversations')).body).toHaveLength(1)
      expect((await who.get(conversation(who))).status).toBe(200)
    }
  })
})
