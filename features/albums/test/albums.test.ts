import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { ageConfirmations } from '#tests/account-security.ts'
import { pictureFiles, spyOnBroadcasts, UNUSED_ID } from '#tests/conversations.ts'
import { databases, readRows } from '#tests/harness.ts'
import { MAX_ALBUMS } from '../contract.ts'
import { addPicture, albumScene, createAlbum, idsOf, picture, send } from './album-scene.ts'

describe.each(databases)('albums on %s', (dialect) => {
  const open = () => albumScene(dialect)

  test('of a group are for its members, the others for all members', async () => {
    const { Ben, Cleo, Dan, Ann, group, visitor } = await open()
    const ofAll = await createAlbum(Dan)
    const ofGroup = await createAlbum(Cleo, { title: 'Concert', text: 'In May', group_id: group })
    expect(ofGroup).toMatchObject({ text: 'In May', group: { id: group, name: 'Choir' }, pictures_count: 0 })
    const listed = async (who = Ben, query = '') =>
      (await who.get(`/api/albums${query}`)).body.map(({ id }: { id: number }) => id)
    expect(await listed()).toEqual([ofGroup.id, ofAll.id])
    expect(await listed(Ben, `?group_id=${group}`)).toEqual([ofGroup.id])
    // An admin outside of the group is as everybody else.
    for (const who of [Dan, Ann]) {
      expect(await listed(who)).toEqual([ofAll.id])
      expect((await who.get(`/api/albums/${ofGroup.id}`)).status).toBe(404)
      expect((await who.get(`/api/albums/${ofGroup.id}/pictures`)).status).toBe(404)
      expect((await send(who, ofGroup.id, await picture())).status).toBe(404)
      expect((await who.post('/api/albums', { title: 'x', group_id: group })).status).toBe(404)
    }
    expect((await visitor().get('/api/albums')).status).toBe(401)
    expect((await Ben.get(`/api/albums?limit=1`)).headers.link).toContain(`before=${ofGroup.id}`)
  })

  test('get pictures from everybody who sees them, once for the same bytes', async () => {
    const { Ben, Cleo, Dan, group, ...app } = await open()
    const { id } = await createAlbum(Ben, { group_id: group })
    const { recorded } = spyOnBroadcasts(app)
    const image = await picture()
    const first = await addPicture(Cleo, id, image)
    expect(first).toMatchObject({ user: { id: Cleo.id }, image: { width: 64, height: 32 } })
    const again = await send(Ben, id, image)
    expect(again.body).toEqual({ picture: first, is_new: false })
    expect(await pictureFiles(app)).toHaveLength(1)
    const second = await addPicture(Ben, id, await picture(80))
    expect(await idsOf(Ben, id)).toEqual([second.id, first.id])
    expect((await Ben.get(`/api/albums/${id}`)).body).toMatchObject({
      pictures_count: 2,
      cover: { id: second.id },
    })
    expect((await Ben.get(`/api/albums/${id}/people`)).body).toMatchObject([
      { user: { id: Ben.id }, pictures_count: 1 },
      { user: { id: Cleo.id }, pictures_count: 1 },
    ])
    expect(await idsOf(Ben, id, `?by=${Cleo.id}`)).toEqual([first.id])
    const [{ hash }] = (await readRows(app.db, 'album_pictures')) as [{ hash: string }]
    const known = (who = Ben) => who.post(`/api/albums/${id}/known`, { hashes: [hash, 'f'.repeat(64)] })
    expect((await known()).body).toEqual({ known: [hash] })
    expect((await known(Dan)).status).toBe(404)
    expect(recorded('AlbumPictureAdded')).toMatchObject([
      { to: [`private-album.${id}`], data: { picture: { id: first.id } } },
      { data: { picture: { id: second.id } } },
    ])
    const other = await createAlbum(Ben)
    expect((await send(Ben, other.id, image)).body).toMatchObject({ is_new: true })
  })

  test('take the same picture once from two people at the same moment', async () => {
    const { Ben, Cleo, db, ...app } = await open()
    const { id } = await createAlbum(Ben)
    const image = await picture()
    const answers = await Promise.all([Ben, Cleo, Ben, Cleo].map((who) => send(who, id, image)))
    expect(answers.map(({ body }) => body.is_new).sort()).toEqual([false, false, false, true])
    expect(await readRows(db, 'album_pictures')).toHaveLength(1)
    expect(await pictureFiles(app)).toHaveLength(1)
  })

  test('are read in the order in which pictures were taken, page by page', async () => {
    const { Ben } = await open()
    const { id } = await createAlbum(Ben)
    const added: number[] = []
    for (const [index, taken] of ['2024-05-03', '2024-05-01', '2024-05-02', '2024-05-01'].entries())
      added.push(
        (await addPicture(Ben, id, await picture(64 + index), { taken: `${taken}T10:00:00.000Z` })).id,
      )
    const [a, b, c, d] = added
    const paths = [`/api/albums/${id}/pictures?sort=taken&limit=2`]
    const found: number[] = []
    for (const path of paths) {
      const { body, headers } = await Ben.get(path)
      found.push(...body.map((one: { id: number }) => one.id))
      const next = /<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
      if (next) paths.push(next)
    }
    expect(found).toEqual([b, d, c, a])
    expect(paths).toHaveLength(2)
    expect(await idsOf(Ben, id, '?limit=2')).toEqual([d, c])
    expect(await idsOf(Ben, id, `?before=${c}`)).toEqual([b, a])
  })

  test('lose a picture only by who added it, who made the album, its owner or a confirmed admin', async () => {
    const { Ann, Ben, Cleo, Dan, group, ...app } = await open()
    const { id } = await createAlbum(Cleo)
    const remove = (who: typeof Ben, picture_id: number) => who.delete(`/api/album-pictures/${picture_id}`)
    const own = await addPicture(Dan, id, await picture())
    expect((await remove(Ben, own.id)).status).toBe(403)
    await ageConfirmations(app.db)
    expect((await remove(Ann, own.id)).status).toBe(423)
    expect((await remove(Dan, own.id)).status).toBe(204)
    expect((await remove(Dan, own.id)).status).toBe(404)
    const other = await addPicture(Dan, id, await picture())
    expect((await remove(Cleo, other.id)).status).toBe(204)
    const ofGroup = await createAlbum(Cleo, { group_id: group })
    const third = await addPicture(Cleo, ofGroup.id, await picture())
    for (const who of [Ann, Dan]) expect((await remove(who, third.id)).status).toBe(404)
    expect((await Dan.get(third.image.path)).status).toBe(404)
    expect((await Ben.get(third.image.path)).status).toBe(200)
    expect((await remove(Ben, third.id)).status).toBe(204)
    expect(await pictureFiles(app)).toEqual([])
  })

  test('are changed and deleted by who made them and the owner of the group, live', async () => {
    const { Ben, Cleo, Dan, group, ...app } = await open()
    const { recorded } = spyOnBroadcasts(app)
    const { id } = await createAlbum(Cleo, { group_id: group })
    await addPicture(Ben, id, await picture())
    const rename = (who: typeof Ben, title: string) =>
      who.send('PATCH', `/api/albums/${id}`, { title, text: '' })
    expect((await rename(Ben, 'Spring')).body).toMatchObject({ title: 'Spring', text: null, manages: true })
    expect((await rename(Dan, 'x')).status).toBe(404)
    const ofAll = await createAlbum(Ben)
    expect((await Cleo.send('PATCH', `/api/albums/${ofAll.id}`, { title: 'x' })).status).toBe(403)
    expect((await Cleo.delete(`/api/albums/${ofAll.id}`)).status).toBe(403)
    expect((await Cleo.delete(`/api/albums/${id}`)).status).toBe(204)
    expect((await Cleo.get(`/api/albums/${id}`)).status).toBe(404)
    expect(await pictureFiles(app)).toEqual([])
    expect(recorded('AlbumChanged')).toMatchObject([{ data: { title: 'Spring', text: null } }])
    expect(recorded('AlbumDeleted')).toMatchObject([{ to: [`private-album.${id}`] }])
    expect((await Ben.get(`/api/albums/${UNUSED_ID}`)).status).toBe(404)
  })

  test('go with their group; pictures go with the account of who added them', async () => {
    const { Ben, Cleo, group, ...app } = await open()
    const ofGroup = await createAlbum(Ben, { group_id: group })
    const ofAll = await createAlbum(Cleo, { text: 'Words' })
    for (const { id } of [ofGroup, ofAll]) await addPicture(Cleo, id, await picture())
    const kept = await addPicture(Ben, ofAll.id, await picture(80))
    await Ben.delete(`/api/groups/${group}`)
    expect((await Ben.get(`/api/albums/${ofGroup.id}`)).status).toBe(404)
    expect((await Cleo.get('/api/account/deletion')).body.content).toMatchObject({ album_pictures: 1 })
    await transaction(app.db, (tx) => deleteMember(app.context, tx, { id: Cleo.id, keep_messages: true }))
    expect(await idsOf(Ben, ofAll.id)).toEqual([kept.id])
    expect((await Ben.get(`/api/albums/${ofAll.id}`)).body).toMatchObject({ created_by: null, text: 'Words' })
    expect(await pictureFiles(app)).toHaveLength(1)
  })

  test('show nothing of people who block each other', async () => {
    const { Ben, Cleo, Dan } = await open()
    const { id } = await createAlbum(Ben, { text: 'By Ben' })
    const image = await picture()
    const own = await addPicture(Ben, id, image)
    await Ben.post(`/api/users/${Cleo.id}/block`)
    expect(await idsOf(Cleo, id)).toEqual([])
    expect((await Cleo.get(own.image.path)).status).toBe(404)
    expect((await Cleo.get(`/api/albums/${id}`)).body).toMatchObject({
      ...{ created_by: null, text: null, pictures_count: 0, cover: null },
    })
    expect((await Cleo.get(`/api/albums/${id}/people`)).body).toEqual([])
    expect((await Cleo.delete(`/api/album-pictures/${own.id}`)).status).toBe(404)
    // Nothing tells Cleo that the bytes are there.
    expect((await send(Cleo, id, image)).body).toMatchObject({ is_new: true })
    expect(await idsOf(Dan, id)).toHaveLength(2)
  })

  test('are bounded: for one member, in the quota, and by the setting for pictures', async () => {
    const { Ben, db, context } = await open()
    const { id } = await createAlbum(Ben)
    await addPicture(Ben, id, await picture())
    expect(await readRows(db, 'media')).toMatchObject([{ owner_id: Ben.id, guard: 'album picture' }])
    await transaction(db, (tx) => context.settings.save(tx, { max_pictures: 0 }))
    expect((await send(Ben, id, await picture(80))).status).toBe(422)
    await transaction(db, async (tx) => {
      await context.settings.save(tx, { max_pictures: 4, max_member_storage_mb: 50 })
      await tx.updateTable('media').set({ bytes: 51e6 }).execute()
      const row = {
        title: 'x',
        text: null,
        group_id: null,
        created_by: Ben.id,
        created_at: '2026-01-01T00:00:00.000Z',
      }
      await tx
        .insertInto('albums')
        .values(Array.from({ length: MAX_ALBUMS - 1 }, () => row))
        .execute()
    })
    expect((await send(Ben, id, await picture(80))).body.errors).toHaveProperty('image')
    expect((await Ben.post('/api/albums', { title: 'x' })).status).toBe(403)
  })
})
