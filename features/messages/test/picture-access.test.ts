import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { withoutRoles } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { createMediaAccess } from '#core/media/guards.ts'
import { chatMigrations } from '#features/conversations/tables.ts'
import { type ConversationKind, conversationKinds, conversationScene } from '#tests/conversations.ts'
import {
  databases,
  formData,
  readRows,
  storageKinds,
  type TestAppOptions,
  type TestClient,
} from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

const cases = databases.flatMap((dialect) =>
  conversationKinds.flatMap((kind) =>
    storageKinds
      .filter((store) => store === 'folder' || dialect === 'sqlite')
      .map((store) => ({ dialect, kind, store })),
  ),
)
const picture = async () => uploadFile(await fourColours(700, 350).png().toBuffer(), 'a.png')

/**
 * Creates a conversation with a picture that ann has sent. dan is an admin who is not in the conversation.
 */
async function withPicture(
  dialect: (typeof databases)[number],
  kind: ConversationKind,
  options: TestAppOptions = {},
) {
  const testApp = await conversationScene(dialect, kind, options)
  const { ann, trySendPictures } = testApp
  const { dan } = await testApp.members('dan')
  expect((await ann.put(`/api/admin/users/${dan.id}/admin`)).status).toBe(200)
  const { message } = (await trySendPictures(ann, [await picture()])).body
  const image = message.images[0]
  const files: string[] = [
    image.path,
    image.full,
    ...image.srcset.split(', ').map((one: string) => one.split(' ')[0]),
  ]
  /** Requests all files of the picture as `who`. Returns the response statuses, each only once. */
  const statuses = async (who: TestClient, headers: Record<string, string> = {}) => [
    ...new Set(await Promise.all(files.map(async (file) => (await who.get(file, headers)).status))),
  ]
  return {
    ...testApp,
    storage: testApp.files,
    dan,
    id: message.id as number,
    path: image.path as string,
    statuses,
  }
}

describe.each(cases)('a picture of a $kind message on $dialect in a $store', ({ dialect, kind, store }) => {
  const open = () => withPicture(dialect, kind, { storage: store })

  test('is readable only by those who may read the message', async () => {
    const { ann, ben, eve, dan, visitor, path, statuses } = await open()
    for (const who of [ann, ben]) expect(await statuses(who)).toEqual([200])
    for (const who of [eve, dan, visitor()]) expect(await statuses(who)).toEqual([404])
    expect((await eve.send('HEAD', path)).status).toBe(404)
    expect((await eve.get(path, { range: 'bytes=0-9' })).status).toBe(404)
    const [refused, none] = [await eve.get(path), await eve.get(`/media/${'0'.repeat(40)}-320.webp`)]
    expect(refused.body).toEqual(none.body)
    expect(refused.headers['cache-control']).toBe('no-store')
  })

  test('is cached privately by the browser and revalidated each time', async () => {
    const { ann, ben, eve, visitor, path } = await open()
    const whole = await ben.get(path)
    const headers = {
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-site',
      vary: expect.stringMatching(/cookie/i),
    }
    expect(whole).toMatchObject({ status: 200, headers: { ...headers, 'content-type': 'image/webp' } })
    const known = { 'if-none-match': String(whole.headers.etag) }
    expect(await ben.get(path, known)).toMatchObject({ status: 304, headers })
    expect(await ann.send('HEAD', path)).toMatchObject({ status: 200, headers })
    expect(await ann.get(path, { range: 'bytes=0-9' })).toMatchObject({ status: 206, headers })
    for (const who of [eve, visitor()]) {
      expect((await who.get(path, known)).status).toBe(404)
      expect((await who.get(path, { 'if-none-match': '*' })).status).toBe(404)
    }
  })

  test('is not readable after its message was deleted, even while its files still exist', async () => {
    const { ann, ben, dan, deleteMessage, storage, id, path } = await open()
    const name = path.split('/').at(-1)!
    const bytes = (await storage.read(name))!
    const etag = String((await ben.get(path)).headers.etag)
    expect((await deleteMessage(ann, id)).status).toBe(200)
    await storage.write(name, bytes)
    for (const who of [ann, ben, dan])
      expect((await who.get(path, { 'if-none-match': etag })).status).toBe(404)
  })

  test('is not readable by suspended members', async () => {
    const { ann, ben, statuses } = await open()
    expect((await ann.put(`/api/admin/users/${ben.id}/suspension`)).status).toBe(200)
    expect(await statuses(ben)).toEqual([404])
    expect(await statuses(ann)).toEqual([200])
  })
})

