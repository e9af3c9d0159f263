import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, readRows } from '#tests/harness.ts'
import { readZip } from '#tests/zip.ts'
import { uniqueNames, zip } from '../zip.ts'
import { addPicture, albumScene, createAlbum, picture } from './album-scene.ts'

const pathOf = (url: string) => new URL(url).pathname

describe.each(dialectsInTurn())('what leaves an album on %s', (dialect) => {
  const open = () => albumScene(dialect)

  test('is a zip file with all pictures, for those who see the album', async () => {
    const { Ben, Cleo, Dan, group } = await open()
    const { id } = await createAlbum(Ben, { title: '運動会', group_id: group })
    await addPicture(Ben, id, await picture(64, '走る.png'), { taken: '2024-05-03T10:00:00.000Z' })
    await addPicture(Cleo, id, await picture(80, '走る.jpg'))
    const { status, headers, raw } = await Cleo.get(`/api/albums/${id}/zip`)
    expect([status, headers['content-type']]).toEqual([200, 'application/zip'])
    expect(headers['content-disposition']).toContain(encodeURIComponent('運動会.zip'))
    const files = readZip(raw)
    expect([...files.keys()]).toEqual(['走る.webp', '走る+1.webp'])
    expect(files.get('走る.webp')!.toString('latin1', 8, 12)).toBe('WEBP')
    expect((await Dan.get(`/api/albums/${id}/zip`)).status).toBe(404)
  })

  test('is a link without names, counted, until it is ended', async () => {
    const { Ann, Ben, Cleo, Dan, visitor, group, db } = await open()
    const { id } = await createAlbum(Ben, { title: 'Grandchildren', group_id: group })
    const { image, id: shown } = await addPicture(Cleo, id, await picture())
    expect((await Cleo.post(`/api/albums/${id}/links`, { days: 30 })).status).toBe(403)
    expect((await Ben.post(`/api/albums/${id}/links`, { days: 400 })).status).toBe(422)
    const made = await Ben.post(`/api/albums/${id}/links`, { days: 30 })
    expect(made.status).toBe(201)
    const path = pathOf(made.body.url)
    expect(JSON.stringify(await readRows(db, 'album_links'))).not.toContain(path.split('/').at(-1))
    const granny = visitor()
    const page = await granny.get(path)
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(page.raw.toString()).toContain('Grandchildren')
    expect(page.raw.toString()).not.toMatch(/Ben|Cleo|Choir/)
    expect((await granny.get(`${path}/${shown}`)).raw.toString()).not.toMatch(/Ben|Cleo|<script/)
    for (const size of ['small', 'large']) {
      const file = await granny.get(`${path}/${shown}/${size}`)
      expect([file.status, file.headers['content-type']]).toEqual([200, 'image/webp'])
    }
    expect((await granny.get(image.path)).status).toBe(404)
    expect(readZip((await granny.get(`${path}/all.zip`)).raw).size).toBe(1)
    const [link] = (await Ben.get(`/api/albums/${id}/links`)).body
    expect(link).toMatchObject({ views_count: 1, title: 'Grandchildren' })
    expect((await Ann.get('/api/admin/album-links')).body).toMatchObject([
      { id: link.id, created_by: { id: Ben.id } },
    ])
    for (const who of [Dan, Cleo]) expect((await who.delete(`/api/album-links/${link.id}`)).status).toBe(404)
    expect((await Ann.delete(`/api/album-links/${link.id}`)).status).toBe(204)
    expect((await granny.get(path)).raw.toString()).toContain('not valid any more')
    for (const rest of [`/${shown}/small`, '/all.zip'])
      expect((await granny.get(path + rest)).status).toBe(404)
  })

  test('ends with its time, its maker and the membership of its maker', async () => {
    const { Ann, Ben, Cleo, visitor, group, db } = await open()
    const { id } = await createAlbum(Cleo, { group_id: group })
    const share = async () => pathOf((await Cleo.post(`/api/albums/${id}/links`, { days: 90 })).body.url)
    const works = async (path: string) => !(await visitor().get(path)).raw.toString().includes('not valid')
    const path = await share()
    expect(await works(path)).toBe(true)
    await Ann.put(`/api/admin/users/${Cleo.id}/suspension`)
    expect(await works(path)).toBe(false)
    await Ann.delete(`/api/admin/users/${Cleo.id}/suspension`)
    expect(await works(path)).toBe(true)
    await transaction(db, (tx) =>
      tx.updateTable('album_links').set({ ends_at: '2020-01-01T00:00:00.000Z' }).execute(),
    )
    expect(await works(path)).toBe(false)
    await transaction(db, (tx) =>
      tx.updateTable('album_links').set({ ends_at: '2090-01-01T00:00:00.000Z' }).execute(),
    )
    expect(await works(path)).toBe(true)
    await Ben.delete(`/api/groups/${group}/members/${Cleo.id}`)
    expect(await works(path)).toBe(false)
  })
})

test('names in a zip are unique, whatever the case of their letters', () => {
  const unique = uniqueNames()
  const given = ['IMG_1.JPG', 'img_1.jpg', 'IMG_1+1.jpg', 'a/../b.png', '', 'IMG_1.jpg']
  const names = given.map(unique)
  expect(names.slice(0, 2)).toEqual(['IMG_1.webp', 'img_1+1.webp'])
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(given.length)
  expect(names.every((name) => !name.includes('/'))).toBe(true)
})

const MEGABYTE = 2 ** 20

/** Files of 32 MB that need no disk. */
async function storageOf() {
  const { context } = await createTestApp()
  const block = Buffer.alloc(MEGABYTE / 4, 7)
  let open = 0
  const stream = async () => {
    open++
    const body = Readable.from(
      (function* blocks() {
        for (let count = 0; count < 128; count++) yield block
      })(),
      { objectMode: false },
    )
    body.once('close', () => open--)
    return { body }
  }
  return { storage: { ...context.storage, folder: null, stream } as never, countOpen: () => open }
}

const entries = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    file: `${at}`,
    name: `${at}.webp`,
    taken_at: '2026-01-01T00:00:00.000Z',
  }))

test('a zip of a gigabyte needs less than 100 MB of memory', async () => {
  const { storage, countOpen } = await storageOf()
  const before = process.memoryUsage().rss
  let [bytes, highest, mostOpen] = [0, 0, 0]
  for await (const chunk of zip({ storage }, entries(32))) {
    bytes += chunk.length
    highest = Math.max(highest, process.memoryUsage.rss())
    mostOpen = Math.max(mostOpen, countOpen())
  }
  expect(bytes).toBeGreaterThan(32 * 32 * MEGABYTE)
  expect(mostOpen).toBeLessThanOrEqual(2)
  expect((highest - before) / MEGABYTE).toBeLessThan(100)
}, 120_000)

test('a zip ends when its reader goes away', async () => {
  const { storage, countOpen } = await storageOf()
  const stream = zip({ storage }, entries(8))
  for await (const _ of stream) break
  expect(stream.destroyed).toBe(true)
  await expect.poll(countOpen).toBe(0)
})
