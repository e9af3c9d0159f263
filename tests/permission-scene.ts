import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { apiContracts } from '#app.ts'
import { withoutRoles } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { hashSession } from '#core/realtime/authorisation.ts'
import type { ServedEndpoint } from '#core/schemas.ts'
import * as passkeys from '#features/account/passkeys.ts'
import { createReport } from '#features/moderation/reports.ts'
import * as announcers from '#features/people/announcers.ts'
import * as sessions from '#features/people/sessions.ts'
import { saveCommunity, saveWhoCanJoin } from '#features/registration/test/registrations.ts'
import { startFor } from '#features/roll-calls/test/started.ts'
import { ageConfirmations } from '#tests/account-security.ts'
import { emptiedTables } from '#tests/emptied-tables.ts'
import { type Dialect, formData, type TestClient } from '#tests/harness.ts'
import { askToJoin, waitingRequests } from '#tests/join-requests.ts'
import { albumThings } from '#tests/permission-albums.ts'
import { eventThings } from '#tests/permission-events.ts'
import { openGroupThings } from '#tests/permission-open-groups.ts'
import { pollThings } from '#tests/permission-polls.ts'
import { scheduledThings } from '#tests/permission-scheduled.ts'
import type { TableRole } from '#tests/permission-tables.ts'
import { turnThings } from '#tests/permission-turns.ts'
import { words } from '#tests/permission-words.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { createPushSubscription } from '#tests/push-subscription.ts'
import { connectPusher, realtimeApp } from '#tests/sockets.ts'

/** All endpoints, by their call name `feature.name`. */
export const callableEndpoints = Object.fromEntries(
  Object.entries(apiContracts).flatMap(([feature, contract]) =>
    Object.entries(contract).map(([name, endpoint]) => [`${feature}.${name}`, endpoint as ServedEndpoint]),
  ),
)

const NOBODY = 999_999
/**
 * Starts a test app with a member for each role of the tables. Returns functions that send the request of an
 * endpoint, or subscribe to a channel, as one of the roles. This function is long, because it is a list of
 * small steps that share the members and rows of its beginning.
 */
