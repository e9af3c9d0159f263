import { expect, test } from 'vitest'
import type { LocalChannels, MemberView } from '#core/realtime/channels.ts'
import type { Connection } from '#core/realtime/connection.ts'
import { Subscriptions } from '#core/realtime/subscriptions.ts'
import { eventually } from '#tests/eventually.ts'

const NAME = 'presence-here'

/**
 * Creates the manager of one connection of user 7. `hidden` is the answer to the next question who is hidden
 * from the user, and `guards` has a function for each question that the guard has not answered yet.
 */
function createManager() {
  const guards: ((isAllowed: boolean) => void)[] = []
  const state = { hidden: new Set<number>() }
  const views: (ReadonlySet<number> | null)[] = []
  const refused: number[] = []
  const connection = {
    user: { id: 7 },
    viewer: 7,
    subscriptions: new Map(),
    pending: new Map(),
    waiting: new Set(),
    newestAsks: new Map(),
    enqueue() {},
    refuse: (_: string, status: number) => refused.push(status),
  } as unknown as Connection
  const keep = (_: unknown, name: string, view: MemberView) => {
    views.push(view.hidden)
    connection.subscriptions.set(name, view as never)
  }
  const channels = {
    large: new Set(),
    hasMembers: () => true,
    acknowledgementOf: () => Buffer.alloc(0),
    setMemberView: keep,
    add: (one: unknown, name: string, _: unknown, view: MemberView) => keep(one, name, view),
    get: () => undefined,
    remove: () => connection.subscriptions.delete(NAME),
  } as unknown as LocalChannels
  const manager = new Subscriptions({
    channels,
    connections: { ofUser: () => [connection] },
    tokenBuckets: { consume: () => true },
    authorisation: {
      isSigned: () => true,
      guardOf: () => null,
      isAllowed: () => new Promise((resolve) => guards.push(resolve)),
    },
    visibility: { hiddenPeople: async () => new Set(state.hidden) },
    sendCachedEvent: async () => {},
    log: { error() {} },
  } as unknown as ConstructorParameters<typeof Subscriptions>[0])
  return { manager, connection, guards, state, views, refused }
}
const settle = () => new Promise(setImmediate)
const subscribe = ({ manager, connection }: ReturnType<typeof createManager>) =>
  manager.subscribe(connection, NAME, 'signed', '{"user_id":"7"}')

test('an older answer of a guard does not replace a newer one', async () => {
  const one = createManager()
  void subscribe(one)
  one.guards.shift()!(true)
  await settle()
  void one.manager.recheck(7)
  await settle()
  one.state.hidden.add(8)
  void one.manager.recheck(7)
  await settle()
  const [older, newer] = one.guards
  newer!(true)
  await settle()
  older!(true)
  await settle()
  expect(one.views.map((hidden) => [...hidden!])).toEqual([[], [8]])
})

test('a change while a guard is asked about a new subscription counts for this subscription', async () => {
  const one = createManager()
  void subscribe(one)
  await settle()
  one.state.hidden.add(8)
  void one.manager.recheck(7)
  await settle()
  const [first, again] = one.guards.splice(0)
  again!(true)
  await settle()
  first!(true)
  await settle()
  expect(one.views, 'the guard is asked again').toEqual([])
  one.guards.shift()!(true)
  await settle()
  expect(one.views.map((hidden) => [...hidden!])).toEqual([[8]])
  await eventually(() => expect(one.refused).toEqual([]))
})
