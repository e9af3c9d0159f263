import type { Config } from '#core/config.ts'
import type { Sentence } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import type { JobPayloads } from '#core/jobs/jobs.ts'
import * as jobResults from '#core/jobs/results.ts'
import { checkAuditLog } from './audit-log.ts'
import { endsSoon, readCertificate } from './certificate.ts'
import type { Finding } from './check.ts'
import { type FreeSpace, judgeFreeSpace, readFreeSpace } from './free-space.ts'
import { checkCertificate } from './network.ts'
import { checkBackups, checkDiskSpace } from './storage.ts'

/** What is true of a watched condition now. `isOn` is null if nobody can tell. */
export interface WatchedState {
  isOn: boolean | null
  finding?: Sentence | undefined
  advice?: Sentence | undefined
}

export interface WatchedServer {
  db: Db
  config: Config
  /** Reads the space of the disk of DATA_DIR. Only tests pass another function. */
  readSpace?: typeof readFreeSpace
}

/** The number of attempts without a success after which jobs count as failing. */
const MANY_ATTEMPTS = 3
/** A warning ends only when this part of the free space is above the bound, so that it does not come and go. */
const MARGIN = 0.95

const fromHealth = ({ status, finding, advice }: Finding): WatchedState => ({
  isOn: status === 'problem',
  finding,
  advice,
})

async function checkSpace(
  { db, config, readSpace = readFreeSpace }: WatchedServer,
  levels: FreeSpace['level'][],
) {
  const space = await readSpace(config)
  const { finding, advice } = await checkDiskSpace(db, config, async () => space)
  const isOver = !levels.includes(judgeFreeSpace({ ...space, free: space.free * MARGIN }, config).level)
  return { isOn: levels.includes(space.level) || (isOver ? false : null), finding, advice }
}

/** Whether jobs of these kinds keep failing. Nobody can tell while none has succeeded lately. */
export async function watchJobs(db: Db, kinds: readonly (keyof JobPayloads)[]): Promise<WatchedState> {
  const { attempts, error, succeeded_at } = await jobResults.repeatedFailures(db, kinds)
  const isOn = attempts >= MANY_ATTEMPTS
  return {
    isOn: isOn || (succeeded_at ? false : null),
    ...(isOn && {
      finding: {
        en: `Attempts that failed since the last success: ${attempts}. The last error: ${error}`,
        ja: `最後に成功してから${attempts}回失敗しました。最後のエラー：${error}`,
      },
    }),
  }
}

/** The conditions of core that somebody must hear of, with the functions that look whether they hold. */
export const watchedConditions = {
  backup: async ({ db, config }: WatchedServer) =>
    fromHealth(await checkBackups(db, config.BACKUP_AT !== null)),
  disk_low: (server: WatchedServer) => checkSpace(server, ['low', 'none']),
  disk_full: (server: WatchedServer) => checkSpace(server, ['none']),
  mail: ({ db, config }: WatchedServer) =>
    config.SMTP_URL ? watchJobs(db, ['mail']) : Promise.resolve({ isOn: null }),
  certificate: async ({ config }: WatchedServer) => {
    const certificate = await readCertificate(config.PUBLIC_URL)
    if (!certificate) return { isOn: null }
    return { ...fromHealth(checkCertificate(certificate)), isOn: endsSoon(certificate) }
  },
  audit_log: async ({ db, config }: WatchedServer) => fromHealth(await checkAuditLog(db, config)),
} satisfies Record<string, (server: WatchedServer) => Promise<WatchedState>>
