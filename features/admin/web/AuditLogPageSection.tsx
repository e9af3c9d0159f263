import { AccountSection } from '#features/account/web/AccountSection.tsx'
import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { auditLogText } from './audit-log-text.ts'

/** The section of the account page that leads to the log of what admins did. */
export default function AuditLogPageSection() {
  const t = useText(auditLogText)
  return (
    <AccountSection title={t.title} help={t.help}>
      <div className="form-actions">
        <ButtonLink href="/admin-log">{t.toLog}</ButtonLink>
      </div>
    </AccountSection>
  )
}
