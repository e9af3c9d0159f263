import { AccountCard } from '#features/account/web/AccountCard.tsx'
import { AccountGuardians } from '#features/guardians/web/AccountGuardians.tsx'
import { PushSection } from '#features/push/web/PushSection.tsx'
import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { hasPageAtPath } from '#web/views.tsx'
import { auditLogText } from './audit-log-text.ts'

/**
 * The sections of the account page about push messages, about guardians, and about what admins and
 * moderators do.
 */
export default function AccountPageSection() {
  return (
    <>
      <PushSection />
      {hasPageAtPath('/guardian') && <AccountGuardians />}
      <AuditLogLink />
    </>
  )
}

/** The section with links to the log of what admins did, and to the reports. */
function AuditLogLink() {
  const t = useText(auditLogText)
  return (
    <AccountCard title={t.title} help={t.help}>
      <div className="form-actions">
        <ButtonLink href="/admin-log">{t.toLog}</ButtonLink>
        {hasPageAtPath('/moderation') && <ButtonLink href="/moderation">{t.toReports}</ButtonLink>}
      </div>
    </AccountCard>
  )
}
