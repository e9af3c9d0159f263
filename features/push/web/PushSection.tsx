import { Suspense, useState } from 'react'
import { AccountCard } from '#features/account/web/AccountCard.tsx'
import { useText } from '#web/i18n.ts'
import { lazy } from '#web/lazy.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { pushSectionText } from './section-text.ts'

const PushDevices = lazy(() => import('./PushDevices.tsx'))

/** The section of the account page for push messages. Its content is loaded when the member opens it. */
export function PushSection() {
  const t = useText(pushSectionText)
  const [isOpen, setIsOpen] = useState(location.hash === '#push')
  return (
    <AccountCard id="push" title={t.title} help={t.help}>
      {isOpen ? (
        <Suspense fallback={<LoadingText />}>
          <PushDevices />
        </Suspense>
      ) : (
        <div className="form-actions">
          <Button onClick={() => setIsOpen(true)}>{t.open}</Button>
          <ButtonLink href="/account/notifications">{t.settings}</ButtonLink>
        </div>
      )}
    </AccountCard>
  )
}
