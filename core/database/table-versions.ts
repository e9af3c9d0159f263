import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createCascadeFinder, type FindCascades } from '#core/database/cascades.ts'
import type { CacheDependency, Db } from '#core/database/database.ts'
import { onLostCommit } from '#core/database/lost-commits.ts'
import { ANY, createChangesFinder, type FindChanges } from '#core/database/statement-changes.ts'
import { type ChangeSender, registerChangeSender } from '#core/database/transaction.ts'
import type { Redis } from '#core/process/redis.ts'

/**
 * How long, in ms, a transaction waits until Redis has its changes. After this time it is acknowledged
 * anyway, and the changes are sent as soon as Redis takes them.
 */
const SEND_TIMEOUT = 2000
/** The delays in ms between attempts to send changes: the first one, and the longest. */
const RETRY_DELAYS = { first: 20, longest: 500 }

/**
 * The Redis script that gives each change in the arguments from ARGV[2] on the new version ARGV[1]. It
 * returns the version of ANY, which gets the new version too if it has none.
 */
const sendScript = `for n = 2, #ARGV do redis.call('hset', KEYS[1], ARGV[n], ARGV[1]) end
redis.call('hsetnx', KEYS[1], '${ANY}', ARGV[1])
return redis.call('hget', KEYS[1], '${ANY}')`

/**
 * The Redis script that returns the versions with the names in the arguments from ARGV[2] on, as one text in
 * which spaces separate them. It stores ARGV[1] as the version of each name that has none, so that all
 * processes use the same one.
 */
const readScript = `local found = redis.call('hmget', KEYS[1], unpack(ARGV, 2))
for n = 1, #found do
  if not found[n] then
    redis.call('hset', KEYS[1], ARGV[n + 1], ARGV[1])
    found[n] = ARGV[1]
  end
end
return table.concat(found, ' ')`

const versionPrefix = randomBytes(9).toString('base64url')
let versionCount = 0
/** Returns a text that no other call returns, in any process. Random bytes for each version would cost more. */
const createVersion = () => `${versionPrefix}.${(versionCount++).toString(36)}`

type Versions = ReadonlyMap<string, string>
/**
 * Resolves to all versions on which a cache depends, joined in one text; null if they cannot be known at the
 * moment.
 */
export type ReadTableVersions = () => Promise<string | null>

/** How often caches answered a call from a result (hits), with a query (misses), or could not be used. */
export interface CacheCounts {
  hits: number
  misses: number
  unusable: number
}

type Log = Pick<FastifyBaseLogger, 'warn'>

/**
 * Begins to send the changes of all transactions on `db` to Redis, and returns the versions for the caches of
 * this process. Empties the caches of all processes, because this process may have run migrations.
 */
export async function startVersions(db: Db, redis: Redis, log: Log) {
  const versions = await startSendingChanges(db, async () => redis, log)
  redis.onDisconnect(() => versions.onConnectionLost())
  await versions.sendChanges(new Set([ANY]))
  return versions
}

/**
 * Begins to send the changes of all transactions on `db` to the Redis that `getRedis` returns. `getRedis` is
 * called for each use, so that a program that writes nothing need not connect.
 */
export async function startSendingChanges(db: Db, getRedis: () => Promise<Redis>, log: Log) {
  const cascades = await createCascadeFinder(db)
  if (cascades.hasUnknownChanges)
    log.warn('The database has triggers, rules or partitions, so every write empties all query caches')
  const versions = new TableVersions(db, getRedis, log, cascades)
  registerChangeSender(db, versions)
  onLostCommit(db, (changes) => void (changes.size && versions.sendChanges(changes)))
  return versions
}

/**
 * The versions of tables, and of kinds of changes such as `insert into likes`, in one hash in Redis. A
 * version is a text that no process makes twice, so that none comes back, even if Redis loses data. A transaction gives new
 * versions to its changes after the commit, and before it is acknowledged. A reader asks for the versions
 * before it uses a cached result.
 */
export class TableVersions implements ChangeSender {
  readonly findChanges: FindChanges
  readonly cacheCounts: CacheCounts = { hits: 0, misses: 0, unusable: 0 }
  private readonly db: Db
  private readonly getRedis: () => Promise<Redis>
  private readonly log: Log
  private cascades: FindCascades
  /**
   * The version of ANY before `cascades` was read. It changes when a process starts, which may
   * have run migrations.
   */
  private cascadesVersion = ''
  /** The names of the changes on which caches of this process depend. */
  private readonly names = new Set<string>([ANY])
  /** The versions that Redis returned last, with the text from which they were parsed. */
  private last: { text: string; versions: Versions } | null = null
  /**
   * The number of times that this process lost a connection to Redis. The number is part of each version, so
   * each loss empties the caches.
   */
  private losses = 0
  /** The names of the changes of acknowledged transactions that have not been stored in Redis yet. */
  private readonly unsent = new Set<string>()
  /** Whether changes of this process are not in Redis yet. Meanwhile, this process uses no cached results. */
  private isBehind = false
  private turn: Promise<Versions | null> | null = null
  private isClosed = false

