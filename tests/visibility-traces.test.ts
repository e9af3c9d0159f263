import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { type Db, isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { remindersSent } from '#features/acknowledgements/test/acknowledgement-scene.ts'
import { makeExport } from '#features/export/test/exports.ts'
import { told } from '#features/new-posts/test/new-post-scene.ts'
import { kindSchema } from '#features/notifications/schemas.ts'
import { announced, pinAndTell } from '#features/notifications/test/announcement-helpers.ts'
import * as announcers from '#features/people/announcers.ts'
import { sendToGroup } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { databases, readRows } from '#tests/harness.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'
import { traceEvents } from './visibility-events.ts'
import { PAT_ID, type VisibilityScene, visibilityScene } from './visibility-scene.ts'
import { docTableRow, docTableRows, markedLines, type ViewerClient } from './visibility-tables.ts'

// Tests the tables of docs/visibility.md about searches, counts, notifications, archives and mails.

vi.setConfig({ testTimeout: 300_000 })

const NOTHING = '–'

/** Requests a path as a viewer, and returns the JSON of the response; null unless its status is 200. */
async function readJson(who: ViewerClient, path: string) {
  const { status, body } = await who.get(path)
  return status === 200 ? body : null
}

/**
 * Returns all people with an account who look for traces of Pat: the viewers, and the children that may have
 * contact with Pat.
 */
const listMembers = ({ viewers, allowedChildren }: VisibilityScene) =>
  [...Object.values(viewers), ...allowedChildren.map(({ who }) => who)].flatMap((who) =>
    who.id === undefined ? [] : [{ ...who, id: who.id }],
  )

/**
 * Makes Pat cause each kind of notification for each viewer, and write to the group that Pat shares with
 * viewers. Before, each viewer reads all notifications and messages. Returns the id of a new group of Pat and
 * the viewers.
 */
async function notifyViewers({ db, context, Pat, Founder, viewers, ...scene }: VisibilityScene) {
  const all = listMembers({ viewers, ...scene } as VisibilityScene)
  await transaction(db, (tx) => context.settings.save(tx, { who_can_create_groups: 'members' }))
  const { group } = (await Pat.post('/api/groups', { name: 'Lanterns' })).body
  const { post: founderPost } = (await Founder.post('/api/posts', { text: 'Lanterns' })).body
  const users = await db.selectFrom('users').select(['id', 'handle']).execute()
  const handles = new Map(users.map(({ id, handle }) => [id, handle]))
  for (const who of all) {
    await who.send('POST', '/api/notifications/read', { last_event_id: 1_000_000 })
    await who.send('PUT', `/api/groups/${scene.group}/read`, { last_read_id: scene.message })
    const { post } = (await who.post('/api/posts', { text: 'Hello' })).body
    await Pat.put(`/api/posts/${post.id}/like`)
    const { reply } = (await who.post(`/api/posts/${founderPost.id}/replies`, { text: 'Hello' })).body
    for (const path of [`posts/${post.id}`, `replies/${reply.id}`])
      await Pat.put(`/api/${path}/reactions/${encodeURIComponent('👍')}`)
    await Pat.post(`/api/posts/${post.id}/replies`, { text: 'words of that person' })
    await Pat.post(`/api/follow/${who.id}`)
    await who.put(`/api/new-posts/people/${PAT_ID}`)
    await Pat.post(`/api/groups/${group.id}/add-user`, { user_id: who.id })
    const mention = `@${handles.get(who.id)} words of that person`
    await Pat.post(`/api/posts/${founderPost.id}/replies`, { text: mention })
    // Skips the next requests if the viewer may not write to the new group: then there is no message of the
    // viewer that Pat can quote or react to.
    const own = await who.post('/api/group-messages/send', { group_id: group.id, message: 'Hello' })
    if (own.status === 200) {
      const { id } = own.body.message
      await sendToGroup(Pat, group.id, 'words of that person', { quotes_id: id })
      await Pat.put(`/api/chat-messages/${id}/reactions/${encodeURIComponent('👍')}`)
    }
    await sendToGroup(Pat, group.id, mention)
    await Pat.post('/api/send-private-message', { input: 'words of that person', targetUserId: who.id })
  }
  await Pat.post('/api/group-messages/send', { group_id: scene.group, message: 'words of that person' })
  await pinAndTell(Founder, scene.post)
  await announced(db)
  await insertRequests(db, [scene.post, scene.audiencePosts.members.id])
  await Pat.post(`/api/posts/${scene.post}/acknowledgement-reminders`)
  await Pat.post(`/api/posts/${scene.audiencePosts.members.id}/acknowledgement-reminders`, { urgent: true })
  await remindersSent(db)
  const extras = { poll: { kind: 'choice', options: ['Cake', 'Soup'] } }
  const { id: message } = await sendToGroup(Pat, group.id, 'words of that person', { extras })
  const { post } = (await Pat.post('/api/posts', { text: 'words of that person', extras })).body
  const { body: polls } = await Pat.get(`/api/polls?posts=${post.id}&messages=${message}`)
  for (const { id } of [polls.posts[post.id], polls.messages[message]])
    expect((await Pat.post(`/api/polls/${id}/reminders`)).status).toBe(200)
  await traceEvents({ Pat, Founder, context, viewers: all })
  await context.jobs.idle()
  await told(db)
  // Removes the viewer who is a child from the new group, because this group would otherwise allow the
  // contact with Pat.
  await Founder.delete(`/api/groups/${group.id}/members/${viewers.child.id}`)
  return group.id as number
}

/** Asks all members who have read these posts of Pat. */
const insertRequests = (db: Db, posts: readonly number[]) =>
  transaction(db, async (tx) => {
    await announcers.grant(tx, PAT_ID, PAT_ID)
    for (const post of posts) {
      await sql`insert into acknowledgement_requests (post_id, user_id, created_at)
        values (${post}, ${PAT_ID}, ${isoNow()})`.execute(tx)
      await sql`insert into acknowledgement_recipients (post_id, user_id)
        select ${sql.lit(post)}, id from users where former_since is null and id <> ${PAT_ID}`.execute(tx)
    }
  })

const searches = ['/api/users?q=Patricia', '/api/users?q=pat', '/api/admin/users?q=Patricia']

/**
 * Functions that read a count in a response as a viewer, by the name of the count in the table. Each returns
 * whether the count includes Pat, or the number of Pat's posts; null if the viewer gets no count.
 */
const counts: Record<string, (scene: VisibilityScene, who: ViewerClient) => Promise<unknown>> = {
  '`posts_count` of the person': async (_, who) => (await readJson(who, `/api/users/${PAT_ID}`))?.posts_count,
  '`followers_count` of somebody whom the person follows': async ({ viewers }, who) => {
    const profile = await readJson(who, `/api/users/${viewers.follower.id}`)
    return profile && Boolean(profile.followers_count)
  },
  '`following_count` of somebody who follows the person': async ({ viewers }, who) => {
    const profile = await readJson(who, `/api/users/${viewers.follower.id}`)
    return profile && Boolean(profile.following_count)
  },
  '`likes_count` of a post that the person likes': async ({ otherPost }, who) => {
    const post = await readJson(who, `/api/posts/${otherPost}`)
    return post && post.likes_count === 1
  },
  '`members_count` of a common group': async ({ group, Founder }, who) => {
    const own = await readJson(who, `/api/groups/${group}`)
    const all = await readJson(Founder, `/api/groups/${group}`)
    return own && own.members_count === all.members_count
  },
  'unread messages of the private chat': async (_, who) => {
    const unread = await readJson(who, '/api/unread')
    return unread && Boolean(unread.private[PAT_ID])
  },
  'unread messages of a common group': async ({ group }, who) => {
    const unread = await readJson(who, '/api/unread')
    return unread && Boolean(unread.groups[group])
  },
  'unread notifications': async (_, who) => {
    const unread = await readJson(who, '/api/notifications/unread')
    return unread && unread.count > 0
  },
}
const toCell = (value: unknown) =>
  typeof value === 'number' ? String(value) : value === true ? 'yes' : value === false ? 'no' : NOTHING

/**
 * Makes and downloads the archive of a viewer. Returns its files; null if the viewer cannot have an archive.
 */
async function readArchive(who: ViewerClient) {
  if ((await who.get('/api/user')).status !== 200) return null
  return (await makeExport(who)).files
}

/**
 * Returns the kind of a file in an archive: its path without `data/`, ids, page numbers and the extension;
 * `pictures` for a picture.
 */
const toDocumentKind = (path: string) =>
  path.startsWith('pictures/')
    ? 'pictures'
    : path
        .replace(/^data\//, '')
        .replace(/(-\d+)+(?=\.|\/|$)/g, '')
        .replace(/\.\w+$/, '')

/** Expects that no mail to another person contains a trace of Pat. */
async function expectNoTraceInMails(scene: VisibilityScene) {
  const addresses = ['keeper', 'parent'].map((name) => `${name}@engawa.example`)
  const mails = await eventually(async () => {
    const jobs = (await readRows(scene.db, 'jobs')).filter(({ kind, payload }) => kind === 'mail' && payload)
    const all = jobs.map(({ payload }) => String(payload))
    for (const address of addresses) expect(all.some((mail) => isGuardianMailTo(mail, address))).toBe(true)
    return all
  })
  for (const mail of mails.filter((mail) => !mail.includes('pat@engawa.example')))
    expect(scene.isTrace(mail), mail).toBe(false)
}

describe.each(databases)('what viewers learn of a person, on %s', (dialect) => {
  test('in searches, counts and notifications is that of docs/visibility.md, and in mails is nothing', async () => {
    const scene = await visibilityScene(dialect, { SMTP_URL: 'smtp://127.0.0.1:1' })
    await verifyAllEmails(scene)
    await notifyViewers(scene)
    await scene.hide()
    const found: Record<string, string[]> = { searches: [], counts: [], notifications: [] }
    for (const path of searches)
      found.searches!.push(
        await docTableRow(scene, `\`${path}\``, async (who) =>
          scene.isTrace(JSON.stringify(await readJson(who, path))) ? 'yes' : NOTHING,
        ),
      )
    for (const [name, read] of Object.entries(counts))
      found.counts!.push(await docTableRow(scene, name, async (who) => toCell(await read(scene, who))))
    for (const kind of kindSchema.options)
      found.notifications!.push(
        await docTableRow(scene, `\`${kind}\``, async (who) => {
          const all: { kind: string }[] = (await readJson(who, '/api/notifications?limit=50')) ?? []
          return scene.isTrace(JSON.stringify(all.filter((one) => one.kind === kind))) ? 'yes' : NOTHING
        }),
      )
    for (const table of Object.keys(found)) expect(found[table], table).toEqual(docTableRows(table))
    await expectNoTraceInMails(scene)
  })

  test('in archives is that of docs/visibility.md', async () => {
    const scene = await visibilityScene(dialect)
    await scene.hide()
    const archives = new Map<ViewerClient, Map<string, Buffer> | null>()
    const viewers = [...Object.values(scene.viewers), ...scene.allowedChildren.map(({ who }) => who)]
    for (const who of viewers) archives.set(who, await readArchive(who))
    const kinds = new Set(
      [...archives.values()].flatMap((files) => [...(files?.keys() ?? [])]).map(toDocumentKind),
    )
    const rows: string[] = []
    const silent: string[] = []
    for (const kind of [...kinds].sort()) {
      const row = await docTableRow(scene, `\`${kind}\``, (who) => {
        const files = [...(archives.get(who) ?? [])].filter(([path]) => toDocumentKind(path) === kind)
        const isNamed = files.some(([path, content]) =>
          scene.isTrace(kind === 'pictures' ? path : `${path} ${content}`),
        )
        return isNamed ? 'yes' : NOTHING
      })
      if (row.includes('yes')) rows.push(row)
      else silent.push(`- \`${kind}\``)
    }
    expect(rows).toEqual(docTableRows('archives'))
    expect(silent).toEqual(markedLines('silent archives'))
  })
})
const isGuardianMailTo = (mail: string, address: string) =>
  mail.includes(address) && mail.includes('/guardian')

test('docs/visibility.md has a row for each file that writes mails', () => {
  const root = join(import.meta.dirname, '..')
  const general = ['core/mail/template.ts', 'features/people/member-mails.ts']
  const files = ['features', 'core']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`),
    )
    .filter((path) => /\.ts$/.test(path) && !/\/test\/|\.test\.ts$/.test(path) && !general.includes(path))
    .filter((path) => /\b(renderMail|mailMember)\(/.test(readFileSync(join(root, path), 'utf8')))
  expect(docTableRows('mails').map((row) => row.split('`')[1])).toEqual(files.sort())
})
