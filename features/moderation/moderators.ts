import type { MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, httpErrors } from '#core/http/errors.ts'
import * as logInCards from '#features/cards/cards.ts'
import { requireAdmin } from '#features/people/admins.ts'
import * as credentials from '#features/people/credentials.ts'
import { parseHandle } from '#features/people/handles.ts'
import * as people from '#features/people/moderators.ts'
import * as waiting from './waiting.ts'

/**
 * 422 for an unknown handle, and for members who are suspended or examples. 403 for a child, and before the
 * log-in card was used: a finder of the card would be a moderator.
 */
export const appointModerator = (context: MemberContext, given: string) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const handle = parseHandle(given)
    const found = handle && (await people.findActiveMember(tx, handle))
    if (found) await credentials.lock(tx, found)
    await requireAdmin(tx, me.id)
    // Again under the lock: another transaction may have suspended or deleted the member.
    const id = found && (await people.findActiveMember(tx, handle))
    if (!id || id !== found)
      throw fieldError('handle', {
        en: 'There is no active member with this handle.',
        ja: 'このIDのメンバーはいないか、利用停止中です。',
      })
    if (await logInCards.hasUnused(tx, id)) throw logInCards.notUsedYet()
    if (await people.grantModerator(tx, id, me.id)) await waiting.tellNew(context, tx, id)
  })

/** 404 if the member is no moderator. */
export const removeModerator = ({ db, me }: MemberContext, id: number) =>
  transaction(db, async (tx) => {
    await requireAdmin(tx, me.id)
    if (!(await people.revokeModerator(tx, id, me.id))) throw httpErrors.notFound()
  })
