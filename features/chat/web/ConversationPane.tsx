import './thread.css'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { useIncoming } from '#features/posts/web/choose-pictures.ts'
import { isHttpError, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { NotLoaded, PleaseLogIn } from '#web/NotLoaded.tsx'
import { usePageTitle } from '#web/title.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { pathOfList } from './ConversationList.tsx'
import type { ConversationRef } from './chat-state.ts'
import { MessageBox, type MessageBoxHandle } from './MessageBox.tsx'
import type { MessageActions } from './MessageGroup.tsx'
import { MessageList } from './MessageList.tsx'
import { type MessageStore, useMessageStore } from './message-store.ts'
import { type ConversationInfo, isGroup, type Message, type MessageState } from './messages.ts'
import { chatText } from './text.ts'
import { TypingLine } from './typing.tsx'

interface ConversationPaneProps<Info extends ConversationInfo> {
  conversation: ConversationRef
  me: Me
  header: (info: Info) => ReactNode
  /** Stands in place of everything where the conversation is not, or no longer, mine. */
  closed: (error: unknown, store: MessageStore) => ReactNode
}

/** One conversation: its header, its messages, and where to write. */
export function ConversationPane<Info extends ConversationInfo>(props: ConversationPaneProps<Info>) {
  const { conversation, me, header, closed } = props
  const t = useText(chatText)
  const { store, state } = useMessageStore(conversation, me)
  const { status, error, info, isClosed } = state
  const isPrivate = conversation.kind === 'private'
  usePageTitle(info && (isGroup(info) ? info.name : info.user.name))
  if (status === 'failed' && (isHttpError(error, 403) || isHttpError(error, 404))) return closed(error, store)
  if (isClosed && !isPrivate) return closed(null, store)
  const label = info && (isGroup(info) ? t.groupChatOf(info.name) : t.chatWith(info.user.name))
  return (
    <section className="thread" aria-label={label ?? undefined}>
      <header className="page-header">
        <Link className="button bare only back" href={pathOfList()} aria-label={t.back}>
          <Icon of={ChevronLeft} size="l" />
        </Link>
        {info ? (
          header(info as Info)
        ) : (
          <h1 className="hide" tabIndex={-1}>
            {isPrivate ? t.privateChat : t.groupChat}
          </h1>
        )}
      </header>
      {status === 'ready' && info && <OpenConversation key={conversation.id} store={store} state={state} />}
      {status === 'loading' && <Loading />}
      {status === 'failed' &&
        (isHttpError(error, 401) ? (
          <PleaseLogIn />
        ) : (
          <NotLoaded plain error={error} onRetry={() => store.sync()} />
        ))}
    </section>
  )
}

function OpenConversation({ store, state }: { store: MessageStore; state: MessageState }) {
  const t = useText(chatText)
  const explain = useExplain()
  const box = useRef<MessageBoxHandle>(null)
  const [removing, setRemoving] = useState<Message | null>(null)
  const incoming = useIncoming((files) => box.current?.addFiles(files))
  const actions = useMemo<MessageActions>(
    () => ({
      edit: (message) => box.current?.edit(message),
      remove: setRemoving,
      retry({ client_id }) {
        store.retry(client_id)
        box.current?.focus()
      },
      discard({ client_id }) {
        store.discard(client_id)
        box.current?.focus()
      },
      putBack({ client_id, text, pictures }) {
        store.discard(client_id)
        box.current?.putBack(text, pictures)
      },
    }),
    [store],
  )
  const remove = (message: Message) =>
    store.remove(message).catch((error: unknown) => toast(explain(error), { kind: 'bad' }))
  const closeDialog = () => {
    setRemoving(null)
    box.current?.focus()
  }
  const lastOwn = state.messages.findLast(
    ({ author, deleted_at, message }) => author.id === store.me.id && !deleted_at && message !== '',
  )
  return (
    <div className="open" {...incoming}>
      <MessageList store={store} state={state} actions={actions} />
      <TypingLine store={store} info={state.info} />
      {state.isClosed ? (
        <p className="shut">{t.shut}</p>
      ) : (
        <MessageBox ref={box} store={store} lastOwn={lastOwn} />
      )}
      {removing && (
        <Confirm
          title={t.deleteTitle}
          keep={t.keep}
          verb={t.deleteIt}
          fatal
          run={() => remove(removing)}
          onClose={closeDialog}
        >
          {t.deleteHelp}
        </Confirm>
      )}
    </div>
  )
}
