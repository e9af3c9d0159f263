import type { MemberFilesQuery } from '#core/community/statistics.ts'
import { isoNow } from '#core/database/database.ts'
import { readVersions, runChecks } from '#core/health/health.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { countRetryable } from '#core/jobs/jobs.ts'
import * as sessions from '#features/people/sessions.ts'
import type { healthEndpoints } from './contract.ts'
import { retryAsAdmin } from './mail-retry.ts'
import { sendToAdmin } from './mail-test.ts'
import { getStorageUse } from './storage.ts'

export const healthHandlers = (stored: readonly MemberFilesQuery[]): Handlers<typeof healthEndpoints> => ({
  show: async ({ input, lang, client, realtime, ...context }) => {
    const checks = await runChecks({
      ...context,
      isConnected: () => realtime.isConnected(),
      listSessionNetworks: sessions.listNetworks,
      forwarding: client.forwarding(),
      deviceTime: input.device_time,
    })
    return {
      checked_at: isoNow(),
      checks: checks.map(({ name, status, title, finding, advice }) => ({
        name,
        status,
        title: title[lang],
        finding: finding[lang],
        advice: advice?.[lang] ?? null,
      })),
      failed_mails: await countRetryable(context.db, 'mail'),
      versions: await readVersions(context.db),
    }
  },
  testMail: sendToAdmin,
  retryMails: retryAsAdmin,
  storage: (context) => getStorageUse(context, stored),
})
