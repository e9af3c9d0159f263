import { useEffect } from 'react'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { toContentKey } from '#web/content-loader.ts'
import { useStore } from '#web/store.ts'
import { LinkPreviewCard } from './LinkPreviewCard.tsx'
import { keepLinkPreviewUpToDate, shownLinkPreviewsStore } from './preview-store.ts'

interface LoadedLinkPreviewProps {
  content: PostReplyOrMessageInfo
}

/** Requests the preview of a post, reply or message, and shows it if there is one. */
export default function LoadedLinkPreview({
  content: { kind, id, createdAt, channel },
}: LoadedLinkPreviewProps) {
  useEffect(() => keepLinkPreviewUpToDate({ kind, id, createdAt, channel }), [kind, id, createdAt, channel])
  const preview = useStore(shownLinkPreviewsStore, ({ shown }) => shown.get(toContentKey(kind, id)))
  return preview && <LinkPreviewCard kind={kind} id={id} preview={preview} />
}
