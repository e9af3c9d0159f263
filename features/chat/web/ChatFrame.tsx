import './chat.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import { type Me, people } from '#features/people/contract.ts'
import { api } from '#web/api.ts'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useMedia } from '#web/media.ts'
import { NotLoaded, PleaseLogIn } from '#web/NotLoaded.tsx'
import { useRootAttribute } from '#web/root-attribute.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Loading, RowSkeleton } from '#web/ui/Loading.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import { type ConversationRef, type ListedConversation, useUnreadSum } from './chat-state.ts'
import { useConversationList, useFollowed, withoutMessages } from './chat-sync.ts'
import { chatText, fixed } from './text.ts'

type Kind = ConversationRef['kind']

interface ChatFrameProps {
  kind: Kind
  /** The id of the open conversation. A narrow window shows the conversation in place of the list. */
  current?: number
  thread?: (me: Me) => ReactNode
}

/** As in chat.css: narrower windows show one of the panes. */
const WIDE = '(width >= 51.25em)'

/** The two panes of every chat page, for members: a list, and a conversation. */
export function ChatFrame(props: ChatFrameProps) {
  const me = useMe()
  const t = useText(chatText)
  const title = props.kind === 'private' ? t.directMessage : t.yourGroups
  return me ? <Panes key={me.id} me={me} title={title} {...props} /> : <NotLoggedIn title={title} />
}

function Panes({ me, title, kind, current, thread }: ChatFrameProps & { me: Me; title: string }) {
  const t = useText(chatText)
  const pane = current === undefined ? 'list' : 'thread'
  useRootAttribute('chat', pane)
  const ref = useKeptScroll(kind)
  const isWide = useMedia(WIDE)
  // With an open conversation, its name is the title of the page.
  const Title = pane === 'list' ? 'h1' : 'h2'
  const List = kind === 'private' ? PrivateChatList : GroupList
  return (
    <div className="chat" data-pane={pane}>
      <section className="list" ref={ref} aria-label={kind === 'private' ? t.conversations : t.groups}>
        <Title tabIndex={pane === 'list' ? -1 : undefined}>{title}</Title>
        <KindTabs kind={kind} />
        {(isWide || pane === 'list') && <List me={me} current={current} />}
      </section>
      {thread ? thread(me) : <ChooseConversation kind={kind} />}
    </div>
  )
}

/** Stands in place of a conversation while none is open. */
function ChooseConversation({ kind }: { kind: Kind }) {
  const t = useText(chatText)
  const title = kind === 'private' ? t.choose : t.chooseGroup
  const help = (
    <>
      {t.findBefore}
      <Link className="link" href="/follow">
        {t.findLink}
      </Link>
      {t.findAfter}
    </>
  )
  return (
    <section className="thread" aria-label={title}>
      <Empty plain title={title} help={kind === 'private' ? help : undefined} />
    </section>
  )
}

/** Each conversation is a page of its own: the list keeps its scroll position from page to page. */
const scrollPositions = { private: 0, groups: 0 }
function useKeptScroll(kind: Kind) {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const list = ref.current!
    list.scrollTop = scrollPositions[kind]
    return () => {
      scrollPositions[kind] = list.scrollTop
    }
  }, [kind])
  return ref
}

function KindTabs({ kind }: { kind: Kind }) {
  const t = useText(chatText)
  const currentIf = (one: string) => (one === kind ? 'page' : undefined)
  return (
    <nav className="tabs" aria-label={t.which}>
      <Link href="/users" aria-current={currentIf('private')}>
        {t.privateChat}
        <Badge count={useUnreadSum('private')} />
      </Link>
      <Link href="/my-groups" aria-current={currentIf('groups')}>
        {t.groupChat}
        <Badge count={useUnreadSum('groups')} />
      </Link>
    </nav>
  )
}

interface ListProps {
  me: Me
  current: number | undefined
}

/** Private chats: first those with people whom I follow, then those with others who wrote to me. */
function PrivateChatList({ me, current }: ListProps) {
  const t = useText(chatText)
  const chats = useConversationList('private')
  const followed = useFollowed()
  if (!chats.rows) return <ListState query={chats} rows={6} />
  if (!followed.data) return <ListState query={followed} rows={6} />

  const known = new Set(chats.rows.map(({ id }) => id))
  const isFollowed = new Set(followed.data.map(({ id }) => id))
  const unused = followed.data
    .filter(({ id }) => !known.has(id))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(withoutMessages)
  const mine = [...chats.rows.filter(({ id }) => isFollowed.has(id)), ...unused]
  const others = chats.rows.filter(({ id }) => !isFollowed.has(id))
  return (
    <>
      {mine.length > 0 ? (
        <Rows conversations={mine} me={me} current={current} />
      ) : (
        <Empty title={<QuotedText {...fixed.noFollowed} />} help={t.followFirst}>
          <ButtonLink kind="primary" href="/follow">
            {t.searchUsers}
          </ButtonLink>
        </Empty>
      )}
      {others.length > 0 && (
        <>
          <h2 className="kind">{t.unfollowed}</h2>
          <Rows conversations={others} me={me} current={current} />
        </>
      )}
    </>
  )
}

/** The groups of the current user, newest message first. */
function GroupList({ me, current }: ListProps) {
  const t = useText(chatText)
  const groups = useConversationList('groups')
  if (!groups.rows) return <ListState query={groups} rows={4} />
  if (groups.rows.length) return <Rows conversations={groups.rows} me={me} current={current} />
  return (
    <Empty title={<QuotedText {...fixed.noGroups} />} help={t.askAdmin}>
      {me.is_admin ? (
        <ButtonLink kind="primary" href="/admin/creategroup">
          {t.createGroup}
        </ButtonLink>
      ) : (
        <ButtonLink href="/follow">{t.searchUsers}</ButtonLink>
      )}
    </Empty>
  )
}

const Rows = ({
  conversations,
  me,
  current,
}: ListProps & { conversations: readonly ListedConversation[] }) => (
  <ul className="rows">
    {conversations.map((one) => (
      <ConversationRow key={one.id} conversation={one} me={me.id} current={one.id === current} />
    ))}
  </ul>
)

interface ListStateProps {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  /** How many rows the skeleton has. */
  rows: number
}

/** Stands in place of a list that is being loaded, or that could not be loaded. */
function ListState({ query: { error, isFetching, refetch }, rows }: ListStateProps) {
  if (!error) return <RowSkeleton count={rows} />
  if (isHttpError(error, 401)) return <PleaseLogIn />
  return <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />
}

/** For visitors, and where the server could not say who is logged in. */
function NotLoggedIn({ title }: { title: string }) {
  const t = useText(chatText)
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['who is it'],
    queryFn: () => api(people.me, {}),
    retry: false,
    gcTime: 0,
  })
  const isVisitor = isHttpError(error, 401)
  return (
    <PageLayout>
      <PageHeader title={title} />
      {!error && <Loading />}
      {isVisitor && <PleaseLogIn />}
      {error && !isVisitor && (
        <Empty title={<QuotedText {...fixed.noUser} />}>
          <Button pending={isFetching} onClick={() => refetch()}>
            {t.retry}
          </Button>
        </Empty>
      )}
    </PageLayout>
  )
}
