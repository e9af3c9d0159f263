import './roll-calls.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { useWaitingReload } from '#features/notifications/web/unread-count.ts'
import { fetchPage, type ListPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText, RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type RollCall, rollCallEndpoints } from '../contract.ts'
import { AnswerPanel } from './AnswerPanel.tsx'
import { OneRollCall, useMarkedTitle } from './OneRollCall.tsx'
import { listKey, useDetails } from './queries.ts'
import { StartSection } from './StartSection.tsx'
import { rollCallText } from './text.ts'

/** Of one roll call too, so that their code is one file. */
export default function RollCallsPage() {
  const t = useText(rollCallText)
  const { id } = useParams<{ id?: string }>()
  const me = useMe()
  if (me && id) return <OneRollCall id={Number(id)} />
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {me ? <RollCalls /> : <LogInPrompt />}
    </PageLayout>
  )
}

function RollCalls() {
  const t = useText(rollCallText)
  useWaitingReload('roll_call', listKey)
  useWaitingReload('roll_call_drill', listKey)
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: listKey,
    queryFn: ({ pageParam }) => fetchPage(rollCallEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<RollCall[]>) => next,
  })
  const rows = data?.pages.flatMap((page) => page.rows)
  if (!rows && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!rows) return <RowSkeletons count={3} />
  const open = rows.filter(({ ended_at }) => !ended_at)
  const past = rows.filter(({ ended_at }) => ended_at)
  return (
    <div className="cards">
      {open.map((one) => (
        <OpenRollCall key={one.id} rollCall={one} />
      ))}
      {!rows.length && <EmptyState title={t.empty} help={t.emptyHelp} />}
      <StartSection />
      {past.length > 0 && (
        <section className="card roll-call">
          <h2>{t.ended}</h2>
          <ul className="roll-call-list">
            {past.map((one) => (
              <PastRollCall key={one.id} rollCall={one} />
            ))}
          </ul>
          {hasNextPage && (
            <Button pending={isFetching} onClick={() => fetchNextPage()}>
              {t.more}
            </Button>
          )}
        </section>
      )}
    </div>
  )
}

/** The answer is given here: whoever follows the notification needs one press. */
function OpenRollCall({ rollCall }: { rollCall: RollCall }) {
  const mark = useMarkedTitle()
  const { data, error, isFetching, refetch } = useDetails(rollCall.id)
  return (
    <section className="card roll-call">
      <h2>
        <Link className="link" href={`/roll-calls/${rollCall.id}`}>
          <UserText>{mark(rollCall)}</UserText>
        </Link>
      </h2>
      <About rollCall={rollCall} />
      {!data && error && (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
      )}
      {!data && !error && <LoadingText />}
      {data && <AnswerPanel details={data} />}
    </section>
  )
}

function About({ rollCall: { group, started_at, ended_at } }: { rollCall: RollCall }) {
  const t = useText(rollCallText)
  return (
    <p className="text-meta roll-call-about">
      <span className="chip">{ended_at ? t.ended : t.running}</span>
      <span>{group ? <UserText>{group.name}</UserText> : t.everyone}</span>
      <RelativeTime at={started_at} showFullDate />
    </p>
  )
}

function PastRollCall({ rollCall }: { rollCall: RollCall }) {
  const mark = useMarkedTitle()
  return (
    <li>
      <Link className="link" href={`/roll-calls/${rollCall.id}`}>
        <UserText>{mark(rollCall)}</UserText>
      </Link>
      <About rollCall={rollCall} />
    </li>
  )
}
