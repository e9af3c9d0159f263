import type { MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { MAX_MUTED, type MutedPerson } from './contract.ts'
import * as persons from './read.ts'
import type { MemberViewer } from './visibility.ts'

// A mute hides from one member, in many places, the words of another, who does not notice: see
// `visibility.notMuted`.

/** 404 if the viewer may not see the person, 422 for oneself and above `MAX_MUTED`. */
export function muteMember(context: MemberContext, other: number) {
  const { db, me } = context
  if (me.id === other)
    throw fieldError('id', {
      en: 'You cannot mute yourself.',
      ja: '自分自身はミュートできません。',
    })
  return transaction(db, async (tx) => {
    await persons.get({ ...context, db: tx }, other)
    if (await hasMuted(tx, me.id, other)) return
    const { count } = await tx
      .selectFrom('mutes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('muter_id', '=', me.id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_MUTED)
      throw fieldError('id', {
        en: `You can mute at most ${MAX_MUTED} people.`,
        ja: `ミュートできるのは${MAX_MUTED}人までです。`,
      })
    await tx
      .insertInto('mutes')
      .values({ muter_id: me.id, muted_id: other, created_at: isoNow() })
      .onConflict((c) => c.doNothing())
      .execute()
  })
}

export const unmuteMember = ({ db, me }: MemberContext, other: number) =>
  transaction(db, (tx) =>
    tx.deleteFrom('mutes').where('muter_id', '=', me.id).where('muted_id', '=', other).execute(),
  )

export const hasMuted = (db: Db, muter: number, muted: number) =>
  hasMatchingRow(
    db.selectFrom('mutes').select('muted_id').where('muter_id', '=', muter).where('muted_id', '=', muted),
  )

/** Leaves out people whom the viewer may not see. */
export async function listMuted(viewer: MemberViewer, page: PageParams) {
  const found = persons
    .rows(viewer)
    .innerJoin('mutes', 'mutes.muted_id', 'users.id')
    .select('mutes.created_at as muted_at')
    .where('mutes.muter_id', '=', viewer.me.id)
  const rows = await pageOf(found, 'mutes.muted_id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown): MutedPerson[] => shown.map((row) => persons.fromRow(viewer.media, row)),
  )
}
