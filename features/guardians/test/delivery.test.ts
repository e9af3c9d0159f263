import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { enqueueDue } from '#features/digest/model.ts'
import { told } from '#features/new-posts/test/new-post-scene.ts'
import {
  type NotificationKind as AnyKind,
  CHANGED_EVENT,
  type eventKinds,
  type reminderKinds,
  type TaskKind,
} from '#features/notifications/contract.ts'
import { ageMember } from '#tests/absent-members.ts'
import { createGroup, sendToGroup, spyOnBroadcasts } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { type Dialect, dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { startPushService } from '#tests/push-service.ts'
import { connectSubscribed, messagesArrived } from '#tests/sockets.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'
import { decideContact as decide, followAs, guardianScene, type Actor as Member } from './guardian-scene.ts'

vi.setConfig({ testTimeout: 60_000 })
afterEach(() => void vi.useRealTimers())

const THUMB = encodeURIComponent('👍')

async function succeed(answer: ReturnType<TestClient['post']>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}
const post = async (who: Member, text = 'Hello'): Promise<number> =>
  (await succeed(who.post('/api/posts', { text }))).post.id
const reply = async (who: Member, id: number, text = 'Hello'): Promise<number> =>
  (await succeed(who.post(`/api/posts/${id}/replies`, { text }))).reply.id

/** Kid and Uma are in a group of Ada, and Mum has decided about their contact. */
async function open(dialect: Dialect, state: 'allowed' | 'refused', env: Record<string, string> = {}) {
  const app = await guardianScene(dialect, { env })
  const { Ada, Kid, Uma, Ben, Mum } = app
  expect((await followAs(Uma, Kid)).status).toBe(403)
  await succeed(decide(Mum, Kid, Uma, state))
  await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
  const club = await createGroup(Ada, 'Club', Kid, Uma, Ben)
  return { ...app, club }
}
type Scene = Awaited<ReturnType<typeof open>>

interface Pair {
  from: Member
  to: Member
  /** The handle of `to`. */
  handle: string
}

/** Of reminders, features/acknowledgements/test tests that those kept apart are not asked. */
type Untested =
  | 'server'
  | 'new_member'
  | 'contact_allowed'
  | (typeof reminderKinds)[number]
  | (typeof eventKinds)[number]
  | TaskKind
type NotificationKind = Exclude<AnyKind, Untested>

/** What one member does to another, for each kind of notification. */
const acts: Record<NotificationKind, (scene: Scene, pair: Pair) => Promise<unknown>> = {
  like: async (_, { from, to }) => succeed(from.post(`/api/posts/${await post(to)}/like`)),
  reaction: async (_, { from, to }) => succeed(from.put(`/api/posts/${await post(to)}/reactions/${THUMB}`)),
  reply_reaction: async ({ Ada }, { from, to }) =>
    succeed(from.put(`/api/replies/${await reply(to, await post(Ada))}/reactions/${THUMB}`)),
  message_reaction: async ({ club }, { from, to }) => {
    const { id } = await sendToGroup(to, club, 'Hello')
    await succeed(from.put(`/api/chat-messages/${id}/reactions/${THUMB}`))
  },
  reply: async (_, { from, to }) => reply(from, await post(to)),
  quote: async ({ club }, { from, to }) => {
    const { id } = await sendToGroup(to, club, 'Hello')
    await sendToGroup(from, club, 'Look', { quotes_id: id })
  },
  mention: async ({ Ada }, { from, handle }) => {
    await post(from, `Hello @${handle}`)
    await reply(from, await post(Ada), `And @${handle}`)
  },
  group_mention: async ({ club }, { from, handle }) => sendToGroup(from, club, `Hey @${handle}`),
  // Refused with 403 after a refusal, as a first message is.
  follow: async (_, { from, to }) => followAs(from, to),
  group: async (_, { from, to }) => {
    const { group } = await succeed(from.post('/api/groups', { name: 'Own' }))
    return from.post(`/api/groups/${group.id}/add-user`, { user_id: to.id })
  },
  first_message: async (_, { from, to }) =>
    from.post('/api/send-private-message', { input: 'Hello', targetUserId: to.id }),
  announcement: async ({ Ada }, { from }) =>
    succeed(Ada.put(`/api/posts/${await post(from)}/pin`, { tell_everyone: true })),
  new_post: async ({ context }, { from, to }) => {
    await succeed(to.put(`/api/new-posts/people/${from.id}`))
    await post(from)
    await told(context.db)
  },
}
const kinds = Object.keys(acts) as NotificationKind[]

type Listed = { kind: NotificationKind; people: { id: number }[] }
const kindsNaming = async (who: Member, other: Member) =>
  ((await who.get('/api/notifications')).body as Listed[])
    .filter(({ people }) => people.some(({ id }) => id === other.id))
    .map(({ kind }) => kind)
const unreadOf = async (who: Member) => (await who.get('/api/notifications/unread')).body.count
const attemptsOf = async (guardian: Member, child: Member) =>
  (await guardian.get(`/api/guardian/children/${child.id}/attempts`)).body

/** Does all acts, and returns which kinds of notification came: live, and in the list. */
async function doAll(scene: Scene, pair: Pair) {
  const { from, to } = pair
  const { recorded, clear } = spyOnBroadcasts(scene)
  const live: NotificationKind[] = []
  for (const kind of kinds) {
    clear()
    await acts[kind](scene, pair)
    await scene.context.jobs.idle()
    if (kind === 'announcement') await eventually(async () => expect(await unreadOf(scene.Ben)).toBe(2))
    const heard = recorded(CHANGED_EVENT).filter(
      ({ to: channels, data }) =>
        channels.includes(`presence-user.${to.id}`) && !(data as { is_only_read: boolean }).is_only_read,
    )
    if (heard.length) live.push(kind)
  }
  return { live: live.toSorted(), listed: (await kindsNaming(to, from)).toSorted() }
}

const toPair = ({ Kid, Uma }: Scene, by: 'person' | 'child'): Pair =>
  by === 'person' ? { from: Uma, to: Kid, handle: 'kid' } : { from: Kid, to: Uma, handle: 'uma' }

describe.each(dialectsInTurn())('the rule of delivery on %s', (dialect) => {
  test.each(['person', 'child'] as const)('brings every kind of act of the %s, if allowed', async (by) => {
    const scene = await open(dialect, 'allowed')
    const all = kinds.toSorted()
    const { live, listed } = await doAll(scene, toPair(scene, by))
    expect(live).toEqual(all)
    expect(listed).toEqual(all.flatMap((kind) => (kind === 'mention' ? [kind, kind] : [kind])).toSorted())
    expect(await attemptsOf(scene.Mum, scene.Kid)).toEqual([])
  })

  test.each(['person', 'child'] as const)('brings no act of the %s after a refusal', async (by) => {
    const scene = await open(dialect, 'refused')
    const pair = toPair(scene, by)
    expect(await doAll(scene, pair)).toEqual({ live: [], listed: [] })
    const attempts = (await attemptsOf(scene.Mum, scene.Kid)) as { by: string; kind: NotificationKind }[]
    const own = attempts.filter((attempt) => attempt.by === by)
    // What is announced to everyone, and a new post, is aimed at nobody, and a first message without a follow is refused to
    // everybody, so these are no attempts.
    expect(own.map(({ kind }) => kind).toSorted()).toEqual(
      kinds.filter((kind) => !['announcement', 'new_post', 'first_message'].includes(kind)).toSorted(),
    )
    expect(own.find(({ kind }) => kind === 'mention')).toEqual({
      ...{ person: expect.objectContaining({ name: 'Uma' }), by, kind: 'mention', count: 2 },
      last_at: expect.any(String),
    })
    expect(JSON.stringify(attempts)).not.toMatch(/Hello|Hey|Look/)
    expect((await scene.Uma.get(`/api/guardian/children/${scene.Kid.id}/attempts`)).status).toBe(404)
  })

  test('hides what came before the refusal, and shows it again when the refusal is taken back', async () => {
    const scene = await open(dialect, 'allowed')
    const { Kid, Uma, Ben, Mum } = scene
    const own = await post(Kid)
    for (const who of [Uma, Ben]) await reply(who, own)
    await reply(Kid, await post(Uma))
    const read = async () => ({
      kid: await kindsNaming(Kid, Uma),
      uma: await kindsNaming(Uma, Kid),
      ben: await kindsNaming(Kid, Ben),
      unread: [await unreadOf(Kid), await unreadOf(Uma)],
    })
    const before = await read()
    expect(before).toMatchObject({ kid: ['reply'], uma: ['reply'], ben: ['reply'] })
    const { recorded } = spyOnBroadcasts(scene)
    await succeed(decide(Mum, Kid, Uma, 'refused', 'allowed'))
    expect(await read()).toMatchObject({ kid: [], uma: [], ben: ['reply'] })
    const told = recorded(CHANGED_EVENT).flatMap(({ to }) => to)
    expect(told.toSorted()).toEqual([Kid, Uma].map(({ id }) => `presence-user.${id}`).toSorted())
    await succeed(decide(Mum, Kid, Uma, 'allowed', 'refused'))
    expect(await read()).toEqual(before)
  })

  test('keeps posts and replies out of lists and live events, but not out of a common group', async () => {
    const { Kid, Uma, Ben, club, url, subscribeAs, realtime } = await open(dialect, 'refused')
    const connect = async (who: Member) => {
      const client = await connectSubscribed(url, 'posts')
      for (const name of [`presence-user.${who.id}`, `private-group-chat.${club}`])
        await subscribeAs(who, name, client)
      return client
    }
    const [kid, ben] = [await connect(Kid), await connect(Ben)]
    const own = await post(Kid, 'Of Kid')
    await reply(Uma, own, 'Of Uma')
    const other = await post(Uma, 'Of Uma')
    await sendToGroup(Uma, club, 'Of Uma to all')
    realtime.broadcast(['posts'], 'Last', {})
    for (const client of [kid, ben]) await client.nextMessage('Last')
    await messagesArrived(kid, ben)
    const heard = ({ inbox }: typeof kid) =>
      inbox.filter(({ data }) => JSON.stringify(data).includes('Of Uma')).map(({ event }) => event)
    expect([...new Set(heard(kid))]).toEqual(['GroupMessageSent'])
    expect([...new Set(heard(ben))].toSorted()).toEqual(['GroupMessageSent', 'PostCreated', 'ReplyCreated'])
    for (const path of ['/api/posts', `/api/posts/${own}/replies`, `/api/latest-replies?posts=${own}`]) {
      expect(JSON.stringify((await Kid.get(path)).body), path).not.toContain('Of Uma')
      expect(JSON.stringify((await Ben.get(path)).body), path).toContain('Of Uma')
    }
    expect((await Kid.get(`/api/posts/${other}`)).status).toBe(200)
    expect(JSON.stringify((await Kid.get(`/api/group-messages/${club}`)).body)).toContain('Of Uma to all')
  })

  test('holds back push messages, also of a group', async () => {
    const service = await startPushService()
    const scene = await open(dialect, 'refused', { PUSH_LOCAL_SERVICE: service.origin })
    const { Kid, Uma, Ben, club } = scene
    const browser = service.createBrowser()
    await succeed(Kid.post('/api/push/devices', browser.subscription))
    await doAll(scene, toPair(scene, 'person'))
    await sendToGroup(Uma, club, 'Push of Uma')
    await sendToGroup(Ben, club, 'Push of Ben')
    await acts.like(scene, { from: Ben, to: Kid, handle: 'kid' })
    const bodies = () => service.receivedAt(browser.path).map((sent) => browser.decrypt(sent))
    await eventually(() => expect(JSON.stringify(bodies())).toMatch(/Push of Ben/))
    await eventually(() => expect(JSON.stringify(bodies())).toMatch(/Ben liked your post/))
    expect(JSON.stringify(bodies())).not.toContain('Uma')
  })

  test('holds back the digest by mail', async () => {
    const server = await startMailServer()
    onTestFinished(server.close)
    const scene = await open(dialect, 'allowed', { SMTP_URL: server.url })
    const { Kid, Uma, Ben, Mum, context, db } = scene
    await verifyAllEmails(scene)
    const own = await post(Kid)
    for (const who of [Uma, Ben]) await reply(who, own)
    await succeed(decide(Mum, Kid, Uma, 'refused', 'allowed'))
    await reply(Uma, own)
    await ageMember(db, Kid.id, 9)
    await enqueueDue(context)
    await context.jobs.idle()
    const texts = server.mails.filter(({ to }) => to?.[0]?.address === 'kid@engawa.example')
    const digest = texts.map(({ text }) => text).join()
    expect(digest).toContain('Ben')
    expect(digest).not.toContain('Uma')
  })

  test('counts refused messages and follows as attempts', async () => {
    const { Kid, Uma, Mum } = await guardianScene(dialect)
    await followAs(Uma, Kid)
    await succeed(decide(Mum, Kid, Uma, 'allowed'))
    for (const who of [Uma, Kid]) await succeed(followAs(who, who === Uma ? Kid : Uma))
    const hello = { input: 'Hello', targetUserId: Kid.id }
    await succeed(Uma.post('/api/send-private-message', hello))
    await succeed(Kid.post('/api/send-private-message', { ...hello, targetUserId: Uma.id }))
    await succeed(decide(Mum, Kid, Uma, 'refused', 'allowed'))
    for (const [from, to] of [
      [Uma, Kid],
      [Kid, Uma],
    ] as const) {
      expect((await followAs(from, to)).status).toBe(403)
      const message = { input: 'Hello', targetUserId: to.id }
      for (const _ of [1, 2]) expect((await from.post('/api/send-private-message', message)).status).toBe(403)
    }
    const attempts = (await attemptsOf(Mum, Kid)) as { by: string; kind: string; count: number }[]
    expect(attempts.map(({ by, kind, count }) => `${by} ${kind} ${count}`).toSorted()).toEqual([
      ...['child first_message 2', 'child follow 1', 'person first_message 2', 'person follow 1'],
    ])
  })

  test('ends with the mark of the child', async () => {
    const scene = await open(dialect, 'refused')
    const { Ada, Kid, Uma } = scene
    await acts.like(scene, { from: Uma, to: Kid, handle: 'kid' })
    expect(await kindsNaming(Kid, Uma)).toEqual([])
    await succeed(Ada.delete(`/api/admin/users/${Kid.id}/child`))
    await acts.like(scene, { from: Uma, to: Kid, handle: 'kid' })
    expect(await kindsNaming(Kid, Uma)).toEqual(['like'])
  })
})

describe.each(dialectsInTurn())('a guardian on %s', (dialect) => {
  test('confirms who they are to allow a contact or take a refusal back, and not to refuse', async () => {
    const { Kid, Uma, Ben, Mum } = await guardianScene(dialect)
    for (const who of [Uma, Ben]) await followAs(who, Kid)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    expect((await decide(Mum, Kid, Uma, 'allowed')).status).toBe(423)
    expect((await decide(Mum, Kid, Uma, 'refused')).status).toBe(200)
    expect((await decide(Mum, Kid, Uma, 'allowed', 'refused')).status).toBe(423)
    expect((await decide(Ben, Kid, Uma, 'allowed', 'refused')).status).toBe(404)
    expect((await followAs(Uma, Kid)).status).toBe(403)
    await succeed(Mum.post('/api/account/confirm', { password: 'correct horse' }))
    expect((await decide(Mum, Kid, Uma, 'allowed', 'refused')).status).toBe(200)
    expect((await followAs(Uma, Kid)).status).toBe(200)
  })
})
