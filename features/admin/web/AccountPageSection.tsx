import { AccountPageSectionCard } from '#features/account/web/AccountPageSectionCard.tsx'
import { AccountPageGuardianSections } from '#features/guardians/web/AccountPageGuardianSections.tsx'
import { PushNotificationsAccountSection } from '#features/push/web/PushNotificationsAccountSection.tsx'
import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { hasPageAtPath } from '#web/views.tsx'
import { auditLogText } from './audit-log-text.ts'

/**
 * Renders the sections of the account page about push messages, about guardians, and about what admins and
 * moderators do.
 */
export default function AccountPageSection() {
  return (
    <>
      <PushNotificationsAccountSection />
      {hasPageAtPath('/guardian') && <AccountPageGuardianSections />}
      <AuditLogLink />
    </>
  )
}

/** Renders the section with links to the log of what admins did, and to the reports. */
function AuditLogLink() {
  const t = useText(auditLogText)
  return (
    <AccountPageSectionCard title={t.title} help={t.help}>
      <div className="form-actions">
        <ButtonLink href="/admin-log">{t.toLog}</ButtonLink>
        {hasPageAtPath('/moderation') && <ButtonLink href="/moderation">{t.toReports}</ButtonLink>}
      </div>
    </AccountPageSectionCard>
  )
}
