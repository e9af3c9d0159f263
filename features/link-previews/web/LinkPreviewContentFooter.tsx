import { Suspense } from 'react'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { initialPageData } from '#web/page-data.ts'

const LoadedLinkPreview = lazyWithRetry(() => import('./LoadedLinkPreview.tsx'))

/**
 * Renders the preview of the first link of a post, reply or message, if the admins have switched previews on.
 */
export default function LinkPreviewContentFooter({ content }: { content: PostReplyOrMessageInfo }) {
  if (!initialPageData.app.linkPreviews) return null
  return (
    <Suspense>
      <LoadedLinkPreview content={content} />
    </Suspense>
  )
}
