import type { MemberContext } from '#core/context.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { createLogInCardNotUsedYetError, hasUnusedLogInCard } from '#features/cards/cards.ts'
import { endChildAccountMark, markAccountAsChildOrUpdateMark } from '#features/guardians/children.ts'
import { readChildAccountMarksByAccountIdForAdmins } from '#features/guardians/read.ts'
import { parseHandle } from '#features/people/handles.ts'
import { findActiveMemberIdByHandle } from '#features/people/moderators.ts'
import { changeAndReadManagedAccount } from './model.ts'

/**
 * Marks an account as a child's account. For an account that is marked already, changes its guardians or the
 * day on which the mark ends. Throws 422 if a new guardian's handle belongs to no active member. Throws 403
 * if a new guardian has not yet used the printed card for the first log-in, because somebody else who finds
 * the card could log in with it and would be a guardian. Guardians whom the child has already are not checked
 * again, so they may be suspended.
 */
export const markAccountAsChildWithGuardianHandles = (
  context: MemberContext,
  { id, guardians, ends_on }: { id: number; guardians: readonly string[]; ends_on: string },
) =>
  changeAndReadManagedAccount(context, id, async (tx) => {
    const ids: number[] = []
    const marks = await readChildAccountMarksByAccountIdForAdmins({ ...context, db: tx }, [id])
    const current = marks.get(id)?.guardians ?? []
    for (const given of guardians) {
      const handle = parseHandle(given)
      const kept = current.find((guardian) => guardian.handle === handle)
      const found = kept?.id ?? (handle && (await findActiveMemberIdByHandle(tx, handle)))
      if (!found)
        throw createInvalidFieldError('guardians', {
          en: `There is no active member with the handle ${given}.`,
          ja: `「${given}」というハンドルのメンバーはいないか、停止中です。`,
        })
      if (!kept && (await hasUnusedLogInCard(tx, found))) throw createLogInCardNotUsedYetError()
      ids.push(found)
    }
    await markAccountAsChildOrUpdateMark({ ...context, db: tx }, tx, { id, guardians: ids, ends_on })
  })

/**
 * Removes the mark of a child's account now, before the day on which the mark would end. Returns the account
 * as admins see it.
 */
export const endChildAccountMarkAndReadAccount = (context: MemberContext, id: number) =>
  changeAndReadManagedAccount(context, id, (tx) => endChildAccountMark(context, tx, id))
