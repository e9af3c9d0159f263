import { Suspense } from 'react'
import { SectionCard } from '#features/account/web/SectionCard.tsx'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { phoneSectionText } from './phone-section-text.ts'

const Phone = lazyWithRetry(() => import('./Phone.tsx'))

/** On the account page. */
export function PhoneSection() {
  const t = useText(phoneSectionText)
  return (
    <SectionCard id="phone" title={t.title} help={t.help}>
      <Suspense fallback={<LoadingText />}>
        <Phone />
      </Suspense>
    </SectionCard>
  )
}
