import { describe, expect, test } from 'vitest'
import type { LogEntry } from '#features/admin/contract.ts'
import { createTestApp, dialectsInTurn, formData, readRows, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

const path = '/api/admin/community-picture'
const html = { accept: 'text/html' }
const PUBLIC_URL = 'http://localhost:3000'

describe.each(dialectsInTurn())('the picture of the community on %s', (dialect) => {
  async function open() {
    const testApp = await createTestApp({ dialect, env: { PUBLIC_URL } })
    const people = await testApp.members('Ann', 'Ben')
    const file = uploadFile(await fourColours(600, 400).png().toBuffer(), 'us.png')
    const save = (actor: TestClient) => actor.post(path, formData({}, { image: [file] }))
    const remove = (actor: TestClient) => actor.send('DELETE', path)
    const readPage = async (viewer: TestClient) => (await viewer.get('/login', html)).body as string
    return { ...testApp, ...people, visitor: testApp.visitor(), save, remove, readPage }
  }
  const toPath = (url: string) => url.slice(PUBLIC_URL.length)

  test('is replaced and removed by an admin, whose actions the log shows, and leaves no file', async () => {
    const { Ann, db, save, remove, mediaFiles, readPage, visitor } = await open()
    const first = (await save(Ann)).body.picture
    expect(first).toMatch(/^http:\/\/localhost:3000\/media\/[0-9a-f]{40}-192\.webp$/)
    expect((await Ann.get('/api/admin/settings')).body.picture).toBe(first)
    expect(await readPage(visitor)).toContain(first)
    const second = (await save(Ann)).body.picture
    expect(second).not.toBe(first)
    expect(await mediaFiles()).toHaveLength(2)
    expect((await visitor.get(toPath(second))).status).toBe(200)
    expect((await visitor.get(toPath(first))).status).toBe(404)
    expect(await remove(Ann)).toMatchObject({ status: 200, body: { picture: null } })
    expect(await remove(Ann)).toMatchObject({ status: 200, body: { picture: null } })
    expect(await mediaFiles()).toEqual([])
    for (const table of ['media', 'unreferenced_media', 'pending_media', 'community_picture'] as const)
      expect(await readRows(db, table), table).toEqual([])
    expect(await readPage(visitor)).not.toContain('/media/')
    const log = (await Ann.get('/api/audit-log')).body
    expect(log.slice(0, 3).map(({ action, actor }: LogEntry) => [action, actor?.name])).toEqual([
      ['community_picture_removed', 'Ann'],
      ['community_picture_changed', 'Ann'],
      ['community_picture_changed', 'Ann'],
    ])
  })

  test('is saved by one of several requests at a time, and the others leave no file', async () => {
    const { Ann, save, mediaFiles } = await open()
    const answers = await Promise.all([save(Ann), save(Ann), save(Ann)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await mediaFiles()).toHaveLength(2)
  })

  test('is refused from members, from visitors, and without an image', async () => {
    const { Ann, Ben, save, remove, visitor, mediaFiles } = await open()
    expect((await save(Ben)).status).toBe(403)
    expect((await remove(Ben)).status).toBe(403)
    await visitor.get('/sanctum/csrf-cookie')
    expect((await save(visitor)).status).toBe(401)
    expect((await remove(visitor)).status).toBe(401)
    expect((await Ann.post(path, formData({}))).status).toBe(422)
    const text = formData({}, { image: [new File(['no picture'], 'us.png')] })
    expect((await Ann.post(path, text)).body.errors).toHaveProperty('image')
    expect(await mediaFiles()).toEqual([])
  })

  test('is in previews of links to an open community', async () => {
    const { Ann, save, visitor } = await open()
    const { picture } = (await save(Ann)).body
    const large = picture.replace('-192.webp', '-512.webp')
    const { post } = (await Ann.post('/api/posts', { text: 'Lanterns tonight' })).body
    const page = (await visitor.get(`/posts/${post.id}`, html)).body
    for (const meta of [
      `<meta property="og:image" content="${large}">`,
      '<meta property="og:description" content="Lanterns tonight">',
      '<meta property="og:site_name" content="Engawa">',
    ])
      expect(page).toContain(meta)
    expect((await visitor.get(toPath(large))).status).toBe(200)
  })

  test('of a members-only community is shown to members only', async () => {
    const { Ann, Ben, save, visitor, readPage } = await open()
    const { picture } = (await save(Ann)).body
    const name = /[0-9a-f]{40}/.exec(picture)![0]
    await Ann.send('PATCH', '/api/admin/settings', { who_can_read: 'members' })
    for (const page of ['/login', '/register', '/setup'])
      expect((await visitor.get(page, html)).body, page).not.toContain(name)
    for (const width of [192, 512])
      expect((await visitor.get(`/media/${name}-${width}.webp`)).status).toBe(404)
    expect(await readPage(Ben)).toContain(picture)
    expect(await readPage(Ben)).not.toContain('og:image')
    const { post } = (await Ann.post('/api/posts', { text: 'Lanterns tonight' })).body
    const { location } = (await visitor.get(`/posts/${post.id}`, html)).headers
    const card = (await visitor.get(location!, html)).body
    expect(card).toContain('<meta property="og:title" content="Engawa"><meta property="og:description"')
    expect(card).not.toContain('Lanterns')
    expect((await Ben.get(toPath(picture))).status).toBe(200)
    await Ann.send('PATCH', '/api/admin/settings', { who_can_read: 'everyone' })
    expect(await readPage(visitor)).toContain(picture)
  })
})
