import type { Redis } from '#core/process/redis.ts'

/**
 * Creates a fake of the Redis client, which keeps the versions of tables in memory. Its `runScript` does what
 * the two scripts of core/database/table-versions.ts do. It rejects while `state.fails` is true.
 */
export function fakeRedis() {
  const versions = new Map<string, string>()
  const handlers = new Set<() => void>()
  const state = { fails: false, calls: 0 }
  async function runScript(script: string, _key: string, version = '', ...names: string[]) {
    state.calls++
    if (state.fails) throw new Error('Redis is away')
    const isRead = script.includes('hmget')
    for (const name of names) if (!isRead || !versions.has(name)) versions.set(name, version)
    if (isRead) return names.map((name) => versions.get(name)).join(' ')
    if (!versions.has('*')) versions.set('*', version)
    return versions.get('*')
  }
  const redis = {
    keyPrefix: 'test',
    runScript,
    onDisconnect: (handler: () => void) => void handlers.add(handler),
  } as Partial<Redis> as Redis
  const loseConnections = () => {
    for (const handler of handlers) handler()
  }
  return { redis, state, versions, loseConnections }
}
