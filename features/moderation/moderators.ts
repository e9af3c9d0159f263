import type { MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, httpErrorFactories } from '#core/http/errors.ts'
import { createLogInCardNotUsedYetError, hasUnusedLogInCard } from '#features/cards/cards.ts'
import { requireAdmin } from '#features/people/admins.ts'
import { lockAndReadAccount } from '#features/people/credentials.ts'
import { parseHandle } from '#features/people/handles.ts'
import * as people from '#features/people/moderators.ts'

/**
 * Makes the member with this handle a moderator. Throws 422 if no member has the handle, or if the member
 * is suspended or an example. Throws 403 for a child, and for a member who has not yet used the printed
 * card for the first log-in, because somebody else who finds the card could log in with it and would be a
 * moderator.
 */
export const appointModeratorByHandle = ({ db, me }: MemberContext, given: string) =>
  transaction(db, async (tx) => {
    const handle = parseHandle(given)
    const found = handle && (await people.findActiveMemberIdByHandle(tx, handle))
    if (found) await lockAndReadAccount(tx, found)
    await requireAdmin(tx, me.id)
    // Looks up the member again under the lock, because another transaction that suspended or deleted the
    // member may have held the lock before.
    const id = found && (await people.findActiveMemberIdByHandle(tx, handle))
    if (!id || id !== found)
      throw createInvalidFieldError('handle', {
        en: 'There is no active member with this handle.',
        ja: 'このハンドルのメンバーはいないか、停止中です。',
      })
    if (await hasUnusedLogInCard(tx, id)) throw createLogInCardNotUsedYetError()
    await people.grantModerator(tx, id, me.id)
  })

/** Ends the moderator rights of a member. Throws 404 if the member is no moderator. */
export const removeModerator = ({ db, me }: MemberContext, id: number) =>
  transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    if (!(await people.revokeModerator(tx, id, me.id))) throw httpErrorFactories.notFound()
  })
