import type { Store } from '#web/store.ts'
import type { GroupChange } from '../group-contract.ts'
import { toMemberCountDeltaOfGroupChange } from './chat-state.ts'
import { type ConversationState, isGroupConversation } from './conversation.ts'

/**
 * Applies a change of the group to the state of its open conversation. Returns true if the change makes the
 * user a member of the group again.
 */
export function applyGroupChangeToOpenConversationState(
  state: Store<ConversationState>,
  change: GroupChange,
  me: number,
) {
  const { info, isClosed } = state.get()
  if (!info || !isGroupConversation(info)) return false
  const isMe = change.person?.id === me
  const isOut = change.kind === 'deleted' || (toMemberCountDeltaOfGroupChange(change) < 0 && isMe)
  const isBack = change.kind === 'added' && isMe
  const { is_owner, ...rest } = info
  const others = info.changes.filter(({ id }) => id !== change.id)
  // A change that is known already, because a response had it, has changed the number of members already.
  const isKnown = others.length < info.changes.length
  const isOwner = change.kind === 'owner' ? isMe : is_owner
  state.patch({
    info: {
      ...rest,
      ...(isOwner && { is_owner: true as const }),
      name: change.kind === 'renamed' ? change.name! : info.name,
      ...(change.picture !== undefined && { picture: change.picture ?? '' }),
      ...(change.description !== undefined && { description: change.description }),
      slow_mode_seconds: change.slow_mode_seconds ?? info.slow_mode_seconds ?? 0,
      members_count: info.members_count + (isKnown ? 0 : toMemberCountDeltaOfGroupChange(change)),
      changes: [...others, change],
    },
    isClosed: isOut || (isClosed && !isBack),
  })
  return isBack
}
