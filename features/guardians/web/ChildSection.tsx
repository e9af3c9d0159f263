import { useInfiniteQuery } from '@tanstack/react-query'
import { profilePath } from '#features/people/contract.ts'
import { fetchPage } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime, ShortDate } from '#web/ui/RelativeTime.tsx'
import { PersonName, UserText } from '#web/ui/UserText.tsx'
import { type ChildContact, type ChildNotice, type GuardedChild, guardianEndpoints } from '../contract.ts'
import { AttemptList } from './AttemptList.tsx'
import { DecisionButtons } from './ContactRequests.tsx'
import { useDecision } from './queries.ts'
import { guardianText } from './text.ts'

export function ChildSection({ child }: { child: GuardedChild }) {
  const t = useText(guardianText)
  const lang = useLang()
  return (
    <section className="card guardian-section">
      <div className="guardian-item">
        <Avatar person={child} size="m" />
        <div className="guardian-details">
          <h2 tabIndex={-1}>
            <UserText>{child.name}</UserText>
          </h2>
          <span className="text-soft">{t.until(dates.long(`${child.ends_on}T12:00`, lang))}</span>
          <span className="text-soft">
            {t.guardians}
            <UserText>{t.names(child.guardians.map(({ name }) => name))}</UserText>
          </span>
        </div>
      </div>
      <ContactList child={child.id} />
      <GroupList child={child.id} />
      <AttemptList child={child} />
      <NoticeList child={child.id} />
    </section>
  )
}

interface ListQuery {
  data: unknown
  error: Error | null
  isFetching: boolean
  hasNextPage: boolean
  fetchNextPage: () => unknown
  refetch: () => unknown
}

function ListEnd({ query }: { query: ListQuery }) {
  const t = useText(guardianText)
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = query
  if (!data && !error) return <LoadingText />
  if (!data && error)
    return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
  if (!hasNextPage) return null
  return (
    <div className="form-actions">
      <Button pending={isFetching} onClick={() => fetchNextPage()}>
        {t.showMore}
      </Button>
    </div>
  )
}

const pageOptions = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: { next: string | null }) => next,
}

const useContactsQuery = (id: number) =>
  useInfiniteQuery({
    queryKey: [guardianEndpoints.contacts.path, id],
    queryFn: ({ pageParam }) => fetchPage(guardianEndpoints.contacts, { id }, pageParam),
    ...pageOptions,
  })

function ContactList({ child }: { child: number }) {
  const t = useText(guardianText)
  const query = useContactsQuery(child)
  // Those who wait stand above all children, with the same buttons.
  const contacts = query.data?.pages.flatMap(({ rows }) => rows.filter(({ state }) => state !== 'requested'))
  return (
    <>
      <h3>{t.contacts}</h3>
      {contacts?.length === 0 && !query.hasNextPage && <p className="text-meta">{t.noContacts}</p>}
      {contacts?.map((contact) => (
        <ContactItem key={contact.person.id} child={child} contact={contact} />
      ))}
      <ListEnd query={query} />
    </>
  )
}

function ContactItem({ child, contact }: { child: number; contact: ChildContact }) {
  const t = useText(guardianText)
  const { person, state, in_group, asked_by, decided_by, last_message_at, child_follows, follows_child } =
    contact
  const isFromBefore = state === 'allowed' && asked_by === null && !contact.decided_at
  const isOpenDespiteState = in_group && state !== null && state !== 'allowed'
  const decision = useDecision({ child, person, known_state: state ?? 'requested' })
  return (
    <div className="guardian-item">
      <Avatar person={person} size="s" />
      <div className="guardian-details">
        <Link className="link name" href={profilePath(person)}>
          <UserText>{person.name}</UserText>
        </Link>
        <span>
          <b>{state ? t.states[state] : in_group ? t.inGroup : t.withoutDecision}</b>
          {isFromBefore && t.fromBefore}
          {decided_by && (
            <>
              {' '}
              <span className="text-meta">
                {t.decidedBy}
                <PersonName>{decided_by.name}</PersonName>
              </span>
            </>
          )}
        </span>
        {isOpenDespiteState && <span>{state === 'refused' ? t.inGroupRefused : t.inGroup}</span>}
        {child_follows && <span className="text-meta">{t.follows}</span>}
        {follows_child && <span className="text-meta">{t.followed}</span>}
        <span className="text-meta">
          {last_message_at ? (
            <>
              {t.lastMessage}
              <RelativeTime at={last_message_at} showFullDate />
            </>
          ) : (
            t.noMessage
          )}
        </span>
      </div>
      {state && (
        <DecisionButtons
          name={person.name}
          pending={decision.isPending ? decision.variables : null}
          decided={state === 'requested' ? undefined : state}
          onDecide={decision.mutate}
        />
      )}
      {decision.dialog}
    </div>
  )
}

const useGroupsQuery = (id: number) =>
  useInfiniteQuery({
    queryKey: [guardianEndpoints.groups.path, id],
    queryFn: ({ pageParam }) => fetchPage(guardianEndpoints.groups, { id }, pageParam),
    ...pageOptions,
  })

function GroupList({ child }: { child: number }) {
  const t = useText(guardianText)
  const query = useGroupsQuery(child)
  const groups = query.data?.pages.flatMap(({ rows }) => rows)
  return (
    <>
      <h3>{t.groups}</h3>
      {groups?.length === 0 && <p className="text-meta">{t.noGroups}</p>}
      {groups && groups.length > 0 && (
        <ul className="guardian-groups">
          {groups.map(({ id, name }) => (
            <li key={id}>
              <UserText>{name}</UserText>
            </li>
          ))}
        </ul>
      )}
      <ListEnd query={query} />
    </>
  )
}

const useNoticesQuery = (id: number) =>
  useInfiniteQuery({
    queryKey: [guardianEndpoints.notices.path, id],
    queryFn: ({ pageParam }) => fetchPage(guardianEndpoints.notices, { id }, pageParam),
    ...pageOptions,
  })

function NoticeList({ child }: { child: number }) {
  const t = useText(guardianText)
  const query = useNoticesQuery(child)
  const notices = query.data?.pages.flatMap(({ rows }) => rows)
  return (
    <>
      <h3>{t.notices}</h3>
      <p className="text-soft">{t.noticesHelp}</p>
      {notices?.length === 0 && <p className="text-meta">{t.noNotices}</p>}
      {notices?.map((notice) => (
        <NoticeItem key={notice.id} notice={notice} />
      ))}
      <ListEnd query={query} />
    </>
  )
}

function NoticeItem({ notice: { kind, text, ends_at, created_at } }: { notice: ChildNotice }) {
  const t = useText(guardianText)
  return (
    <div className="guardian-item">
      <div className="guardian-details">
        <b>{t.kinds[kind]}</b>
        {text && <UserText className="guardian-note">{text}</UserText>}
        {ends_at && (
          <span>
            {t.endsOn}
            <ShortDate at={ends_at} />
          </span>
        )}
        <span className="text-meta">
          <RelativeTime at={created_at} showFullDate />
        </span>
      </div>
    </div>
  )
}
