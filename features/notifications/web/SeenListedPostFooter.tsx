import { useEffect } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { useMe } from '#web/me.ts'
import { watch } from './seen-posts.ts'

/** Shows nothing. */
export default function SeenListedPostFooter({ content: { id } }: { content: ContentInfo }) {
  const me = useMe()?.id
  useEffect(() => {
    const card = document.querySelector(`[data-post="${id}"]`)
    return me && card ? watch(card, id, me) : undefined
  }, [id, me])
  return null
}
