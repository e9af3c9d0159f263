import { Suspense } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'

const AcknowledgementBar = lazyWithRetry(() => import('./AcknowledgementBar.tsx'))

export default function ContentFooter({ content }: { content: ContentInfo }) {
  const me = useMe()
  if (!me || content.kind !== 'post') return null
  return (
    <Suspense>
      <AcknowledgementBar content={content} me={me.id} />
    </Suspense>
  )
}
