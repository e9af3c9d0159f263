import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { useIncoming } from '#features/posts/web/choose-pictures.ts'
import { isHttpError, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { usePageTitle } from '#web/title.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import type { ConversationRef } from './chat-state.ts'
import { MessageBox, type MessageBoxHandle } from './MessageBox.tsx'
import type { MessageActions } from './MessageGroup.tsx'
import { MessageList } from './MessageList.tsx'
import { type ConversationInfo, isGroup, type Message } from './message.ts'
import type { MessageState } from './message-state.ts'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'
import { useTyping } from './typing.ts'
import { useMessageStore } from './useMessageStore.ts'

interface ConversationPaneProps<Info extends ConversationInfo> {
  conversation: ConversationRef
  me: Me
  label: (info: Info) => string
  /** Where the back button of a narrow window leads. */
  back: string
  header: (info: Info) => ReactNode
  /** Stands where there are no messages yet. */
  empty: (info: Info) => ReactNode
  /** Stands in place of everything where the conversation is not, or no longer, mine. */
  closed: (error: unknown, store: MessageStore) => ReactNode
}

/** One conversation: its header, its messages, and where to write. */
export function ConversationPane<Info extends ConversationInfo>({
  conversation,
  me,
  label,
  back,
  header,
  empty,
  closed,
}: ConversationPaneProps<Info>) {
  const t = useText(chatText)
  const { store, state } = useMessageStore(conversation, me)
  const { status, error, isClosed } = state
  const info = state.info as Info | null
  usePageTitle(info && nameOf(info))
  if (status === 'failed' && (isHttpError(error, 403) || isHttpError(error, 404))) return closed(error, store)
  if (isClosed && conversation.kind === 'groups') return closed(null, store)
  return (
    <section className="thread" aria-label={info ? label(info) : undefined}>
      <header className="sill">
        <Link className="button bare only back" href={back} aria-label={t.back}>
          <Icon of={ChevronLeft} size="l" />
        </Link>
        {info ? (
          header(info)
        ) : (
          <h1 className="hide" tabIndex={-1}>
            {conversation.kind === 'private' ? t.privateChat : t.groupChat}
          </h1>
        )}
      </header>
      {status === 'ready' && info && (
        <OpenConversation key={conversation.id} store={store} state={state} empty={empty(info)} />
      )}
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

const nameOf = (info: ConversationInfo) => (isGroup(info) ? info.name : info.user.name)

interface OpenConversationProps {
  store: MessageStore
  state: MessageState
  empty: ReactNode
}
function OpenConversation({ store, state, empty }: OpenConversationProps) {
  const t = useText(chatText)
  const explain = useExplain()
  const box = useRef<MessageBoxHandle>(null)
  const [removing, setRemoving] = useState<Message | null>(null)
  const actions = useMessageActions(store, box, setRemoving)
  const incoming = useIncoming((files) => box.current?.addFiles(files))
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
      <MessageList store={store} state={state} actions={actions} empty={empty} />
      <TypingLine store={store} state={state} />
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

/** What the menus of the messages do. */
const useMessageActions = (
  store: MessageStore,
  box: React.RefObject<MessageBoxHandle | null>,
  remove: (message: Message) => void,
) =>
  useMemo<MessageActions>(
    () => ({
      edit: (message) => box.current?.edit(message),
      remove,
      retry(id) {
        store.retry(id)
        box.current?.focus()
      },
      discard(id) {
        store.discard(id)
        box.current?.focus()
      },
      putBack({ client_id, text, pictures }) {
        store.discard(client_id)
        box.current?.putBack(text, pictures)
      },
    }),
    [store, box, remove],
  )

function TypingLine({ store, state: { info } }: Omit<OpenConversationProps, 'empty'>) {
  const t = useText(chatText)
  const other = info && !isGroup(info) ? info.user.name : null
  const typing = useTyping(store.conversation, store.me.id, other)
  return (
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
  )
}