export async function permissionScene(dialect: Dialect) {
  const context = await realtimeApp({ dialect })
  // Turns off SQLite's syncing to disk, which would slow down hundreds of requests.
  if (dialect === 'sqlite') await sql`pragma synchronous = off`.execute(context.db)
  const people = await context.members('founder', 'admin', 'stranger', 'insider', 'owner', 'newcomer')
  const { founder, admin, stranger, insider, owner, newcomer } = people
  await founder.put(`/api/admin/users/${admin.id}/admin`)
  const visitor = context.visitor()
  await visitor.get('/sanctum/csrf-cookie')
  const actors: Record<TableRole, TestClient & { id?: number }> = {
    visitor,
    stranger,
    insider,
    owner,
    admin,
  }
  const jars = new Map(Object.values(actors).map((actor) => [actor, new Map(actor.jar)]))
  const picture = await fourColours().png().toBuffer()
  let count = 0

  /**
   * Restores the sessions and admin rights of all roles, and makes the insider follow the owner. Empties the
   * tables that requests change. All of this is needed because an earlier request may have changed it.
   */
  const restore = () =>
    transaction(context.db, async (tx) => {
      // PostgreSQL gets all statements in one query, which saves most of the time of this test.
      const deletions = emptiedTables.map((table) => `delete from ${table}`)
      for (const text of dialect === 'postgres' ? [`do $$ begin ${deletions.join('; ')}; end $$`] : deletions)
        await sql.raw(text).execute(tx)
      await sql`delete from admins where user_id not in (${founder.id}, ${admin.id})`.execute(tx)
      const follow = { follower_id: insider.id, followed_id: owner.id, created_at: isoNow() }
      await tx.insertInto('follows').values(follow).execute()
      for (const [{ id, jar }, before] of jars) {
        for (const [name, value] of before) jar.set(name, value)
        if (!id) continue
        await sessions.end(tx, context.context.realtime, jar.get('engawa_session')!)
        await sessions.add(tx, id, jar.get('engawa_session')!)
      }
    })

  const expectSuccess = async (answer: ReturnType<TestClient['post']>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body
  }
  const club = async () => {
    const { group } = await expectSuccess(founder.post('/api/groups', { name: 'Club' }))
    for (const { id } of [insider, owner])
      await expectSuccess(founder.post(`/api/groups/${group.id}/add-user`, { user_id: id }))
    return group.id as number
  }
  const sendMessage = async (path: string, fields: object) => ({
    id: (await expectSuccess(owner.post(path, fields))).message.id,
  })
  const sendToInsider = () =>
    sendMessage('/api/send-private-message', { targetUserId: insider.id, input: 'mine' })
  const insertOwnPasskey = () =>
    transaction(context.db, async (tx) => {
      const key = { credential_id: `key ${++count}`, public_key: '', counter: 0, transports: '' }
      return (await passkeys.add(tx, { ...key, user_id: owner.id, name: 'Phone' })).id
    })
  /**
   * Marks the newcomer as a child whose guardian is the owner, and adds a contact request of the insider
   * that nobody has decided. Returns the fields of requests about this child.
   */
  const insertChildOfOwner = async () => {
    const [ends_on, now] = ['2090-01-01', isoNow()]
    await transaction(context.db, async (tx) => {
      await sql`insert into children (user_id, ends_on, created_at) values (${newcomer.id}, ${ends_on}, ${now})`.execute(
        tx,
      )
      await sql`insert into guardians (child_id, guardian_id, created_at)
        values (${newcomer.id}, ${owner.id}, ${now})`.execute(tx)
      await sql`insert into child_contacts (child_id, person_id, state, asked_at)
        values (${newcomer.id}, ${insider.id}, 'requested', ${now})`.execute(tx)
    })
    const decision = { person: insider.id, state: 'allowed', known_state: 'requested' }
    const mark = { guardians: ['owner'], ends_on: `${new Date().getFullYear() + 5}-01-01` }
    return { id: newcomer.id, ...decision, ...mark }
  }
  /** Lets another member report a new post of the owner, and returns the id of the moderation case. */
  const openCase = async () => {
    const { post } = await expectSuccess(owner.post('/api/posts', { text: 'mine' }))
    // Not by the endpoint, whose rate limit would count the reports for all lines of `endpointTable`.
    const reporter = withoutRoles(context.context, newcomer.id)
    await createReport(reporter, { kind: 'post', id: post.id, reason: 'spam', note: null })
    return { id: (await expectSuccess(admin.get('/api/moderation/cases')))[0].id as number }
  }
  await restore()
  await expectSuccess(insider.post('/api/send-private-message', { targetUserId: owner.id, input: 'hello' }))

  /**
   * Maps each value of the table column `about` to a function. The function creates the thing that the
   * request is about, and returns the fields of the request.
   */
  const things: Record<string, (role: TableRole) => Promise<object> | object> = {
    '-': () => ({ email: `new${++count}@engawa.example` }),
    person: () => ({ id: owner.id }),
    event: () => ({ last_event_id: 1 }),
    'post-on-page': () => ({ post_id: 1, last_event_id: 1 }),
    notification: async () => {
      const { post } = await expectSuccess(owner.post('/api/posts', { text: 'mine' }))
      await expectSuccess(insider.post(`/api/posts/${post.id}/like`))
      return { id: (await expectSuccess(owner.get('/api/notifications')))[0].id }
    },
    product: () => ({ id: 1, productId: 1 }),
    subscription: () => createPushSubscription(++count),
    device: async () => ({
      id: (await expectSuccess(owner.post('/api/push/devices', createPushSubscription(++count)))).id,
    }),
    session: () => ({ id: hashSession(owner.jar.get('engawa_session')!) }),
    invitation: async () => {
      const { invitation } = await expectSuccess(admin.post('/api/admin/invitations', { max_uses: 1 }))
      return { id: invitation.id }
    },
    'own-invitation': async () => {
      await saveCommunity(context, { who_can_invite: 'members' })
      const { id } = (await expectSuccess(owner.post('/api/invitations', { max_uses: 1 }))).invitation
      await saveCommunity(context, { who_can_invite: 'admins' })
      return { id }
    },
    'join-request': async () => {
      await saveWhoCanJoin(context, 'approval')
      await askToJoin(context, `Person ${++count}`, {
        email: `person${count}@engawa.example`,
      })
      await saveWhoCanJoin(context, 'open')
      return { id: (await waitingRequests(admin))[0]!.id }
    },
    'member-list': async () => {
      await expectSuccess(admin.post('/api/admin/member-lists', { key: `list ${++count}`, rows: words.rows }))
      const [list] = await expectSuccess(admin.get('/api/admin/member-lists'))
      return { id: list.id }
    },
    awaited: async () => {
      const list = { key: `list ${++count}`, rows: words.rows }
      const { cards } = await expectSuccess(admin.post('/api/admin/member-lists', list))
      return { id: cards[0].user_id }
    },
    passkey: async () => ({ id: await insertOwnPasskey() }),
    report: () => ({ kind: 'member', reason: 'spam', id: owner.id }),
    handle: () => ({ handle: 'owner' }),
    moderator: async () => {
      await expectSuccess(admin.post('/api/moderators', { handle: 'owner' }))
      return { id: owner.id }
    },
    case: async () => ({ ...(await openCase()), action: 'dismiss', note: 'x' }),
    child: () => insertChildOfOwner(),
    'roll-call': () => startFor(context, founder, owner.id),
    notice: async () => {
      const { id } = await openCase()
      await expectSuccess(admin.post(`/api/moderation/cases/${id}/decisions`, { action: 'warn', note: 'x' }))
      return { id: (await expectSuccess(owner.get('/api/account/notices')))[0].id }
    },
    ...albumThings(owner),
    ...pollThings(owner, club),
    ...openGroupThings(founder, newcomer, club),
    ...turnThings(admin, club),
    ...eventThings(owner, club),
    ...scheduledThings(owner, club),
    post: async () => ({ id: (await expectSuccess(owner.post('/api/posts', { text: 'mine' }))).post.id }),
    'asking-post': async () => {
      const { post } = await expectSuccess(owner.post('/api/posts', { text: 'mine' }))
      const request = { post_id: post.id, user_id: owner.id, created_at: isoNow() }
      await transaction(context.db, async (tx) => {
        await announcers.grant(tx, owner.id, admin.id)
        await tx.insertInto('acknowledgement_requests').values(request).execute()
      })
      return { id: post.id, for: undefined }
    },
    reply: async () => {
      const { post } = await expectSuccess(insider.post('/api/posts', { text: 'theirs' }))
      return {
        id: (await expectSuccess(owner.post(`/api/posts/${post.id}/replies`, { text: 'mine' }))).reply.id,
      }
    },
    chat: (role) => {
      const { id } = role === 'owner' ? insider : owner
      return { id, targetUserId: id }
    },
    group: async () => {
      const id = await club()
      return { id, group_id: id, user_id: newcomer.id, user: insider.id }
    },
    'group-member': async () => ({ id: await club(), user_id: insider.id }),
    message: () => sendToInsider(),
    'group-message': async () =>
      sendMessage('/api/group-messages/send', { group_id: await club(), message: 'mine' }),
    'to-group': async () => ({ ...(await sendToInsider()), group_id: await club() }),
    'to-person': async (role) => ({
      ...(await sendMessage('/api/group-messages/send', { group_id: await club(), message: 'mine' })),
      user_id: role === 'owner' ? insider.id : owner.id,
    }),
    'to-other-group': async () => {
      const { group } = await expectSuccess(founder.post('/api/groups', { name: 'Other' }))
      return { ...(await sendToInsider()), group_id: group.id }
    },
    link: async () => {
      const { pathname, searchParams } = new URL(
        (await expectSuccess(admin.get(`/api/admin/users/${owner.id}/verification-link`))).link,
      )
      const [id, hash] = pathname.split('/').slice(-2)
      return { id, hash, ...Object.fromEntries(searchParams) }
    },
  }
  const nothing = {
    id: NOBODY,
    productId: NOBODY,
    targetUserId: NOBODY,
    group_id: NOBODY,
    lines: [{ group: NOBODY, name: 'x' }],
  }
  const account = (role: TableRole) => ({
    email: `${role === 'visitor' ? 'owner' : role}@engawa.example`,
    password: 'correct horse',
    current_password: 'correct horse',
    password_confirmation: 'correct horse',
  })

  return {
    /** Returns the status. The role `thief` is the admin in a session that was confirmed long ago. */
    async outcome(call: string, about: string, role: TableRole | 'nothing' | 'thief') {
      await restore()
      const who = role === 'nothing' || role === 'thief' ? 'admin' : role
      const { path, method, options } = callableEndpoints[call]!
      const fields: Record<string, unknown> = {
        ...words,
        ...account(who),
        ...(await things[about]!(who)),
        ...(role === 'nothing' && nothing),
      }
      if (call === 'account.logIn') Object.assign(fields, account(who))
      const url = path.replace(/:(\w+)/g, (_, name: string) => String(fields[name]))
      const signed = `?expires=${fields.expires}&signature=${fields.signature}`
      const query = about === 'link' ? signed : (fields.query ?? '')
      const body = options.files?.image ? formData({}, { image: [uploadFile(picture, 'me.png')] }) : fields
      if (role === 'thief') await ageConfirmations(context.db)
      const { status } = await actors[who].send(method, url + query, method === 'GET' ? undefined : body)
      return status
    },
    /**
     * Subscribes to a channel: with a signature if the server signs the subscription, otherwise without one.
     * Returns `open` if the subscription succeeds without a signature, `shut` if it fails with one, and
     * otherwise the response status of the request for the signature.
     */
    async listen(name: string, role: TableRole) {
      await restore()
      const parts: Record<string, number> = {
        smaller: insider.id,
        larger: owner.id,
        user: owner.id,
        group: name.includes(':group') ? await club() : 0,
        call: name.includes('roll-call') ? (await startFor(context, founder, owner.id)).id : 0,
        album: name.includes('album') ? (await albumThings(owner).album()).id : 0,
      }
      const channel = name.replace(/:(\w+)/g, (_, part: string) => String(parts[part]))
      const client = await connectPusher(context.url)
      const { status, body } = await context.sign(actors[role], client.id, channel)
      client.subscribe(channel, status === 200 ? body : {})
      const verdict = await vi.waitUntil(
        () => client.inbox.find(({ event }) => /subscription_(succeeded|error)$/.test(event)),
        10_000,
      )
      const isIn = verdict.event === 'pusher_internal:subscription_succeeded'
      client.ws.close()
      return isIn === (status === 200) ? status : isIn ? 'open' : 'shut'
    },
  }
}
