import type { CheckResult } from '#core/health/check.ts'
import { type Dependencies, readVersions, runChecks } from '#core/health/health.ts'
import type { CheckedRedis } from '#core/health/services.ts'
import { openStorage } from '#core/media/open-storage.ts'
import { openRedis, type Redis } from '#core/process/redis.ts'
import * as sessions from '#features/people/sessions.ts'
import { type CliCommand, withCommunityDatabase } from './cli-community.ts'

/**
 * A stand-in for a Redis that does not answer. With it the check of Redis fails, and the other checks run.
 */
const unreachableRedis: CheckedRedis & Pick<Redis, 'close'> = {
  keyPrefix: '',
  runScript: () => Promise.reject(new Error('Redis does not answer')),
  close: async () => {},
}

/**
 * A stand-in for a picture storage that does not answer. With it the check of pictures fails, and the other
 * checks run.
 */
const unreachableStorage: Dependencies['storage'] & { close(): void } = {
  check: () => Promise.reject(new Error('The storage does not answer')),
  has: async () => false,
  read: async () => null,
  close: () => {},
}

export const doctorCliCommandsByName: Record<string, CliCommand> = {
  doctor: {
    options: { json: { description: 'prints one JSON object instead of lines' } },
    description: 'checks clock, disk, backups, mail and more, and says what to do',
    run: (_, { json }) =>
      withCommunityDatabase(async ({ db, config }) => {
        const { REDIS_URL } = config
        const storage = await openStorage(config).catch(() => unreachableStorage)
        const redis = REDIS_URL ? await openRedis(config, REDIS_URL).catch(() => unreachableRedis) : null
        try {
          const checks = await runChecks({
            db,
            config,
            storage,
            redis,
            listSessionNetworks: sessions.listNetworks,
            isConnected: () => true,
          })
          if (checks.some(({ status }) => status === 'problem')) process.exitCode = 1
          const versions = await readVersions(db)
          if (json) return JSON.stringify({ checks: checks.map(toJsonCheck), versions }, null, 2)
          return [
            ...checks.map(formatCheck),
            versions.map(({ name, version }) => `${name} ${version}`).join(', '),
          ].join('\n')
        } finally {
          storage.close()
          await redis?.close()
        }
      }),
  },
}

const words = { ok: 'ok', attention: 'ATTENTION', problem: 'PROBLEM' }

function formatCheck({ status, title, finding, advice }: CheckResult) {
  const line = `${words[status].padEnd(11)}${title.en}: ${finding.en}`
  return advice ? `${line}\n${' '.repeat(11)}What to do: ${advice.en}` : line
}

/** Returns a check as `doctor --json` prints it: as the API does, in English. */
const toJsonCheck = ({ name, status, title, finding, advice }: CheckResult) => ({
  name,
  status,
  title: title.en,
  finding: finding.en,
  advice: advice?.en ?? null,
})