describe.each(databases)('a picture of a message on %s', (dialect) => {
  test('is not readable by a removed member, and readable again when they are added again', async () => {
    const { ann, ben, group, path, statuses } = await withPicture(dialect, 'group')
    const etag = String((await ben.get(path)).headers.etag)
    expect((await ann.delete(`/api/groups/${group}/members/${ben.id}`)).status).toBe(200)
    expect(await statuses(ben)).toEqual([404])
    expect(await statuses(ben, { 'if-none-match': etag })).toEqual([404])
    expect((await ann.post(`/api/groups/${group}/add-user`, { user_id: ben.id })).status).toBe(200)
    expect(await statuses(ben)).toEqual([200])
    expect((await ben.get(path, { 'if-none-match': etag })).status).toBe(304)
  })

  test('is not readable by somebody who can open private chats with both people', async () => {
    const { ann, ben, eve, statuses, trySendPictures } = await withPicture(dialect, 'private')
    for (const who of [ann, ben]) {
      await eve.post(`/api/follow/${who.id}`)
      await who.post(`/api/follow/${eve.id}`)
    }
    await eve.post('/api/send-private-message', { input: 'Hello', targetUserId: ann.id })
    expect(await statuses(eve)).toEqual([404])
    expect((await trySendPictures(ben, [await picture()])).status).toBe(200)
    expect(await statuses(eve)).toEqual([404])
  })

  test('is not readable by a participant who has lost access to the chat', async () => {
    const { ann, ben, statuses } = await withPicture(dialect, 'private')
    // ben has sent no message to ann, so she can read the chat only as long as she follows ben.
    expect((await ann.delete(`/api/unfollow/${ben.id}`)).status).toBe(200)
    expect((await ann.get(`/api/messages/${ben.id}`)).status).toBe(403)
    expect(await statuses(ann)).toEqual([404])
    expect(await statuses(ben)).toEqual([200])
  })

  test('is not readable by anybody when its feature does not run', async () => {
    const { ann, context, path } = await withPicture(dialect, 'group')
    const name = path.slice('/media/'.length, -'-700.webp'.length)
    const { me } = withoutRoles(context, ann.id)
    const access = createMediaAccess(context, [])
    expect(await access.isPublic(name)).toBe(false)
    expect(await access.mayRead(me, name)).toBe(false)
    expect(await createMediaAccess(context, [{}, { message: async () => true }]).mayRead(me, name)).toBe(true)
  })

  test('from an old release gets its guard by the migration; pictures of posts stay public', async () => {
    const { ann, ben, eve, visitor, db, statuses } = await withPicture(dialect, 'group')
    const { post } = (await ann.post('/api/posts', formData({}, { 'images[]': [await picture()] }))).body
    await transaction(db, (tx) => sql`update media set guard = null`.execute(tx))
    const rename = (from: string, to: string) =>
      transaction(db, (tx) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx))
    await rename('message_attachments', 'message_images')
    for (const statement of chatMigrations['chat 2']!({ name: dialect, id: '' }))
      await transaction(db, (tx) => sql.raw(String(statement)).execute(tx))
    await rename('message_images', 'message_attachments')
    const guards = (await readRows(db, 'media')).map(({ guard }) => guard)
    expect(guards.sort()).toEqual(['message', null])
    expect(await statuses(ben)).toEqual([200])
    expect(await statuses(eve)).toEqual([404])
    expect(await visitor().get(post.images[0].path)).toMatchObject({
      status: 200,
      headers: { 'cache-control': expect.stringContaining('immutable') },
    })
  })
})
