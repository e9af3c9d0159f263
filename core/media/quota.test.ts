import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#core/config.ts'
import { createUploadQuota } from '#core/media/quota.ts'
import { openRedis, type Redis } from '#core/process/redis.ts'
import { eventually } from '#tests/eventually.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'

const MB = 2 ** 20
const refused = { status: 429, headers: { 'retry-after': expect.any(String) } }

async function openShared() {
  const server = await startRedis()
  const SECRET = createHash('sha256').update('uploads').digest('hex')
  const redis = await openRedis(readConfig({ SECRET }), [server.url])
  onTestFinished(async () => {
    await redis.close()
    await server.stop()
  })
  return { server, redis }
}

type Quota = ReturnType<typeof createUploadQuota>
async function expectLimits(one: Quota, other: Quota) {
  const releases = []
  for (let n = 0; n < 8; n++) releases.push(await (n % 2 ? one : other)(7, 10 * MB))
  for (const quota of [one, other]) await expect(quota(7, 1)).rejects.toMatchObject(refused)
  await one(8, 84 * MB)
  await expect(other(8, 1)).rejects.toMatchObject(refused)
  releases[0]!()
  await eventually(async () => releases.push(await one(7, 4 * MB)))
  await expect(one(7, 0)).rejects.toMatchObject(refused)
  for (const release of releases.slice(1)) release()
  await eventually(async () => (await one(7, 84 * MB))())
}

test('a member has eight uploads at a time, of 84 MB together', async () => {
  const quota = createUploadQuota(null)
  await expectLimits(quota, quota)
})

describe.skipIf(!findRedis())('with Redis', () => {
  test('a member has them at all processes together', async () => {
    const { redis } = await openShared()
    await expectLimits(createUploadQuota(redis), createUploadQuota(redis))
  })

  test('those of a process that was killed end by themselves', async () => {
    const { redis } = await openShared()
    const killed = createUploadQuota(redis, 300)
    for (let n = 0; n < 8; n++) await killed(7, MB)
    const quota = createUploadQuota(redis)
    await eventually(async () => quota(7, 84 * MB))
  })

  test('each process counts for itself while Redis is away', async () => {
    const away: Redis = { ...(await openShared()).redis, runScript: () => Promise.reject(new Error('away')) }
    const [one, other] = [createUploadQuota(away), createUploadQuota(away)]
    await one(7, 84 * MB)
    await expect(one(7, 1)).rejects.toMatchObject(refused)
    ;(await other(7, 84 * MB))()
    await other(7, 84 * MB)
  })
})
