import { describe, expect, test, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { databases, type TestClient } from '#tests/harness.ts'
import { connectPusher, messagesArrived } from '#tests/sockets.ts'
import { readZip } from '#tests/zip.ts'
import { PAT_ID, type VisibilityScene, visibilityScene, visibleEndpoints } from './visibility-scene.ts'

vi.setConfig({ testTimeout: 300_000 })

/** An id that neither a member nor any other row has. */
const NOTHING = 888_888
/**
 * Matches the paths of the endpoints that are not in `calls`, because they are not about another
 * person: those for the own account and email address, for admins, for the shop, for groups, and for the
 * signatures of channel subscriptions.
 */
const notAboutPeople = /^\/(api\/(account|admin|products|cart|email|groups|group-messages)|my-broadcast)/

/**
 * The endpoints, by call name, whose path or input contains the id of a person, or of something that a person
 * has written.
 */
const calls = Object.entries(visibleEndpoints).filter(
  ([, { path, access }]) =>
    access !== 'admin' && !notAboutPeople.test(path) && (/:\w+/.test(path) || /private-message/.test(path)),
)
/** Returns the id to put into a path: that of Pat's post, reply or private message, or else Pat's own id. */
function idFor(path: string, { post, reply, privateMessages }: VisibilityScene) {
  if (/^\/api\/posts\//.test(path)) return post
  if (/^\/api\/replies\//.test(path)) return reply
  return /chat-messages/.test(path) ? privateMessages[1]! : PAT_ID
}

/**
 * Calls an endpoint with an id as `who`. Returns what a client can observe of the response: status, body, and
 * the headers with its length and links.
 */
async function callAbout(who: TestClient, name: string, id: number) {
  const { method, path } = visibleEndpoints[name]!
  const url = path.replace(/:\w+/g, String(id))
  const body = {
    targetUserId: id,
    input: 'Hello?',
    message: 'Hello?',
    text: 'Hello?',
    last_read_id: 1,
    user: id,
  }
  const answer = await who.send(method, url, method === 'GET' ? undefined : body)
  const { 'content-length': length, link } = answer.headers
  return { status: answer.status, body: answer.body, length, link }
}

const kinds = ['blocked by', 'blocking'] as const
type Kind = (typeof kinds)[number]
interface GroupCounts {
  members_count: number
  reads: { user_id: number }[]
}

/** Expects that a blocked person gets the same answers about Pat as about nobody. */
async function expectAnswersOfNobody(scene: VisibilityScene, kind: Kind) {
  const who = scene.viewers[kind]
  for (const [name, { path }] of calls) {
    // Skips the endpoints that block and unblock: a member who has blocked Pat may call them with Pat's id,
    // so their responses differ from those for an unused id.
    if (kind === 'blocking' && path === '/api/users/:id/block') continue
    const nobody = await callAbout(who, name, NOTHING)
    const found = await callAbout(who, name, idFor(path, scene))
    expect([name, found]).toEqual([name, nobody])
  }
  expect(calls.length).toBeGreaterThan(20)
}

/** Expects that Pat is in no count that a blocked person reads, after the group had the counts `before`. */
async function expectNoCount(scene: VisibilityScene, kind: Kind, before: GroupCounts) {
  const { Pat, viewers, group, Founder } = scene
  const who = viewers[kind]
  const read = async (path: string, viewer: TestClient = who) => (await viewer.get(path)).body
  expect(before.reads).toContainEqual({
    user_id: PAT_ID,
    last_read_id: expect.any(Number),
  })
  expect(await read(`/api/users/${who.id}`)).toMatchObject({ followers_count: 0, following_count: 0 })
  expect(await read('/api/followings')).toEqual([])
  expect((await read('/api/unread')).private).toEqual({})
  const after = await read(`/api/groups/${group}`)
  const others = before.reads.filter(({ user_id }: { user_id: number }) => user_id !== PAT_ID)
  // Expects three members less: Pat is hidden, and `hide` has deleted one member of the group and removed a
  // child from the group.
  expect(after).toMatchObject({ members_count: before.members_count - 3, reads: others })
  expect(await read(`/api/groups/${group}/members`)).toHaveLength(after.members_count)
  // Expects as `last_message` the last message of a person whom the viewer sees, not Pat's newer message.
  const [{ last_message, members_count }] = await read('/api/my-groups')
  expect([last_message.message, members_count]).toEqual(['Good morning', after.members_count])
  // Expects that the block also hides the viewer from Pat.
  expect(await read(`/api/users/${who.id}`, Pat)).toEqual({ message: 'There is no such user.' })
  expect((await read('/api/users', Pat)).map(({ id }: { id: number }) => id)).not.toContain(who.id)
  expect((await read('/api/users', Founder)).map(({ id }: { id: number }) => id)).toContain(who.id)
}

/** Expects that a group shows no message of Pat, but to the blocker a note that can be opened. */
async function expectNoMessage({ viewers, group, message }: VisibilityScene) {
  const list = `/api/group-messages/${group}`
  const blocked = (await viewers['blocked by'].get(list)).body
  expect(blocked.map((one: { message: string }) => one.message)).toEqual(['Good morning'])
  expect((await viewers['blocked by'].get(`/api/chat-messages/${message}`)).status).toBe(404)
  const blocking = (await viewers.blocking.get(list)).body
  expect(blocking[1]).toEqual({
    ...{ id: message, group_id: group, user_id: 0, message: '', images: [], is_blocked: true },
    ...{ client_id: null, edited_at: null, deleted_at: null, created_at: expect.any(String) },
    user: { id: 0, name: '', profile_image: null },
  })
  const { status, body } = await viewers.blocking.get(`/api/chat-messages/${message}`)
  expect([status, body.user.id, body.images.length, body.is_blocked]).toEqual([200, PAT_ID, 1, undefined])
  expect((await viewers.blocking.get(body.images[0].path)).status).toBe(200)
  // Expects that a member who is not in the group cannot read a message of the group with this endpoint.
  expect((await viewers.member.get(`/api/chat-messages/${message}`)).status).toBe(404)
}

async function expectNoTraceInArchives(scene: VisibilityScene) {
  const texts: string[] = []
  for (const kind of kinds) {
    const who = scene.viewers[kind]
    await who.post('/api/account/export')
    const isReady = async () => (await who.get('/api/account/export')).body.export.state === 'ready'
    await eventually(async () => expect(await isReady()).toBe(true))
    const files = readZip((await who.get('/api/account/export/archive')).raw)
    // Leaves out the file of the archive with the list of blocked people, which may name Pat.
    for (const [path, content] of files)
      if (!/^(data\/)?blocked\./.test(path)) texts.push(`${path}\n${content}`)
  }
  expect(texts.filter(scene.isTrace)).toEqual([])
  expect(texts.join()).toContain('Message of a person you blocked')
}

/** Expects that a block ends the subscriptions of both at once. */
async function expectLostSubscriptions(scene: VisibilityScene) {
  const { Pat, viewers, url, group, sign, subscribeAs } = scene
  const who = viewers['blocked by']
  const pair = `private-chat.${who.id}.${PAT_ID}`
  const names = ['presence-here', `presence-group-chat.${group}`, `private-group-chat.${group}`, pair]
  const connect = async (member: TestClient) => {
    const client = await connectPusher(url)
    for (const name of names) await subscribeAs(member, name, client)
    return client
  }
  const [anns, pats] = [await connect(who), await connect(Pat)]
  await messagesArrived(anns, pats)
  for (const { inbox } of [anns, pats]) inbox.length = 0
  await Pat.post(`/api/users/${who.id}/block`)
  for (const client of [anns, pats]) {
    const { channel, data } = await client.nextMessage('pusher:subscription_error')
    expect([channel, data.status]).toEqual([pair, 403])
    for (let lists = 0; lists < 2; lists++) {
      const { data } = await client.nextMessage('pusher_internal:subscription_succeeded')
      expect(data.presence.ids).toEqual([String(client === anns ? who.id : PAT_ID)])
    }
  }
  for (const channel of names.slice(1, 2)) anns.send('client-typing', {}, channel)
  await messagesArrived(anns, pats)
  expect(pats.received('client-typing')).toEqual([])
  expect((await sign(who, anns.id, pair)).status).toBe(403)
}

/** Expects that both leave the presence lists of each other, also without follows that end. */
async function expectLeftPresenceLists({ Pat, viewers, subscribeAs }: VisibilityScene) {
  const who = viewers['group member']
  const clients = [await subscribeAs(who, 'presence-here'), await subscribeAs(Pat, 'presence-here')] as const
  await messagesArrived(...clients)
  for (const { inbox } of clients) inbox.length = 0
  for (const change of [Pat.post, Pat.delete]) {
    await change(`/api/users/${who.id}/block`)
    for (const [index, id] of [who.id, PAT_ID].entries()) {
      const { data } = await clients[index]!.nextMessage('pusher_internal:subscription_succeeded')
      const expected = change === Pat.post ? [String(id)] : [String(who.id), String(PAT_ID)]
      expect(data.presence.ids.toSorted()).toEqual(expected.toSorted())
    }
  }
}

describe.each(databases)('a blocked person, on %s', (dialect) => {
  test('is in no count, no message and no archive, and gets the answers of nobody', async () => {
    const scene = await visibilityScene(dialect)
    const readGroup = async (kind: Kind) => (await scene.viewers[kind].get(`/api/groups/${scene.group}`)).body
    const before = { 'blocked by': await readGroup('blocked by'), blocking: await readGroup('blocking') }
    await scene.hide()
    for (const kind of kinds) await expectNoCount(scene, kind, before[kind])
    await expectNoMessage(scene)
    await expectNoTraceInArchives(scene)
    for (const kind of kinds) await expectAnswersOfNobody(scene, kind)
  })

  test('finds the private chat again after the block, with what was written before', async () => {
    const { viewers, Pat, hide } = await visibilityScene(dialect)
    const who = viewers['blocked by']
    const chat = `/api/messages/${PAT_ID}`
    const before = (await who.get(chat)).body
    await hide()
    for (const [one, other] of [
      [who, PAT_ID],
      [Pat, who.id!],
    ] as const) {
      expect((await one.get(`/api/messages/${other}`)).status).toBe(404)
      const sent = await one.post('/api/send-private-message', { input: 'Hello?', targetUserId: other })
      expect(sent.status).toBe(404)
      const open = (await one.get('/api/conversations')).body
      expect(open.map(({ user }: { user: { id: number } }) => user.id)).not.toContain(other)
    }
    await Pat.delete(`/api/users/${who.id}/block`)
    expect((await who.get(chat)).body).toEqual(before)
  })

  test('loses the subscriptions at the moment of the block', async () =>
    expectLostSubscriptions(await visibilityScene(dialect)))

  test('leaves presence lists at once, also without follows that end', async () =>
    expectLeftPresenceLists(await visibilityScene(dialect)))

  test('who is an admin still administrates', async () => {
    const { Pat, viewers, Founder, group } = await visibilityScene(dialect)
    const { admin } = viewers
    expect((await Pat.post(`/api/users/${admin.id}/block`)).status).toBe(200)
    expect((await admin.get(`/api/users/${PAT_ID}`)).status).toBe(404)
    const all = (await admin.get('/api/admin/users')).body.userData
    expect(all.map(({ id }: { id: number }) => id)).toContain(PAT_ID)
    expect((await admin.delete(`/api/groups/${group}/members/${PAT_ID}`)).status).toBe(200)
    const added = await admin.post(`/api/groups/${group}/add-user`, {
      user_id: PAT_ID,
    })
    expect(added.status).toBe(200)
    // Expects that the member Founder sees that the admin has added Pat to the group, although the admin does
    // not see Pat.
    const { changes } = (await Founder.get(`/api/groups/${group}`)).body
    expect(changes.at(-1)).toMatchObject({
      kind: 'added',
      actor: { id: admin.id },
      person: { id: PAT_ID },
    })
    expect((await admin.put(`/api/admin/users/${PAT_ID}/suspension`)).status).toBe(200)
    expect((await Pat.get('/api/user')).status).toBe(401)
  })
})
