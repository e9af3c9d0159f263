import type { Me } from '#features/people/contract.ts'
import type { LiveChanges } from '#web/live-changes.ts'
import { createStore, type Store } from '#web/store.ts'
import {
  type ConversationState,
  type createRequests,
  mergeMessages,
  type ServerMessage,
  type ShownMessage,
  toShown,
} from './conversation.ts'

// Shows an earlier message that may not be loaded. The messages around it become a window: a list of its own,
// joined to the newest messages as soon as none is missing between the two.

/** Messages on each side of the shown one, and of each later request. */
const PAGE_SIZE = 60

interface WindowOptions {
  state: Store<ConversationState>
  requests: ReturnType<typeof createRequests>
  me: Me
  liveChanges: LiveChanges
}

/** Loads the messages around it if needed. False if there is none, or if the user may not know of it. */
export async function goToMessage(options: WindowOptions, id: number): Promise<boolean> {
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
  rows: readonly ServerMessage[],
  olderUrl: string | null,
  newerUrl: string | null,
) {
  const toMessages = (page: readonly ServerMessage[]) =>
    page.map((row) => toShown(row, me, state.get().info!))
  const own = createStore({ messages: toMessages(rows), olderUrl, olderState: 'idle' as const, newerUrl })
  const window: NonNullable<ConversationState['window']> = {
    state: own as typeof window.state,
    async loadOlder() {
      const { olderUrl: url, olderState } = window.state.get()
      if (!url || olderState === 'loading') return
      window.state.patch({ olderState: 'loading' })
      try {
        const page = await requests.page({}, url)
        const messages = mergeMessages(toMessages(page.rows), window.state.get().messages)
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
          const messages = mergeMessages(window.state.get().messages, toMessages(page.rows))
          window.state.patch({ messages, newerUrl: page.next })
          joinIfComplete()
        })
      } catch {
        // The page is requested again when the user scrolls on towards the end.
      } finally {
        isLoadingNewer = false
      }
    },
  }
  let isLoadingNewer = false

  function joinIfComplete() {
    const { messages, newerUrl: next, olderUrl: older } = window.state.get()
    const main = state.get()
    if (main.window !== window) return
    const first = main.messages[0]?.id
    if (next !== null && (first === undefined || messages.at(-1)!.id < first)) return
    const isLonger = first === undefined || messages[0]!.id < first
    state.patch({
      messages: mergeMessages(messages, main.messages),
      window: null,
      ...(isLonger && { olderUrl: older }),
    })
  }
  state.patch({ window })
  joinIfComplete()
}
