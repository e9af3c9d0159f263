import { expect, test, vi } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { migratedPostgres } from '#tests/migrated-databases.ts'
import { memberAt, readyzStatus } from '#tests/multi-process.ts'
import { startRedis } from '#tests/redis.ts'
import { s3Credentials, startS3 } from '#tests/s3.ts'
import { axiosFile, axiosForm, axiosMember, axiosVisitor, pictureBytes } from '#tests/sanctum.ts'
import { startServer } from '#tests/server.ts'
import { dropDatabase } from '#tests/services.ts'

// Tests server processes of one community, which share only a PostgreSQL server, a Redis server, and a folder
// or a bucket.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

test('three processes with separate folders and one bucket: all show a picture that one has received, and none shows it after its deletion', async () => {
  const [redis, s3] = [await startRedis(), await startS3()]
  const env = {
    ...s3Credentials,
    DATABASE_URL: await migratedPostgres(),
    REDIS_URL: redis.url,
    MEDIA_URL: s3.mediaUrl,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
  }
  const servers = [await startServer(env), await startServer(env), await startServer(env)]
  const [a, b, c] = servers.map(({ url }) => url) as [string, string, string]
  const ann = await axiosMember(a, 'Ann')
  const photo = axiosFile(await pictureBytes(900, 600, 'jpeg'), 'photo.jpg')
  const { data } = await ann.http.post(
    `${a}/api/posts`,
    axiosForm({ text: 'From one to all', 'images[]': [photo, photo] }),
  )
  const paths = data.post.images.map(({ path }: { path: string }) => new URL(path, a).pathname) as string[]
  const seen = async (url: string) =>
    Promise.all(paths.map(async (path) => (await axiosVisitor(url).http.get(url + path)).status))
  for (const url of [a, b, c]) expect(await seen(url)).toEqual([200, 200])
  expect((await memberAt(ann, c).delete(`/api/posts/${data.post.id}`)).status).toBe(200)
  for (const url of [a, b, c]) await eventually(async () => expect(await seen(url)).toEqual([404, 404]))
  await s3.close()
  await readyzStatus(b, 503)
  expect((await axiosVisitor(b).http.get('/readyz')).data).toEqual({
    message: 'Not ready: pictures.',
  })
  expect((await memberAt(ann, b).get('/api/posts')).status).toBe(200)
  await s3.open()
  await readyzStatus(b)
  await Promise.all(servers.map((server) => server.stop()))
  await Promise.all([redis.stop(), s3.stop(), dropDatabase(env.DATABASE_URL)])
})
