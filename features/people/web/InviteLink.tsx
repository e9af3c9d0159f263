import { UserPlus } from 'lucide-react'
import { defineTexts, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { hasPage } from '#web/views.tsx'

const inviteText = defineTexts({ en: { invite: 'Invite people' }, ja: { invite: '招待する' } })

/** Nothing for visitors, and if only admins may invite. */
export function InviteLink() {
  const t = useText(inviteText)
  if (!useMe() || !pageData.app.membersInvite || !hasPage('/invitations')) return null
  return (
    <ButtonLink small icon={UserPlus} href="/invitations">
      {t.invite}
    </ButtonLink>
  )
}
