import '#web/ui/form-pages.css'
import './account.css'
import { useText } from '#web/i18n.ts'
import { LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useLastMe } from '#web/last-me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { hasPage, PageSections } from '#web/views.tsx'
import { DeletionNotice, DeletionSection } from './DeletionSection.tsx'
import { EmailSection } from './EmailSection.tsx'
import { HiddenPeople } from './HiddenPeople.tsx'
import { InstallAppSection } from './InstallAppSection.tsx'
import { NameSection } from './NameSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { RecoverySection } from './RecoverySection.tsx'
import { SecondStepSection } from './SecondStepSection.tsx'
import { SecurityLogSection } from './SecurityLogSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { accountPageText } from './text.ts'

export default function AccountPage() {
  const t = useText(accountPageText)
  const me = useLastMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.account}>{me && <Avatar person={me} size="xl" />}</PageHeader>
      {me ? (
        <div className="cards form-cards account-sections">
          <SectionIndex />
          <DeletionNotice />
          <NameSection me={me} />
          <PasswordSection me={me} />
          <EmailSection me={me} />
          <SecondStepSection me={me} />
          <PasskeysSection />
          <RecoverySection me={me} />
          <SessionsSection />
          <SecurityLogSection />
          <HiddenPeople />
          <InstallAppSection />
          <PageSections path="/account" />
          <DeletionSection me={me} />
        </div>
      ) : (
        <LogInPrompt />
      )}
    </PageLayout>
  )
}

const NOTIFICATIONS = '/account/notifications'

/** What people look for on this page; the sections of other features are below. */
function SectionIndex() {
  const t = useText(accountPageText)
  return (
    <nav className="card section-index" aria-label={t.account}>
      <ul>
        <li>
          <Link className="link" href="/edit">
            {t.pictureAndBio}
          </Link>
        </li>
        {(['name', 'password', 'email', 'devices', 'blocked'] as const).map((id) => (
          <li key={id}>
            <a className="link" href={`#${id}`} onClick={() => focusTitle(id)}>
              {t.index[id]}
            </a>
          </li>
        ))}
        {hasPage(NOTIFICATIONS) && (
          <li>
            <Link className="link" href={NOTIFICATIONS}>
              {t.index.notifications}
            </Link>
          </li>
        )}
      </ul>
    </nav>
  )
}

/** The browser itself scrolls; the Tab key goes on from there. */
const focusTitle = (id: string) =>
  document.getElementById(id)?.querySelector('h2')?.focus({ preventScroll: true })
