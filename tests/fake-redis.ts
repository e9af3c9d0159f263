import type { Redis } from '#core/redis.ts'

/**
 * Creates a fake of the Redis client, which keeps the versions of tables in memory. Its `runScript` does what
 * the two scripts of core/database/table-versions.ts do. It rejects while `state.fails` is true.
 */
export function createFakeTableVersionsRedis() {
  const versions = new Map<string, string>()
  const handlers = new Set<() => void>()
  const state = { fails: false, calls: 0 }
  async function runScript(script: string, _key: string, version = '', ...args: string[]) {
    state.calls++
    if (state.fails) throw new Error('Redis is away')
    const isRead = script.includes('hmget')
    const names = isRead ? args.slice(1) : args
    for (const name of isRead ? names.filter((one) => !versions.has(one)) : names) versions.set(name, version)
    if (!isRead && !versions.has('*')) versions.set('*', version)
    if (!isRead) return versions.get('*')
    const found = names.map((name) => versions.get(name))
    return [found.slice(0, Number(args[0])).join(' '), found.slice(Number(args[0])).join(' ')]
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
