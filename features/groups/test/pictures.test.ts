import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { type Actor, pictureFiles, spyOnBroadcasts, UNUSED_ID } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, formData, readRows, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

describe.each(dialectsInTurn())('the picture of a group on %s', (dialect) => {
  /** Creates an app in which ann is the admin, ben owns a group with eve, and ida is in no group. */
  async function open() {
    const app = await createTestApp({ dialect })
    const people = await app.members('ann', 'ben', 'eve', 'ida')
    const { ben, eve } = people
    await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
    const group: number = (await ben.post('/api/groups', { name: 'Club' })).body.group.id
    await ben.post(`/api/groups/${group}/add-user`, { user_id: eve.id })
    const image = await fourColours(300, 200).png().toBuffer()
    const upload = (who: TestClient, id: unknown = group) =>
      who.post(`/api/groups/${id}/picture`, formData({}, { image: [uploadFile(image, 'club.png')] }))
    const remove = (who: TestClient) => who.delete(`/api/groups/${group}/picture`)
    const save = async (who: Actor): Promise<string> => {
      const { status, body } = await upload(who)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.picture
    }
    const load = async (who: TestClient, path: string) => [
      (await who.get(path)).status,
      (await who.get(path.replace('-256', '-96'))).status,
    ]
    return { ...app, ...people, group, upload, remove, save, load }
  }

  test('is changed by the owner and by admins, and is in the lists of groups', async () => {
    const { ann, ben, eve, ida, group, upload, remove, save } = await open()
    for (const path of ['/api/my-groups', `/api/groups/${group}`])
      expect(JSON.stringify((await eve.get(path)).body)).not.toContain('"picture"')
    for (const who of [eve, ida]) {
      expect((await upload(who)).status).toBe(403)
      expect((await remove(who)).status).toBe(403)
    }
    expect((await upload(ben, UNUSED_ID)).status).toBe(403)
    expect((await upload(ann, UNUSED_ID)).status).toBe(404)
    expect((await ben.post(`/api/groups/${group}/picture`, formData({}, {}))).body.errors).toHaveProperty(
      'image',
    )
    for (const who of [ben, ann]) {
      const picture = await save(who)
      expect((await eve.get('/api/my-groups')).body).toMatchObject([{ id: group, picture }])
      expect((await eve.get(`/api/groups/${group}`)).body.picture).toBe(picture)
      expect((await ann.get('/api/admin/groups')).body).toMatchObject([{ id: group, picture }])
    }
    expect(await remove(ben)).toMatchObject({ status: 200, body: { picture: null } })
    expect((await eve.get('/api/my-groups')).body[0]).not.toHaveProperty('picture')
  })

  test('is sent only to members of the group and to admins', async () => {
    const { ann, ben, eve, ida, visitor, group, save, load } = await open()
    const picture = await save(ben)
    for (const who of [ann, ben, eve]) expect(await load(who, picture)).toEqual([200, 200])
    for (const who of [ida, visitor()]) expect(await load(who, picture)).toEqual([404, 404])
    expect((await eve.get(picture)).headers['cache-control']).toBe('private, no-cache')
    await eve.post(`/api/groups/${group}/leave`)
    expect(await load(eve, picture)).toEqual([404, 404])
    await ben.post(`/api/groups/${group}/add-user`, { user_id: ida.id })
    expect(await load(ida, picture)).toEqual([200, 200])
  })

  test('is deleted when it is replaced or removed, and with the group', async () => {
    const { ben, group, save, remove, load, ...app } = await open()
    const first = await save(ben)
    const second = await save(ben)
    expect([await load(ben, first), await load(ben, second)]).toEqual([
      [404, 404],
      [200, 200],
    ])
    expect(await pictureFiles(app)).toHaveLength(2)
    await remove(ben)
    expect(await pictureFiles(app)).toEqual([])
    await save(ben)
    expect((await ben.delete(`/api/groups/${group}`)).status).toBe(200)
    expect(await pictureFiles(app)).toEqual([])
    expect(await readRows(app.db, 'media')).toEqual([])
  })

  test('stays when the member who uploaded it deletes the account', async () => {
    const { ben, eve, save, load, db, context } = await open()
    const picture = await save(ben)
    await transaction(db, (tx) => deleteMember(context, tx, { id: ben.id, keep_messages: false }))
    expect(await load(eve, picture)).toEqual([200, 200])
  })

  test('counts in the storage quota of the member who uploads it', async () => {
    const { ben, db, context, group, upload, save } = await open()
    await save(ben)
    expect(await readRows(db, 'media')).toMatchObject([{ owner_id: ben.id }])
    await transaction(db, async (tx) => {
      await context.settings.save(tx, { max_member_storage_mb: 50 })
      await tx
        .updateTable('media')
        .set({ bytes: 51 * 2 ** 20, guard: null })
        .execute()
      await tx.updateTable('conversations').set({ picture: null }).execute()
    })
    expect((await upload(ben)).body.errors).toHaveProperty('image')
    expect((await ben.get(`/api/groups/${group}`)).body).not.toHaveProperty('picture')
  })

  test('reaches all members live, and the log of admins only if an admin changes it', async () => {
    const { ann, ben, eve, db, group, save, remove, ...app } = await open()
    const { recorded } = spyOnBroadcasts(app)
    const actions = async () => (await readRows(db, 'audit_log')).map(({ action }) => action)
    const picture = await save(ben)
    for (let times = 0; times < 2; times++) await remove(ben)
    expect(await actions()).not.toContain('group_picture_changed')
    expect(recorded('GroupChanged')).toMatchObject([
      { data: { groupId: group, change: { kind: 'picture', picture, actor: { id: ben.id } } } },
      { data: { change: { kind: 'picture', picture: null } } },
    ])
    expect(recorded('GroupChanged')[0]!.to).toContain(`presence-user.${eve.id}`)
    expect((await eve.get(`/api/groups/${group}`)).body.changes.at(-1)).not.toHaveProperty('picture')
    await save(ann)
    expect(await actions()).toContain('group_picture_changed')
  })
})
