import { currentIsoTime } from '#core/database/database.ts'
import { readSoftwareVersions, runHealthChecks } from '#core/health/health.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { countRetryableJobs } from '#core/jobs/jobs.ts'
import type { MemberFileKindAndSizeQueryBuilder } from '#core/statistics.ts'
import { listSessionNetworks } from '#features/people/sessions.ts'
import type { adminHealthEndpoints } from './health-contract.ts'
import { retryFailedMailsAsAdmin } from './mail-retry.ts'
import { sendTestMailToAdmin } from './mail-test.ts'
import { readStorageUseByKindAndMember } from './storage.ts'

/**
 * Creates the handlers of the endpoints of the admin health page. `stored` defines the kinds of files that
 * the running features store.
 */
export const createAdminHealthEndpointHandlers = (
  stored: readonly MemberFileKindAndSizeQueryBuilder[],
): EndpointHandlers<typeof adminHealthEndpoints> => ({
  show: async ({ input, lang, client, realtime, ...context }) => {
    const checks = await runHealthChecks({
      ...context,
      isConnected: () => realtime.isConnected(),
      listSessionNetworks,
      forwarding: client.forwarding(),
      deviceTime: input.device_time,
    })
    return {
      checked_at: currentIsoTime(),
      checks: checks.map(({ name, status, title, finding, advice }) => ({
        name,
        status,
        title: title[lang],
        finding: finding[lang],
        advice: advice?.[lang] ?? null,
      })),
      failed_mails: await countRetryableJobs(context.db, 'mail'),
      versions: await readSoftwareVersions(context.db),
    }
  },
  testMail: sendTestMailToAdmin,
  retryMails: retryFailedMailsAsAdmin,
  storage: (context) => readStorageUseByKindAndMember(context, stored),
})
