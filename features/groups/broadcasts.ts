import type { AppContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import * as channels from '#features/conversations/channels.ts'
import { chatChannels, type GroupChange } from '#features/conversations/contract.ts'

/**
 * Recipients are the members, and the person who was removed or has left. Recipients who may not see the
 * actor or the person get the change without both, because they need the new name, or to know of the
 * deletion.
 */
export function groupChanged(
  context: AppContext,
  groupId: number,
  change: GroupChange,
  recipients: readonly number[],
) {
  const { actor, person } = change
  const people = [actor, person].filter((one) => one !== null).map(({ id }) => id)
  const fallbackData = { groupId, change: { ...change, actor: null, person: null } }
  channels.broadcast(
    context,
    channels.ofGroup(groupId, recipients),
    'GroupChanged',
    { groupId, change },
    people,
    {
      fallbackData,
    },
  )
}

/** Without `member`: the subscriptions of all members. */
export function unsubscribe({ realtime }: AppContext, group: number, member?: number) {
  for (const channel of [channels.group(group), fillChannel(chatChannels.groupPresence, { group })])
    realtime.revoke({ channel, ...(member !== undefined && { user: member }) })
}
