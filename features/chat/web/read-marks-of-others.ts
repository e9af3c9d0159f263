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
