import type { Config } from '#core/config.ts'
import type { BilingualSentence } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { readDatabaseFacts } from '#core/database/facts.ts'
import type { ProxyForwardingState } from '#core/http/hosts.ts'
import { appVersion } from '#core/version.ts'
import { checkAddressHealth, type SessionNetwork } from './addresses.ts'
import { checkAuditLogHealth } from './audit-log.ts'
import { readCertificate } from './certificate.ts'
import type { HealthCheckResult, HealthStatusAndFinding } from './check.ts'
import { checkClockHealth } from './clock.ts'
import { checkJobHealth } from './jobs.ts'
import { checkMailHealth } from './mail.ts'
import { checkHttpsHealth, checkProxyHealth, checkRateLimitHealth } from './network.ts'
import { checkSecretHealth } from './secrets.ts'
import { checkDatabaseHealth, checkRedisHealth, type RedisForHealthCheck } from './services.ts'
import {
  checkBackupHealth,
  checkDiskSpaceHealth,
  checkPictureStorageHealth,
  type StorageForHealthCheck,
} from './storage.ts'

/** The services and facts that the checks read. */
export interface HealthCheckDependencies {
  db: Db
  config: Config
  storage: StorageForHealthCheck
  /** The part of the Redis connection that the check uses; null if REDIS_URL is not set. */
  redis: RedisForHealthCheck | null
  /** Returns whether events that this process publishes through Redis come back to it. */
  isConnected: () => boolean
  /** Lists the newest sessions of all members that have a network. */
  listSessionNetworks: (db: Db) => Promise<readonly SessionNetwork[]>
  /** How the request of the admin fits TRUST_PROXY; missing on the command line, which has no request. */
  forwarding?: ProxyForwardingState
  /** The time of the admin's device, in ms since 1970. */
  deviceTime?: number | undefined
}

const titles = {
  database: { en: 'Database', ja: 'データベース' },
  disk: { en: 'Disk', ja: 'ディスク' },
  pictures: { en: 'Pictures', ja: '画像' },
  secrets: { en: 'Keys', ja: '鍵' },
  backups: { en: 'Backups', ja: 'バックアップ' },
  mail: { en: 'Mail', ja: 'メール' },
  jobs: { en: 'Jobs', ja: 'ジョブ' },
  audit_log: { en: 'Log of admins', ja: '管理者の操作記録' },
  https: { en: 'HTTPS', ja: 'HTTPS' },
  proxy: { en: 'Proxy', ja: 'プロキシ' },
  addresses: { en: 'Addresses', ja: 'アドレス' },
  rate_limits: { en: 'Rate limits', ja: '回数制限' },
  redis: { en: 'Redis', ja: 'Redis' },
  clock: { en: 'Clock', ja: '時計' },
} satisfies Record<string, BilingualSentence>
type CheckName = keyof typeof titles

/** Runs all checks at the same time. A check that throws or takes too long counts as a problem. */
export function runHealthChecks(sources: HealthCheckDependencies): Promise<HealthCheckResult[]> {
  const { db, config, storage, redis, isConnected, listSessionNetworks, forwarding, deviceTime } = sources
  const checks: Partial<Record<CheckName, () => HealthStatusAndFinding | Promise<HealthStatusAndFinding>>> = {
    database: () => checkDatabaseHealth(db),
    disk: () => checkDiskSpaceHealth(db, config),
    pictures: () => checkPictureStorageHealth(db, storage),
    secrets: () => checkSecretHealth(db, config),
    backups: () => checkBackupHealth(db, config.BACKUP_AT !== null),
    mail: () => checkMailHealth(db, config),
    jobs: () => checkJobHealth(db),
    audit_log: () => checkAuditLogHealth(db, config),
    https: async () => checkHttpsHealth(config, forwarding, await readCertificate(config.PUBLIC_URL)),
    ...(forwarding && { proxy: () => checkProxyHealth(forwarding) }),
    addresses: async () => checkAddressHealth(await listSessionNetworks(db), config),
    rate_limits: () => checkRateLimitHealth(config),
    ...(redis && { redis: () => checkRedisHealth(redis, isConnected) }),
    clock: () => checkClockHealth(db, deviceTime),
  }
  const names = Object.keys(checks) as CheckName[]
  return Promise.all(
    names.map(async (name) => {
      const { advice = null, ...finding } = await withTimeout(checks[name]!, failedFinding)
      return { name, title: titles[name], ...finding, advice }
    }),
  )
}

/** The time in ms after which a check counts as failed. */
const TIMEOUT = 5000

/** Returns what `read` returns, or `otherwise` if it throws or takes longer than TIMEOUT. */
async function withTimeout<Value, Otherwise>(read: () => Value | Promise<Value>, otherwise: Otherwise) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Otherwise>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT, otherwise)
  })
  const result = (async () => read())()
  // Drops the error, so that the finding shows no reason: error messages may contain addresses and keys.
  return Promise.race([result.catch(() => otherwise), late]).finally(() => clearTimeout(timer))
}

const failedFinding: HealthStatusAndFinding = {
  status: 'problem',
  finding: { en: 'It does not answer.', ja: '応答がありません。' },
  advice: {
    en: 'Look into the log of the server, and check its settings in the environment.',
    ja: 'サーバーのログと、環境変数の設定を確認してください。',
  },
}

/** Returns the versions of Engawa, of Node, and of the database if it answers. */
export async function readSoftwareVersions(db: Db) {
  const facts = await withTimeout(() => readDatabaseFacts(db), null)
  return [
    { name: 'Engawa', version: appVersion },
    { name: 'Node', version: process.versions.node },
    ...(facts ? [{ name: facts.kind, version: facts.version }] : []),
  ]
}
