import { useEffect, useEffectEvent, useMemo } from 'react'
import { useSearch } from 'wouter'
import { useErrorText } from '#web/errors.ts'
import { createStore, useStore } from '#web/store.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import type { ConversationState, MessageWindow, UnsentMessage } from './conversation.ts'
import type { MessageStore } from './store.ts'

const noWindow = createStore<ReturnType<MessageWindow['state']['get']> | null>(null)
const nothingUnsent: readonly UnsentMessage[] = []

/** Has the earlier messages of `window`, if there is one. */
export function useShownState(state: ConversationState): ConversationState {
  const shown = useStore<ReturnType<MessageWindow['state']['get']> | null>(
    (state.window?.state as typeof noWindow | undefined) ?? noWindow,
  )
  return useMemo(() => (shown ? { ...state, ...shown, outgoing: nothingUnsent } : state), [state, shown])
}

/** The address is like `/group-chat/3?message=12`. */
export function useMessageFromUrl(store: MessageStore) {
  const id = Number(new URLSearchParams(useSearch()).get('message'))
  const explain = useErrorText()
  const show = useEffectEvent(async () => {
    const { messageMenuText } = await import('./menu-text.ts')
    const isFound = Number.isSafeInteger(id) && (await store.showMessage(id))
    const lang = document.documentElement.lang === 'ja' ? 'ja' : 'en'
    if (!isFound) showToast(messageMenuText[lang].noSuchMessage, { kind: 'error' })
  })
  const explainError = useEffectEvent((error: unknown) => showToast(explain(error), { kind: 'error' }))
  useEffect(() => {
    if (id) show().catch((error: unknown) => explainError(error))
  }, [id])
}
