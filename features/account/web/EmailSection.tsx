import type { Me } from '#features/people/contract.ts'
import { VerifyEmailNotice } from '#features/people/web/VerifyEmailNotice.tsx'
import { useText } from '#web/i18n.ts'
import { AccountSection } from './AccountSection.tsx'
import { accountPageText } from './text.ts'

/** Shows the e-mail address, and whether it is verified. */
export function EmailSection({ me }: { me: Me }) {
  const t = useText(accountPageText)
  return (
    <AccountSection title={t.emailTitle}>
      <p className="account-value">
        <span>{me.email}</span>{' '}
        <span className="text-soft">{me.email_verified_at ? t.emailVerified : t.emailNotVerified}</span>
      </p>
      <VerifyEmailNotice />
    </AccountSection>
  )
}
