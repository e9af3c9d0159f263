import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import {
  createPostgresCascadeChangesFinder,
  type PostgresCascadeChangesFinder,
} from '#core/database/cascades.ts'
import type { Db, QueryCacheDependency } from '#core/database/database.ts'
import { addLostCommitListener } from '#core/database/lost-commits.ts'
import {
  createPostgresStatementChangesFinder,
  type FindSqlStatementChanges,
} from '#core/database/statement-changes.ts'
import {
  ANY_TABLE_CHANGE,
  listVersionNamesInvalidatedByChanges,
  toMemberVersionName,
  toTableVersionNameSharedByAllMembers,
} from '#core/database/table-change-names.ts'
import {
  registerTransactionChangeFinderAndSender,
  type TransactionChangeFinderAndSender,
} from '#core/database/transaction.ts'
import type { Redis } from '#core/redis.ts'

/**
 * How long, in ms, a transaction waits until Redis has its changes. After this time it is acknowledged
 * anyway, and the changes are sent as soon as Redis takes them.
 */
const SEND_TIMEOUT = 2000
/** The delays in ms between attempts to send changes: the first one, and the longest. */
const RETRY_DELAYS = { first: 20, longest: 500 }

/**
 * The Redis script that gives each change in the arguments from ARGV[2] on the new version ARGV[1]. It
 * returns the version of ANY_TABLE_CHANGE, which gets the new version too if it has none.
 */
const sendScript = `for n = 2, #ARGV do redis.call('hset', KEYS[1], ARGV[n], ARGV[1]) end
redis.call('hsetnx', KEYS[1], '${ANY_TABLE_CHANGE}', ARGV[1])
return redis.call('hget', KEYS[1], '${ANY_TABLE_CHANGE}')`

/**
 * The Redis script that returns the versions with the names in the arguments from ARGV[3] on, as two texts in
 * which spaces separate the versions: first as many versions as ARGV[2] says, and then the others. It stores
 * ARGV[1] as the version of each name that has none, so that all processes use the same one.
 */
const readScript = `local found = redis.call('hmget', KEYS[1], unpack(ARGV, 3))
for n = 1, #found do
  if not found[n] then
    redis.call('hset', KEYS[1], ARGV[n + 2], ARGV[1])
    found[n] = ARGV[1]
  end
end
local tables = tonumber(ARGV[2])
return { table.concat(found, ' ', 1, tables), table.concat(found, ' ', tables + 1) }`

const versionPrefix = randomBytes(9).toString('base64url')
let versionCount = 0
/** Returns a text that no other call returns, in any process. Random bytes for each version would cost more. */
const createVersion = () => `${versionPrefix}.${(versionCount++).toString(36)}`

/** The versions at one moment, by their names. */
type Versions = ReadonlyMap<string, string>
/**
 * The versions that were read at one moment: those of changes, and those of the members for whom somebody
 * asked.
 */
interface ReadVersions {
  versions: Versions
  versionsOfMembers: Versions
}

/**
 * Resolves to all versions on which a cache depends, joined in one text; null if they cannot be known at the
 * moment.
 */
export type ReadCacheDependencyVersions = () => Promise<string | null>

/**
 * Resolves to the versions on which the cached rows of a member depend: those of changes, joined in one text
 * (`state`), and the version of the member (`own`). Null if they cannot be known at the moment.
 */
export type ReadCacheDependencyVersionsOfMember = (
  member: number,
) => Promise<{ state: string; own: string } | null>

/** How often caches answered a call from a result (hits), with a query (misses), or could not be used. */
export interface QueryCacheCounts {
  hits: number
  misses: number
  unusable: number
}

type Log = Pick<FastifyBaseLogger, 'warn'>

/**
 * Begins to send the changes of all transactions on `db` to Redis, and returns the versions for the caches of
 * this process. Empties the caches of all processes, because this process may have run migrations.
 */
export async function startRedisTableVersions(db: Db, redis: Redis, log: Log) {
  const versions = await startSendingTableChangesToRedis(db, async () => redis, log)
  redis.onDisconnect(() => versions.onConnectionLost())
  await versions.sendChanges(new Set([ANY_TABLE_CHANGE]))
  return versions
}

/**
 * Begins to send the changes of all transactions on `db` to the Redis that `getRedis` returns. `getRedis` is
 * called for each use, so that a program that writes nothing need not connect.
 */
export async function startSendingTableChangesToRedis(db: Db, getRedis: () => Promise<Redis>, log: Log) {
  const cascades = await createPostgresCascadeChangesFinder(db)
  if (cascades.hasUnknownChanges)
    log.warn('The database has triggers, rules or partitions, so every write empties all query caches')
  const versions = new RedisTableVersions(db, getRedis, log, cascades)
  registerTransactionChangeFinderAndSender(db, versions)
  addLostCommitListener(db, (changes) => void (changes.size && versions.sendChanges(changes)))
  return versions
}

