import { Suspense } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { pageData } from '#web/page-data.ts'

const LoadedPreview = lazyWithRetry(() => import('./LoadedPreview.tsx'))

export default function ContentFooter({ content }: { content: ContentInfo }) {
  if (!pageData.app.linkPreviews) return null
  return (
    <Suspense>
      <LoadedPreview content={content} />
    </Suspense>
  )
}
