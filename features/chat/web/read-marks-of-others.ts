import type { Store } from '#web/store.ts'
import { type ConversationState, isGroupConversation } from './conversation.ts'

/** Stores in the state of the conversation that another member has read up to the message `last_read_id`. */
export function setLocalReadMarkOfOtherMember(
  state: Store<ConversationState>,
  user_id: number,
  last_read_id: number,
) {
  const { info } = state.get()
  if (!info) return
  if (!isGroupConversation(info)) {
    state.patch({ info: { ...info, seen_id: Math.max(info.seen_id, last_read_id) } })
    return
  }
  const others = info.reads.filter((one) => one.user_id !== user_id)
  state.patch({ info: { ...info, reads: [...others, { user_id, last_read_id }] } })
}

export interface ReadMarkSharingChange {
  user_id: number
  is_shared: boolean
}

/**
 * Applies to the state of the conversation that a member, who may be the current user, now shows others what
 * they have read, or no longer does. Removes the read marks that are no longer shown. For marks that are
 * shown again, `sync` loads the conversation again.
 */
export function applyReadMarkSharingChangeToConversationState(
  { state, me, sync }: { state: Store<ConversationState>; me: { id: number }; sync: () => Promise<void> },
  { user_id, is_shared }: ReadMarkSharingChange,
) {
  if (is_shared) return void sync()
  const { info } = state.get()
  if (!info) return
  if (!isGroupConversation(info)) state.patch({ info: { ...info, seen_id: 0 } })
  else {
    const reads = user_id === me.id ? [] : info.reads.filter((one) => one.user_id !== user_id)
    state.patch({ info: { ...info, reads } })
  }
}
