import './notifications.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CalendarX2, CircleAlert, CircleCheck, Flag, TriangleAlert, UserPlus, UsersRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { callEndpoint, fetchPage, type ListPage } from '#web/api.ts'
import { detectLanguage, useLang, useText } from '#web/i18n.ts'
import { LazyLinkedText } from '#web/LazyLinkedText.tsx'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findAnswer, forgetAnswers } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { hasPage, PageSections } from '#web/views.tsx'
import { type Notification, notificationEndpoints, type TaskKind } from '../contract.ts'
import { notificationPath } from '../path-contract.ts'
import { chooseSentence, shownWith } from '../sentence-contract.ts'
import { isTask, taskSentence } from '../task-contract.ts'
import { NARROW_NAME, notificationsText } from './text.ts'
import { RELOAD_INTERVAL, unreadStore, useChanges } from './unread-count.ts'

export default function NotificationsPage() {
  const t = useText(notificationsText)
  const me = useMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title}>
        {me && (
          <ButtonLink small href="/account/notifications">
            {t.settings}
          </ButtonLink>
        )}
      </PageHeader>
      <PageSections path="/notifications" atTop />
      {me && hasPage('/since') && (
        <p className="phone-padding since-link">
          <ButtonLink href="/since">{t.sinceLastVisit}</ButtonLink>
        </p>
      )}
      {me ? <Notifications me={me.id} /> : <LogInPrompt />}
      <PageSections path="/notifications" />
    </PageLayout>
  )
}

/** In px: new notifications are shown at once only near the top. */
const MAX_SCROLL_FOR_RELOAD = 40

function useNotificationsQuery() {
  const first = findAnswer(notificationEndpoints.list)
  const [initial] = useState(() => first && { rows: first.body as Notification[], next: first.next })
  // The list that came with the HTML page is out of date at the next visit.
  useEffect(() => forgetAnswers, [])
  return useInfiniteQuery({
    queryKey: [notificationEndpoints.list.path],
    queryFn: ({ pageParam }) => fetchPage(notificationEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<Notification[]>) => next,
    ...(initial && {
      initialData: { pages: [initial], pageParams: [null] },
      staleTime: Number.POSITIVE_INFINITY,
    }),
    // Loaded again at the next visit, so that read notifications lose their mark.
    gcTime: 0,
  })
}

/** `hasChanged` since the last `reset`. True one second after an event: many events cause one reload. */
function useListChanges(me: number) {
  const [hasChanged, setHasChanged] = useState(false)
  // False if the list came with the HTML page; true after another page of the app.
  const wasSubscribed = useRef(findAnswer(notificationEndpoints.list) === undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const change = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setHasChanged(true)
    }, RELOAD_INTERVAL)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useChanges(
    me,
    ({ is_only_read }) => is_only_read || change(),
    () => {
      // After a lost connection, events may have been missed.
      if (wasSubscribed.current) change()
      wasSubscribed.current = true
    },
  )
  return { hasChanged, reset: () => setHasChanged(false) }
}

function Notifications({ me }: { me: number }) {
  const t = useText(notificationsText)
  const query = useNotificationsQuery()
  const { data, error, isFetching, isFetchNextPageError, hasNextPage, fetchNextPage, refetch } = query
  const { hasChanged, reset } = useListChanges(me)
  const rows = data?.pages.flatMap((page) => page.rows)
  const others = rows?.filter(({ kind }) => !isTask(kind))
  useMarkAsRead(others?.[0]?.last_event_id, others?.some(({ is_read }) => !is_read) ?? false)
  const showNew = () => {
    reset()
    void refetch()
  }
  useEffect(() => {
    // Only if the reader sees the top, so that no row moves under a tap. After the first response, because
    // `refetch` sends no second request before it, and it may be older than the change.
    if (hasChanged && data && window.scrollY <= MAX_SCROLL_FOR_RELOAD) showNew()
  })
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!rows) return <RowSkeletons count={5} />
  if (!rows.length) return <EmptyState title={t.nothingYet} help={t.nothingYetHelp} />
  return (
    <>
      {hasChanged && (
        <p className="new-notifications">
          <Button kind="primary" onClick={showNew}>
            {t.showNew}
          </Button>
        </p>
      )}
      <ul className="cards flush notifications">
        {rows.map((notification) => (
          <NotificationRow key={notification.id} notification={notification} />
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

/** As soon as the window is visible. On the page, they stay marked as new until the list is loaded again. */
function useMarkAsRead(newest: number | undefined, hasUnread: boolean) {
  useEffect(() => {
    if (newest === undefined || !hasUnread) return
    const mark = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', mark)
      callEndpoint(notificationEndpoints.markRead, { last_event_id: newest }).then(
        ({ count }) => unreadStore.patch({ count }),
        // The number at the bell icon stays, and the next visit tries again.
        () => {},
      )
    }
    document.addEventListener('visibilitychange', mark)
    mark()
    return () => document.removeEventListener('visibilitychange', mark)
  }, [newest, hasUnread])
}

const taskIcons: Record<TaskKind, LucideIcon> = {
  report: Flag,
  contact_request: UsersRound,
  join_request: UserPlus,
  group_request: UserPlus,
  not_sent: CalendarX2,
  roll_call: CircleAlert,
  roll_call_drill: CircleAlert,
  roll_call_help: CircleAlert,
}

function NotificationRow({ notification }: { notification: Notification }) {
  const t = useText(notificationsText)
  const { kind, people, people_count, server, updated_at, is_read } = notification
  const describePeople = (count: number, max?: number) =>
    t.people(
      people.slice(0, count).map(({ name }) => name),
      people_count - Math.min(count, people.length),
      max,
    )
  const task = taskSentence(notification, useLang())
  const { name, subject } = task ? { name: null, subject: '' } : chooseSentence(notification)
  const sentence = name ? t[name] : task!
  const isNamed = !server && !task
  return (
    <li>
      <Link className="row" data-unread={is_read ? undefined : ''} href={notificationPath(notification)}>
        {task ? (
          <span className="server-icon">
            <Icon icon={taskIcons[kind as TaskKind]} />
          </span>
        ) : server ? (
          <span className="server-icon" data-over={server.is_over || undefined}>
            <Icon icon={server.is_over ? CircleCheck : TriangleAlert} />
          </span>
        ) : (
          <Avatar person={people[0]!} />
        )}
        <span className="text">
          <span>
            {isNamed && (
              <>
                <b className="names">{describePeople(people.length)}</b>
                <b className="names narrow-only">{describePeople(people_count > 2 ? 1 : 2, NARROW_NAME)}</b>
              </>
            )}
            {typeof sentence === 'string' ? sentence : sentence(shownWith(notification))}
          </span>
          {subject && (
            <span className="line" dir="auto" lang={detectLanguage(subject)}>
              <LazyLinkedText isInLink>{subject}</LazyLinkedText>
            </span>
          )}
        </span>
        <span className="end">
          <RelativeTime at={updated_at} />
          {!is_read && <span className="chip">{task ? t.isWaiting : t.isNew}</span>}
        </span>
      </Link>
    </li>
  )
}
