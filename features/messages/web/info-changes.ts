import type { GroupChange } from '#features/conversations/contract.ts'
import * as chatState from '#features/conversations/web/state.ts'
import type { Store } from '#web/store.ts'
import { type ConversationState, isGroup } from './conversation.ts'

export function setReadMark(state: Store<ConversationState>, user_id: number, last_read_id: number) {
  const { info } = state.get()
  if (!info) return
  if (!isGroup(info)) {
    state.patch({ info: { ...info, seen_id: Math.max(info.seen_id, last_read_id) } })
    return
  }
  const others = info.reads.filter((one) => one.user_id !== user_id)
  state.patch({ info: { ...info, reads: [...others, { user_id, last_read_id }] } })
}

/** Returns true if the change makes the user a member of the group again. */
export function changeGroupInfo(state: Store<ConversationState>, change: GroupChange, me: number) {
  const { info, isClosed } = state.get()
  if (!info || !isGroup(info)) return false
  const isMe = change.person?.id === me
  const isOut = change.kind === 'deleted' || (chatState.memberDelta(change) < 0 && isMe)
  const isBack = change.kind === 'added' && isMe
  const { is_owner, ...rest } = info
  const others = info.changes.filter(({ id }) => id !== change.id)
  // A change that a response had already has changed the number of members already.
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
      members_count: info.members_count + (isKnown ? 0 : chatState.memberDelta(change)),
      changes: [...others, change],
    },
    isClosed: isOut || (isClosed && !isBack),
  })
  return isBack
}
