import { expect, test, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { createMigratedTestPostgresDatabase } from '#tests/migrated-databases.ts'
import { createTestMemberClientOfProcess, waitForServerReadyzStatus } from '#tests/multi-process.ts'
import { startTemporaryRedis } from '#tests/redis.ts'
import { startTestS3Server, testS3CredentialEnvVariables } from '#tests/s3.ts'
import {
  createAxiosTestFormData,
  createAxiosTestUploadFile,
  createTestPictureBytes,
  createTestVisitorWithAxiosClient,
  registerTestMemberWithAxios,
} from '#tests/sanctum.ts'
import { startTestServerProcess } from '#tests/server.ts'
import { dropTestPostgresDatabase } from '#tests/services.ts'

// Tests server processes of one community, which share only a PostgreSQL server, a Redis server, and a folder
// or a bucket.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

test('three processes with separate folders and one bucket: all show a picture that one has received, and none shows it after its deletion', async () => {
  const [redis, s3] = [await startTemporaryRedis(), await startTestS3Server()]
  const env = {
    ...testS3CredentialEnvVariables,
    DATABASE_URL: await createMigratedTestPostgresDatabase(),
    REDIS_URL: redis.url,
    MEDIA_URL: s3.mediaUrl,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
  }
  const servers = [
    await startTestServerProcess(env),
    await startTestServerProcess(env),
    await startTestServerProcess(env),
  ]
  const [a, b, c] = servers.map(({ url }) => url) as [string, string, string]
  const ann = await registerTestMemberWithAxios(a, 'Ann')
  const photo = createAxiosTestUploadFile(await createTestPictureBytes(900, 600, 'jpeg'), 'photo.jpg')
  const { data } = await ann.http.post(
    `${a}/api/posts`,
    createAxiosTestFormData({ text: 'From one to all', 'images[]': [photo, photo] }),
  )
  const paths = data.post.images.map(({ path }: { path: string }) => new URL(path, a).pathname) as string[]
  const seen = async (url: string) =>
    Promise.all(
      paths.map(async (path) => (await createTestVisitorWithAxiosClient(url).http.get(url + path)).status),
    )
  for (const url of [a, b, c]) expect(await seen(url)).toEqual([200, 200])
  expect((await createTestMemberClientOfProcess(ann, c).delete(`/api/posts/${data.post.id}`)).status).toBe(
    200,
  )
  for (const url of [a, b, c]) await eventually(async () => expect(await seen(url)).toEqual([404, 404]))
  await s3.close()
  await waitForServerReadyzStatus(b, 503)
  expect((await createTestVisitorWithAxiosClient(b).http.get('/readyz')).data).toEqual({
    message: 'Not ready: pictures.',
  })
  expect((await createTestMemberClientOfProcess(ann, b).get('/api/posts')).status).toBe(200)
  await s3.open()
  await waitForServerReadyzStatus(b)
  await Promise.all(servers.map((server) => server.stop()))
  await Promise.all([redis.stop(), s3.stop(), dropTestPostgresDatabase(env.DATABASE_URL)])
})
