import { useText } from '#web/i18n.ts'
import { LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { InvitationFormAndList } from './InvitationFormAndList.tsx'
import { allAndOwnInvitationPageFunctionsAndLimits } from './invitation-sources.ts'
import { invitationText } from './invitation-text.ts'
import { useInvitationsInfiniteQuery } from './useInvitationsInfiniteQuery.ts'

/** Renders the page where members invite people, if the settings let them, and see their invitations. */
export default function OwnInvitationsPage() {
  const t = useText(invitationText)
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.inviteSomebody} />
      {useMe() ? <OwnInvitations /> : <LogInPromptBox />}
    </PageLayout>
  )
}

function OwnInvitations() {
  const t = useText(invitationText)
  const mayInvite = useInvitationsInfiniteQuery(allAndOwnInvitationPageFunctionsAndLimits.own).data?.pages[0]
    ?.mayInvite
  return (
    <InvitationFormAndList
      source={allAndOwnInvitationPageFunctionsAndLimits.own}
      canCreate={mayInvite === true}
    >
      {mayInvite === false && <p className="card">{t.onlyAdmins}</p>}
    </InvitationFormAndList>
  )
}
