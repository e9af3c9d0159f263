import type { MemberContext } from '#core/context.ts'
import { fieldError } from '#core/http/errors.ts'
import * as logInCards from '#features/cards/cards.ts'
import * as childMarks from '#features/guardians/children.ts'
import * as guardianship from '#features/guardians/read.ts'
import { parseHandle } from '#features/people/handles.ts'
import { findActiveMember } from '#features/people/moderators.ts'
import * as model from './model.ts'

/**
 * Also changes an existing mark. 422 if a new guardian is no active member. 403 if a new guardian has not yet
 * used the log-in card: a finder of the card would be a guardian. Present guardians are not checked, so they
 * may be suspended.
 */
export const markChild = (
  context: MemberContext,
  { id, guardians, ends_on }: { id: number; guardians: readonly string[]; ends_on: string },
) =>
  model.changeAccount(context, id, async (tx) => {
    const ids: number[] = []
    const marks = await guardianship.getAdminMarks({ ...context, db: tx }, [id])
    const current = marks.get(id)?.guardians ?? []
    for (const given of guardians) {
      const handle = parseHandle(given)
      const kept = current.find((guardian) => guardian.handle === handle)
      const found = kept?.id ?? (handle && (await findActiveMember(tx, handle)))
      if (!found)
        throw fieldError('guardians', {
          en: `There is no active member with the handle ${given}.`,
          ja: `「${given}」というIDのメンバーはいないか、利用停止中です。`,
        })
      if (!kept && (await logInCards.hasUnused(tx, found))) throw logInCards.notUsedYet()
      ids.push(found)
    }
    await childMarks.save({ ...context, db: tx }, tx, { id, guardians: ids, ends_on })
  })

export const endChildMark = (context: MemberContext, id: number) =>
  model.changeAccount(context, id, (tx) => childMarks.end(context, tx, id))
