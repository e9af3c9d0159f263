import { Suspense, useEffect } from 'react'
import { pollStore } from '#features/polls/web/poll-store.ts'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { contentKey } from '#web/content-loader.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { eventStore, keepEvent, setDate } from './event-store.ts'

const FromPoll = lazyWithRetry(() => import('./FromPoll.tsx'))
const EventCard = lazyWithRetry(() => import('./EventCard.tsx'))

export default function ContentFooter({ content }: { content: ContentInfo }) {
  const me = useMe()
  if (content.kind === 'reply') return null
  return (
    <>
      {content.kind === 'post' && <LoadedEvent content={content} />}
      {me && <PollAction content={content} me={me.id} />}
    </>
  )
}

/** Under the own poll about days. */
function PollAction({ content, me }: { content: ContentInfo; me: number }) {
  const key = contentKey(content.kind, content.id)
  const isOwn = useStore(pollStore, ({ shown }) => {
    const poll = shown.get(key)
    return poll?.kind === 'dates' && poll.user_id === me
  })
  return (
    isOwn && (
      <Suspense>
        <FromPoll content={content} me={me} />
      </Suspense>
    )
  )
}

function LoadedEvent({ content }: { content: ContentInfo }) {
  const { kind, id, createdAt, channel } = content
  useEffect(() => keepEvent({ kind, id, createdAt, channel }), [kind, id, createdAt, channel])
  const event = useStore(eventStore, ({ shown }) => shown.get(contentKey(kind, id)))
  if (!event) return null
  return (
    <Suspense fallback={<div className="event" style={{ minBlockSize: 190 }} />}>
      <EventCard event={event} onChange={setDate} />
    </Suspense>
  )
}
