import './chat.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { type Me, peopleEndpoints } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { useMediaQuery } from '#web/media-query.ts'
import { useRootDataAttributeWhileMounted } from '#web/root-attribute.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import {
  type ConversationFilter,
  ConversationFilterTabs,
  ConversationList,
  useAndRememberGivenOrLastConversationFilter,
} from './ConversationList.tsx'
import type { ChatPartnerOrGroupRef } from './chat-state.ts'
import { chatText, chatTextsQuotedInSpecification } from './text.ts'

interface ChatFrameProps {
  /**
   * The filter of the list of conversations. If it is absent, as on the page of a conversation, the list uses
   * the filter that was chosen last.
   */
  filter?: ConversationFilter
  /** The conversation that is open. Narrow windows show only this conversation, and not the list. */
  current?: ChatPartnerOrGroupRef
  renderConversation?: (me: Me) => ReactNode
}

/**
 * The CSS media query for windows that are wide enough for both panes, as in chat.css. Narrower windows show
 * one pane.
 */
const WIDE = '(width >= 51.25em)'

/** Renders the two panes of every chat page for members: the list of conversations, and a conversation. */
export function ChatTwoPaneLayout(props: ChatFrameProps) {
  const me = useMe()
  const t = useText(chatText)
  const filter = useAndRememberGivenOrLastConversationFilter(props.filter)
  const title = t.titles[filter]
  if (!me) return <NotLoggedIn title={title} />
  return <ChatPanes key={me.id} me={me} title={title} {...props} filter={filter} />
}

interface PanesProps extends ChatFrameProps {
  me: Me
  title: string
  filter: ConversationFilter
}

function ChatPanes({ me, title, filter, current, renderConversation }: PanesProps) {
  const t = useText(chatText)
  const pane = current ? 'conversation' : 'list'
  useRootDataAttributeWhileMounted('chat', pane)
  const ref = useRestoredScroll(filter)
  const isWide = useMediaQuery(WIDE)
  // The title of the list of conversations is an h2 while a conversation is open, because the name of the
  // conversation is then the h1.
  const Title = pane === 'list' ? 'h1' : 'h2'
  return (
    <div className="chat" data-pane={pane}>
      <section className="conversation-list" ref={ref} aria-label={t.conversations}>
        <Title tabIndex={pane === 'list' ? -1 : undefined}>{title}</Title>
        <ConversationFilterTabs filter={filter} />
        {(isWide || pane === 'list') && <ConversationList filter={filter} me={me} current={current} />}
      </section>
      {renderConversation ? renderConversation(me) : <NoConversation filter={filter} />}
    </div>
  )
}

/** Renders a text in place of the conversation while none is open. The text asks the member to choose one. */
function NoConversation({ filter }: { filter: ConversationFilter }) {
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

/**
 * The scroll positions of the list of conversations, in pixels, by filter. The next page that shows the list
 * with the same filter scrolls to this position.
 */
const scrollPositions = { all: 0, private: 0, groups: 0, unread: 0 }
function useRestoredScroll(filter: ConversationFilter) {
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

/**
 * Renders the page that visitors see in place of the chat. It is also shown while it is unknown whether
 * somebody is logged in.
 */
function NotLoggedIn({ title }: { title: string }) {
  const t = useText(chatText)
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['current user'],
    queryFn: () => callEndpoint(peopleEndpoints.me, {}),
    retry: false,
    gcTime: 0,
  })
  const isVisitor = isErrorWithStatus(error, 401)
  return (
    <PageLayout>
      <PageHeader title={title} />
      {!error && <LoadingText />}
      {isVisitor && <LogInPromptBox />}
      {error && !isVisitor && (
        <EmptyState title={<SpecificationTextWithTranslation {...chatTextsQuotedInSpecification.noUser} />}>
          <Button pending={isFetching} onClick={() => refetch()}>
            {t.retry}
          </Button>
        </EmptyState>
      )}
    </PageLayout>
  )
}
