import './chat.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import { type Me, people } from '#features/people/contract.ts'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { ApiError, api } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useMedia } from '#web/media.ts'
import { useRootAttribute } from '#web/root-attribute.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { useUnreadSum } from './chat-state.ts'
import { chatText, fixed } from './text.ts'

interface ChatFrameProps {
  title: string
  kind: 'private' | 'groups'
  /** Which of the two a narrow window shows. */
  pane: 'list' | 'thread'
  list: (me: Me) => ReactNode
  thread: (me: Me) => ReactNode
}

/** As in chat.css: narrower windows show one of the panes. */
const WIDE = '(width >= 51.25em)'

/** The two panes of every chat page, for members. */
export function ChatFrame({ title, ...rest }: ChatFrameProps) {
  const me = useMe()
  return me ? <Panes key={me.id} me={me} title={title} {...rest} /> : <NotLoggedIn title={title} />
}

function Panes({ me, title, kind, pane, list, thread }: ChatFrameProps & { me: Me }) {
  const t = useText(chatText)
  useRootAttribute('chat', pane)
  const ref = useKeptScroll(kind)
  const isWide = useMedia(WIDE)
  // With an open conversation, its name is the title of the page.
  const Title = pane === 'list' ? 'h1' : 'h2'
  return (
    <div className="chat" data-pane={pane}>
      <section className="list" ref={ref} aria-label={kind === 'private' ? t.conversations : t.groups}>
        <Title tabIndex={pane === 'list' ? -1 : undefined}>{title}</Title>
        <KindTabs kind={kind} />
        {(isWide || pane === 'list') && list(me)}
      </section>
      {thread(me)}
    </div>
  )
}

/** Each conversation is a page of its own: the list keeps its scroll position from page to page. */
const scrollPositions = { private: 0, groups: 0 }
function useKeptScroll(kind: ChatFrameProps['kind']) {
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

function KindTabs({ kind }: Pick<ChatFrameProps, 'kind'>) {
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

/** For visitors, and where the server could not say who is logged in. */
function NotLoggedIn({ title }: { title: string }) {
  const t = useText(chatText)
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['who is it'],
    queryFn: () => api(people.me, {}),
    retry: false,
    gcTime: 0,
  })
  const isVisitor = error instanceof ApiError && error.status === 401
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
