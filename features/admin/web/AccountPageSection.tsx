import { SectionCard } from '#features/account/web/SectionCard.tsx'
import { GuardianSections } from '#features/guardians/web/GuardianSections.tsx'
import { PushSection } from '#features/push/web/PushSection.tsx'
import { PhoneSection } from '#features/roll-calls/web/PhoneSection.tsx'
import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { hasPage } from '#web/views.tsx'
import { auditLogText } from './audit-log-text.ts'

export default function AccountPageSection() {
  return (
    <>
      <PushSection />
      {hasPage('/roll-calls') && <PhoneSection />}
      {hasPage('/guardian') && <GuardianSections />}
      <AuditLogLink />
    </>
  )
}

function AuditLogLink() {
  const t = useText(auditLogText)
  return (
    <SectionCard title={t.title} help={t.help}>
      <div className="form-actions">
        <ButtonLink href="/admin-log">{t.toLog}</ButtonLink>
        {hasPage('/moderation') && <ButtonLink href="/moderation">{t.toReports}</ButtonLink>}
      </div>
    </SectionCard>
  )
}
