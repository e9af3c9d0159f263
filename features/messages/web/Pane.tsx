import './conversation.css'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, type RefObject, Suspense, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { getListPath } from '#features/conversations/web/List.tsx'
import type { ConversationRef } from '#features/conversations/web/state.ts'
import type { Me } from '#features/people/contract.ts'
import { useFileDrop } from '#features/posts/web/prepare-pictures.ts'
import { hasStatus, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { usePageTitle } from '#web/title.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import type { MessageActions } from './actions.ts'
import { type ComposerHandle, MessageComposer } from './Composer.tsx'
import { type ConversationInfo, type ConversationState, isGroup, type ShownMessage } from './conversation.ts'
import type { MessageDialogProps } from './Dialog.tsx'
import { List } from './List.tsx'
import { type MessageStore, useMessageStore } from './store.ts'
import { messageText } from './text.ts'
import { TypingIndicator } from './typing.tsx'
import { useMessageFromUrl, useShownState } from './useShownState.ts'

const MessageDialog = lazyWithRetry(() => import('./Dialog.tsx'))
const PinsBar = lazyWithRetry(() => import('./PinsBar.tsx'))
const PinnedPostsBar = lazyWithRetry(() => import('./PinnedPostsBar.tsx'))
const SlowModeNote = lazyWithRetry(() => import('#features/groups/web/SlowModeNote.tsx'))

interface Props<Info extends ConversationInfo> {
  conversation: ConversationRef
  me: Me
  renderHeader: (info: Info) => ReactNode
  /** Shown in place of a conversation to which the user has no access, or no longer. */
  renderClosed: (error: unknown, store: MessageStore) => ReactNode
}

export function Pane<Info extends ConversationInfo>(props: Props<Info>) {
  const { conversation, me, renderHeader, renderClosed } = props
  const t = useText(messageText)
  const { store, state } = useMessageStore(conversation, me)
  const { status, error, info, isClosed } = state
  const isPrivate = conversation.kind === 'private'
  usePageTitle(info && (isGroup(info) ? info.name : info.user.name))
  if (status === 'failed' && (hasStatus(error, 403) || hasStatus(error, 404)))
    return renderClosed(error, store)
  if (isClosed && !isPrivate) return renderClosed(null, store)
  const label = info && (isGroup(info) ? t.groupChatOf(info.name) : t.chatWith(info.user.name))
  return (
    <section className="conversation" aria-label={label ?? undefined}>
      <header className="page-header">
        <Link className="button ghost icon-only back" href={getListPath()} aria-label={t.back}>
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
        (hasStatus(error, 401) ? (
          <LogInPrompt />
        ) : (
          <LoadErrorMessage plain error={error} onRetry={() => store.sync()} />
        ))}
    </section>
  )
}

type OpenMessageDialog = Pick<MessageDialogProps, 'kind' | 'message'>

/** `box` is the handle of the message box below the messages. */
const createMessageActions = (
  store: MessageStore,
  box: RefObject<ComposerHandle | null>,
  on: { onRemove(message: ShownMessage): void; onOpenDialog(dialog: OpenMessageDialog): void },
): MessageActions => ({
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
  const t = useText(messageText)
  const explain = useErrorText()
  const box = useRef<ComposerHandle>(null)
  const [removing, setRemoving] = useState<ShownMessage | null>(null)
  const [dialog, setDialog] = useState<OpenMessageDialog | null>(null)
  const dropHandlers = useFileDrop((files) => box.current?.addFiles(files))
  const actions = useMemo(
    () => createMessageActions(store, box, { onRemove: setRemoving, onOpenDialog: setDialog }),
    [store],
  )
  const remove = (message: ShownMessage) =>
    store.remove(message).catch((error: unknown) => showToast(explain(error), { kind: 'error' }))
  const { info } = state
  useMessageFromUrl(store)
  const shown = useShownState(state)
  const isFormer = info !== null && !isGroup(info) && info.user.is_former
  const isReader = info !== null && isGroup(info) && info.cannot_write === true
  const hasEnded = info !== null && isGroup(info) && info.ended_at !== undefined
  const lastOwnMessage = state.messages.findLast(
    ({ author, deleted_at, message, forwarded }) =>
      author.id === store.me.id && !deleted_at && message !== '' && !forwarded,
  )
  return (
    <div className="conversation-body" {...dropHandlers}>
      {info && isGroup(info) && (
        <Suspense>
          <PinnedPostsBar group={info.id} me={store.me.id} />
        </Suspense>
      )}
      {info && isGroup(info) && info.pins && (
        <Suspense fallback={<div style={{ minBlockSize: 52 }} />}>
          <PinsBar group={info} pins={info.pins} store={store} />
        </Suspense>
      )}
      <List store={store} state={shown} actions={actions} />
      <TypingIndicator store={store} info={state.info} />
      {info && isGroup(info) && info.slow_mode_seconds && !hasEnded ? (
        <Suspense>
          <SlowModeNote group={info} me={store.me} waitsUntil={state.waitsUntil} />
        </Suspense>
      ) : null}
      {state.isClosed || isFormer || isReader ? (
        <p className="chat-closed">
          {hasEnded ? t.endedHelp : isReader ? t.readerHelp : isFormer ? t.formerHelp : t.closedHelp}
        </p>
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
          // The dialog goes before the focus moves, because nothing outside of an open dialog can have it.
          onClose={() => flushSync(() => setRemoving(null))}
          onDone={() => box.current?.focus()}
        >
          {t.deleteHelp}
        </ConfirmDialog>
      )}
    </div>
  )
}
