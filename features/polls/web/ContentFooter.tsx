import { Suspense, useEffect } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { contentKey } from '#web/content-loader.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useStore } from '#web/store.ts'
import type { Poll } from '../contract.ts'
import { keepPoll, pollStore, setPoll } from './poll-store.ts'

const PollCard = lazyWithRetry(() => import('./PollCard.tsx'))

export default function ContentFooter({ content }: { content: ContentInfo }) {
  return content.kind === 'reply' ? null : <LoadedPoll content={content} />
}

function LoadedPoll({ content }: { content: ContentInfo }) {
  const { kind, id, createdAt, channel } = content
  useEffect(() => keepPoll({ kind, id, createdAt, channel }), [kind, id, createdAt, channel])
  const key = contentKey(kind, id)
  const poll = useStore(pollStore, ({ shown }) => shown.get(key))
  if (!poll) return null
  return (
    <Suspense fallback={<div className="poll" style={{ minBlockSize: heightOf(poll) }} />}>
      <PollCard poll={poll} content={content} onChange={(next) => setPoll(key, next)} />
    </Suspense>
  )
}

/** In pixels, about: so that little moves when the code is there. */
const heightOf = ({ kind, options }: Poll) => 96 + (kind === 'dates' ? 72 : 52) * options.length
