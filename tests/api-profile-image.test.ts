import axios from 'axios'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createAxiosTestFormData,
  createAxiosTestUploadFile,
  createTestPictureBytes,
  expectValidationError,
  registerTestMemberWithAxios,
  type TestMemberWithAxiosClient,
} from '#tests/sanctum.ts'
import { type RunningTestServer, startTestServerProcess } from '#tests/server.ts'

let server: RunningTestServer
beforeAll(async () => {
  server = await startTestServerProcess({ RATE_LIMIT: 'off' })
})

describe('the profile image', () => {
  const send = (who: TestMemberWithAxiosClient, ...files: File[]) =>
    who.http.post('/api/profile-image', createAxiosTestFormData({ image: files }))

  test('is accepted, encoded again, and shown', async () => {
    const max = await registerTestMemberWithAxios(server.url, 'Max')
    const answer = await send(
      max,
      createAxiosTestUploadFile(await createTestPictureBytes(400, 300, 'jpeg'), 'me.jpg', 'image/jpeg'),
    )
    expect(answer.status).toBe(200)
    const path = answer.data.profile_image
    expect(path).toMatch(/^\/[^/]/)
    expect((await max.http.get('/api/user')).data.profile_image).toBe(path)
    const shown = await axios.get(server.url + path, { responseType: 'arraybuffer' })
    expect(shown.headers['content-type']).toMatch(/^image\//)
    expect((await sharp(shown.data).metadata()).width).toBeGreaterThan(0)
    const next = await send(
      max,
      createAxiosTestUploadFile(await createTestPictureBytes(50, 60, 'png', '#fff'), 'new.png', 'image/png'),
    )
    expect(next.data.profile_image).not.toBe(path)
    expect((await max.http.get('/api/users?q=Max')).data[0].profile_image).toBe(next.data.profile_image)
  })

  test('is checked by its content, and the error names the file', async () => {
    const ned = await registerTestMemberWithAxios(server.url, 'Ned')
    const png = await createTestPictureBytes(40, 40)
    const wrong = [
      createAxiosTestUploadFile('just text', 'face.png', 'image/png'),
      createAxiosTestUploadFile('<svg xmlns="http://www.w3.org/2000/svg"/>', 'face.svg', 'image/svg+xml'),
      createAxiosTestUploadFile(png.subarray(0, 60), 'torn.png', 'image/png'),
      createAxiosTestUploadFile(
        Buffer.concat([png.subarray(0, 8), Buffer.alloc(500, 7)]),
        'noise.png',
        'image/png',
      ),
      createAxiosTestUploadFile(await sharp(png).tiff().toBuffer(), 'face.tiff', 'image/tiff'),
    ]
    for (const one of wrong) {
      const answer = await send(ned, one)
      expectValidationError(answer, 'image')
      expect(answer.data.message).toContain(one.name)
    }
    expectValidationError(await send(ned), 'image')
    expectValidationError(
      await ned.http.post('/api/profile-image', createAxiosTestFormData({ image: 'text' })),
      'image',
    )
    expectValidationError(await ned.http.post('/api/profile-image', {}), 'image')
    expect((await ned.http.get('/api/user')).data.profile_image).toBeNull()
    expect((await send(ned, createAxiosTestUploadFile(png, 'notes.txt', 'text/plain'))).status).toBe(200)
  })
})
