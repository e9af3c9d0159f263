import { Suspense, useState } from 'react'
import { AccountPageSectionCard } from '#features/account/web/AccountPageSectionCard.tsx'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { pushNotificationsAccountSectionText } from './section-text.ts'

const PushSectionContent = lazyWithRetry(() => import('./PushSectionContent.tsx'))

/**
 * Renders the section of the account page for push messages. Its content is loaded when the member opens it.
 */
export function PushNotificationsAccountSection() {
  const t = useText(pushNotificationsAccountSectionText)
  const [isOpen, setIsOpen] = useState(location.hash === '#push')
  return (
    <AccountPageSectionCard id="push" title={t.title} help={t.help}>
      {isOpen ? (
        <Suspense fallback={<LoadingText />}>
          <PushSectionContent />
        </Suspense>
      ) : (
        <div className="form-actions">
          <Button onClick={() => setIsOpen(true)}>{t.open}</Button>
          <ButtonLink href="/account/notifications">{t.settings}</ButtonLink>
        </div>
      )}
    </AccountPageSectionCard>
  )
}
