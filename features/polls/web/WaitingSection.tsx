import './waiting.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { excerpt } from '#core/text/format.ts'
import { fetchPage } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { detectLanguage, useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { pollEndpoints, type WaitingPoll } from '../contract.ts'
import { pollPath } from '../path-contract.ts'
import { waitingText } from './waiting-text.ts'

/** In characters: about two lines. */
const MAX_SHOWN = 100

/** Polls that the member has not answered; nothing without them. */
export default function WaitingSection() {
  const t = useText(waitingText)
  const isMember = useMe() !== null
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [pollEndpoints.waiting.path],
      queryFn: ({ pageParam }) => fetchPage(pollEndpoints.waiting, {}, pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      // What was answered is gone at the next visit.
      staleTime: 0,
      enabled: isMember,
    })
  const rows = data?.pages.flatMap((page) => page.rows)
  if (!rows && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!rows?.length && !hasNextPage) return null
  return (
    <section className="waiting-section waiting-polls" aria-label={t.title}>
      <h2>{t.title}</h2>
      <ul className="cards">
        {rows?.map((poll) => (
          <li key={poll.id}>
            <Row poll={poll} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.showMore}
        </Button>
      )}
    </section>
  )
}

function Row({ poll }: { poll: WaitingPoll }) {
  const t = useText(waitingText)
  const lang = useLang()
  const { kind, ends_at, text, user } = poll
  return (
    <Link className="row" href={pollPath(poll)}>
      <Avatar person={user} />
      <span className="text">
        <UserText className="name">{user.name}</UserText>
        {text && (
          <span className="question" dir="auto" lang={detectLanguage(text)}>
            {excerpt(text, MAX_SHOWN)}
          </span>
        )}
        <span className="text-meta">
          <span className="chip">{t.kinds[kind]}</span> {ends_at && t.until(dates.dayAndClock(ends_at, lang))}
        </span>
      </span>
    </Link>
  )
}
