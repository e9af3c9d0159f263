import type { Config } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { type LastJobResults, readLastResultsOfJobKind } from '#core/jobs/results.ts'
import { type HealthStatusAndFinding, toBilingualTimeAgo } from './check.ts'

type MailConfig = Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>

/**
 * Checks that a mail server is set, how the last deliveries ended, and that the sender is not an address at
 * localhost.
 */
export async function checkMailHealth(db: Db, config: MailConfig): Promise<HealthStatusAndFinding> {
  if (!config.SMTP_URL)
    return {
      status: 'attention',
      finding: {
        en: 'No mail server is set: mails are only written to files on the server.',
        ja: 'メールサーバーが設定されていないため、メールはサーバー上のファイルに書かれるだけです。',
      },
      advice: {
        en: 'Set SMTP_URL and MAIL_FROM and restart the server. Without mail, members cannot reset their passwords themselves.',
        ja: 'SMTP_URLとMAIL_FROMを設定してサーバーを再起動してください。メールがないと、メンバーは自分でパスワードを再設定できません。',
      },
    }
  return judgeDeliveries(await readLastResultsOfJobKind(db, 'mail'), config)
}

function judgeDeliveries(
  { succeeded_at, failure }: LastJobResults,
  { MAIL_FROM }: MailConfig,
): HealthStatusAndFinding {
  const age = succeeded_at && toBilingualTimeAgo(succeeded_at)
  const last = age
    ? { en: `The last mail was sent ${age.en}.`, ja: `最後のメールは${age.ja}に送信されました。` }
    : { en: 'No mail was sent in the last seven days.', ja: '直近7日間に送信されたメールはありません。' }
  if (failure) {
    const isTriedAgain = failure.failed_at === null
    const failed = isTriedAgain
      ? { en: 'A mail failed and will be tried again', ja: '送信に失敗し、再試行するメールがあります' }
      : { en: 'A later one failed', ja: 'その後のメールは失敗しました' }
    return {
      status: succeeded_at ? 'attention' : 'problem',
      finding: {
        en: `${last.en} ${failed.en}: ${failure.error}`,
        ja: `${last.ja}${failed.ja}：${failure.error}`,
      },
      advice: {
        en: 'Compare SMTP_URL and MAIL_FROM with what your mail provider demands, and send a test mail.',
        ja: 'SMTP_URLとMAIL_FROMをメール事業者の指定と比べ、テストメールを送ってください。',
      },
    }
  }
  if (/@localhost>?$/.test(MAIL_FROM))
    return {
      status: 'attention',
      finding: {
        en: `${last.en} The sender is an address at localhost, which many servers refuse.`,
        ja: `${last.ja}差出人がlocalhostのアドレスで、多くのサーバーに拒否されます。`,
      },
      advice: {
        en: 'Set MAIL_FROM to an address of your own domain.',
        ja: 'MAIL_FROMに自分のドメインのアドレスを設定してください。',
      },
    }
  return { status: 'ok', finding: last }
}
