import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type Db, hasMatchingRow } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { MAX_MUTED_PEOPLE, type MutedPerson } from './mute-contract.ts'
import { buildVisiblePersonRowsQuery, readPerson, toPersonFromRow } from './read.ts'
import type { MemberViewerContext } from './visibility.ts'

// A mute hides from one member, in many places, what another member writes: see `buildNotMutedCondition`. The
// muted member does not notice it. The functions of this file create, end and list mutes.

/**
 * Mutes a person. Does nothing if the person is muted already. Throws 404 if the viewer may not see the
 * person, and 422 for oneself and above `MAX_MUTED_PEOPLE`.
 */
export function muteMember(context: MemberContext, other: number) {
  const { db, me } = context
  if (me.id === other)
    throw createInvalidFieldError('id', {
      en: 'You cannot mute yourself.',
      ja: '自分自身はミュートできません。',
    })
  return transaction(db, async (tx) => {
    await readPerson({ ...context, db: tx }, other)
    if (await hasMuted(tx, me.id, other)) return
    const { count } = await tx
      .selectFrom('mutes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('muter_id', '=', me.id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_MUTED_PEOPLE)
      throw createInvalidFieldError('id', {
        en: `You can mute at most ${MAX_MUTED_PEOPLE} people.`,
        ja: `ミュートできるのは${MAX_MUTED_PEOPLE}人までです。`,
      })
    await tx
      .insertInto('mutes')
      .values({ muter_id: me.id, muted_id: other, created_at: currentIsoTime() })
      .onConflict((c) => c.doNothing())
      .execute()
  })
}

/** Ends the mute of a person. Does nothing if the viewer has not muted the person. */
export const unmuteMember = ({ db, me }: MemberContext, other: number) =>
  transaction(db, (tx) =>
    tx.deleteFrom('mutes').where('muter_id', '=', me.id).where('muted_id', '=', other).execute(),
  )

/** Returns whether the member `muter` has muted the member `muted`. */
export const hasMuted = (db: Db, muter: number, muted: number) =>
  hasMatchingRow(
    db.selectFrom('mutes').select('muted_id').where('muter_id', '=', muter).where('muted_id', '=', muted),
  )

/** Returns one page of the people whom the viewer has muted and may see, ordered by id. */
export async function listMutedPeople(viewer: MemberViewerContext, page: PaginationParameters) {
  const found = buildVisiblePersonRowsQuery(viewer)
    .innerJoin('mutes', 'mutes.muted_id', 'users.id')
    .select('mutes.created_at as muted_at')
    .where('mutes.muter_id', '=', viewer.me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'mutes.muted_id', page).execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown): MutedPerson[] => shown.map((row) => toPersonFromRow(viewer.media, row)),
  )
}
