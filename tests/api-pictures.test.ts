import axios from 'axios'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createAxiosTestFormData,
  createAxiosTestUploadFile,
  createTestPictureBytes,
  registerTestMemberWithAxios,
  type TestMemberWithAxiosClient,
} from '#tests/sanctum.ts'
import { type RunningTestServer, startTestServerProcess } from '#tests/server.ts'

let server: RunningTestServer
let ana: TestMemberWithAxiosClient
beforeAll(async () => {
  server = await startTestServerProcess({ RATE_LIMIT: 'off' })
  ana = await registerTestMemberWithAxios(server.url, 'Ana')
})

const get = (
  path: string,
  headers: Record<string, string> = {},
  responseType: 'text' | 'arraybuffer' = 'text',
) => axios.get(server.url + path, { headers, responseType, validateStatus: () => true, maxRedirects: 0 })

describe('a picture', () => {
  let path: string
  beforeAll(async () => {
    const answer = await ana.http.post(
      '/api/posts',
      createAxiosTestFormData({
        'images[]': createAxiosTestUploadFile(await createTestPictureBytes(200, 150, 'jpeg'), 'a.jpg'),
      }),
    )
    path = answer.data.post.images[0].path
  })

  test('may be cached permanently', async () => {
    const { status, headers } = await get(path)
    expect(status).toBe(200)
    expect(headers['cache-control']).toMatch(/immutable/)
    expect(Number(/max-age=(\d+)/.exec(String(headers['cache-control']))![1])).toBeGreaterThanOrEqual(
      30 * 24 * 3600,
    )
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-type']).toMatch(/^image\//)
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('is sent in part for a range, and not sent where the client has it', async () => {
    const { headers, data: whole } = await get(path, {}, 'arraybuffer')
    const part = await get(path, { Range: 'bytes=10-29' }, 'arraybuffer')
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 10-29/${whole.length}`])
    expect(part.data.equals(whole.subarray(10, 30))).toBe(true)
    expect((await get(path, { Range: `bytes=${whole.length}-` })).status).toBe(416)
    const known: Record<string, string>[] = [
      { 'If-None-Match': headers.etag },
      { 'If-Modified-Since': headers['last-modified'] },
    ]
    for (const header of known) {
      const answer = await get(path, header, 'arraybuffer')
      expect([answer.status, answer.data.length], Object.keys(header)[0]).toEqual([304, 0])
    }
    expect((await get(path, { 'If-None-Match': '"another"' })).status).toBe(200)
  })
})
