import './chat.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { type Me, peopleEndpoints } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { useMediaQuery } from '#web/media-query.ts'
import { useRootAttribute } from '#web/root-attribute.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { FilterTabs, List, type ListFilter, useFilter } from './List.tsx'
import { NewChat } from './NewChat.tsx'
import type { ConversationRef } from './state.ts'
import { chatSpecTexts, chatText } from './text.ts'

interface Props {
  /** If absent, as on the page of a conversation, the list has the filter that was chosen last. */
  filter?: ListFilter
  /** The open conversation. Narrow windows show only it, and not the list. */
  current?: ConversationRef
  renderConversation?: (me: Me) => ReactNode
}

/** Windows wide enough for both panes, as in chat.css. */
const WIDE = '(width >= 51.25em)'

export function Layout(props: Props) {
  const me = useMe()
  const t = useText(chatText)
  const filter = useFilter(props.filter)
  const title = t.titles[filter]
  if (!me) return <NotLoggedIn title={title} />
  return <ChatPanes key={me.id} me={me} title={title} {...props} filter={filter} />
}

interface PanesProps extends Props {
  me: Me
  title: string
  filter: ListFilter
}

function ChatPanes({ me, title, filter, current, renderConversation }: PanesProps) {
  const t = useText(chatText)
  const pane = current ? 'conversation' : 'list'
  useRootAttribute('chat', pane)
  const ref = useRestoredScroll(filter)
  const isWide = useMediaQuery(WIDE)
  // While a conversation is open, its name is the h1.
  const Title = pane === 'list' ? 'h1' : 'h2'
  return (
    <div className="chat" data-pane={pane}>
      <section className="conversation-list" ref={ref} aria-label={t.conversations}>
        <div className="list-header">
          <Title tabIndex={pane === 'list' ? -1 : undefined}>{title}</Title>
          <NewChat me={me} />
        </div>
        <FilterTabs filter={filter} />
        {(isWide || pane === 'list') && <List filter={filter} me={me} current={current} />}
      </section>
      {renderConversation ? renderConversation(me) : <NoConversation filter={filter} />}
    </div>
  )
}

function NoConversation({ filter }: { filter: ListFilter }) {
  const t = useText(chatText)
  const title = filter === 'private' ? t.choose : filter === 'groups' ? t.chooseGroup : t.chooseChat
  const help = (
    <>
      {t.findPeopleBefore}
      <Link className="link" href="/follow">
        {t.findPeopleLink}
      </Link>
      {t.findPeopleAfter}
    </>
  )
  return (
    <section className="conversation" aria-label={title}>
      <EmptyState withoutBackground title={title} help={filter === 'groups' ? undefined : help} />
    </section>
  )
}

/** In pixels. The next page that shows the list with the same filter scrolls to this position. */
const scrollPositions = { all: 0, private: 0, groups: 0, unread: 0 }
function useRestoredScroll(filter: ListFilter) {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const list = ref.current!
    list.scrollTop = scrollPositions[filter]
    return () => {
      scrollPositions[filter] = list.scrollTop
    }
  }, [filter])
  return ref
}

/** Also shown while it is unknown whether somebody is logged in. */
function NotLoggedIn({ title }: { title: string }) {
  const t = useText(chatText)
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['current user'],
    queryFn: () => callEndpoint(peopleEndpoints.me, {}),
    retry: false,
    gcTime: 0,
  })
  const isVisitor = hasStatus(error, 401)
  return (
    <PageLayout>
      <PageHeader title={title} />
      {!error && <LoadingText />}
      {isVisitor && <LogInPrompt />}
      {error && !isVisitor && (
        <EmptyState title={<QuotedText {...chatSpecTexts.noUser} />}>
          <Button pending={isFetching} onClick={() => refetch()}>
            {t.retry}
          </Button>
        </EmptyState>
      )}
    </PageLayout>
  )
}
