import type { Me } from '#features/people/contract.ts'
import type { LiveChanges } from '#web/live-changes.ts'
import { createStore, type Store } from '#web/store.ts'
import {
  type ConversationState,
  type createConversationRequestFunctions,
  type MessageFromServer,
  mergeMessagesById,
  type ShownMessage,
  toShownMessage,
} from './conversation.ts'

// The code of this file shows an earlier message that may not be loaded. The messages around it become a
// window: a list of its own, which is joined to the newest messages as soon as no message is missing between
// the two.

/**
 * The number of messages that are loaded on each side of the message that is shown, and by each later request
 * for more of them.
 */
const PAGE_SIZE = 60

interface WindowOptions {
  state: Store<ConversationState>
  requests: ReturnType<typeof createConversationRequestFunctions>
  me: Me
  liveChanges: LiveChanges
}

/**
 * Makes the message list scroll to a message. Loads the message and those around it if it is not loaded.
 * Returns false if there is no such message, or if the user may not know of the message.
 */
export async function loadAndScrollToMessage(options: WindowOptions, id: number): Promise<boolean> {
  const { state, requests } = options
  const isIn = (messages: readonly ShownMessage[] = []) => messages.some((one) => one.id === id)
  if (isIn(state.get().messages)) state.patch({ window: null, target: id })
  else if (isIn(state.get().window?.state.get().messages)) state.patch({ target: id })
  else {
    const [older, newer] = await Promise.all([
      requests.page({ before: id + 1, limit: PAGE_SIZE }),
      requests.page({ after: id, limit: PAGE_SIZE }),
    ])
    if (older.rows.at(-1)?.id !== id) return false
    openWindow(options, [...older.rows, ...newer.rows], older.next, newer.next)
    state.patch({ target: id })
  }
  return true
}

function openWindow(
  { state, requests, me, liveChanges }: WindowOptions,
  rows: readonly MessageFromServer[],
  olderUrl: string | null,
  newerUrl: string | null,
) {
  const toMessages = (page: readonly MessageFromServer[]) =>
    page.map((row) => toShownMessage(row, me, state.get().info!))
  const own = createStore({ messages: toMessages(rows), olderUrl, olderState: 'idle' as const, newerUrl })
  const window: NonNullable<ConversationState['window']> = {
    state: own as typeof window.state,
    async loadOlder() {
      const { olderUrl: url, olderState } = window.state.get()
      if (!url || olderState === 'loading') return
      window.state.patch({ olderState: 'loading' })
      try {
        const page = await requests.page({}, url)
        const messages = mergeMessagesById(toMessages(page.rows), window.state.get().messages)
        window.state.patch({ messages, olderUrl: page.next, olderState: 'idle' })
      } catch {
        window.state.patch({ olderState: 'failed' })
      }
    },
    async loadNewer() {
      const { newerUrl: url } = window.state.get()
      if (!url || isLoadingNewer) return
      isLoadingNewer = true
      try {
        await liveChanges.load(async () => {
          const page = await requests.page({}, url)
          const messages = mergeMessagesById(window.state.get().messages, toMessages(page.rows))
          window.state.patch({ messages, newerUrl: page.next })
          joinIfComplete()
        })
      } catch {
        // Ignores the error, because the page is requested again when the user scrolls on towards the end.
      } finally {
        isLoadingNewer = false
      }
    },
  }
  let isLoadingNewer = false

  /** Joins the messages of the window to the newest messages if no message is missing between the two. */
  function joinIfComplete() {
    const { messages, newerUrl: next, olderUrl: older } = window.state.get()
    const main = state.get()
    if (main.window !== window) return
    const first = main.messages[0]?.id
    if (next !== null && (first === undefined || messages.at(-1)!.id < first)) return
    const isLonger = first === undefined || messages[0]!.id < first
    state.patch({
      messages: mergeMessagesById(messages, main.messages),
      window: null,
      ...(isLonger && { olderUrl: older }),
    })
  }
  state.patch({ window })
  joinIfComplete()
}
