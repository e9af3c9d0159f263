import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import * as albums from '#features/albums/read.ts'
import * as groupModel from '#features/groups/model.ts'
import { hasMessagesBeside } from '#features/groups/read.ts'
import * as renewal from '#features/groups/renewal.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import * as posts from '#features/posts/read.ts'
import type { Line } from './contract.ts'
import * as plan from './plan.ts'
import * as read from './read.ts'

const NOBODY = 0

/** All lines or none. Resolves to the id of the turn. */
export const make = (context: MemberContext, lines: readonly Line[]) =>
  transaction(context.db, async (tx) => {
    const steps = await plan.steps(context, tx, lines)
    const { id: turn_id } = await tx
      .insertInto('year_turns')
      .values({ user_id: context.me.id, created_at: isoNow() })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const { group, name, staying, joining, owner } of steps) {
      const members = [...staying, ...joining]
      const next_id =
        name === null ? null : await renewal.renew(context, tx, { group: group.id, name, members, owner })
      // Afterwards: those who go on together have a group in common all the time.
      await renewal.setEnded(context, tx, group.id, true)
      await tx.insertInto('turn_groups').values({ turn_id, group_id: group.id, next_id }).execute()
    }
    return turn_id
  })

/**
 * 403 after a day or when it is undone already. Resolves to the new groups that stay, because they are
 * used, and to the pictures of the others, for the caller to delete.
 */
export const undo = (context: SessionContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('year_turns')
      .set({ undone_at: isoNow() })
      .where('id', '=', id)
      .where('undone_at', 'is', null)
      .where('created_at', '>', read.undoFrom())
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw (await read.exists(tx, id)) ? tooLate() : noTurn()
    const lines = await tx.selectFrom('turn_groups').selectAll().where('turn_id', '=', id).execute()
    const groups = await renewal.lockAll(
      tx,
      lines.flatMap(({ group_id, next_id }) => [group_id, next_id ?? group_id]),
    )
    for (const { group_id } of lines)
      if (groups.get(group_id)!.ended_at !== null) await renewal.setEnded(context, tx, group_id, false)
    return removeNew(
      context,
      tx,
      lines.flatMap(({ next_id }) => (next_id === null ? [] : groups.get(next_id)!)),
    )
  })

async function removeNew(context: SessionContext, tx: Tx, groups: readonly { id: number; name: string }[]) {
  const kept: { id: number; name: string }[] = []
  const pictures: string[] = []
  for (const { id, name } of groups)
    if (await isUsed(tx, id)) kept.push({ id, name })
    else pictures.push(...(await groupModel.remove({ ...context, db: tx }, id)))
  return { kept, pictures }
}

const isUsed = async (tx: Tx, group: number) =>
  (await hasMessagesBeside(tx, group, [NOBODY])) ||
  (await posts.hasOfGroup(tx, group)) ||
  (await albums.hasOfGroup(tx, group))

const noTurn = () =>
  new HttpError(404, { en: 'There is no such turn.', ja: 'この年度替わりは見つかりません。' })
const tooLate = () =>
  new HttpError(403, {
    en: 'It can be undone once, and within a day.',
    ja: '元に戻せるのは、一日以内に一度だけです。',
  })