  constructor(db: Db, getRedis: () => Promise<Redis>, log: Log, cascades: FindCascades) {
    this.db = db
    this.getRedis = getRedis
    this.log = log
    this.cascades = cascades
    this.findChanges = createChangesFinder(cascades.canExplain)
  }

  // ── Reading versions ──────────────────────────────────────────────────────

  /** Returns a function that reads the versions of these dependencies. Calls in one turn share a read. */
  watch(dependencies: readonly CacheDependency[]): ReadTableVersions {
    const own = [ANY, ...dependencies]
    for (const name of own) this.names.add(name)
    let seen: Versions | undefined
    let text = ''
    return async () => {
      const versions = await this.readOncePerTurn()
      if (!versions) return null
      // A cached result is valid while this text is the same.
      if (versions !== seen) text = own.map((name) => versions.get(name)).join(' ')
      seen = versions
      return text
    }
  }

  /** Makes all cached results invalid. Called when messages of Redis may be lost. */
  onConnectionLost() {
    this.losses++
    this.last = null
  }

  /**
   * Reads the versions when the turn of the event loop ends, so that each caller gets those of every write
   * that was acknowledged before its call.
   */
  private readOncePerTurn() {
    this.turn ??= new Promise((resolve) =>
      setImmediate(() => {
        this.turn = null
        resolve(this.read())
      }),
    )
    return this.turn
  }

  private async read(): Promise<Versions | null> {
    const names = [...this.names]
    const losses = this.losses
    if (this.isBehind) return null
    try {
      const redis = await this.getRedis()
      const text = (await redis.runScript(readScript, toKey(redis), createVersion(), ...names)) as string
      if (this.isBehind || losses !== this.losses) return null
      if (this.last?.text !== text) {
        const list = text.split(' ')
        const versions = new Map(names.map((name, at) => [name, `${list[at]}/${losses}`]))
        this.last = { text, versions }
      }
      return this.last.versions
    } catch {
      return null
    }
  }

  // ── Sending changes ───────────────────────────────────────────────────────

  /**
   * Gives new versions to the changes of a committed transaction, and to those of its cascades. Never fails.
   */
  async sendChanges(changes: ReadonlySet<string>) {
    const end = performance.now() + SEND_TIMEOUT
    // Does not wait while Redis takes no changes, because waiting would delay every write.
    for (let delay = RETRY_DELAYS.first; !this.isBehind; delay = longer(delay))
      try {
        return await this.send(changes)
      } catch (error) {
        if (performance.now() + delay > end) {
          this.log.warn(
            { err: error },
            'Redis did not take a change: servers may answer as before it for ten seconds',
          )
          break
        }
        await sleep(delay)
      }
    for (const change of changes) this.unsent.add(change)
    if (this.isBehind) return
    this.isBehind = true
    void this.sendUnsent()
  }

  private async send(changes: Iterable<string>) {
    const redis = await this.getRedis()
    const give = (names: Iterable<string>) =>
      redis.runScript(sendScript, toKey(redis), createVersion(), ...names)
    const all = this.cascades.addTo(changes)
    const version = String(await give(all))
    if (version === this.cascadesVersion || this.cascades.hasUnknownChanges) return
    // Reads the cascades again, because the tables may have changed since the last time.
    this.cascades = await createCascadeFinder(this.db)
    this.cascadesVersion = version
    if (!all.has(ANY)) await give(this.cascades.addTo(changes))
  }

  /** Tries to send the changes of `unsent` until Redis has taken all of them. */
  private async sendUnsent() {
    for (let delay = RETRY_DELAYS.first; !this.isClosed; delay = longer(delay)) {
      await sleep(delay, undefined, { ref: false })
      // Empties `unsent` before the attempt, because a transaction may add the same change meanwhile.
      const changes = [...this.unsent]
      this.unsent.clear()
      try {
        await this.send(changes)
      } catch {
        for (const change of changes) this.unsent.add(change)
      }
      if (!this.unsent.size) return void (this.isBehind = false)
    }
  }

  close() {
    this.isClosed = true
  }
}

const toKey = ({ keyPrefix }: Redis) => `${keyPrefix}:versions`
const longer = (delay: number) => Math.min(2 * delay, RETRY_DELAYS.longest)
