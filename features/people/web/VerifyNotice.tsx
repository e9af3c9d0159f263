import './people.css'
import { Mail } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { SendLinkAgain } from './SendLinkAgain.tsx'
import { peopleText } from './text.ts'

/** Reminds members whose e-mail address is not verified yet. */
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
