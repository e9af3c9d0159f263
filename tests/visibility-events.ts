import { expect } from 'vitest'
import type { AppContext } from '#core/context.ts'
import type { EventDate } from '#features/events/contract.ts'
import { send } from '#features/events/reminders.ts'
import type { TestClient } from '#tests/harness.ts'

interface Scene {
  Pat: TestClient
  Founder: TestClient
  context: AppContext
  viewers: readonly Pick<TestClient, 'send'>[]
}

const at = (hour: number) => `${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)}T${hour}:00`

/** Makes events of Pat cause each kind of notification about events, for the viewers who see them. */
export async function traceEvents({ Pat, Founder, context, viewers }: Scene) {
  const plan = async (places: number | null = null): Promise<EventDate> => {
    const event = { title: 'Lanterns', zone: 'UTC', begins: at(10), ends: at(12), places }
    const { body } = await Pat.post('/api/posts', { text: 'words of that person', extras: { event } })
    return (await Pat.get(`/api/events?posts=${body.post.id}`)).body[body.post.id].date
  }
  const answered = async (places: number | null = null) => {
    const date = await plan(places)
    for (const who of [Founder, ...viewers])
      await who.send('PUT', `/api/events/dates/${date.id}/answer`, { answer: 'yes' })
    return date
  }
  const change = async ({ id, begins, ends }: EventDate, more: object) => {
    const given = { title: 'Lanterns', place: null, begins, ends, places: null, answers_until: null, ...more }
    expect((await Pat.put(`/api/events/dates/${id}`, given)).status).toBe(200)
  }
  expect((await Pat.post(`/api/events/dates/${(await plan()).id}/reminders`)).status).toBe(200)
  const soon = await answered()
  await send(
    context,
    { date: soon.id, kind: 'soon', at: new Date().toISOString() },
    new AbortController().signal,
  )
  await change(await answered(), { place: 'Park' })
  await Pat.post(`/api/events/dates/${(await answered()).id}/cancel`, {})
  await change(await answered(1), { tell: false })
  const closed = await answered(1)
  await Pat.post(`/api/events/dates/${closed.id}/close`)
  await change(closed, { tell: false })
}
