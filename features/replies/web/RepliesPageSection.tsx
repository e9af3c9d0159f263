import './replies.css'
import { useEffect, useId, useRef, useState } from 'react'
import { useParams } from 'wouter'
import { postStore } from '#features/posts/web/post-store.ts'
import { createLogInPathWithReturnToCurrentPage } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useCurrentOrLastMe } from '#web/last-me.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingTextInSkeleton } from '#web/ui/LoadingText.tsx'
import type { Reply } from '../contract.ts'
import { ReplyCard } from './ReplyCard.tsx'
import { ReplyComposer } from './ReplyComposer.tsx'
import { useRepliesToPost } from './reply-queries.ts'
import { repliesText } from './text.ts'
import { useScrollToReplyFromUrl } from './useScrollToReplyFromUrl.ts'

/**
 * Renders the section with the replies to a post, on the page of the post. Below the replies, members get the
 * form for a new reply, and visitors a link to log in.
 */
export default function RepliesPageSection() {
  const t = useText(repliesText)
  const post = Number(useParams<{ id: string }>().id)
  const headingId = useId()
  const isMember = useMe() !== null
  const me = useCurrentOrLastMe()
  const count = useStore(postStore, ({ posts }) => posts.get(post)?.replies_count ?? 0)
  const [answered, setAnswered] = useState<Reply | null>(null)
  return (
    <section className="replies" aria-labelledby={headingId}>
      <h2 id={headingId}>{count ? t.count(count) : t.replies}</h2>
      <ReplyList key={post} post={post} onAnswer={setAnswered} />
      {me && (
        <ReplyComposer
          key={`${me.id} ${post}`}
          me={me}
          post={post}
          answered={answered}
          onAnswered={setAnswered}
        />
      )}
      {!isMember && <ButtonLink href={createLogInPathWithReturnToCurrentPage()}>{t.logIn}</ButtonLink>}
    </section>
  )
}

function ReplyList({ post, onAnswer }: { post: number; onAnswer: (reply: Reply) => void }) {
  const t = useText(repliesText)
  const list = useRef<HTMLDivElement>(null)
  const replies = useRepliesToPost(post)
  const { loaded, newest, earlier } = replies
  useScrollToReplyFromUrl(list, replies)
  const hadEarlier = useRef(false)
  const hasEarlier = loaded?.earlierUrl != null
  // Focuses the first reply when the button for earlier replies had the focus and has disappeared, because
  // all replies are loaded.
  useEffect(() => {
    if (hadEarlier.current && !hasEarlier && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>('article')?.focus({ preventScroll: true })
    hadEarlier.current = hasEarlier
  }, [hasEarlier])
  if (!loaded)
    return newest.isError ? (
      <LoadErrorMessage
        error={newest.error}
        pending={newest.isFetching}
        onRetry={() => newest.refetch()}
        plain
      />
    ) : (
      <LoadingTextInSkeleton />
    )
  if (!loaded.rows.length && !hasEarlier) return <p className="replies-empty text-meta">{t.none}</p>
  return (
    <>
      {hasEarlier && (
        <Button kind="ghost" pending={earlier.isFetching} onClick={() => earlier.refetch()}>
          {t.loadEarlier}
        </Button>
      )}
      {earlier.isError && (
        <LoadErrorMessage
          error={earlier.error}
          pending={earlier.isFetching}
          onRetry={() => earlier.refetch()}
          plain
        />
      )}
      <div className="cards flush" ref={list}>
        {loaded.rows.map((reply) => (
          <ReplyCard key={reply.id} reply={reply} onAnswer={onAnswer} />
        ))}
      </div>
    </>
  )
}
