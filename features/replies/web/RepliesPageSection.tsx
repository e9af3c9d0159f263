import './replies.css'
import { useEffect, useId, useRef, useState } from 'react'
import { useParams } from 'wouter'
import * as postStore from '#features/posts/web/post-store.ts'
import { logInPath } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useLastMe } from '#web/last-me.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingWord } from '#web/ui/LoadingText.tsx'
import type { Reply } from '../contract.ts'
import { ReplyCard } from './ReplyCard.tsx'
import { ReplyComposer } from './ReplyComposer.tsx'
import { useReplies } from './reply-queries.ts'
import { repliesText } from './text.ts'
import { useScrollToReply } from './useScrollToReply.ts'

export default function RepliesPageSection() {
  const t = useText(repliesText)
  const post = Number(useParams<{ id: string }>().id)
  const headingId = useId()
  const isMember = useMe() !== null
  const me = useLastMe()
  const count = useStore(postStore.state, ({ posts }) => posts.get(post)?.replies_count ?? 0)
  const [answered, setAnswered] = useState<Reply | null>(null)
  return (
    <section className="replies" aria-labelledby={headingId}>
      <h2 id={headingId}>{count ? t.count(count) : t.replies}</h2>
      <ReplyList key={post} post={post} count={count} onAnswer={setAnswered} />
      {me && (
        <ReplyComposer
          key={`${me.id} ${post}`}
          me={me}
          post={post}
          answered={answered}
          onAnswered={setAnswered}
        />
      )}
      {!isMember && <ButtonLink href={logInPath()}>{t.logIn}</ButtonLink>}
    </section>
  )
}

interface ListProps {
  post: number
  /** Of all replies, also those that the reader does not see. */
  count: number
  onAnswer: (reply: Reply) => void
}

function ReplyList({ post, count, onAnswer }: ListProps) {
  const t = useText(repliesText)
  const list = useRef<HTMLDivElement>(null)
  const replies = useReplies(post)
  const { loaded, newest, earlier } = replies
  useScrollToReply(list, replies)
  const hadEarlier = useRef(false)
  const hasEarlier = loaded?.earlierUrl != null
  // The button for earlier replies, which had the focus, disappears when all replies are loaded.
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
      <LoadingWord />
    )
  const hidden = hasEarlier ? 0 : Math.max(0, count - loaded.rows.length)
  if (!loaded.rows.length && !hasEarlier)
    return <p className="replies-empty text-meta">{hidden ? t.hidden(hidden) : t.none}</p>
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
      {hidden > 0 && <p className="text-meta">{t.hidden(hidden)}</p>}
    </>
  )
}
