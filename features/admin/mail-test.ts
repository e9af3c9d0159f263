import * as auditLog from '#core/audit-log/audit-log.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import * as mailLimits from '#core/mail/limits.ts'
import { renderMail } from '#core/mail/template.ts'
import { sendTestMail } from '#core/mail/test-mail.ts'
import { requireAdmin } from '#features/people/admins.ts'
import * as people from '#features/people/read.ts'

const texts = {
  en: {
    subject: 'Test mail',
    paragraph: 'This mail was sent by an admin to test the mail server. If you can read it, mail works.',
  },
  ja: {
    subject: 'テストメール',
    paragraph: 'メールサーバーの確認のために、管理者が送ったメールです。届いていれば、問題ありません。',
  },
}

/** 422 without SMTP_URL or an address of the admin, 429 after too many test mails. */
export async function sendToAdmin(context: MemberContext & { lang: Language }) {
  const { db, config, me, lang, publicSite } = context
  const { SMTP_URL } = config
  if (!SMTP_URL)
    throw fieldError('email', {
      en: 'No mail server is set. Set SMTP_URL and restart the server.',
      ja: 'メールサーバーが設定されていません。SMTP_URLを設定してサーバーを再起動してください。',
    })
  const { to, name } = await transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    const { email, email_verified_at, name } = (await people.findRecipient(tx, me.id))!
    if (email === null)
      throw fieldError('email', {
        en: 'Your account has no email address. Add one on the page “Account” first.',
        ja: 'アカウントにメールアドレスがありません。先に「アカウント」ページで追加してください。',
      })
    await mailLimits.countTestMail(config, tx, me.id, email_verified_at ? null : email)
    await auditLog.record(tx, { action: 'mail_tested', subject: 'settings', actor_id: me.id })
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
  return renderMail({ lang, site, to, name, subject, paragraphs: [paragraph] })
}

/** For the operator. Returns the answer of the mail server `url`. */
export async function sendToAddress(
  { db, config, publicSite }: Pick<AppContext, 'db' | 'config' | 'publicSite'>,
  url: string,
  to: string,
) {
  await transaction(db, (tx) => auditLog.record(tx, { action: 'mail_tested', subject: 'settings' }))
  return sendTestMail(url, config, renderTestMail(publicSite, 'en', to, to))
}
