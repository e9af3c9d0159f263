import { useEffect } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { contentKey } from '#web/content-loader.ts'
import { useStore } from '#web/store.ts'
import { LinkPreviewCard } from './LinkPreviewCard.tsx'
import { keepPreview, previewStore } from './preview-store.ts'

interface Props {
  content: ContentInfo
}

export default function LoadedPreview({ content: { kind, id, createdAt, channel } }: Props) {
  useEffect(() => keepPreview({ kind, id, createdAt, channel }), [kind, id, createdAt, channel])
  const preview = useStore(previewStore, ({ shown }) => shown.get(contentKey(kind, id)))
  return preview && <LinkPreviewCard kind={kind} id={id} preview={preview} />
}
