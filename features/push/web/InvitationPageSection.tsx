import './push-invitation.css'
import { BellRing, X } from 'lucide-react'
import { useState } from 'react'
import { useText } from '#web/i18n.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import * as pushClient from './push-client.ts'
import { sectionText } from './section-text.ts'

const hiddenKey = (member: number) => `engawa:no-push-invitation:${member}`

/** In browsers that can receive push messages and were not asked yet, until the member hides it. */
export default function InvitationPageSection() {
  const t = useText(sectionText)
  const me = useMe()
  const [isHidden, setIsHidden] = useState(() => !me || readLocal(hiddenKey(me.id)) !== null)
  if (isHidden || !me || pushClient.whyUnavailable() !== null || Notification.permission !== 'default')
    return null
  const hide = () => {
    writeLocal(hiddenKey(me.id), '1')
    setIsHidden(true)
    document.querySelector<HTMLElement>('#main h1')?.focus()
  }
  return (
    <section className="push-invitation card" aria-label={t.title}>
      <Icon icon={BellRing} />
      <p>{t.invitation}</p>
      <ButtonLink small href="/account#push">
        {t.open}
      </ButtonLink>
      <Button kind="ghost" small iconOnly icon={X} label={t.hideInvitation} onClick={hide} />
    </section>
  )
}
