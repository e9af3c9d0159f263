import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { renderMail, type TemplateInput } from '#core/mail/template.ts'

interface Recipient {
  name: string
  email: string | null
  email_verified_at: string | null
}

interface Content extends Pick<TemplateInput, 'lang' | 'paragraphs' | 'closing'> {
  subject: (app: string) => string
  button?: { label: string; path: string }
}

/**
 * False without SMTP_URL, because only the operator could read the mail, and if the address is not verified,
 * because it may be a stranger's.
 */
export const canMail = <R extends Recipient>(
  { SMTP_URL }: Pick<AppContext['config'], 'SMTP_URL'>,
  recipient: R | undefined,
): recipient is R & { email: string } => !!SMTP_URL && !!recipient?.email && !!recipient.email_verified_at

/** `user` is null if the account is already deleted. */
export function mailMember(
  { publicSite }: Pick<AppContext, 'publicSite'>,
  tx: Tx,
  user: number | null,
  { name, email: to }: Recipient & { email: string },
  { subject, button, ...content }: Content,
) {
  const link = button && { label: button.label, link: publicSite.origin + button.path }
  const head = { site: publicSite, to, name, subject: subject(publicSite.name) }
  return enqueueMail(tx, user, renderMail({ ...head, ...content, ...(link && { button: link }) }))
}
