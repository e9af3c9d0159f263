import { expect } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { type Actor, createGroup } from '#tests/conversations.ts'
import { type Dialect, formData, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { realtimeApp } from '#tests/sockets.ts'
import type { Album, AlbumPicture } from '../contract.ts'

/** Ann is the admin. Ben owns a group with Cleo; Dan is in no group. */
export async function albumScene(dialect: Dialect, env: Record<string, string> = {}) {
  const app = await realtimeApp({ dialect, env })
  const people = await app.members('Ann', 'Ben', 'Cleo', 'Dan')
  const { Ben, Cleo } = people
  await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
  const group = await createGroup(Ben, 'Choir', Cleo)
  return { ...app, ...people, group }
}

export async function createAlbum(who: TestClient, fields: object = {}): Promise<Album> {
  const { status, body } = await who.post('/api/albums', { title: 'Summer', ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** Each width makes other bytes. */
export const picture = async (width = 64, name = 'IMG_1.png') =>
  uploadFile(await fourColours(width, 32).png().toBuffer(), name)

export const send = (who: TestClient, album: number, image: File, fields: Record<string, string> = {}) =>
  who.post(`/api/albums/${album}/pictures`, formData(fields, { image: [image] }))

export async function addPicture(
  who: Actor,
  album: number,
  image: File,
  fields: Record<string, string> = {},
): Promise<AlbumPicture> {
  const { status, body } = await send(who, album, image, fields)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.picture
}

export const idsOf = async (who: TestClient, album: number, query = '') => {
  const { status, body } = await who.get(`/api/albums/${album}/pictures${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as AlbumPicture[]).map(({ id }) => id)
}
