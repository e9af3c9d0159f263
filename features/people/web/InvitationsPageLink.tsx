import { UserPlus } from 'lucide-react'
import { defineTexts, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { hasPageAtPath } from '#web/views.tsx'

const inviteText = defineTexts({ en: { invite: 'Invite people' }, ja: { invite: '招待する' } })

/**
 * Renders the link to the page where members invite people. Renders nothing for visitors, and if only admins
 * may invite.
 */
export function InvitationsPageLink() {
  const t = useText(inviteText)
  if (!useMe() || !initialPageData.app.membersInvite || !hasPageAtPath('/invitations')) return null
  return (
    <ButtonLink small icon={UserPlus} href="/invitations">
      {t.invite}
    </ButtonLink>
  )
}
