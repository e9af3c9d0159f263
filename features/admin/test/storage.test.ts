import { describe, expect, test } from 'vitest'
import * as backupHistory from '#core/backup/history.ts'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { StorageUse } from '#features/admin/contract.ts'
import { createTestApp, dialectsInTurn, formData, readRows, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

const createPicture = async () => uploadFile(await fourColours().png().toBuffer(), 'a.png')
const readUse = async (admin: TestClient) => (await admin.get('/api/admin/storage')).body as StorageUse
const findKind = ({ kinds }: StorageUse, wanted: string) => kinds.find(({ kind }) => kind === wanted)

describe.each(dialectsInTurn())('the storage of a community on %s', (dialect) => {
  const open = () => createTestApp({ dialect })

  test('has no files at first, and is shown to admins only', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const use = await readUse(Ann)
    expect(use.kinds[0]).toEqual({ kind: 'database', bytes: expect.any(Number), files: null })
    expect(use.kinds[0]!.bytes).toBeGreaterThan(10_000)
    expect(use.kinds.map(({ kind }) => kind).sort()).toEqual([
      ...[
        'album_pictures',
        'archives',
        'backups',
        'chat_pictures',
        'database',
        'post_pictures',
        'profile_pictures',
      ],
      'reply_pictures',
    ])
    expect(use.kinds.slice(1).every(({ bytes, files }) => bytes === 0 && files === 0)).toBe(true)
    expect(use.members).toEqual([])
    expect((await Ben.get('/api/admin/storage')).status).toBe(403)
    expect((await visitor().get('/api/admin/storage')).status).toBe(401)
  })

  test('counts the pictures by kind, and names the members with the largest files', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const post = formData({ text: 'two' }, { 'images[]': [await createPicture(), await createPicture()] })
    expect((await Ben.send('POST', '/api/posts', post)).status).toBe(201)
    const avatar = formData({}, { image: [await createPicture()] })
    expect((await Ben.send('POST', '/api/profile-image', avatar)).status).toBe(200)
    const { id } = (await Ann.post('/api/groups', { name: 'Choir' })).body.group
    const message = formData({ group_id: String(id), message: 'x' }, { 'images[]': [await createPicture()] })
    expect((await Ann.send('POST', '/api/group-messages/send', message)).status).toBeLessThan(300)
    const one = Number((await readRows(db, 'media'))[0]!.bytes)

    const use = await readUse(Ann)
    expect(findKind(use, 'post_pictures')).toMatchObject({ files: 2, bytes: 2 * one })
    expect(findKind(use, 'chat_pictures')).toMatchObject({ files: 1 })
    expect(findKind(use, 'profile_pictures')).toMatchObject({ files: 1 })
    expect(use.members.map(({ person }) => person.name)).toEqual(['Ben', 'Ann'])
    const sum = use.members.reduce((total, { bytes }) => total + bytes, 0)
    const pictures = ['post_pictures', 'chat_pictures', 'profile_pictures']
    expect(sum).toBe(pictures.reduce((total, kind) => total + findKind(use, kind)!.bytes, 0))
  })

  test('counts archives and kept backups, and orders the kinds by size', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const row = { user_id: Ben.id, lang: 'en' as const, created_at: isoNow() }
    await transaction(db, (tx) =>
      tx
        .insertInto('exports')
        .values({ ...row, bytes: 7e9 })
        .execute(),
    )
    const result = { path: '/backup', bytes: 9e9, files: 12, rows: 1, missing: [], lost: [] }
    for (const path of ['/backup', null]) {
      const id = (await backupHistory.begin(db))!
      await backupHistory.run(db, id, async () => ({ ...result, path }) as never)
    }
    const use = await readUse(Ann)
    expect(use.kinds.slice(0, 2)).toEqual([
      { kind: 'backups', bytes: 9e9, files: 12 },
      { kind: 'archives', bytes: 7e9, files: 1 },
    ])
    expect(use.members).toEqual([{ person: expect.objectContaining({ id: Ben.id }), bytes: 7e9 }])
    await transaction(db, (tx) => tx.updateTable('exports').set({ removed_at: isoNow() }).execute())
    expect(findKind(await readUse(Ann), 'archives')).toMatchObject({ bytes: 0, files: 0 })
  })
})
