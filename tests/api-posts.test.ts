import axios from 'axios'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createAxiosTestFormData,
  createAxiosTestUploadFile,
  createTestPictureBytes,
  createTestVisitorWithAxiosClient,
  expectErrorResponse,
  expectValidationError,
  fetchEachPageOfListWithAxios,
  findNextPageUrlInAxiosResponse,
  ISO_TIME_PATTERN,
  registerTestMemberWithAxios,
  type TestMemberWithAxiosClient,
  type TestPictureFormat,
} from '#tests/sanctum.ts'
import { type RunningTestServer, startTestServerProcess } from '#tests/server.ts'

let server: RunningTestServer
let first: TestMemberWithAxiosClient
beforeAll(async () => {
  server = await startTestServerProcess({ RATE_LIMIT: 'off' })
  first = await registerTestMemberWithAxios(server.url, 'First')
})

interface Post {
  id: number
  body: string | null
  images: { id: number; path: string; width: number; height: number; alt: string | null }[]
}
const post = (who: TestMemberWithAxiosClient, fields: Parameters<typeof createAxiosTestFormData>[0]) =>
  who.http.post('/api/posts', createAxiosTestFormData(fields))
const say = async (who: TestMemberWithAxiosClient, text: string) => {
  const answer = await post(who, { text })
  expect(answer.status).toBe(201)
  return answer.data.post as Post
}
const listed = async (
  who: TestMemberWithAxiosClient | ReturnType<typeof createTestVisitorWithAxiosClient>,
  id: number,
) => ((await who.http.get(`/api/posts?before=${id + 1}&limit=1`)).data as Post[]).find((one) => one.id === id)

