import './moderation.css'
import { adminsOnlyText } from '#features/people/web/admins-only-text.ts'
import { useText } from '#web/i18n.ts'
import { LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Link } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { CaseList } from './CaseList.tsx'
import { Moderators } from './Moderators.tsx'
import { OpenNotices } from './OpenNotices.tsx'
import { OwnReports } from './OwnReports.tsx'
import { moderationText } from './text.ts'

export default function ReportsAndNoticesPage() {
  const t = useText(moderationText)
  const needed = useText(adminsOnlyText)
  const me = useMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {me ? (
        <div className="cards">
          <OpenNotices />
          {me.needs_second_step && (
            <Notice kind="warning">
              {needed.secondStepNeededHelp} <Link href="/account">{needed.toAccount}</Link>
            </Notice>
          )}
          {(me.is_admin || me.is_moderator) && <CaseList />}
          {me.is_admin && <Moderators />}
          <OwnReports />
        </div>
      ) : (
        <LogInPrompt />
      )}
    </PageLayout>
  )
}
