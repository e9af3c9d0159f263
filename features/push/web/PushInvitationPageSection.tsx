import './push-invitation.css'
import { BellRing, X } from 'lucide-react'
import { useState } from 'react'
import { useText } from '#web/i18n.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { findPushUnavailableReason } from './push-client.ts'
import { pushNotificationsAccountSectionText } from './section-text.ts'

const hiddenKey = (member: number) => `engawa:no-push-invitation:${member}`

/**
 * Renders a card above the notifications that leads to the setup of push messages. The card is shown in
 * browsers that can receive push messages and have not been asked for the permission yet, until the member
 * hides it.
 */
export default function PushInvitationPageSection() {
  const t = useText(pushNotificationsAccountSectionText)
  const me = useMe()
  const [isHidden, setIsHidden] = useState(() => !me || readLocalStorage(hiddenKey(me.id)) !== null)
  if (isHidden || !me || findPushUnavailableReason() !== null || Notification.permission !== 'default')
    return null
  const hide = () => {
    writeLocalStorage(hiddenKey(me.id), '1')
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
