import './acknowledgements.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearch } from 'wouter'
import { excerpt } from '#core/text/format.ts'
import { postChannels } from '#features/posts/contract.ts'
import { fetchPage } from '#web/api.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type AskingPost, acknowledgementEndpoints } from '../contract.ts'
import AcknowledgementBar from './AcknowledgementBar.tsx'
import { addStates } from './acknowledgement-store.ts'
import { waitingSections } from './waiting-sections.ts'
import { waitingText } from './waiting-text.ts'

const lists = ['waiting', 'asked', 'all'] as const
type List = (typeof lists)[number]

/** Of a text, in characters: about four lines. */
const MAX_SHOWN = 200

/** What waits for the member; posts that ask who has read them: by the member, and all. */
export default function WaitingPage() {
  const t = useText(waitingText)
  const me = useMe()
  const search = useSearch()
  const list = lists.find((one) => one === new URLSearchParams(search).get('list')) ?? 'waiting'
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {me ? (
        <>
          <nav className="tabs" aria-label={t.whichPosts}>
            {lists.map((one) => (
              <Link
                key={one}
                href={one === 'waiting' ? '/waiting' : `/waiting?list=${one}`}
                aria-current={one === list ? 'page' : undefined}
              >
                {t.lists[one]}
              </Link>
            ))}
          </nav>
          {list === 'waiting' &&
            waitingSections.map(({ feature, Section }) => (
              <Suspense key={feature}>
                <Section />
              </Suspense>
            ))}
          <AskingPosts key={list} list={list} me={me.id} />
        </>
      ) : (
        <LogInPrompt />
      )}
    </PageLayout>
  )
}

function AskingPosts({ list, me }: { list: List; me: number }) {
  const t = useText(waitingText)
  const endpoint = acknowledgementEndpoints[list]
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [endpoint.path],
      queryFn: async ({ pageParam }) => {
        const page = await fetchPage(endpoint, {}, pageParam)
        addStates(page.rows)
        return page
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      staleTime: 0,
    })
  const rows = data?.pages.flatMap((page) => page.rows)
  if (!rows && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!rows) return <RowSkeletons count={3} />
  if (!rows.length && !hasNextPage) return <EmptyState title={t.empty[list]} help={t.emptyHelp[list]} />
  return (
    <section className="waiting-section" aria-label={list === 'waiting' ? t.toRead : t.lists[list]}>
      {list === 'waiting' && <h2>{t.toRead}</h2>}
      <div className="cards">
        {rows.map((post) => (
          <AskingCard key={post.id} post={post} me={me} />
        ))}
        {hasNextPage && (
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.showMore}
          </Button>
        )}
      </div>
    </section>
  )
}

/** One that was answered here stays, so that the answer can be taken back. */
function AskingCard({ post: { id, body, user, created_at }, me }: { post: AskingPost; me: number }) {
  const t = useText(waitingText)
  const content = { kind: 'post', id, createdAt: created_at, channel: postChannels.posts.name } as const
  return (
    <article className="card asking-card">
      <Link className="asking-post" href={`/posts/${id}`}>
        <Avatar person={user} size="s" />
        <span className="spread">
          <UserText className="name">{user.name}</UserText>
          <span className="text-meta">
            <RelativeTime at={created_at} />
          </span>
        </span>
        <span className="text" dir="auto" lang={body === null ? undefined : detectLanguage(body)}>
          {body === null ? t.onlyPictures : excerpt(body, MAX_SHOWN)}
        </span>
      </Link>
      <AcknowledgementBar content={content} me={me} />
    </article>
  )
}
