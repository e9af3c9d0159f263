import type { GroupChange } from '#features/conversations/contract.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { recordChange } from './changes.ts'
import { changeGroup } from './of-two.ts'

/**
 * A null `description` removes it. Returns null if nothing changed. The history records who changed it, but
 * no earlier text.
 */
export const setDescription = (
  context: SessionContext,
  group: number,
  description: string | null,
): Promise<GroupChange | null> =>
  changeGroup(context, group, async (tx, before) => {
    if (before.description === description) return null
    await tx.updateTable('conversations').set({ description }).where('id', '=', group).execute()
    const event = { conversation_id: group, actor_id: context.me.id, by_owner: !context.me.is_admin }
    await context.emit(tx, 'group.description_changed', event)
    return recordChange(context, tx, group, 'description', {
      live: { description: description ?? '' },
    })
  })
