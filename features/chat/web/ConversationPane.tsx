import './conversation.css'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, type RefObject, Suspense, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Me } from '#features/people/contract.ts'
import { useFileDropAndPaste } from '#features/posts/web/prepare-pictures.ts'
import { isErrorWithStatus, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useOverridePageTitle } from '#web/title.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { getLastConversationListPath } from './ConversationList.tsx'
import type { ChatPartnerOrGroupRef } from './chat-state.ts'
import {
  type ConversationInfo,
  type ConversationState,
  isGroupConversation,
  type ShownMessage,
} from './conversation.ts'
import { MessageComposer, type MessageComposerHandle } from './MessageComposer.tsx'
import type { MessageDialogProps } from './MessageDialog.tsx'
import { MessageList } from './MessageList.tsx'
import type { MessageActionHandlers } from './message-actions.ts'
import { type MessageStore, useMessageStore } from './message-store.ts'
import { chatText } from './text.ts'
import { TypingIndicator } from './typing.tsx'
import {
  useConversationStateWithShownMessages,
  useScrollToMessageFromUrl,
} from './useConversationStateWithShownMessages.ts'

const MessageDialog = lazyWithRetry(() => import('./MessageDialog.tsx'))
const PinnedMessagesBar = lazyWithRetry(() => import('./PinnedMessagesBar.tsx'))
const PinnedPostsBar = lazyWithRetry(() => import('./PinnedPostsBar.tsx'))
const SlowModeNote = lazyWithRetry(() => import('./SlowModeNote.tsx'))

interface ConversationPaneProps<Info extends ConversationInfo> {
  conversation: ChatPartnerOrGroupRef
  me: Me
  renderHeader: (info: Info) => ReactNode
  /**
   * Renders what the pane shows in place of the conversation if the user has no access to it, or has lost the
   * access.
   */
  renderClosed: (error: unknown, store: MessageStore) => ReactNode
}

/**
 * Renders the right pane of a chat page: the header, the messages and the message box of one conversation.
 */
export function ConversationPane<Info extends ConversationInfo>(props: ConversationPaneProps<Info>) {
  const { conversation, me, renderHeader, renderClosed } = props
  const t = useText(chatText)
  const { store, state } = useMessageStore(conversation, me)
  const { status, error, info, isClosed } = state
  const isPrivate = conversation.kind === 'private'
  useOverridePageTitle(info && (isGroupConversation(info) ? info.name : info.user.name))
  if (status === 'failed' && (isErrorWithStatus(error, 403) || isErrorWithStatus(error, 404)))
    return renderClosed(error, store)
  if (isClosed && !isPrivate) return renderClosed(null, store)
  const label = info && (isGroupConversation(info) ? t.groupChatOf(info.name) : t.chatWith(info.user.name))
  return (
    <section className="conversation" aria-label={label ?? undefined}>
      <header className="page-header">
        <Link
          className="button ghost icon-only back"
          href={getLastConversationListPath()}
          aria-label={t.back}
        >
          <Icon icon={ChevronLeft} size="l" />
        </Link>
        {info ? (
          renderHeader(info as Info)
        ) : (
          <h1 className="visually-hidden" tabIndex={-1}>
            {isPrivate ? t.privateChat : t.groupChat}
          </h1>
        )}
      </header>
      {status === 'ready' && info && <OpenConversation key={conversation.id} store={store} state={state} />}
      {status === 'loading' && <LoadingText />}
      {status === 'failed' &&
        (isErrorWithStatus(error, 401) ? (
          <LogInPromptBox />
        ) : (
          <LoadErrorMessage plain error={error} onRetry={() => store.sync()} />
        ))}
    </section>
  )
}

type OpenMessageDialog = Pick<MessageDialogProps, 'kind' | 'message'>

/**
 * Creates the handlers of the actions in the menu of a message. `box` is the handle of the message box below
 * the messages.
 */
const createMessageActions = (
  store: MessageStore,
  box: RefObject<MessageComposerHandle | null>,
  on: { onRemove(message: ShownMessage): void; onOpenDialog(dialog: OpenMessageDialog): void },
): MessageActionHandlers => ({
  store,
  reply: (message) => box.current?.reply(message),
  replyTo(id) {
    const message = store.findMessage(id)
    if (message) box.current?.reply(message)
  },
  edit: (message) => box.current?.edit(message),
  remove: on.onRemove,
  openDialog: (kind, message) => on.onOpenDialog({ kind, message }),
  retry({ client_id }) {
    store.retry(client_id)
    box.current?.focus()
  },
  discard({ client_id }) {
    store.discard(client_id)
    box.current?.focus()
  },
  restoreToDraft(message) {
    store.discard(message.client_id)
    box.current?.restore(message)
  },
})

function OpenConversation({ store, state }: { store: MessageStore; state: ConversationState }) {
  const t = useText(chatText)
  const explain = useErrorFormatter()
  const box = useRef<MessageComposerHandle>(null)
  const [removing, setRemoving] = useState<ShownMessage | null>(null)
  const [dialog, setDialog] = useState<OpenMessageDialog | null>(null)
  const dropHandlers = useFileDropAndPaste((files) => box.current?.addFiles(files))
  const actions = useMemo(
    () => createMessageActions(store, box, { onRemove: setRemoving, onOpenDialog: setDialog }),
    [store],
  )
  const remove = (message: ShownMessage) =>
    store.remove(message).catch((error: unknown) => showToast(explain(error), { kind: 'error' }))
  const { info } = state
  useScrollToMessageFromUrl(store)
  const shown = useConversationStateWithShownMessages(state)
  const isFormer = info !== null && !isGroupConversation(info) && info.user.is_former
  const lastOwnMessage = state.messages.findLast(
    ({ author, deleted_at, message, forwarded }) =>
      author.id === store.me.id && !deleted_at && message !== '' && !forwarded,
  )
  return (
    <div className="conversation-body" {...dropHandlers}>
      {info && isGroupConversation(info) && (
        <Suspense>
          <PinnedPostsBar group={info.id} me={store.me.id} />
        </Suspense>
      )}
      {info && isGroupConversation(info) && info.pins && (
        <Suspense fallback={<div style={{ minBlockSize: 52 }} />}>
          <PinnedMessagesBar group={info} pins={info.pins} store={store} />
        </Suspense>
      )}
      <MessageList store={store} state={shown} actions={actions} />
      <TypingIndicator store={store} info={state.info} />
      {info && isGroupConversation(info) && info.slow_mode_seconds ? (
        <Suspense>
          <SlowModeNote group={info} me={store.me} waitsUntil={state.waitsUntil} />
        </Suspense>
      ) : null}
      {state.isClosed || isFormer ? (
        <p className="chat-closed">{isFormer ? t.formerHelp : t.closedHelp}</p>
      ) : (
        <MessageComposer
          ref={box}
          store={store}
          lastOwnMessage={lastOwnMessage}
          isWaiting={state.waitsUntil > 0}
        />
      )}
      {dialog && (
        <Suspense>
          <MessageDialog {...dialog} store={store} onClose={() => setDialog(null)} />
        </Suspense>
      )}
      {removing && (
        <ConfirmDialog
          title={t.deleteTitle}
          confirmLabel={t.deleteMessage}
          isDestructive
          onConfirm={() => remove(removing)}
          // Removes the dialog before the focus moves, because nothing outside of an open dialog can have it.
          onClose={() => flushSync(() => setRemoving(null))}
          onDone={() => box.current?.focus()}
        >
          {t.deleteHelp}
        </ConfirmDialog>
      )}
    </div>
  )
}
