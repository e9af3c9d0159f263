import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '#core/config.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { openRedis } from './redis.ts'

const open = async () => {
  const server = await startRedis()
  const redis = await openRedis({ SECRET: Buffer.alloc(32) } as Config, [server.url])
  onTestFinished(async () => {
    await redis.close()
    await server.stop()
  })
  return { redis, server }
}

/** Blocks the event loop of this process for `ms` milliseconds. */
function block(ms: number) {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test.runIf(findRedis())(
  'a command does not fail because this process was too busy for its answer',
  async () => {
    const { redis } = await open()
    const answers = [redis.runScript('return 7', 'key'), redis.publish('channel', 'Hello')]
    block(2500)
    expect((await Promise.all(answers))[0]).toBe(7)
  },
)

test.runIf(findRedis())('a command fails if Redis does not answer, and the next one at once', async () => {
  const { redis } = await open()
  const slow = redis.runScript("redis.call('time') while true do end", 'key').catch((error: Error) => error)
  expect(await slow).toMatchObject({ message: 'Redis does not answer' })
  await expect(redis.publish('channel', 'Hello')).rejects.toThrow('Redis did not answer')
})
