import '#features/people/web/account-pages.css'
import './account.css'
import { useText } from '#web/i18n.ts'
import { LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useCurrentOrLastMe } from '#web/last-me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { PageSectionsFromFeatures } from '#web/views.tsx'

import { AccountDeletionNotice, AccountDeletionSection } from './AccountDeletionSection.tsx'
import { BlockedAndMutedPeopleSections } from './BlockedAndMutedPeopleSections.tsx'
import { EmailAddressSection } from './EmailAddressSection.tsx'
import { InstallAppSection } from './InstallAppSection.tsx'
import { NameAndHandleSection } from './NameAndHandleSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { RecoveryCodesSection } from './RecoveryCodesSection.tsx'
import { SecondStepSection } from './SecondStepSection.tsx'
import { SecurityLogSection } from './SecurityLogSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { accountPageText } from './text.ts'

/**
 * Renders the page on which members manage their account. Each section of the page loads and saves its own
 * data.
 */
export default function AccountPage() {
  const t = useText(accountPageText)
  const me = useCurrentOrLastMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.account}>{me && <Avatar person={me} size="xl" />}</PageHeader>
      {me ? (
        <div className="cards form-cards account-sections">
          <AccountDeletionNotice />
          <NameAndHandleSection me={me} />
          <EmailAddressSection me={me} />
          <PasswordSection me={me} />
          <SecondStepSection me={me} />
          <PasskeysSection />
          <RecoveryCodesSection me={me} />
          <SessionsSection />
          <SecurityLogSection />
          <BlockedAndMutedPeopleSections />
          <InstallAppSection />
          <PageSectionsFromFeatures path="/account" />
          <AccountDeletionSection me={me} />
        </div>
      ) : (
        <LogInPromptBox />
      )}
    </PageLayout>
  )
}
