import './moderation.css'
import { noAdminRightsText } from '#features/people/web/admins-only-text.ts'
import { useText } from '#web/i18n.ts'
import { LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { moderationPageText } from './desk-text.ts'
import { ModerationCaseList } from './ModerationCaseList.tsx'
import { ModeratorsSection } from './ModeratorsSection.tsx'
import { OwnModerationReportsSection } from './OwnModerationReportsSection.tsx'
import { UnacknowledgedModerationNoticesSection } from './UnacknowledgedModerationNoticesSection.tsx'

/**
 * Renders the page of reports: the notices of moderators to the member, the member's own reports, and for
 * moderators the list of cases.
 */
export default function ReportsAndNoticesPage() {
  const t = useText(moderationPageText)
  const needed = useText(noAdminRightsText)
  const me = useMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {me ? (
        <div className="cards">
          <UnacknowledgedModerationNoticesSection />
          {me.needs_second_step && (
            <Notice kind="warning">
              {needed.secondStepNeededHelp} <Link href="/account">{needed.toAccount}</Link>
            </Notice>
          )}
          {(me.is_admin || me.is_moderator) && <ModerationCaseList />}
          {me.is_admin && <ModeratorsSection />}
          <OwnModerationReportsSection />
        </div>
      ) : (
        <LogInPromptBox />
      )}
    </PageLayout>
  )
}
