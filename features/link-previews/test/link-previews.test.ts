import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { community } from '#features/reactions/test/reaction-scene.ts'
import { sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { connectSubscribed } from '#tests/sockets.ts'
import { jsonOfExport, makeExport } from '../../export/test/exports.ts'
import { newPost, newReply } from '../../replies/test/reply-scene.ts'
import { cleanUp } from '../jobs.ts'
import * as model from '../model.ts'
import { htmlSite, startSites } from './sites.ts'

const kinds = {
  post: { path: '/api/posts', list: 'posts' },
  reply: { path: '/api/replies', list: 'replies' },
  message: { path: '/api/chat-messages', list: 'messages' },
} as const
type Subject = keyof typeof kinds

/**
 * Reads the preview of a text as this reader. Returns null if the text has no preview, undefined if the
 * reader may not see the text.
 */
async function readPreview(reader: TestClient, subject: Subject, id: number) {
  const { list } = kinds[subject]
  const { status, body } = await reader.get(`/api/link-previews?${list}=${id}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body[list][id]
}
const removePreview = async (who: TestClient, subject: Subject, id: number) =>
  (await who.delete(`${kinds[subject].path}/${id}/link-preview`)).status

const link = 'http://site.example/page'
const shown = (user_id: number) => ({
  ...{ user_id, url: link, host: 'site.example', site: 'Site', title: 'Title', description: 'Description' },
})

/**
 * Starts the same app as the tests of reactions, with fake websites, and with link previews switched on
 * unless the test wants them off.
 */
async function open(dialect: Dialect, link_previews = true) {
  const sites = await startSites()
  sites.answer(
    'site.example/page',
    htmlSite(`<title>Title</title><meta name="description" content="Description">
      <meta property="og:site_name" content="Site">`),
  )
  sites.answer('other.example/', htmlSite('<title>Other</title>'))
  const app = await community(dialect, { publicNetwork: sites.network })
  const save = (value: unknown) => app.Admin.send('PATCH', '/api/admin/settings', { link_previews: value })
  if (link_previews) expect((await save(true)).status).toBe(200)
  /** Waits until no job that visits a page is unfinished. */
  const settle = () =>
    eventually(async () => {
      const jobs = (await readRows(app.db, 'jobs')) as {
        kind: string
        finished_at: string | null
      }[]
      const waiting = jobs.filter(({ kind, finished_at }) => kind === 'link_preview' && finished_at === null)
      expect(waiting).toEqual([])
    })
  return { ...app, post: app.post.id, sites, save, settle }
}

describe.each(dialectsInTurn())('link previews on %s', (dialect) => {
  test('are off at first: the server visits nothing, and admins switch them on and off', async () => {
    const { Ann, Ben, sites, save, settle, db } = await open(dialect, false)
    const page = async () => (await Ann.get('/', { accept: 'text/html' })).body
    expect(await page()).not.toContain('linkPreviews')
    const before = await newPost(Ann, { text: link })
    expect(await readRows(db, 'link_previews')).toEqual([])
    expect(await readPreview(Ben, 'post', before)).toBeUndefined()
    expect((await Ben.send('PATCH', '/api/admin/settings', { link_previews: true })).status).toBe(403)
    for (const wrong of ['true', 1, null]) expect((await save(wrong)).status).toBe(422)
    expect(sites.lookups).toEqual([])

    await save(true)
    expect(await page()).toContain('"linkPreviews":true')
    const after = await newPost(Ann, { text: link })
    await settle()
    expect(await readPreview(Ben, 'post', after)).toEqual(shown(Ann.id))
    expect(await readPreview(Ben, 'post', before)).toBeNull()

    await save(false)
    expect(await readPreview(Ben, 'post', after)).toBeUndefined()
    await newPost(Ann, { text: 'http://other.example/' })
    // A preview that is waiting for its visit when previews are switched off is deleted by its job.
    await transaction(db, async (tx) => {
      await tx.updateTable('link_previews').set({ site_name: null, title: null, description: null }).execute()
      const [row] = (await readRows(tx, 'link_previews')) as { id: number }[]
      await enqueueJob(tx, 'link_preview', { preview: Number(row!.id) })
    })
    await settle()
    expect(await readRows(db, 'link_previews')).toEqual([])
    expect(sites.lookups).toEqual(['site.example'])
  })

  test('are below posts, replies and messages, and come live to their viewers', async () => {
    const { Ann, Ben, Cleo, Dan, group, post, url, subscribeAs, settle } = await open(dialect)
    const posts = await connectSubscribed(url, 'posts')
    const room = await subscribeAs(Cleo, `private-group-chat.${group}`)
    const subjects = [
      ['post', await newPost(Ann, { text: `See ${link}.` }), Dan],
      ['reply', (await newReply(Ann, post, link)).id, Dan],
      ['message', (await sendToGroup(Ann, group, link)).id, Cleo],
      ['message', (await sendPrivate(Ann, Ben, link)).id, Ben],
    ] as const
    await settle()
    for (const [subject, id, reader] of subjects)
      expect(await readPreview(reader, subject, id), subject).toEqual(shown(Ann.id))
    const event = (subject: string, subject_id: number) => ({
      data: { subject, subject_id, preview: shown(Ann.id) },
    })
    await eventually(() => expect(posts.received('LinkPreviewChanged')).toHaveLength(2))
    expect(posts.received('LinkPreviewChanged')).toEqual(
      expect.arrayContaining(
        subjects.slice(0, 2).map(([subject, id]) => expect.objectContaining(event(subject, id))),
      ),
    )
    await eventually(() => expect(room.received('LinkPreviewChanged')).toHaveLength(1))
    expect(room.received('LinkPreviewChanged')[0]).toMatchObject(event('message', subjects[2][1]))
  })

  test('follow the visibility of their texts', async () => {
    const { Ann, Ben, Cleo, Dan, Admin, stranger, group, url, settle } = await open(dialect)
    const posts = await connectSubscribed(url, 'posts')
    const forFollowers = await newPost(Ann, { text: link, audience: 'followers' })
    const message = (await sendToGroup(Ann, group, link)).id
    const privateMessage = (await sendPrivate(Ann, Ben, link)).id
    const forEveryone = await newPost(Ann, { text: link })
    await settle()
    const table: [Subject, number, TestClient[], TestClient[]][] = [
      ['post', forEveryone, [Ann, Dan, stranger], []],
      ['post', forFollowers, [Ann, Ben], [Dan, Admin, stranger]],
      ['message', message, [Ann, Cleo], [Dan, stranger]],
      ['message', privateMessage, [Ann, Ben], [Cleo, Admin, stranger]],
    ]
    for (const [subject, id, readers, others] of table) {
      for (const who of readers) expect(await readPreview(who, subject, id)).toEqual(shown(Ann.id))
      for (const who of others) expect(await readPreview(who, subject, id)).toBeUndefined()
    }
    // A visitor gets only the event about the post whose audience is everybody.
    await eventually(() => expect(posts.received('LinkPreviewChanged')).not.toEqual([]))
    await posts.sync()
    expect(posts.received('LinkPreviewChanged').map(({ data }) => data.subject_id)).toEqual([forEveryone])
    await Dan.post(`/api/users/${Ann.id}/block`)
    expect(await readPreview(Dan, 'post', forEveryone)).toBeUndefined()
    await Admin.delete(`/api/groups/${group}/members/${Cleo.id}`)
    expect(await readPreview(Cleo, 'message', message)).toBeUndefined()
    await Admin.send('PATCH', '/api/admin/settings', { who_can_read: 'members' })
    expect((await stranger.get(`/api/link-previews?posts=${forEveryone}`)).status).toBe(401)
  })

  test('are removed by the author for good, and by nobody else', async () => {
    const { Ann, Ben, Dan, Admin, post, url, settle, sites, stranger } = await open(dialect)
    const posts = await connectSubscribed(url, 'posts')
    const own = await newPost(Ann, { text: link })
    const reply = (await newReply(Ann, post, link)).id
    const message = (await sendPrivate(Ann, Ben, link)).id
    await settle()
    for (const [subject, id] of [
      ['post', own],
      ['reply', reply],
      ['message', message],
    ] as const) {
      expect(await removePreview(stranger, subject, id)).toBe(401)
      expect(await removePreview(Ben, subject, id)).toBe(403)
      for (const who of [Dan, Admin])
        expect(await removePreview(who, subject, id)).toBe(subject === 'message' ? 404 : 403)
      expect(await readPreview(Ben, subject, id)).toEqual(shown(Ann.id))
      for (let times = 0; times < 2; times++) expect(await removePreview(Ann, subject, id)).toBe(204)
      expect(await readPreview(Ben, subject, id)).toBeNull()
    }
    expect(await removePreview(Ann, 'post', 999_999)).toBe(404)
    await eventually(() =>
      expect(posts.received('LinkPreviewChanged').filter(({ data }) => data.preview === null)).toHaveLength(
        2,
      ),
    )
    await Ann.put(`/api/posts/${own}`, { text: `Again ${link}` })
    await settle()
    expect(await readPreview(Ben, 'post', own)).toBeNull()
    expect(sites.requests).toHaveLength(1)
  })

  test('change with an edit, and go with the link or the text', async () => {
    const { Ann, Ben, url, db, settle, post } = await open(dialect)
    const posts = await connectSubscribed(url, 'posts')
    const own = await newPost(Ann, { text: link })
    const reply = (await newReply(Ann, post, link)).id
    const message = (await sendPrivate(Ann, Ben, link)).id
    await settle()
    await Ann.put(`/api/posts/${own}`, { text: `${link} and http://other.example/` })
    expect(await readPreview(Ben, 'post', own)).toEqual(shown(Ann.id))
    const texts = [
      ['post', own, 'text', `/api/posts/${own}`],
      ['reply', reply, 'text', `/api/replies/${reply}`],
      ['message', message, 'message', `/api/chat-messages/${message}`],
    ] as const
    for (const [subject, id, field, path] of texts) {
      expect((await Ann.put(path, { [field]: 'Now http://other.example/' })).status).toBe(200)
      await settle()
      expect(await readPreview(Ben, subject, id), subject).toMatchObject({ title: 'Other' })
      expect((await Ann.put(path, { [field]: 'No link' })).status).toBe(200)
      expect(await readPreview(Ben, subject, id), subject).toBeNull()
      await Ann.put(path, { [field]: link })
      await settle()
      expect((await Ann.delete(path)).status).toBeLessThan(300)
      expect(await readPreview(Ben, subject, id), subject).toBeUndefined()
    }
    expect(await readRows(db, 'link_previews')).toEqual([])
    await eventually(() =>
      expect(posts.received('LinkPreviewChanged').filter(({ data }) => data.preview === null).length).toBe(4),
    )
  })

  test('share one visit for a link, until what was found expires', async () => {
    const { Ann, Ben, sites, settle, db } = await open(dialect)
    const ids = [await newPost(Ann, { text: link }), await newPost(Ben, { text: `${link}#part` })]
    await settle()
    expect(sites.requests).toHaveLength(1)
    for (const id of ids) expect(await readPreview(Ann, 'post', id)).toMatchObject({ title: 'Title' })
    sites.answer('site.example/page', htmlSite('<title>New</title>'))
    await transaction(db, (tx) => tx.updateTable('link_pages').set({ expires_at: '2000-01-01' }).execute())
    const later = await newPost(Ann, { text: link })
    await settle()
    expect(await readPreview(Ann, 'post', later)).toMatchObject({ title: 'New' })
    expect(await readPreview(Ann, 'post', ids[0]!)).toMatchObject({ title: 'Title' })
  })

  test('of pages that fail are not shown, and the failure is remembered', async () => {
    const { Ann, sites, settle, db } = await open(dialect)
    sites.name('inside.example', ['10.0.0.1'])
    const texts = ['http://inside.example/', 'http://site.example/nothing', 'http://site.example/nothing']
    for (const text of texts) {
      const id = await newPost(Ann, { text })
      await settle()
      expect(await readPreview(Ann, 'post', id)).toBeNull()
    }
    expect(sites.connections).toHaveLength(1)
    expect(await readRows(db, 'link_previews')).toEqual([])
    expect(await readRows(db, 'link_pages')).toMatchObject([{ title: null }, { title: null }])
  })

  test('of one member do not wait in large numbers', async () => {
    const { Ann, sites, db } = await open(dialect)
    sites.answer('slow.example/', () => {})
    for (let count = 0; count < model.MAX_WAITING + 3; count++)
      await newPost(Ann, { text: `http://slow.example/?${count}` })
    expect((await readRows(db, 'link_previews')).length).toBeLessThanOrEqual(model.MAX_WAITING)
    // Only one page of a host is visited at a time.
    expect(sites.requests.length).toBeLessThanOrEqual(2)
  })

  test('are cleaned up: expired results, too many results, and previews that wait in vain', async () => {
    const { Ann, settle, db } = await open(dialect)
    const id = await newPost(Ann, { text: link })
    await newPost(Ann, { text: 'http://other.example/' })
    await settle()
    await cleanUp(db)
    expect(await readRows(db, 'link_pages')).toHaveLength(2)
    await cleanUp(db, { maxPages: 1 })
    expect(await readRows(db, 'link_pages')).toHaveLength(1)
    await transaction(db, (tx) => tx.updateTable('link_pages').set({ expires_at: '2000-01-01' }).execute())
    await transaction(db, (tx) =>
      tx
        .updateTable('link_previews')
        .set({ title: null, created_at: '2000-01-01' })
        .where('post_id', '!=', id)
        .execute(),
    )
    await cleanUp(db)
    expect(await readRows(db, 'link_pages')).toEqual([])
    expect(await readRows(db, 'link_previews')).toMatchObject([{ post_id: id }])
    expect(await readPreview(Ann, 'post', id)).toEqual(shown(Ann.id))
  })

  test('are in the archive of the member, and go with a deleted account', async () => {
    const { Ann, Ben, context, settle, db } = await open(dialect)
    const post = await newPost(Ann, { text: link })
    const message = (await sendPrivate(Ann, Ben, link)).id
    await newPost(Ben, { text: link })
    await settle()
    const { files } = await makeExport(Ann)
    expect(jsonOfExport(files, 'data/link-previews.json')).toEqual([
      expect.objectContaining({ message_id: message, title: 'Title' }),
      expect.objectContaining({ post_id: post, url: link, description: 'Description' }),
    ])
    await transaction(db, (tx) =>
      deleteMember(context, tx, { id: Ann.id, keep_messages: true }).then(() => undefined),
    )
    const left = await readPreview(Ben, 'message', message)
    expect(left).toMatchObject({ title: 'Title' })
    expect(left.user_id).not.toBe(Ann.id)
    expect(await readRows(db, 'link_previews')).toHaveLength(2)
  })
})
