import './deliveries.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { notificationPath } from '#features/notifications/path-contract.ts'
import { chooseSentence } from '#features/notifications/sentence-contract.ts'
import { notificationsText } from '#features/notifications/web/text.ts'
import { fetchPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Delivery, deliveryEndpoints } from '../contract.ts'
import { StepList } from './StepList.tsx'
import { deliveryText } from './text.ts'

export default function DeliveriesPage() {
  const t = useText(deliveryText)
  const me = useMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title}>
        {me && (
          <ButtonLink small href="/account/notifications">
            {t.shortSettings}
          </ButtonLink>
        )}
      </PageHeader>
      {me ? <Deliveries /> : <LogInPrompt />}
    </PageLayout>
  )
}

function Deliveries() {
  const t = useText(deliveryText)
  const query = useInfiniteQuery({
    queryKey: [deliveryEndpoints.list.path],
    queryFn: ({ pageParam }) => fetchPage(deliveryEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Loaded again at the next visit, because there may be new steps.
    gcTime: 0,
  })
  const { data, error, isFetching, isFetchNextPageError, hasNextPage, fetchNextPage, refetch } = query
  const rows = data?.pages.flatMap((page) => page.rows)
  if (!rows)
    return error ? (
      <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
    ) : (
      <RowSkeletons count={5} />
    )
  if (!rows.length && !hasNextPage) return <EmptyState title={t.nothingYet} help={t.nothingYetHelp} />
  return (
    <>
      <p className="delivery-help">{t.help}</p>
      <ul className="cards flush deliveries">
        {rows.map((delivery) => (
          <li className="card" key={`${delivery.kind} ${delivery.id}`}>
            <Subject delivery={delivery} />
            <StepList steps={delivery.steps} />
          </li>
        ))}
      </ul>
      {error && (
        <LoadErrorMessage
          error={error}
          pending={isFetching}
          onRetry={() => (isFetchNextPageError ? fetchNextPage() : refetch())}
          plain
        />
      )}
      {hasNextPage && !error && (
        <div className="form-actions">
          <Button pending={isFetching} onClick={() => fetchNextPage()}>
            {t.showMore}
          </Button>
        </div>
      )}
    </>
  )
}

function Subject({ delivery }: { delivery: Delivery }) {
  const { path, person, names, sentence, text } = useSubject(delivery)
  return (
    <Link className="delivery-subject" href={path}>
      <Avatar person={person} size="s" />
      <span className="text">
        <b>{names}</b>
        {sentence}
        {text && <UserText className="line">{text}</UserText>}
      </span>
      <RelativeTime at={delivery.created_at} />
    </Link>
  )
}

function useSubject(delivery: Delivery) {
  const t = useText(deliveryText)
  const notificationTexts = useText(notificationsText)
  if (delivery.kind === 'message') {
    const { from, group, id, text } = delivery
    const chat = group ? `/group-chat/${group.id}` : `/privatechat/${from.id}`
    const sentence = group ? t.inGroup(group.name) : t.privateMessage
    return { path: `${chat}?message=${id}`, person: from, names: t.sender(from.name), sentence, text }
  }
  const { notification } = delivery
  const { people, people_count, emoji = [] } = notification
  const { name, subject } = chooseSentence(notification)
  const sentence = notificationTexts[name]
  return {
    path: notificationPath(notification),
    person: people[0]!,
    names: notification.server
      ? ''
      : notificationTexts.people(
          people.map((one) => one.name),
          people_count - people.length,
        ),
    sentence: typeof sentence === 'string' ? sentence : sentence(emoji.join(' ')),
    text: subject,
  }
}
