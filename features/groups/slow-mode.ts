import type { CurrentUser, MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'

// Admins and the owner of the group do not wait.

interface SlowModeMembership {
  id: number
  owner_id: number | null
  slow_mode_seconds: number
  last_slow_message_at: string | null
}

/** 0 if the member may send now. */
export function slowModeWait(me: CurrentUser, membership: SlowModeMembership, now = Date.now()) {
  const { owner_id, slow_mode_seconds, last_slow_message_at } = membership
  if (!slow_mode_seconds || !last_slow_message_at || me.is_admin || owner_id === me.id) return 0
  const end = Date.parse(last_slow_message_at) + slow_mode_seconds * 1000
  // `Math.min` matters only if the clock was set back: nobody waits longer than slow mode says.
  return Math.min(slow_mode_seconds, Math.max(0, Math.ceil((end - now) / 1000)))
}

/**
 * In the transaction that stores the message, under the lock of the group. 429 undoes storing it. Messages
 * sent before slow mode was turned on do not count.
 */
export async function enforceSlowMode(
  { me }: MemberContext,
  tx: Tx,
  membership: SlowModeMembership,
  at: string,
) {
  const { id, owner_id, slow_mode_seconds } = membership
  if (!slow_mode_seconds || me.is_admin || owner_id === me.id) return
  const wait = slowModeWait(me, membership, Date.parse(at))
  if (wait) throw createSlowModeError(wait)
  await tx
    .updateTable('conversation_members')
    .set({ last_slow_message_at: at })
    .where('conversation_id', '=', id)
    .where('user_id', '=', me.id)
    .execute()
}

const createSlowModeError = (seconds: number) =>
  new HttpError(
    429,
    {
      en: `Slow mode is on in this group. You can send your next message in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      ja: `このグループでは、続けて送れる間隔が決まっています。次のメッセージは${seconds}秒後に送れます。`,
    },
    undefined,
    { 'retry-after': String(seconds) },
  )
