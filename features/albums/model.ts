import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import * as people from '#features/people/read.ts'
import { requireConfirmation, type SessionContext } from '#features/people/session-confirmation.ts'
import * as broadcasts from './broadcasts.ts'
import { MAX_ALBUMS } from './contract.ts'
import { deleteAlbum } from './deletion.ts'
import * as read from './read.ts'

interface Words {
  title: string
  text: string | null
}

/** Returns its id. 404 for a group without the member, 403 above the limit. */
export const create = (
  context: MemberContext,
  { title, text, group_id }: Words & { group_id: number | null },
) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    if (group_id !== null) await requireInGroup(context, tx, group_id)
    const own = await tx
      .selectFrom('albums')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('created_by', '=', me.id)
      .executeTakeFirstOrThrow()
    if (Number(own.count) >= MAX_ALBUMS) throw createTooManyError()
    const row = await tx
      .insertInto('albums')
      .values({ title, text, group_id, created_by: me.id, created_at: isoNow() })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })

async function requireInGroup({ groups, me }: MemberContext, tx: Tx, group: number) {
  const { rows } = await groups.groupsOf(me.id).execute(tx)
  if (!rows.some(({ id, has_ended }) => id === group && !has_ended)) throw httpErrors.notFound()
}

const createTooManyError = () =>
  new HttpError(403, {
    en: `You have made ${MAX_ALBUMS} albums, which is the most. Delete one of them first.`,
    ja: `1人が作れるアルバムは${MAX_ALBUMS}冊までです。先に、どれかを削除してください。`,
  })

/**
 * 404 if the member does not see the album. 403 for those who neither created it nor own its group nor are
 * admins; 423 for an admin who has not confirmed their identity lately.
 */
export async function requireManaged(context: SessionContext, tx: Tx, id: number) {
  const { me, session } = context
  const album = await read.requireAlbum({ ...context, db: tx }, id)
  if (read.isOwn(album, me.id)) return album
  if (!me.is_admin || !(await people.isAdmin(tx, me.id))) throw createNotOwnError(context)
  await requireConfirmation(tx, session.token)
  return album
}

export const createNotOwnError = ({ me }: Pick<MemberContext, 'me'>) =>
  me.needs_second_step
    ? httpErrors.secondStepNeeded()
    : new HttpError(403, {
        en: 'Only who made the album, the owner of its group and admins can do this.',
        ja: 'この操作ができるのは、アルバムを作った人、グループのまとめ役、管理者だけです。',
      })

export const change = (context: SessionContext, id: number, { title, text }: Words) =>
  transaction(context.db, async (tx) => {
    const album = await requireManaged(context, tx, id)
    await tx.updateTable('albums').set({ title, text }).where('id', '=', id).execute()
    tx.afterCommit(() => broadcasts.send(context, album, 'AlbumChanged', { title, text }))
  })

export const remove = (context: SessionContext, id: number) =>
  transaction(context.db, async (tx) => {
    const album = await requireManaged(context, tx, id)
    await deleteAlbum(context, tx, album)
    tx.afterCommit(() => broadcasts.send(context, album, 'AlbumDeleted', { id }))
  })