/**
 * The versions of tables, and of kinds of changes such as `insert into likes`, in one hash in Redis. A
 * version is a text that no process makes twice, so that none comes back, even if Redis loses data. A transaction gives new
 * versions to its changes after the commit, and before it is acknowledged. A reader asks for the versions
 * before it uses a cached result.
 */
export class RedisTableVersions implements TransactionChangeFinderAndSender {
  readonly findChanges: FindSqlStatementChanges
  readonly cacheCounts: QueryCacheCounts = { hits: 0, misses: 0, unusable: 0 }
  private readonly db: Db
  private readonly getRedis: () => Promise<Redis>
  private readonly log: Log
  private cascades: PostgresCascadeChangesFinder
  /**
   * The version of ANY_TABLE_CHANGE before `cascades` was read. It changes when a process starts, which may
   * have run migrations.
   */
  private cascadesVersion = ''
  /** The names of the changes on which caches of this process depend. */
  private readonly names = new Set<string>([ANY_TABLE_CHANGE])
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
  private turn: Promise<ReadVersions | null> | null = null
  /** The names of the versions of members for which callers of this turn of the event loop asked. */
  private membersOfTurn = new Set<string>()
  private isClosed = false

  constructor(db: Db, getRedis: () => Promise<Redis>, log: Log, cascades: PostgresCascadeChangesFinder) {
    this.db = db
    this.getRedis = getRedis
    this.log = log
    this.cascades = cascades
    this.findChanges = createPostgresStatementChangesFinder(cascades.canExplain)
  }

  // ── Reading versions ──────────────────────────────────────────────────────

  /** Returns a function that reads the versions of these dependencies. Calls in one turn share a read. */
  watch(dependencies: readonly QueryCacheDependency[]): ReadCacheDependencyVersions {
    const toText = this.watchNames(dependencies)
    return async () => {
      const found = await this.readOncePerTurn()
      return found && toText(found.versions)
    }
  }

  /**
   * Returns a function that reads the versions for the rows of a member: those of `dependencies`, of
   * changes of `tables` that may concern every member, and of the member. See `Tx.forRowsOfMember`.
   */
  watchMembers(
    dependencies: readonly QueryCacheDependency[],
    tables: readonly QueryCacheDependency[],
  ): ReadCacheDependencyVersionsOfMember {
    const toText = this.watchNames([...dependencies, ...tables.map(toTableVersionNameSharedByAllMembers)])
    return async (member) => {
      const name = toMemberVersionName(member)
      const found = await this.readOncePerTurn(name)
      return found && { state: toText(found.versions), own: found.versionsOfMembers.get(name)! }
    }
  }

  /**
   * Adds the names of a cache's dependencies to those whose versions are read. Returns a function that joins
   * their versions in one text; a cached result is valid while this text is the same.
   */
  private watchNames(names: readonly string[]) {
    const own = [ANY_TABLE_CHANGE, ...names]
    for (const name of own) this.names.add(name)
    let seen: Versions | undefined
    let text = ''
    return (versions: Versions) => {
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
  private readOncePerTurn(member?: string) {
    if (member) this.membersOfTurn.add(member)
    this.turn ??= new Promise((resolve) =>
      setImmediate(() => {
        const members = [...this.membersOfTurn]
        this.turn = null
        this.membersOfTurn.clear()
        resolve(this.read(members))
      }),
    )
    return this.turn
  }

  private async read(members: readonly string[]): Promise<ReadVersions | null> {
    const names = [...this.names]
    const losses = this.losses
    if (this.isBehind) return null
    try {
      const redis = await this.getRedis()
      const args = [createVersion(), String(names.length), ...names, ...members]
      const [text, ofMembers] = (await redis.runScript(readScript, toKey(redis), ...args)) as [string, string]
      if (this.isBehind || losses !== this.losses) return null
      const toVersions = (all: readonly string[], found: string) => {
        const list = found.split(' ')
        return new Map(all.map((name, at) => [name, `${list[at]}/${losses}`]))
      }
      if (this.last?.text !== text) this.last = { text, versions: toVersions(names, text) }
      return { versions: this.last.versions, versionsOfMembers: toVersions(members, ofMembers) }
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
    const listNames = () => listVersionNamesInvalidatedByChanges(changes, (own) => this.cascades.addTo(own))
    const all = listNames()
    const version = String(await give(all))
    if (version === this.cascadesVersion || this.cascades.hasUnknownChanges) return
    // Reads the cascades again, because the tables may have changed since the last time.
    this.cascades = await createPostgresCascadeChangesFinder(this.db)
    this.cascadesVersion = version
    if (!all.has(ANY_TABLE_CHANGE)) await give(listNames())
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
