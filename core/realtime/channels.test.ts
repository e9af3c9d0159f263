import { expect, test, vi } from 'vitest'
import type { EventMessage } from '#core/realtime/bus.ts'
import { LocalChannels } from '#core/realtime/channels.ts'
import type { Connection } from '#core/realtime/connection.ts'

/** Creates channels whose rule hides person 1 from viewer 7, and a function that makes a subscriber. */
function createChannels() {
  const hiddenFrom = vi.fn(() => Promise.resolve(new Set([7])))
  const channels = new LocalChannels({
    visibility: { hiddenFrom, mutedBy: () => null, apartFrom: () => null, hiddenPeople: () => null },
    authorisation: { isDeclared: () => true, guardOf: () => null, showsOnlyPeersWhenLarge: () => false },
    bus: { processId: 'a', publish: async () => {} },
    announcer: { changed() {} },
    occupancy: { changed() {}, memberChanged() {} },
    log: { error() {} },
    maxCompleteMemberList: 500,
    onMissed() {},
    onLargeChanged() {},
  } as unknown as ConstructorParameters<typeof LocalChannels>[0])
  const subscribe = (userId: number, name: string) => {
    const received: unknown[] = []
    const connection = {
      id: String(userId),
      viewer: userId,
      user: { id: userId },
      subscriptions: new Map(),
      enqueue: (frame: Buffer) => received.push(frame) > 0,
    } as unknown as Connection
    channels.add(connection, name, null, { hidden: null, peers: null })
    return received
  }
  return { channels, hiddenFrom, subscribe }
}

const event = (channel: string): EventMessage => ({
  kind: 'event',
  channels: [channel],
  event: 'E',
  data: '{}',
  aboutUsers: [1],
})
const settle = () => new Promise(setImmediate)

test('nobody is asked who may see an event to which nobody here is subscribed', async () => {
  const { channels, hiddenFrom, subscribe } = createChannels()
  channels.deliver(event('private-a'))
  expect(hiddenFrom).not.toHaveBeenCalled()
  const received = subscribe(8, 'private-a')
  channels.deliver(event('private-a'))
  await settle()
  expect(hiddenFrom).toHaveBeenCalledOnce()
  expect(received).toHaveLength(1)
})

test('a viewer who subscribes while such an event waits for an earlier one does not get it', async () => {
  const { channels, subscribe } = createChannels()
  const other = subscribe(8, 'private-b')
  channels.deliver(event('private-b'))
  channels.deliver(event('private-a'))
  const received = subscribe(7, 'private-a')
  await settle()
  expect(other).toHaveLength(1)
  expect(received).toHaveLength(0)
})
