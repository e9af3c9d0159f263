import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { findRedis } from '#tests/programs.ts'
import { findFreePort, startGuard } from '#tests/services.ts'

/**
 * Starts a temporary Redis server on a free port. `end` kills the server, and `begin` starts it again; it is
 * then empty, because it stores nothing on disk.
 */
export async function startRedis(...more: string[]) {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'engawa-redis-'))
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
    ...more,
  ]
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess
  let guard: ReturnType<typeof startGuard>

  async function begin() {
    child = spawn(findRedis()!, args, { stdio: 'ignore' })
    guard = startGuard(child.pid, folder)
    for (const deadline = Date.now() + 15_000; Date.now() < deadline; await sleep(30))
      if (await answers(url)) return
    throw new Error('Redis did not start')
  }
  async function end() {
    guard.stdin.end('stopped\n')
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'close')
    child.kill('SIGKILL')
    await gone
  }
  await begin()
  return {
    url,
    port,
    pid: () => child.pid!,
    end,
    begin,
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string) {
  const client = createClient({ url, socket: { reconnectStrategy: false } }).on('error', () => {})
  try {
    await client.connect()
    return (await client.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    if (client.isOpen) client.destroy()
  }
}

/** Starts a temporary Redis cluster of three masters. */
export async function startRedisCluster() {
  const nodes = await Promise.all(
    [0, 1, 2].map(async (n) =>
      startRedis(
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(await findFreePort()),
        '--cluster-config-file',
        `node-${n}.conf`,
        '--cluster-node-timeout',
        '3000',
      ),
    ),
  )
  const clients = await Promise.all(
    nodes.map(({ url }) =>
      createClient({ url })
        .on('error', () => {})
        .connect(),
    ),
  )
  const bounds = [0, 5461, 10_923, 16_384]
  for (const [n, client] of clients.entries())
    await client.clusterAddSlotsRange({ start: bounds[n]!, end: bounds[n + 1]! - 1 })
  for (const [n, client] of clients.entries()) {
    await client.sendCommand(['CLUSTER', 'SET-CONFIG-EPOCH', String(n + 1)])
    if (n)
      await clients[0]!.sendCommand([
        'CLUSTER',
        'MEET',
        '127.0.0.1',
        String(nodes[n]!.port),
        await busPort(client),
      ])
  }
  const isWhole = async (client: (typeof clients)[number]) =>
    /cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(await client.clusterInfo()))
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50))
    if ((await Promise.all(clients.map(isWhole))).every(Boolean)) break
  for (const client of clients) client.destroy()
  return {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    stop: () => Promise.all(nodes.map((node) => node.stop())),
  }
}

const busPort = async (client: { configGet(name: string): Promise<Record<string, string>> }) =>
  (await client.configGet('cluster-port'))['cluster-port']!
