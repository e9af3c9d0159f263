import { useEffect, useEffectEvent, useMemo } from 'react'
import { useSearch } from 'wouter'
import { useErrorFormatter } from '#web/errors.ts'
import { createStore, useStore } from '#web/store.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import type {
  ConversationState,
  EarlierMessagesStateAndLoadFunctions,
  UnsentMessage,
} from './conversation.ts'
import type { MessageStore } from './message-store.ts'

const noWindow = createStore<ReturnType<EarlierMessagesStateAndLoadFunctions['state']['get']> | null>(null)
const nothingUnsent: readonly UnsentMessage[] = []

/**
 * Returns the state of a conversation, with the messages that its list shows now: the earlier messages of
 * `window`, if there is one.
 */
export function useConversationStateWithShownMessages(state: ConversationState): ConversationState {
  const shown = useStore<ReturnType<EarlierMessagesStateAndLoadFunctions['state']['get']> | null>(
    (state.window?.state as typeof noWindow | undefined) ?? noWindow,
  )
  return useMemo(() => (shown ? { ...state, ...shown, outgoing: nothingUnsent } : state), [state, shown])
}

/**
 * Makes the list scroll to the message that the address of the page names, as in `/group-chat/3?message=12`.
 */
export function useScrollToMessageFromUrl(store: MessageStore) {
  const id = Number(new URLSearchParams(useSearch()).get('message'))
  const explain = useErrorFormatter()
  const show = useEffectEvent(async () => {
    const { messageMenuText } = await import('./message-menu-text.ts')
    const isFound = Number.isSafeInteger(id) && (await store.showMessage(id))
    const lang = document.documentElement.lang === 'ja' ? 'ja' : 'en'
    if (!isFound) showToast(messageMenuText[lang].noSuchMessage, { kind: 'error' })
  })
  const explainError = useEffectEvent((error: unknown) => showToast(explain(error), { kind: 'error' }))
  useEffect(() => {
    if (id) show().catch((error: unknown) => explainError(error))
  }, [id])
}
