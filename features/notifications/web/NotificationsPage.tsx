import './notifications.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { callEndpoint, type FetchedListPage, fetchListPage } from '#web/api.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { LazyTextWithLinksMentionsAndTags } from '#web/LazyTextWithLinksMentionsAndTags.tsx'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findInitialEndpointResponse, forgetInitialEndpointResponses } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { PageSectionsFromFeatures } from '#web/views.tsx'
import { type Notification, notificationEndpoints } from '../contract.ts'
import { toNotificationPath } from '../path-contract.ts'
import { chooseNotificationSentenceNameAndEndingText } from '../sentence-contract.ts'
import { notificationsPageText } from './text.ts'
import {
  MIN_NOTIFICATION_RELOAD_INTERVAL,
  unreadNotificationCountAndLastEventIdStore,
  useNotificationsChangedListener,
} from './unread-count.ts'

/** Renders the page that lists the member's notifications. */
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
      {me ? <Notifications me={me.id} /> : <LogInPromptBox />}
      <PageSectionsFromFeatures path="/notifications" />
    </PageLayout>
  )
}

/**
 * The maximum number of pixels by which the page may be scrolled down so that new notifications are shown at
 * once.
 */
const MAX_SCROLL_FOR_RELOAD = 40

function useNotificationsQuery() {
  const first = findInitialEndpointResponse(notificationEndpoints.list)
  const [initial] = useState(() => first && { rows: first.body as Notification[], next: first.next })
  // When the member leaves the page, forgets the list that came with the HTML page, because the list is
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
    // Drops the list when the member leaves the page. The next visit loads it again, so that notifications
    // that were read lose their mark.
    gcTime: 0,
  })
}

/**
 * Returns `hasChanged` and `reset`. `hasChanged` says whether the list of notifications may have changed
 * since the last call of `reset`. It becomes true one second after an event, so that many events at once
 * cause one reload.
 */
function useListChanges(me: number) {
  const [hasChanged, setHasChanged] = useState(false)
  // Whether the app had subscribed to the channel before the list was loaded. It had not if the list came
  // with the HTML page; it had if the member came from another page of the app.
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
      // Each subscription except the first one follows a lost connection. Events may have been missed
      // meanwhile, so the list may have changed.
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
    // Reloads the list only if the reader sees its top, so that no row moves while the reader is about to tap
    // it. Waits for the first response, because `refetch` sends no second request before it, and that response
    // may be older than the change.
    if (hasChanged && data && window.scrollY <= MAX_SCROLL_FOR_RELOAD) showNew()
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
 * Marks the notifications up to the event id `newest` as read on the server as soon as the window is visible.
 * On the page, they stay marked as new until the list is loaded again.
 */
function useMarkAsRead(newest: number | undefined, hasUnread: boolean) {
  useEffect(() => {
    if (newest === undefined || !hasUnread) return
    const mark = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', mark)
      callEndpoint(notificationEndpoints.markRead, { last_event_id: newest }).then(
        ({ count }) => unreadNotificationCountAndLastEventIdStore.patch({ count }),
        // If the request fails, the number at the bell icon stays, and the next visit of the page tries
        // again.
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
  const { people, people_count, emoji = [], server, updated_at, is_read } = notification
  const describePeople = (count: number) =>
    t.people(
      people.slice(0, count).map(({ name }) => name),
      people_count - Math.min(count, people.length),
    )
  const { name, subject } = chooseNotificationSentenceNameAndEndingText(notification)
  const sentence = t[name]
  return (
    <li>
      <Link className="row" data-unread={is_read ? undefined : ''} href={toNotificationPath(notification)}>
        {server ? (
          <span className="server-icon" data-over={server.is_over || undefined}>
            <Icon icon={server.is_over ? CircleCheck : TriangleAlert} />
          </span>
        ) : (
          <Avatar person={people[0]!} />
        )}
        <span className="text">
          <span>
            {!server && (
              <>
                <b className="names">{describePeople(people.length)}</b>
                <b className="names narrow-only">{describePeople(people_count > 2 ? 1 : 2)}</b>
              </>
            )}
            {typeof sentence === 'string' ? sentence : sentence(emoji.join(' '))}
          </span>
          {subject && (
            <span className="line" dir="auto" lang={detectLanguageOfUserText(subject)}>
              <LazyTextWithLinksMentionsAndTags isInLink>{subject}</LazyTextWithLinksMentionsAndTags>
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
