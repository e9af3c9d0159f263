import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { type Actor, befriend, createGroup } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, formData, readRows } from '#tests/harness.ts'
import { fourColours, padWithZeros, uploadFile } from '#tests/pictures.ts'

const MB = 2 ** 20
const NO_ROOM =
  'There is no room for this: all your pictures and files together can have 50 MB. Delete posts or messages with pictures or files first.'

describe.each(dialectsInTurn())('the limits for the bytes of pictures on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const { ann, ben } = await app.members('ann', 'ben')
    const save = (change: object) => ann.send('PATCH', '/api/admin/settings', change)
    /** Changes the stored sizes of the member's pictures so that their sum is `bytes`. */
    const fillStorage = (owner: Actor, bytes: number) =>
      transaction(app.db, async (tx) => {
        const own = await tx.selectFrom('media').select('name').where('owner_id', '=', owner.id).execute()
        await tx
          .updateTable('media')
          .set({ bytes: Math.floor(bytes / own.length) })
          .where('owner_id', '=', owner.id)
          .execute()
      })
    return { ...app, ann, ben, save, fillStorage }
  }
  const picture = fourColours().jpeg().toBuffer()
  const file = async (bytes?: number) =>
    uploadFile(bytes ? padWithZeros(await picture, bytes) : await picture, 'sea.jpg')
  const post = async (who: Actor, bytes?: number) =>
    who.post('/api/posts', formData({ text: 'Look!' }, { 'images[]': [await file(bytes)] }))
  const setProfileImage = async (who: Actor, bytes?: number) =>
    who.post('/api/profile-image', formData({}, { image: [await file(bytes)] }))

  test('take only certain values, from admins, and are written into the log', async () => {
    const { ann, ben, save } = await open()
    for (const change of [
      { max_picture_mb: 11 },
      { max_picture_mb: 0 },
      { max_picture_mb: '5' },
      { max_member_storage_mb: 1 },
      { max_member_storage_mb: -50 },
      { max_member_storage_mb: null },
    ])
      expect((await save(change)).status, JSON.stringify(change)).toBe(422)
    for (const change of [{ max_picture_mb: 1 }, { max_member_storage_mb: 50 }])
      expect((await ben.send('PATCH', '/api/admin/settings', change)).status).toBe(403)
    expect((await save({ max_member_storage_mb: 50 })).status).toBe(200)
    expect((await ann.get('/api/audit-log')).body[0]).toMatchObject({ action: 'settings_changed' })
  })

  test('refuse a larger picture, and tell the browser the limit', async () => {
    const { ben, save, db } = await open()
    const page = async () => (await ben.get('/post', { accept: 'text/html' })).body
    expect(await page()).not.toContain('maxPictureMb')
    await save({ max_picture_mb: 1 })
    expect(await page()).toContain('"maxPictureMb":1')
    for (const answer of [await post(ben, MB + 1), await setProfileImage(ben, MB + 1)])
      expect(answer).toMatchObject({ status: 413, body: { message: 'sea.jpg is larger than 1 MB.' } })
    // The server refuses the whole request before it reads the body. The limit is one picture of 1 MB,
    // and 1 MB for the other fields; the message names only the limit of the pictures.
    expect((await setProfileImage(ben, 3 * MB)).body).toEqual({ message: 'The request is larger than 1 MB.' })
    expect(await readRows(db, 'media')).toEqual([])
    expect((await post(ben, MB)).status).toBe(201)
    expect((await setProfileImage(ben, MB)).status).toBe(200)
    await save({ max_picture_mb: 10 })
    expect((await post(ben, 6 * MB)).status).toBe(201)
  })

  test('are shown to the member, with what their pictures take', async () => {
    const { ben, save, fillStorage, visitor } = await open()
    expect((await ben.get('/api/account/storage')).body).toEqual({ bytes: 0, max_bytes: 2e9 })
    await post(ben)
    await fillStorage(ben, 60 * MB)
    expect((await ben.get('/api/account/storage')).body.bytes).toBeGreaterThanOrEqual(60 * MB)
    await save({ max_member_storage_mb: 0 })
    expect((await ben.get('/api/account/storage')).body.max_bytes).toBeNull()
    expect((await visitor().get('/api/account/storage')).status).toBe(401)
  })

  test('refuse new pictures of a member who has too many bytes, and delete nothing', async () => {
    const { ann, ben, save, fillStorage, db } = await open()
    await befriend(ann, ben)
    const group_id = String(await createGroup(ann, 'Club', ben))
    const { id } = (await post(ben)).body.post
    await fillStorage(ben, 60 * MB)
    expect((await post(ben)).status).toBe(201)
    await save({ max_member_storage_mb: 50 })
    const files = async () => ({ 'images[]': [await file()] })
    const to = { targetUserId: String(ann.id) }
    const refused = [
      await post(ben),
      await ben.post(`/api/posts/${id}/replies`, formData({ text: 'Look!' }, await files())),
      await ben.post('/api/send-private-message', formData(to, await files())),
      await ben.post('/api/group-messages/send', formData({ group_id }, await files())),
    ]
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 422, body: { message: NO_ROOM, errors: { images: [NO_ROOM] } } })
    expect((await setProfileImage(ben)).body).toMatchObject({ errors: { image: [NO_ROOM] } })
    expect(await readRows(db, 'messages')).toEqual([])
    expect(await readRows(db, 'pending_media')).toEqual([])
    expect(await readRows(db, 'posts')).toHaveLength(2)
    expect(await readRows(db, 'media')).toHaveLength(2)
    // The member can still send texts, and other members can still send pictures.
    expect((await ben.post('/api/posts', { text: 'No picture' })).status).toBe(201)
    expect((await post(ann)).status).toBe(201)
    expect((await ben.send('DELETE', `/api/posts/${id}`)).status).toBe(200)
    expect((await post(ben)).status).toBe(201)
  })

  test('count pictures of posts, messages and the profile, and not those that were removed', async () => {
    const { ann, ben, save, fillStorage } = await open()
    await befriend(ann, ben)
    await setProfileImage(ben)
    const form = formData({ targetUserId: String(ann.id) }, { 'images[]': [await file()] })
    const { id } = (await ben.post('/api/send-private-message', form)).body.message
    await fillStorage(ben, 50 * MB)
    await save({ max_member_storage_mb: 50 })
    // Each of Ben's two pictures has half of the allowed bytes. A new profile picture replaces one of them,
    // so it is allowed.
    expect((await post(ben)).status).toBe(422)
    expect((await setProfileImage(ben)).status).toBe(200)
    expect((await post(ben)).status).toBe(201)
    await fillStorage(ben, 51 * MB)
    expect((await post(ben)).status).toBe(422)
    expect((await ben.send('DELETE', `/api/chat-messages/${id}`)).status).toBe(200)
    expect((await post(ben)).status).toBe(201)
    await fillStorage(ben, 51 * MB)
    await save({ max_member_storage_mb: 0 })
    expect((await post(ben)).status).toBe(201)
  })

  test('hold for pictures that arrive at the same time', async () => {
    const { ben, save, fillStorage, db } = await open()
    await post(ben)
    const { bytes } = (await readRows(db, 'media'))[0]!
    await fillStorage(ben, 50e6 - Number(bytes) * 2)
    await save({ max_member_storage_mb: 50 })
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(ben)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422])
  })
})
