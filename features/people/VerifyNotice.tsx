import '#features/people/ui.css'
import { Mail } from 'lucide-react'
import { SendLinkAgain } from '#features/people/SendLinkAgain.tsx'
import { peopleText } from '#features/people/text.ts'
import { useMe } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { Icon } from '#web/ui/Icon.tsx'

/** For members whose address is not verified yet. */
export function VerifyNotice() {
  const t = useText(peopleText)
  const me = useMe()
  if (!me || me.email_verified_at) return null
  const [before, email, after] = t.sent(me.email)
  return (
    <aside className="verify-notice board alone">
      <Icon of={Mail} />
      <p>
        {before}
        <b>{email}</b>
        {after}
      </p>
      <SendLinkAgain small>{t.sendAgain}</SendLinkAgain>
    </aside>
  )
}
