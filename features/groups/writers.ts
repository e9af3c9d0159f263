import { sql } from 'kysely'
import type { CurrentUser } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import type { GroupChange } from '#features/conversations/contract.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { recordChange } from './changes.ts'
import { changeGroup } from './of-two.ts'

// Who may write in a group: everybody, or only chosen members. Admins and the owner of the group always may.

interface Membership {
  owner_id: number | null
  /** Since when only chosen members may write; null while all may. */
  chosen_writers_since: string | null
  /** Since when the member is one of them. */
  may_write_since: string | null
}

export const mayWrite = (me: CurrentUser, membership: Membership) =>
  membership.chosen_writers_since === null ||
  membership.may_write_since !== null ||
  membership.owner_id === me.id ||
  me.is_admin

/** In the transaction that stores the message, under the lock of the group. */
export function requireMayWrite(me: CurrentUser, membership: Membership) {
  if (!mayWrite(me, membership))
    throw new HttpError(403, {
      en: 'Only some members write in this group.',
      ja: 'このグループに送れるのは、決められた人だけです。',
    })
}

interface WritersChange {
  writers: 'all' | 'chosen'
  /** Ids of members who may write from now on, or no longer. Ids of other people change nothing. */
  add: readonly number[]
  remove: readonly number[]
}

/** Who was chosen stays chosen while all may write. Returns null if all could write before too. */
export const setWriters = (
  context: SessionContext,
  group: number,
  { writers, add, remove }: WritersChange,
): Promise<GroupChange | null> =>
  changeGroup(context, group, async (tx, before) => {
    const isChosen = writers === 'chosen'
    if (!isChosen && before.chosen_writers_since === null) return null
    const now = isoNow()
    const chosen_writers_since = isChosen ? (before.chosen_writers_since ?? now) : null
    await tx.updateTable('conversations').set({ chosen_writers_since }).where('id', '=', group).execute()
    const members = tx.updateTable('conversation_members').where('conversation_id', '=', group)
    if (remove.length) await members.set({ may_write_since: null }).where('user_id', 'in', remove).execute()
    if (add.length)
      await members
        .set({ may_write_since: sql`coalesce(may_write_since, ${now})` })
        .where('user_id', 'in', add)
        .execute()
    const event = { conversation_id: group, actor_id: context.me.id, by_owner: !context.me.is_admin }
    await context.emit(tx, 'group.writers_changed', event)
    return recordChange(context, tx, group, isChosen ? 'writers_chosen' : 'writers_all')
  })
