import type { SessionContext } from '#features/people/session-confirmation.ts'
import { recordAndBroadcastGroupChange } from './group-changes.ts'
import type { GroupChange } from './group-contract.ts'
import { changeManagedGroup } from './group-of-two.ts'

/**
 * Changes the description of a group, which the current member must manage; null removes the description.
 * Returns null if the group already has this description. The history of the group records who changed the
 * description, but not the earlier descriptions.
 */
export const changeGroupDescription = (
  context: SessionContext,
  group: number,
  description: string | null,
): Promise<GroupChange | null> =>
  changeManagedGroup(context, group, async (tx, before) => {
    if (before.description === description) return null
    await tx.updateTable('conversations').set({ description }).where('id', '=', group).execute()
    const event = { conversation_id: group, actor_id: context.me.id, by_owner: !context.me.is_admin }
    await context.emit(tx, 'group.description_changed', event)
    return recordAndBroadcastGroupChange(context, tx, group, 'description', {
      live: { description: description ?? '' },
    })
  })
