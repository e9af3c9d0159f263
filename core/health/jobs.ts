import type { Db } from '#core/database/database.ts'
import { countFailedJobsExceptMailsSince, readOverdueJobsSummary } from '#core/jobs/results.ts'
import { type HealthStatusAndFinding, toBilingualDuration } from './check.ts'

/** The times in ms after which a due job that nobody runs needs attention, or is a problem. */
const LATE = 5 * 60_000
const STUCK = 60 * 60_000
const WEEK = 7 * 24 * 3600_000

/** Checks how long due jobs wait, and how many jobs, without mails, failed in the last seven days. */
export async function checkJobHealth(db: Db): Promise<HealthStatusAndFinding> {
  const [{ oldest, count }, failed] = await Promise.all([
    readOverdueJobsSummary(db),
    countFailedJobsExceptMailsSince(db, new Date(Date.now() - WEEK).toISOString()),
  ])
  const delay = oldest ? Date.now() - Date.parse(oldest) : 0
  if (delay > LATE) {
    const late = toBilingualDuration(delay)
    return {
      status: delay > STUCK ? 'problem' : 'attention',
      finding: {
        en: `Jobs that are due: ${count}. The oldest has waited for ${late.en}.`,
        ja: `待っているジョブは${count}件で、最も古いものは${late.ja}待っています。`,
      },
      advice: {
        en: 'Check that the server runs, and look for “job” in its log. Jobs send mails and make archives.',
        ja: 'サーバーが動いているか確認し、ログで「job」を探してください。ジョブはメールの送信やアーカイブの作成を行います。',
      },
    }
  }
  if (failed)
    return {
      status: 'attention',
      finding: {
        en: `Jobs that failed in the last seven days, without mails: ${failed}.`,
        ja: `直近7日間に失敗したジョブ（メールを除く）：${failed}件`,
      },
      advice: {
        en: 'Look for “Job failed” in the log of the server. Each line has the kind and the reason.',
        ja: 'サーバーのログで「Job failed」を探してください。種類と理由が書かれています。',
      },
    }
  return { status: 'ok', finding: { en: 'No job is late.', ja: '遅れているジョブはありません。' } }
}
