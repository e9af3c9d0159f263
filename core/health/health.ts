import type { Config } from '#core/config.ts'
import type { Sentence } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { readFacts } from '#core/database/facts.ts'
import { appVersion } from '#core/environment/version.ts'
import type { ProxyState } from '#core/http/hosts.ts'
import { checkAddresses, type SessionNetwork } from './addresses.ts'
import { checkAuditLog } from './audit-log.ts'
import { readCertificate } from './certificate.ts'
import type { CheckResult, Finding } from './check.ts'
import { checkClock } from './clock.ts'
import { checkJobHealth } from './jobs.ts'
import { checkMail } from './mail.ts'
import { checkHttps, checkProxy, checkRateLimit } from './network.ts'
import { checkSecrets } from './secrets.ts'
import { type CheckedRedis, checkDatabase, checkRedis } from './services.ts'
import { type CheckedStorage, checkBackups, checkDiskSpace, checkPictures } from './storage.ts'

export interface Dependencies {
  db: Db
  config: Config
  storage: CheckedStorage
  /** The part of the Redis connection that the check uses; null if REDIS_URL is not set. */
  redis: CheckedRedis | null
  /** Returns whether events that this process publishes through Redis come back to it. */
  isConnected: () => boolean
  /** Lists the newest sessions of all members that have a network. */
  listSessionNetworks: (db: Db) => Promise<readonly SessionNetwork[]>
  /** How the request of the admin fits TRUST_PROXY; missing on the command line, which has no request. */
  forwarding?: ProxyState
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
  jobs: { en: 'Jobs', ja: '自動処理' },
  audit_log: { en: 'Log of admins', ja: '管理者の操作記録' },
  https: { en: 'HTTPS', ja: 'HTTPS' },
  proxy: { en: 'Proxy', ja: 'プロキシ' },
  addresses: { en: 'Addresses', ja: 'アドレス' },
  rate_limits: { en: 'Rate limits', ja: '回数制限' },
  redis: { en: 'Redis', ja: 'Redis' },
  clock: { en: 'Clock', ja: '時計' },
} satisfies Record<string, Sentence>
type CheckName = keyof typeof titles

/** Runs all checks at the same time. A check that throws or takes too long counts as a problem. */
export function runChecks(sources: Dependencies): Promise<CheckResult[]> {
  const { db, config, storage, redis, isConnected, listSessionNetworks, forwarding, deviceTime } = sources
  const checks: Partial<Record<CheckName, () => Finding | Promise<Finding>>> = {
    database: () => checkDatabase(db),
    disk: () => checkDiskSpace(db, config),
    pictures: () => checkPictures(db, storage),
    secrets: () => checkSecrets(db, config),
    backups: () => checkBackups(db, config.BACKUP_AT !== null),
    mail: () => checkMail(db, config),
    jobs: () => checkJobHealth(db),
    audit_log: () => checkAuditLog(db, config),
    https: async () => checkHttps(config, forwarding, await readCertificate(config.PUBLIC_URL)),
    ...(forwarding && { proxy: () => checkProxy(forwarding) }),
    addresses: async () => checkAddresses(await listSessionNetworks(db), config),
    rate_limits: () => checkRateLimit(config),
    ...(redis && { redis: () => checkRedis(redis, isConnected) }),
    clock: () => checkClock(db, deviceTime),
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

const failedFinding: Finding = {
  status: 'problem',
  finding: { en: 'It does not answer.', ja: '応答がありません。' },
  advice: {
    en: 'Look into the log of the server, and check its settings in the environment.',
    ja: 'サーバーのログと、環境変数の設定を確認してください。',
  },
}

/** Returns the versions of Engawa, of Node, and of the database if it answers. */
export async function readVersions(db: Db) {
  const facts = await withTimeout(() => readFacts(db), null)
  return [
    { name: 'Engawa', version: appVersion },
    { name: 'Node', version: process.versions.node },
    ...(facts ? [{ name: facts.kind, version: facts.version }] : []),
  ]
}
