import type { CurrentUser } from '#core/context.ts'
import { HttpError } from '#core/http/errors.ts'

// Who may write in a group: everybody, or only chosen members. Admins and the owner of the group may too, until
// it has ended.

interface Membership {
  owner_id: number | null
  /** Since when only chosen members may write; null while all may. */
  chosen_writers_since: string | null
  /** Since when the member is one of them. */
  may_write_since: string | null
  ended_at: string | null
}

export const mayWrite = (me: CurrentUser, membership: Membership) =>
  membership.ended_at === null &&
  (membership.chosen_writers_since === null ||
    membership.may_write_since !== null ||
    membership.owner_id === me.id ||
    me.is_admin)

/** In the transaction that stores the message, under the lock of the group. */
export function requireMayWrite(me: CurrentUser, membership: Membership) {
  if (membership.ended_at !== null) throw hasEnded()
  if (!mayWrite(me, membership))
    throw new HttpError(403, {
      en: 'Only some members write in this group.',
      ja: 'このグループに送れるのは、決められた人だけです。',
    })
}

export const hasEnded = () =>
  new HttpError(403, {
    en: 'This group has ended. You can still read it.',
    ja: 'このグループは終了しました。これまでのやりとりは読めます。',
  })