describe('a post', () => {
  test('may have only text', async () => {
    const eva = await registerTestMemberWithAxios(server.url, 'Eva')
    const { status, data } = await post(eva, { text: '  Grüße\n\nvom <b>Balkon</b> 🌿 ' })
    expect(status).toBe(201)
    expect(data.message).toMatch(/\S/)
    expect(data.post).toMatchObject({
      id: expect.any(Number),
      body: 'Grüße\n\nvom <b>Balkon</b> 🌿',
      user: { id: eva.id, name: 'Eva', profile_image: null },
      images: [],
      likes_count: 0,
      liked_by_me: false,
    })
    expect(data.post.created_at).toMatch(ISO_TIME_PATTERN)
    expect(await listed(createTestVisitorWithAxiosClient(server.url), data.post.id)).toEqual(data.post)
  })

  // spec: 7.13
  test('may have only pictures, up to four, of every format, shown in their order', async () => {
    const fay = await registerTestMemberWithAxios(server.url, 'Fay')
    const kinds: TestPictureFormat[] = ['jpeg', 'png', 'gif', 'webp', 'avif']
    const files = await Promise.all(
      kinds.map(async (kind, n) =>
        createAxiosTestUploadFile(
          await createTestPictureBytes(60 + n, 40, kind),
          `photo.${kind}`,
          `image/${kind}`,
        ),
      ),
    )
    const four = await post(fay, { 'images[]': files.slice(0, 4) })
    expect(four.status).toBe(201)
    const { body, images } = four.data.post as Post
    expect(body).toBeNull()
    expect(images.map(({ width, height }) => [width, height])).toEqual([
      [60, 40],
      [61, 40],
      [62, 40],
      [63, 40],
    ])
    expect(new Set(images.map(({ id }) => id)).size).toBe(4)
    for (const image of images) {
      expect(image.path).toMatch(/^\/[^/]/)
      expect(image).toHaveProperty('alt')
      const shown = await axios.get(server.url + image.path, { responseType: 'arraybuffer' })
      expect(await sharp(shown.data).metadata()).toMatchObject({ width: image.width, height: image.height })
    }
    const avif = await post(fay, { text: ' ', 'images[]': files[4]! })
    expect(avif.data.post).toMatchObject({ body: null, images: [{ width: 64, height: 40 }] })
    expect((await listed(fay, four.data.post.id))!.images).toEqual(images)
  })

  test('has upright pictures without camera data', async () => {
    const gil = await registerTestMemberWithAxios(server.url, 'Gil')
    const photo = await sharp(await createTestPictureBytes(90, 60, 'jpeg'))
      .withExif({ IFD0: { Orientation: '6', Make: 'Secret Camera' }, IFD3: { GPSLatitude: '35/1 0/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(photo).metadata()).exif).toBeDefined()
    const [image] = (await post(gil, { 'images[]': createAxiosTestUploadFile(photo, 'p.jpg') })).data.post
      .images
    expect(image).toMatchObject({ width: 60, height: 90 })
    const { data } = await axios.get(server.url + image.path, { responseType: 'arraybuffer' })
    const about = await sharp(data).metadata()
    expect([about.exif, about.xmp, about.iptc]).toEqual([undefined, undefined, undefined])
    expect(Buffer.from(data).includes('Secret Camera')).toBe(false)
  })

  // spec: 9.1
  test('is refused when it is empty, too long, or has too many pictures', async () => {
    const hal = await registerTestMemberWithAxios(server.url, 'Hal')
    const png = await createTestPictureBytes(20, 20)
    const newest = (await hal.http.get('/api/posts?limit=1')).data
    for (const fields of [{}, { text: '' }, { text: ' \n ' }, { other: 'x' }] as Record<string, string>[])
      expectValidationError(await post(hal, fields))
    expectValidationError(await post(hal, { text: 'あ'.repeat(1001) }), 'text')
    const five = await post(hal, {
      text: 'x',
      'images[]': Array.from({ length: 5 }, (_, n) => createAxiosTestUploadFile(png, `${n}.png`)),
    })
    expectValidationError(five)
    expect(Object.keys(five.data.errors)[0]).toMatch(/^images/)
    expect((await hal.http.get('/api/posts?limit=1')).data).toEqual(newest)
    expect((await say(hal, '👍'.repeat(1000))).body).toBe('👍'.repeat(1000))
  })

  test('is refused completely when one file is not an accepted picture, and the response names the file', async () => {
    const ida = await registerTestMemberWithAxios(server.url, 'Ida')
    const good = createAxiosTestUploadFile(await createTestPictureBytes(20, 20), 'good.png')
    const newest = (await ida.http.get('/api/posts?limit=1')).data
    const large = await sharp({ create: { width: 7100, height: 7100, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 1 })
      .toBuffer()
    for (const wrong of [
      createAxiosTestUploadFile('<html>', 'page 縁側.jpg', 'image/jpeg'),
      createAxiosTestUploadFile(large, 'megapixels.png'),
    ]) {
      const answer = await post(ida, { text: 'look', 'images[]': [good, wrong] })
      expectValidationError(answer)
      expect(Object.keys(answer.data.errors)[0]).toMatch(/^images/)
      expect(answer.data.message).toContain(wrong.name)
    }
    expect((await ida.http.get('/api/posts?limit=1')).data).toEqual(newest)
  })

  test('is limited to 10 MB per file', async () => {
    const jan = await registerTestMemberWithAxios(server.url, 'Jan')
    const answer = await post(jan, {
      'images[]': createAxiosTestUploadFile(Buffer.alloc(10 * 2 ** 20 + 1), 'big.png'),
    })
    expectErrorResponse(answer, 413)
    expect(answer.data.message).toMatch(/10\s?MB/)
    expect((await jan.http.get('/api/user')).status).toBe(200)
  })
})

describe('the list of posts', () => {
  test('is newest first, in pages, with each post once', async () => {
    const kai = await registerTestMemberWithAxios(server.url, 'Kai')
    const ids: number[] = []
    for (let n = 0; n < 125; n++) ids.unshift((await say(kai, `Number ${n}`)).id)
    const start = ids[0]! + 1
    const someone = createTestVisitorWithAxiosClient(server.url)
    const page = await someone.http.get('/api/posts')
    expect((page.data as Post[]).map(({ id }) => id)).toEqual(ids.slice(0, 50))
    const most = await someone.http.get('/api/posts?limit=1000')
    expect(most.data).toHaveLength(100)
    expect(findNextPageUrlInAxiosResponse(most)).not.toBeNull()

    const all = (
      await fetchEachPageOfListWithAxios<Post>(someone.http, `/api/posts?before=${start}&limit=30`)
    ).map((one) => one.map(({ id }) => id))
    expect(all.flat().slice(0, 125)).toEqual(ids)
    expect(new Set(all.flat()).size).toBe(all.flat().length)
    expect(all.slice(0, -1).every((one) => one.length === 30)).toBe(true)

    await say(kai, 'In between')
    const second = (await someone.http.get(findNextPageUrlInAxiosResponse(page)!)).data as Post[]
    expect(
      second.map(({ id }) => id),
      'a new post shifts nothing',
    ).toEqual(ids.slice(50, 100))
    expect((await someone.http.get(`/api/posts?before=${ids[3]}&limit=1`)).data[0].id).toBe(ids[4])
    const last = all.flat().at(-1)!
    const end = await someone.http.get(`/api/posts?before=${last}`)
    expect([end.data, findNextPageUrlInAxiosResponse(end)]).toEqual([[], null])
    for (const query of ['before=abc', 'limit=x', 'limit=-1', 'before=1;drop table posts'])
      expectValidationError(await someone.http.get(`/api/posts?${query}`))
  })

  test('of followed members has only their posts', async () => {
    const [lea, max, ned] = [
      await registerTestMemberWithAxios(server.url, 'Lea'),
      await registerTestMemberWithAxios(server.url, 'Max'),
      await registerTestMemberWithAxios(server.url, 'Ned'),
    ]
    await lea.http.post(`/api/follow/${max.id}`)
    const early = await say(max, 'early')
    await Promise.all([say(lea, 'my own'), say(ned, 'a stranger’s')])
    const late = await say(max, 'late')
    const feed = async (path = '/api/posts/following') => lea.http.get(path)
    expect(((await feed()).data as Post[]).map(({ id }) => id)).toEqual([late.id, early.id])
    const short = await feed('/api/posts/following?limit=1')
    expect((await feed(findNextPageUrlInAxiosResponse(short)!)).data.map(({ id }: Post) => id)).toEqual([
      early.id,
    ])
    await lea.http.delete(`/api/unfollow/${max.id}`)
    expect((await feed()).data).toEqual([])
  })
})

describe('a like', () => {
  test('is toggled by POST, set by PUT and taken back by DELETE', async () => {
    const [ola, pia] = [
      await registerTestMemberWithAxios(server.url, 'Ola'),
      await registerTestMemberWithAxios(server.url, 'Pia'),
    ]
    const { id } = await say(ola, 'like me')
    const like = async (method: 'post' | 'put' | 'delete', who = pia) => {
      const { status, data } = await who.http.request({ method, url: `/api/posts/${id}/like` })
      return [status, data]
    }
    const [on, off] = [
      [200, { liked: true, likes_count: 1 }],
      [200, { liked: false, likes_count: 0 }],
    ]
    expect(await like('post')).toEqual(on)
    expect(await listed(pia, id)).toMatchObject({ liked_by_me: true, likes_count: 1 })
    expect(await listed(ola, id)).toMatchObject({ liked_by_me: false, likes_count: 1 })
    expect(await listed(createTestVisitorWithAxiosClient(server.url), id)).toMatchObject({
      liked_by_me: false,
      likes_count: 1,
    })
    expect(await like('post')).toEqual(off)
    for (let n = 0; n < 2; n++) expect(await like('put')).toEqual(on)
    expect(await like('put', ola)).toEqual([200, { liked: true, likes_count: 2 }])
    for (let n = 0; n < 2; n++) expect(await like('delete')).toEqual([200, { liked: false, likes_count: 1 }])
    for (const method of ['post', 'put', 'delete'] as const) {
      expectErrorResponse(await pia.http.request({ method, url: '/api/posts/999999/like' }), 404)
      for (const bad of ['abc', '0', '9'.repeat(30)])
        expect([404, 422]).toContain(
          (await pia.http.request({ method, url: `/api/posts/${bad}/like` })).status,
        )
    }
  })

  test('counts once for each member, however many requests arrive at once', async () => {
    const crowd: TestMemberWithAxiosClient[] = []
    for (let n = 0; n < 20; n++) crowd.push(await registerTestMemberWithAxios(server.url, `Crowd ${n}`))
    const { id } = await say(crowd[0]!, 'a good one')
    const url = `/api/posts/${id}/like`
    const same = await Promise.all(Array.from({ length: 30 }, () => crowd[0]!.http.put(url)))
    for (const { status, data } of same)
      expect([status, data]).toEqual([200, { liked: true, likes_count: 1 }])
    const all = await Promise.all(crowd.map(({ http }) => http.put(url)))
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await listed(first, id)).toMatchObject({ likes_count: 20, liked_by_me: false })
    await Promise.all(Array.from({ length: 10 }, () => crowd[1]!.http.post(url)))
    expect(await listed(crowd[1]!, id), 'ten toggles are none').toMatchObject({
      likes_count: 20,
      liked_by_me: true,
    })
    await Promise.all(crowd.map(({ http }) => http.delete(url)))
    expect(await listed(first, id)).toMatchObject({ likes_count: 0 })
  })
})
