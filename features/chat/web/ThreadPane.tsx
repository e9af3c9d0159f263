import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { useIncoming } from '#features/posts/web/choose-pictures.tsx'
import { isHttpError, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { usePageTitle } from '#web/title.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import type { ConversationRef } from '#web/unread.ts'
import { type Box, MessageBox } from './MessageBox.tsx'
import type { MessageActions } from './MessageGroup.tsx'
import { MessageList } from './MessageList.tsx'
import { isGroup, type Message, type MessageStore, type Thread } from './message-store.tsx'
import { chatText } from './text.ts'
import { useTyping } from './typing.tsx'
import { useMessageStore } from './useMessageStore.tsx'

interface ThreadPaneProps {
  place: ConversationRef
  me: Me
  label: (now: Thread) => string
  /** Where the back button of a narrow window leads. */
  back: string
  head: (thread: MessageStore, now: Thread) => ReactNode
  /** Stands where nothing was said yet. */
  empty: (now: Thread) => ReactNode
  /** The other of a private chat. */
  other: (now: Thread) => string | null
  /** In place of everything, where the chat is not, or no longer, mine. */
  closed: (error: unknown, thread: MessageStore) => ReactNode
}

/** One chat: its head, what was said, and where to write. */
export function ThreadPane({ place, me, label, back, head, empty, other, closed }: ThreadPaneProps) {
  const t = useText(chatText)
  const { thread, now } = useMessageStore(place, me)
  usePageTitle(nameOf(now.about))
  if (now.status === 'failed' && (isHttpError(now.error, 403) || isHttpError(now.error, 404)))
    return closed(now.error, thread)
  if (now.shut && place.kind === 'groups') return closed(null, thread)
  return (
    <section className="thread" aria-label={now.about ? label(now) : undefined}>
      <header className="sill">
        <Link className="button bare only back" href={back} aria-label={t.back}>
          <Icon of={ChevronLeft} size="l" />
        </Link>
        {now.about ? (
          head(thread, now)
        ) : (
          <h1 className="hide" tabIndex={-1}>
            {place.kind === 'private' ? t.privateChat : t.groupChat}
          </h1>
        )}
      </header>
      {now.status === 'there' && (
        <Open key={thread.place.id} thread={thread} now={now} empty={empty(now)} other={other(now)} />
      )}
      {now.status === 'waiting' && <Loading />}
      {now.status === 'failed' && isHttpError(now.error, 401) && <PleaseLogIn />}
      {now.status === 'failed' && !isHttpError(now.error, 401) && (
        <NotLoaded plain error={now.error} onRetry={() => thread.sync()} />
      )}
    </section>
  )
}

const nameOf = (about: Thread['about']) => about && (isGroup(about) ? about.name : about.user.name)

interface OpenProps {
  thread: MessageStore
  now: Thread
  empty: ReactNode
  other: string | null
}
function Open({ thread, now, empty, other }: OpenProps) {
  const t = useText(chatText)
  const box = useRef<Box>(null)
  const [removing, setRemoving] = useState<Message | null>(null)
  const typing = useTyping(thread.place, thread.me.id, other)
  const acts = useMemo<MessageActions>(
    () => ({
      edit: (message) => box.current?.edit(message),
      remove: setRemoving,
      retry(id) {
        thread.retry(id)
        box.current?.focus()
      },
      giveUp(id) {
        thread.giveUp(id)
        box.current?.focus()
      },
      putBack({ client_id, text, pictures }) {
        thread.giveUp(client_id)
        box.current?.putBack(text, pictures)
      },
    }),
    [thread],
  )
  const incoming = useIncoming((files) => box.current?.add(files))
  const closeRemoval = () => {
    setRemoving(null)
    box.current?.focus()
  }
  const lastOwn = now.messages.findLast(
    ({ author, deleted_at, message }) => author.id === thread.me.id && !deleted_at && message !== '',
  )
  return (
    <div className="open" {...incoming}>
      <MessageList thread={thread} now={now} acts={acts} empty={empty} />
      <p className="typing" aria-live="off">
        {typing.length > 0 && (
          <>
            <i aria-hidden="true">
              <b />
              <b />
              <b />
            </i>
            <span dir="auto">{t.typing(typing)}</span>
          </>
        )}
      </p>
      {now.shut ? (
        <p className="shut">{t.shut}</p>
      ) : (
        <MessageBox ref={box} thread={thread} lastOwn={lastOwn} />
      )}
      {removing && <Remove message={removing} thread={thread} onClose={closeRemoval} />}
    </div>
  )
}

function Remove({
  message,
  thread,
  onClose,
}: {
  message: Message
  thread: MessageStore
  onClose: () => void
}) {
  const t = useText(chatText)
  const explain = useExplain()
  const [pending, setPending] = useState(false)
  const remove = async () => {
    setPending(true)
    await thread.remove(message).catch((error: unknown) => toast(explain(error), { kind: 'bad' }))
    onClose()
  }
  return (
    <Dialog open title={t.deleteTitle} onClose={onClose}>
      <p>{t.deleteHelp}</p>
      <div className="choose">
        <Button onClick={onClose}>{t.keep}</Button>
        <Button kind="sure" pending={pending} onClick={remove}>
          {t.deleteIt}
        </Button>
      </div>
    </Dialog>
  )
}
