import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { allContracts, featureModules } from '#app.ts'
import type { ChannelDefinition, Endpoint } from '#core/contract.ts'
import { currentIsoTime } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { toSessionDigest } from '#core/realtime/authorisation.ts'
import { insertPasskey } from '#features/account/passkeys.ts'
import { endSession, insertSession } from '#features/people/sessions.ts'
import { createFormData, type Dialect, dialects, type TestClient } from '#tests/harness.ts'
import { createFourColourPicture, createUploadFile } from '#tests/pictures.ts'
import { connectClient, startRealtimeTestApp } from '#tests/sockets.ts'

vi.setConfig({ testTimeout: 300_000 })

/**
 * The response status of each endpoint for each role. A `stranger` is a member without a relation to the row.
 * An `insider` has one: follows its owner, talks with them, or is in the group. The `owner` owns it. The
 * `admin` is neither insider nor owner. `nothing` is an admin with an id that does not exist.
 */
const rights = `
call                                   about          visitor  stranger insider  owner    admin    nothing
realtime.authorise                 -              401      200      200      200      200      -
realtime.authoriseByLaravelName        -              401      200      200      200      200      -
realtime.authoriseUser                 -              401      200      200      200      200      -
people.token                           -              204      204      204      204      204      -
setup.state                            -              200      200      200      200      200      -
registration.register                  -              200      200      200      200      200      -
people.logOut                          -              401      204      204      204      204      -
people.me                              -              401      200      200      200      200      -
people.verify                          link           200      200      200      200      200      403
people.sendVerification                -              401      200      200      200      200      -
people.profile                         -              401      200      200      200      200      -
people.saveProfile                     -              401      200      200      200      200      -
people.saveProfileImage                -              401      200      200      200      200      -
people.users                           -              401      200      200      200      200      -
people.followings                      -              401      200      200      200      200      -
people.followedUsers                   -              401      200      200      200      200      -
people.followers                       person         401      200      200      200      200      404
people.following                       person         401      200      200      200      200      404
people.follow                          person         401      200      200      422      200      404
people.unfollow                        person         401      200      200      200      200      200
account.logIn                          -              204      204      204      204      204      -
account.forgotPassword                 -              200      200      200      200      200      -
account.resetPassword                  -              422      422      422      422      422      -
account.confirm                        -              401      204      204      204      204      -
account.changePassword                 -              401      200      200      200      200      -
account.pendingEmail                   -              401      200      200      200      200      -
account.changeEmail                    -              401      200      200      200      200      -
account.cancelEmailChange              -              401      204      204      204      204      -
account.verifyEmailChange              -              403      403      403      403      403      -
account.undoEmailChange                -              403      403      403      403      403      -
account.sessions                       -              401      200      200      200      200      -
account.endSession                     session        401      404      404      204      404      404
account.endOtherSessions               -              401      200      200      200      200      -
account.recoveryCodes                  -              401      200      200      200      200      -
account.createRecoveryCodes            -              401      200      200      200      200      -
account.securityEvents                 -              401      200      200      200      200      -
secondStep.challenge                   -              422      422      422      422      422      -
secondStep.state                       -              401      200      200      200      200      -
secondStep.start                       -              401      200      200      200      200      -
secondStep.confirm                     -              401      422      422      422      422      -
secondStep.remove                      -              401      204      204      204      204      -
passkeys.list                          -              401      200      200      200      200      -
passkeys.registrationOptions           -              401      200      200      200      200      -
passkeys.register                      -              401      422      422      422      422      -
passkeys.rename                        passkey        401      404      404      200      404      404
passkeys.remove                        passkey        401      404      404      204      404      404
passkeys.logInOptions                  -              200      200      200      200      200      -
passkeys.logIn                         -              422      422      422      422      422      -
passkeys.confirmOptions                -              401      200      200      200      200      -
passkeys.confirm                       -              401      422      422      422      422      -
deletion.state                         -              401      200      200      200      200      -
deletion.request                       -              401      200      200      200      200      -
deletion.keep                          -              401      204      204      204      204      -
posts.list                             -              200      200      200      200      200      -
posts.following                        -              401      200      200      200      200      -
posts.create                           -              401      201      201      201      201      -
posts.show                             post           200      200      200      200      200      404
posts.remove                           post           401      403      403      200      200      404
posts.author                           person         401      200      200      200      200      404
posts.byAuthor                         person         401      200      200      200      200      200
posts.firstSteps                       -              401      200      200      200      200      -
posts.likers                           post           401      200      200      200      200      404
posts.toggleLike                       post           401      200      200      200      200      404
posts.like                             post           401      200      200      200      200      404
posts.unlike                           post           401      200      200      200      200      404
chat.conversations                     -              401      200      200      200      200      -
chat.privateChat                       chat           401      403      200      200      403      404
chat.readPrivate                       chat           401      403      200      200      403      404
chat.privateMessages                   chat           401      403      200      200      403      404
chat.sendPrivate                       chat           401      403      200      200      403      404
chat.groupMessages                     group          401      403      200      200      403      403
chat.sendGroup                         group          401      403      200      200      403      403
chat.edit                              message        401      404      404      200      404      404
chat.edit                              group-message  401      404      404      200      404      404
chat.remove                            message        401      404      404      200      404      404
chat.remove                            group-message  401      404      404      200      404      404
chat.unread                            -              401      200      200      200      200      -
groups.mine                            -              401      200      200      200      200      -
groups.show                            group          401      403      200      200      403      403
groups.members                         group          401      403      200      200      403      403
groups.read                            group          401      403      200      200      403      403
groups.leave                           group          401      403      200      200      403      403
groups.create                          -              401      403      403      403      201      -
groups.rename                          group          401      403      403      403      200      404
groups.remove                          group          401      403      403      403      200      404
groups.addUser                         group          401      403      403      403      200      404
groups.removeMember                    group          401      403      403      403      200      404
admin.users                            -              401      403      403      403      200      -
admin.verificationLink                 person         401      403      403      403      200      404
admin.grant                            person         401      403      403      403      200      404
admin.revoke                           person         401      403      403      403      200      404
admin.suspend                          person         401      403      403      403      200      404
admin.unsuspend                        person         401      403      403      403      200      404
admin.resetCode                        person         401      403      403      403      200      404
admin.remove                           person         401      403      403      403      200      404
admin.keep                             person         401      403      403      403      200      404
groups.all                             -              401      403      403      403      200      -
admin.removeSecondStep                 person         401      403      403      403      200      404
admin.facts                            -              401      403      403      403      200      -
admin.settings                         -              401      403      403      403      200      -
admin.saveSettings                     -              401      403      403      403      200      -
export.state                           -              401      200      200      200      200      -
export.request                         -              401      200      200      200      200      -
export.remove                          -              401      204      204      204      204      -
export.archive                         -              401      404      404      404      404      -
shop.product                           product        200      200      200      200      200      404
shop.add                               product        401      200      200      200      200      404
shop.change                            product        401      200      200      200      200      404
shop.remove                            product        401      200      200      200      200      404
shop.cart                              -              401      200      200      200      200      -
publicChat.send                        -              200      200      200      200      200      -
`
/** The status of `/my-broadcast-auth` for each channel and role, or `open` for public channels. */
const channelRights = `
channel                                about          visitor  stranger insider  owner    admin
private-chat.:smaller.:larger          chat           401      403      200      200      403
private-group-chat.:group              group          401      403      200      200      403
presence-group-chat.:group             group          401      403      200      200      403
presence-user.:user                    person         401      403      403      200      403
presence-here                          -              401      200      200      200      200
posts                                  -              open     open     open     open     open
chat                                   -              open     open     open     open     open
`

