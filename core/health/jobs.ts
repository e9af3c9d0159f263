import type { Db } from '#core/database/database.ts'
import * as jobResults from '#core/jobs/results.ts'
import { durationText, type Finding } from './check.ts'

/** The times in ms after which a due job that nobody runs needs attention, or is a problem. */
const LATE = 5 * 60_000
const STUCK = 60 * 60_000
const WEEK = 7 * 24 * 3600_000

/** Checks how long due jobs wait, and how many jobs, without mails, failed in the last seven days. */
export async function checkJobHealth(db: Db): Promise<Finding> {
  const [{ oldest, count }, failed] = await Promise.all([
    jobResults.overdue(db),
    jobResults.countFailed(db, new Date(Date.now() - WEEK).toISOString()),
  ])
  const delay = oldest ? Date.now() - Date.parse(oldest) : 0
  if (delay > LATE) {
    const late = durationText(delay)
    return {
      status: delay > STUCK ? 'problem' : 'attention',
      finding: {
        en: `Jobs that are due: ${count}. The oldest has waited for ${late.en}.`,
        ja: `順番を待っている自動処理は${count}件です。最も古いものは、${late.ja}待っています。`,
      },
      advice: {
        en: 'Check that the server runs, and look for “job” in its log. Jobs send mails and make archives.',
        ja: 'サーバーが動いているか確認し、ログで「job」を探してください。自動処理はメールの送信やデータの控えの作成を行います。',
      },
    }
  }
  if (failed)
    return {
      status: 'attention',
      finding: {
        en: `Jobs that failed in the last seven days, without mails: ${failed}.`,
        ja: `この7日間に失敗した自動処理（メールを除く）：${failed}件`,
      },
      advice: {
        en: 'Look for “Job failed” in the log of the server. Each line has the kind and the reason.',
        ja: 'サーバーのログで「Job failed」を探してください。種類と理由が書かれています。',
      },
    }
  return { status: 'ok', finding: { en: 'No job is late.', ja: '遅れている自動処理はありません。' } }
}
