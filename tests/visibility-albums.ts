import { expect } from 'vitest'
import { formData, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

/** Albums of another member, of all members and of the group, each with a picture of Pat. */
export async function addAlbums(maker: TestClient, Pat: TestClient, group: number) {
  const made = [await addToAlbum(maker, Pat, null), await addToAlbum(maker, Pat, group)]
  return { albums: made.map(({ id }) => id), albumPictures: made.map(({ path }) => path) }
}

async function addToAlbum(maker: TestClient, Pat: TestClient, group_id: number | null) {
  const { id } = (await maker.post('/api/albums', { title: 'Lanterns', group_id })).body
  return { id: id as number, path: await addPicture(Pat, id) }
}

/** Each width makes other bytes. Returns its path. */
export async function addPicture(Pat: TestClient, album: number, width = 80) {
  const image = uploadFile(await fourColours(width, 40).png().toBuffer(), 'b.png')
  const { status, body } = await Pat.post(`/api/albums/${album}/pictures`, formData({}, { image: [image] }))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.picture.image.path as string
}
