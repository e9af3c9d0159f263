import { Suspense, useState } from 'react'
import { SectionCard } from '#features/account/web/SectionCard.tsx'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { sectionText } from './section-text.ts'

const PushContent = lazyWithRetry(() => import('./PushContent.tsx'))

/** Loaded when the member opens it. */
export function PushSection() {
  const t = useText(sectionText)
  const [isOpen, setIsOpen] = useState(location.hash === '#push')
  return (
    <SectionCard id="push" title={t.title} help={t.help}>
      {isOpen ? (
        <Suspense fallback={<LoadingText />}>
          <PushContent />
        </Suspense>
      ) : (
        <div className="form-actions">
          <Button onClick={() => setIsOpen(true)}>{t.open}</Button>
          <ButtonLink href="/account/notifications">{t.settings}</ButtonLink>
        </div>
      )}
    </SectionCard>
  )
}
