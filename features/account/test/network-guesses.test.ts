import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#core/config.ts'
import { openRedis } from '#core/process/redis.ts'
import { createTestApp } from '#tests/harness.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { guessCounter } from '../network-guesses.ts'

test.skipIf(!findRedis())('the wrong passwords of a network count for all processes', async () => {
  const server = await startRedis()
  const { folder } = await createTestApp()
  const config = readConfig({ DATA_DIR: folder, RATE_LIMIT: 'on' })
  const connections = [await openRedis(config, [server.url]), await openRedis(config, [server.url])]
  onTestFinished(async () => {
    for (const redis of connections) await redis.close()
    await server.stop()
  })
  const processes = connections.map((redis) => guessCounter({ config, redis }))
  const guess = (n: number, isFirst = false) => processes[n % 2]!('192.0.2.1', `member ${n}`, isFirst)
  const takeBacks = []
  for (let n = 0; n < 60; n++) takeBacks.push(await guess(n))
  for (const n of [60, 61]) await expect(guess(n)).rejects.toMatchObject({ status: 429 })
  await expect(guess(62, true)).resolves.toBeDefined()
  await takeBacks[0]!()
  await expect(guess(63)).resolves.toBeDefined()
  await expect(guess(64)).rejects.toMatchObject({ status: 429 })
})
