import './notifications.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { callEndpoint, type FetchedListPage, fetchListPage } from '#web/api.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findInitialEndpointResponse, forgetInitialEndpointResponses } from '#web/page-data.ts'
import { TextWithLinks } from '#web/TextWithLinks.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { PageSectionsFromFeatures } from '#web/views.tsx'
import { type Notification, notificationEndpoints } from '../contract.ts'
import { toNotificationPath } from '../path-contract.ts'
import { chooseNotificationSentenceNameAndSubject } from '../sentence-contract.ts'
import { notificationsPageText } from './text.ts'
import {
  MIN_NOTIFICATION_RELOAD_INTERVAL,
  unreadNotificationCountStore,
  useNotificationsChangedListener,
} from './unread-count.ts'

/** The page that lists what other people did that concerns the member. */
export default function NotificationsPage() {
  const t = useText(notificationsPageText)
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
      <PageSectionsFromFeatures path="/notifications" atTop />
      {me ? <Notifications me={me.id} /> : <LogInPrompt />}
      <PageSectionsFromFeatures path="/notifications" />
    </PageLayout>
  )
}

/** A new notification is shown at once if the page is scrolled down by at most this many pixels. */
const MAX_SCROLL_FOR_RELOAD = 40

function useNotificationsQuery() {
  const first = findInitialEndpointResponse(notificationEndpoints.list)
  const [initial] = useState(() => first && { rows: first.body as Notification[], next: first.next })
  // Forgets the list that came with the HTML page when the member leaves the page, because the list is
  // out of date at the next visit.
  useEffect(() => forgetInitialEndpointResponses, [])
  return useInfiniteQuery({
    queryKey: [notificationEndpoints.list.path],
    queryFn: ({ pageParam }) => fetchListPage(notificationEndpoints.list, {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: FetchedListPage<Notification[]>) => next,
    ...(initial && {
      initialData: { pages: [initial], pageParams: [null] },
      staleTime: Number.POSITIVE_INFINITY,
    }),
    // Does not keep the list after the visit, so that the next visit loads it again and notifications that
    // were read lose their mark.
    gcTime: 0,
  })
}

/**
 * Returns `hasChanged`, which says whether the list may have changed since the last call of `reset`, and
 * `reset`. `hasChanged` becomes true one second after an event, so that many events at once cause one reload.
 */
function useListChanges(me: number) {
  const [hasChanged, setHasChanged] = useState(false)
  // If the list came with the HTML page, the app has not subscribed to the channel yet when the list was
  // read. Otherwise the member came from another page of the app, and the channel was subscribed before.
  const wasSubscribed = useRef(findInitialEndpointResponse(notificationEndpoints.list) === undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const change = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setHasChanged(true)
    }, MIN_NOTIFICATION_RELOAD_INTERVAL)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useNotificationsChangedListener(
    me,
    ({ is_only_read }) => is_only_read || change(),
    () => {
      // Each subscription but the first one follows an outage, in which events may have been missed.
      if (wasSubscribed.current) change()
      wasSubscribed.current = true
    },
  )
  return { hasChanged, reset: () => setHasChanged(false) }
}

function Notifications({ me }: { me: number }) {
  const t = useText(notificationsPageText)
  const query = useNotificationsQuery()
  const { data, error, isFetching, isFetchNextPageError, hasNextPage, fetchNextPage, refetch } = query
  const { hasChanged, reset } = useListChanges(me)
  const rows = data?.pages.flatMap((page) => page.rows)
  const newest = rows?.[0]?.last_event_id
  useMarkAsRead(newest, rows?.some(({ is_read }) => !is_read) ?? false)
  const showNew = () => {
    reset()
    void refetch()
  }
  useEffect(() => {
    // Reloads only where the reader sees the top of the list, so that no row moves under a finger.
    if (hasChanged && window.scrollY <= MAX_SCROLL_FOR_RELOAD) showNew()
  })
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!rows) return <RowListSkeleton count={5} />
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
      <ul className="rows cards flush notifications">
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

/**
 * Marks the notifications up to `newest` as read once the window is visible. The rows stay marked as new
 * until the list is loaded again.
 */
function useMarkAsRead(newest: number | undefined, hasUnread: boolean) {
  useEffect(() => {
    if (newest === undefined || !hasUnread) return
    const mark = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', mark)
      callEndpoint(notificationEndpoints.markRead, { last_event_id: newest }).then(
        ({ count }) => unreadNotificationCountStore.patch({ count }),
        // If the call fails, the badge stays, and the next visit of the page tries again.
        () => {},
      )
    }
    document.addEventListener('visibilitychange', mark)
    mark()
    return () => document.removeEventListener('visibilitychange', mark)
  }, [newest, hasUnread])
}

function NotificationRow({ notification }: { notification: Notification }) {
  const t = useText(notificationsPageText)
  const { people, people_count, emoji = [], updated_at, is_read } = notification
  const describePeople = (count: number) =>
    t.people(
      people.slice(0, count).map(({ name }) => name),
      people_count - Math.min(count, people.length),
    )
  const { name, subject } = chooseNotificationSentenceNameAndSubject(notification)
  const sentence = t[name]
  return (
    <li>
      <Link className="row" data-unread={is_read ? undefined : ''} href={toNotificationPath(notification)}>
        <Avatar person={people[0]!} />
        <span className="text">
          <span>
            <b className="names">{describePeople(people.length)}</b>
            <b className="names narrow-only">{describePeople(people_count > 2 ? 1 : 2)}</b>
            {typeof sentence === 'string' ? sentence : sentence(emoji.join(' '))}
          </span>
          {subject && (
            <span className="line" dir="auto" lang={detectLanguageOfUserText(subject)}>
              <TextWithLinks isInLink>{subject}</TextWithLinks>
            </span>
          )}
        </span>
        <span className="end">
          <RelativeTime at={updated_at} />
          {!is_read && <span className="chip">{t.isNew}</span>}
        </span>
      </Link>
    </li>
  )
}