const roles = ['visitor', 'stranger', 'insider', 'owner', 'admin'] as const
type Role = (typeof roles)[number]

const linesOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/).join(' '))
/** Returns the first two words of each line of a table, without the line of column names. */
const rowsOf = (table: string) =>
  linesOf(table)
    .slice(1)
    .map((line) => line.split(' ') as [string, string])

const endpoints = Object.fromEntries(
  Object.entries(allContracts).flatMap(([feature, contract]) =>
    Object.entries(contract).map(([name, endpoint]) => [`${feature}.${name}`, endpoint as Endpoint]),
  ),
)

const NOBODY = 999_999

async function scene(dialect: Dialect) {
  const context = await startRealtimeTestApp({ dialect })
  // Hundreds of requests need not be synced to disk.
  if (dialect === 'sqlite') await sql`pragma synchronous = off`.execute(context.db)
  const { founder, admin, stranger, insider, owner, newcomer } = await context.members(
    'founder',
    'admin',
    'stranger',
    'insider',
    'owner',
    'newcomer',
  )
  await founder.put(`/api/admin/users/${admin.id}/admin`)
  const visitor = context.visitor()
  await visitor.get('/sanctum/csrf-cookie')
  const actors: Record<Role, TestClient & { id?: number }> = { visitor, stranger, insider, owner, admin }
  const jars = new Map(Object.values(actors).map((actor) => [actor, new Map(actor.jar)]))
  const picture = await createFourColourPicture().png().toBuffer()
  let count = 0

  /** Resets the sessions, follows and rights of all roles to those of the start. */
  const restore = () =>
    transaction(context.db, async (tx) => {
      await sql`delete from suspensions`.execute(tx)
      await sql`delete from account_deletions`.execute(tx)
      await sql`delete from follows`.execute(tx)
      await sql`delete from admins where user_id not in (${founder.id}, ${admin.id})`.execute(tx)
      await sql`insert into follows (follower_id, followed_id, created_at) values (${insider.id}, ${owner.id}, ${currentIsoTime()})`.execute(
        tx,
      )
      for (const [{ id, jar }, before] of jars) {
        for (const [name, value] of before) jar.set(name, value)
        if (!id) continue
        await endSession(tx, context.context.realtime, jar.get('engawa_session')!)
        await insertSession(tx, id, jar.get('engawa_session')!)
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
  const insertOwnPasskey = () =>
    transaction(context.db, async (tx) => {
      const key = { credential_id: `key ${++count}`, public_key: '', counter: 0, transports: '' }
      return (await insertPasskey(tx, { ...key, user_id: owner.id, name: 'Phone' })).id
    })
  await restore()
  await expectSuccess(insider.post('/api/send-private-message', { targetUserId: owner.id, input: 'hello' }))

  /**
   * A function for each value in the column `about`. It creates the row that a request is about, and returns
   * the fields of the request.
   */
  const things: Record<string, (role: Role) => Promise<object> | object> = {
    '-': () => ({ email: `new${++count}@engawa.example` }),
    person: () => ({ id: owner.id }),
    product: () => ({ id: 1, productId: 1 }),
    session: () => ({ id: toSessionDigest(owner.jar.get('engawa_session')!) }),
    passkey: async () => ({ id: await insertOwnPasskey() }),
    post: async () => ({ id: (await expectSuccess(owner.post('/api/posts', { text: 'mine' }))).post.id }),
    chat: (role) => {
      const { id } = role === 'owner' ? insider : owner
      return { id, targetUserId: id }
    },
    group: async () => {
      const id = await club()
      return { id, group_id: id, user_id: newcomer.id, user: insider.id }
    },
    message: () => sendMessage('/api/send-private-message', { targetUserId: insider.id, input: 'mine' }),
    'group-message': async () =>
      sendMessage('/api/group-messages/send', { group_id: await club(), message: 'mine' }),
    link: async () => {
      const { pathname, searchParams } = new URL(
        (await expectSuccess(admin.get(`/api/admin/users/${owner.id}/verification-link`))).link,
      )
      const [id, hash] = pathname.split('/').slice(-2)
      return { id, hash, ...Object.fromEntries(searchParams) }
    },
  }
  const nothing = { id: NOBODY, productId: NOBODY, targetUserId: NOBODY, group_id: NOBODY }
  const words = {
    text: 'x',
    message: 'x',
    messages: 'keep',
    input: 'x',
    name: 'x',
    last_read_id: 1,
    quantity: 1,
    socket_id: '1.1',
    channel_name: 'presence-here',
  }
  const account = (role: Role) => ({
    email: `${role === 'visitor' ? 'owner' : role}@engawa.example`,
    password: 'correct horse',
    current_password: 'correct horse',
    password_confirmation: 'correct horse',
  })

  return {
    async outcome(call: string, about: string, role: Role | 'nothing') {
      await restore()
      const who = role === 'nothing' ? 'admin' : role
      const { path, method, options } = endpoints[call]!
      const fields: Record<string, unknown> = {
        ...words,
        ...account(who),
        ...(await things[about]!(who)),
        ...(role === 'nothing' && nothing),
      }
      if (call === 'account.logIn') Object.assign(fields, account(who))
      const url = path.replace(/:(\w+)/g, (_, name: string) => String(fields[name]))
      const query = about === 'link' ? `?expires=${fields.expires}&signature=${fields.signature}` : ''
      const body = options.files?.image
        ? createFormData({}, { image: [createUploadFile(picture, 'me.png')] })
        : fields
      const { status } = await actors[who].send(method, url + query, method === 'GET' ? undefined : body)
      return status
    },
    /**
     * Subscribes to a channel with the server's signature. If the server refuses to sign, subscribes without
     * it: a private channel must refuse this too.
     */
    async listen(name: string, role: Role) {
      await restore()
      const parts: Record<string, number> = {
        smaller: insider.id,
        larger: owner.id,
        user: owner.id,
        group: name.includes('group') ? await club() : 0,
      }
      const channel = name.replace(/:(\w+)/g, (_, part: string) => String(parts[part]))
      const client = await connectClient(context.url)
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

const channels = featureModules.flatMap((module): ChannelDefinition[] => Object.values(module.channels ?? {}))

test('every endpoint and every channel is in the tables', () => {
  const firsts = (table: string) => [...new Set(rowsOf(table).map(([first]) => first))].sort()
  expect(firsts(rights)).toEqual(Object.keys(endpoints).sort())
  expect(firsts(channelRights)).toEqual(channels.map(({ name }) => name).sort())
})

describe.each(dialects)('permissions on %s', (dialect) => {
  test('are those of the table of endpoints', async () => {
    const { outcome } = await scene(dialect)
    const found = linesOf(rights).slice(0, 1)
    for (const [call, about] of rowsOf(rights)) {
      const line: unknown[] = [call, about]
      for (const role of roles) line.push(await outcome(call, about, role))
      found.push([...line, about === '-' ? '-' : await outcome(call, about, 'nothing')].join(' '))
    }
    expect(found).toEqual(linesOf(rights))
  })

  test('are those of the table of channels', async () => {
    const { listen } = await scene(dialect)
    const found = linesOf(channelRights).slice(0, 1)
    for (const [name, about] of rowsOf(channelRights)) {
      const line: unknown[] = [name, about]
      for (const role of roles) line.push(await listen(name, role))
      found.push(line.join(' '))
    }
    expect(found).toEqual(linesOf(channelRights))
  })
})
