import type { ListPage } from '#web/api.ts'
import type { Store } from '#web/store.ts'
import type { ConversationState, createRequests, ServerMessage } from './conversation.ts'

const MAX_PAGE_SIZE = 200

interface ReloadOptions {
  state: Store<ConversationState>
  requests: ReturnType<typeof createRequests>
  mergeRows: (rows: readonly ServerMessage[]) => void
}

/**
 * Loads messages from before the time `limit` again: during an interruption of the connection, the community
 * may have removed old messages or their pictures.
 */
export async function reloadOld({ state, requests, mergeRows }: ReloadOptions, limit: string) {
  const old = state.get().messages.filter(({ created_at }) => created_at < limit)
  if (!old.length) return
  const [first, last] = [old[0]!.id, old.at(-1)!.id]
  const found = new Set<number>()
  let from: string | null = null
  for (let at = first - 1; at < last; ) {
    const page: ListPage<ServerMessage[]> = await requests.page(
      { after: first - 1, limit: MAX_PAGE_SIZE },
      from,
    )
    for (const { id } of page.rows) found.add(id)
    mergeRows(page.rows.filter(({ id }) => id <= last))
    from = page.next
    if (!from) break
    at = page.rows.at(-1)?.id ?? last
  }
  const isKept = (id: number) => id < first || id > last || found.has(id)
  state.patch({ messages: state.get().messages.filter(({ id }) => isKept(id)) })
}
