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
import { PleaseLogIn } from '#web/NotLoaded.tsx'
import { useRootAttribute } from '#web/root-attribute.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { ConversationList, type Filter, FilterTabs, useFilter } from './ConversationList.tsx'
import type { ConversationRef } from './chat-state.ts'
import { chatText, fixed } from './text.ts'

interface ChatFrameProps {
  /** The list that a page shows. Pages of conversations show the list that was chosen last. */
  filter?: Filter
  /** The open conversation. A narrow window shows it in place of the list. */
  current?: ConversationRef
  thread?: (me: Me) => ReactNode
}

/** As in chat.css: narrower windows show one of the panes. */
const WIDE = '(width >= 51.25em)'

/** The two panes of every chat page, for members: the list of conversations, and a conversation. */
export function ChatFrame(props: ChatFrameProps) {
  const me = useMe()
  const t = useText(chatText)
  const filter = useFilter(props.filter)
  const title = t.titles[filter]
  if (!me) return <NotLoggedIn title={title} />
  return <Panes key={me.id} me={me} title={title} {...props} filter={filter} />
}

interface PanesProps extends ChatFrameProps {
  me: Me
  title: string
  filter: Filter
}

function Panes({ me, title, filter, current, thread }: PanesProps) {
  const t = useText(chatText)
  const pane = current ? 'thread' : 'list'
  useRootAttribute('chat', pane)
  const ref = useKeptScroll(filter)
  const isWide = useMedia(WIDE)
  // With an open conversation, its name is the title of the page.
  const Title = pane === 'list' ? 'h1' : 'h2'
  return (
    <div className="chat" data-pane={pane}>
      <section className="list" ref={ref} aria-label={t.conversations}>
        <Title tabIndex={pane === 'list' ? -1 : undefined}>{title}</Title>
        <FilterTabs filter={filter} />
        {(isWide || pane === 'list') && <ConversationList filter={filter} me={me} current={current} />}
      </section>
      {thread ? thread(me) : <ChooseConversation filter={filter} />}
    </div>
  )
}

/** Stands in place of a conversation while none is open. */
function ChooseConversation({ filter }: { filter: Filter }) {
  const t = useText(chatText)
  const title = filter === 'private' ? t.choose : filter === 'groups' ? t.chooseGroup : t.chooseChat
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
      <Empty plain title={title} help={filter === 'groups' ? undefined : help} />
    </section>
  )
}

/** Each conversation is a page of its own: the list keeps its scroll position from page to page. */
const scrollPositions = { all: 0, private: 0, groups: 0, unread: 0 }
function useKeptScroll(filter: Filter) {
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
