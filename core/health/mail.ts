import type { Config } from '#core/config.ts'
import type { Db } from '#core/database/database.ts'
import { countRetryable } from '#core/jobs/jobs.ts'
import type { LastJobResults } from '#core/jobs/results.ts'
import * as jobResults from '#core/jobs/results.ts'
import { parseSender } from '#core/mail/sender.ts'
import { agoText, type Finding } from './check.ts'

type MailConfig = Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>

/**
 * Checks that a mail server is set, how the last deliveries ended, and that the sender is not an address at
 * localhost.
 */
export async function checkMail(db: Db, config: MailConfig): Promise<Finding> {
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
  const judged = judgeDeliveries(await jobResults.lastResults(db, 'mail'), config)
  const failed = await countRetryable(db, 'mail')
  return failed ? addFailedMails(judged, failed) : judged
}

/** A finding may end with what the mail server said, without a full stop. */
const endSentence = (text: string, stop: string) => (/[.。]$/.test(text) ? text : text + stop)

/** Adds the mails that were given up. They alone are no problem: their addresses may be wrong. */
const addFailedMails = ({ finding, ...judged }: Finding, failed: number) => ({
  ...judged,
  finding: {
    en: `${endSentence(finding.en, '.')} Given up in the last seven days: ${failed} (bin/engawa mail retry sends them again).`,
    ja: `${endSentence(finding.ja, '。')}この7日間に送信をあきらめたメール：${failed}通（bin/engawa mail retryで再送できます）。`,
  },
})

function judgeDeliveries({ succeeded_at, failure }: LastJobResults, { MAIL_FROM }: MailConfig): Finding {
  const age = succeeded_at && agoText(succeeded_at)
  const last = age
    ? { en: `The last mail was sent ${age.en}.`, ja: `最後のメールは${age.ja}に送信されました。` }
    : { en: 'No mail was sent in the last seven days.', ja: 'この7日間に送信されたメールはありません。' }
  if (failure) {
    const isTriedAgain = failure.failed_at === null
    const failed = isTriedAgain
      ? { en: 'A mail failed and will be tried again', ja: '送信に失敗し、もう一度送るメールがあります' }
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
  if (parseSender(MAIL_FROM)?.address.endsWith('@localhost'))
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
