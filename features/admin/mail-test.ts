import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { incrementTestMailCountOrThrow429 } from '#core/mail/limits.ts'
import { renderMailMessage } from '#core/mail/template.ts'
import { sendTestMail } from '#core/mail/test-mail.ts'
import { requireAdmin } from '#features/people/admins.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'

const texts = {
  en: {
    subject: 'Test mail',
    paragraph: 'This mail was sent by an admin to test the mail server. If you can read it, mail works.',
  },
  ja: {
    subject: 'テストメール',
    paragraph: '管理者がメールサーバーを確かめるために送信したメールです。届いていれば、メールは使えます。',
  },
}

/**
 * Sends a test mail to the admin's own address, and returns the answer of the mail server. Throws 422 if
 * SMTP_URL is not set or the admin has no address, and 429 after too many test mails.
 */
export async function sendTestMailToAdmin(context: MemberContext & { lang: Language }) {
  const { db, config, me, lang, publicSite } = context
  const { SMTP_URL } = config
  if (!SMTP_URL)
    throw createInvalidFieldError('email', {
      en: 'No mail server is set. Set SMTP_URL and restart the server.',
      ja: 'メールサーバーが設定されていません。SMTP_URLを設定してサーバーを再起動してください。',
    })
  const { to, name } = await transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    const { email, email_verified_at, name } = (await readNameHandleEmailAndVerifiedTime(tx, me.id))!
    if (email === null)
      throw createInvalidFieldError('email', {
        en: 'Your account has no email address. Add one on the page “Account” first.',
        ja: 'アカウントにメールアドレスがありません。先に「アカウント」ページで追加してください。',
      })
    await incrementTestMailCountOrThrow429(config, tx, me.id, email_verified_at ? null : email)
    await recordAuditLogEntry(tx, { action: 'mail_tested', subject: 'settings', actor_id: me.id })
    return { to: email, name }
  })
  const { accepted, answer } = await sendTestMail(
    SMTP_URL,
    config,
    renderTestMail(publicSite, lang, to, name),
  )
  return { accepted, answer }
}

const renderTestMail = (site: AppContext['publicSite'], lang: Language, to: string, name: string) => {
  const { subject, paragraph } = texts[lang]
  return renderMailMessage({ lang, site, to, name, subject, paragraphs: [paragraph] })
}

/** Sends a test mail to any address, for the operator, and returns the answer of the mail server `url`. */
export async function sendTestMailAsOperator(
  { db, config, publicSite }: Pick<AppContext, 'db' | 'config' | 'publicSite'>,
  url: string,
  to: string,
) {
  await transaction(db, (tx) => recordAuditLogEntry(tx, { action: 'mail_tested', subject: 'settings' }))
  return sendTestMail(url, config, renderTestMail(publicSite, 'en', to, to))
}
