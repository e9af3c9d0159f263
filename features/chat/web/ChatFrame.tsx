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
import { LogoHouse } from '#web/ui/LogoHouse.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { useWatchLists } from './conversation-lists.tsx'
import { chatText, fixed } from './text.ts'
import { useUnreadSum } from './unread.ts'

interface ChatFrameProps {
  title: string
  kind: 'private' | 'groups'
  /** Which of the two is shown where there is room for one. */
  pane: 'list' | 'thread'
  list: (me: Me) => ReactNode
  thread: (me: Me) => ReactNode
}

/** As in ui.css: narrower windows have room for one of the panes. */
const BOTH = '(width >= 51.25em)'

/** The two panes of every chat page, for members. */
export function ChatFrame({ title, ...rest }: ChatFrameProps) {
  const me = useMe()
  return me ? <Panes key={me.id} me={me} title={title} {...rest} /> : <Nobody title={title} />
}

function Panes({ me, title, kind, pane, list, thread }: ChatFrameProps & { me: Me }) {
  const t = useText(chatText)
  useWatchLists(me)
  useRootAttribute('chat', pane)
  const ref = useListPlace(kind)
  const hasBoth = useMedia(BOTH)
  // The title of the page is that of the thread where one is shown.
  const Title = pane === 'list' ? 'h1' : 'h2'
  return (
    <div className="chat" data-pane={pane}>
      <section className="list" ref={ref} aria-label={kind === 'private' ? t.conversations : t.groups}>
        <Title tabIndex={pane === 'list' ? -1 : undefined}>{title}</Title>
        <Kinds kind={kind} />
        {(hasBoth || pane === 'list') && list(me)}
      </section>
      {thread(me)}
    </div>
  )
}

/** Where each list was scrolled to: choosing a conversation is another page, and leaves it there. */
const listPlaces = { private: 0, groups: 0 }
function useListPlace(kind: ChatFrameProps['kind']) {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const list = ref.current!
    list.scrollTop = listPlaces[kind]
    return () => {
      listPlaces[kind] = list.scrollTop
    }
  }, [kind])
  return ref
}

function Kinds({ kind }: Pick<ChatFrameProps, 'kind'>) {
  const t = useText(chatText)
  const here = (one: string) => (one === kind ? 'page' : undefined)
  return (
    <nav className="tabs" aria-label={t.which}>
      <Link href="/users" aria-current={here('private')}>
        {t.privateChat}
        <Badge count={useUnreadSum('private')} />
      </Link>
      <Link href="/my-groups" aria-current={here('groups')}>
        {t.groupChat}
        <Badge count={useUnreadSum('groups')} />
      </Link>
    </nav>
  )
}

/** A visitor, or somebody of whom the server could not say who it is. */
function Nobody({ title }: { title: string }) {
  const t = useText(chatText)
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['who is it'],
    queryFn: () => api(people.me, {}),
    retry: false,
    gcTime: 0,
  })
  const isVisitor = error instanceof ApiError && error.status === 401
  return (
    <LogoHouse>
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
    </LogoHouse>
  )
}
