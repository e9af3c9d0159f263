import type { MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { lockName, transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import { validationMessage } from '#core/text/i18n.ts'
import { type Draft, MAX_DRAFTS } from './contract.ts'
import type { DraftTables } from './tables.ts'

type Row = Pick<DraftTables['drafts'], 'kind' | 'target_id' | 'text' | 'more' | 'written_at'>

const toDraft = ({ target_id, ...row }: Row): Draft => ({ ...row, id: target_id || null })

const own = ({ db, me }: Pick<MemberContext, 'db' | 'me'>) =>
  db
    .selectFrom('drafts')
    .select(['kind', 'target_id', 'text', 'more', 'written_at'])
    .where('user_id', '=', me.id)

/** Newest first. */
export async function list(viewer: Pick<MemberContext, 'db' | 'me'>) {
  const rows = await own(viewer).orderBy('written_at', 'desc').limit(MAX_DRAFTS).execute()
  return rows.map(toDraft)
}

/** Keeps the newer one, and returns it. 422 if the kind and the id do not fit. */
export const save = (context: MemberContext, { kind, id, text, more, written_at }: Draft) =>
  transaction(context.db, async (tx): Promise<Draft> => {
    if ((kind === 'post') !== (id === null)) throw fieldError('id', validationMessage('invalid', 'id'))
    const { me } = context
    const [target_id, at] = [id ?? 0, new Date(Math.min(Date.parse(written_at), Date.now())).toISOString()]
    await lockName(tx, `drafts ${me.id}`)
    const known = await own({ db: tx, me })
      .where('kind', '=', kind)
      .where('target_id', '=', target_id)
      .executeTakeFirst()
    if (known && known.written_at > at) return toDraft(known)
    const row = { kind, target_id, text, more: text ? more : null, written_at: at }
    if (!known && !text) return toDraft(row)
    await tx
      .insertInto('drafts')
      .values({ ...row, user_id: me.id })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'kind', 'target_id'])
          .doUpdateSet({ text, more: row.more, written_at: at }),
      )
      .execute()
    if (!known) await deleteOldest(tx, me.id)
    return toDraft(row)
  })

async function deleteOldest(tx: Tx, member: number) {
  const extra = await tx
    .selectFrom('drafts')
    .select('id')
    .where('user_id', '=', member)
    .orderBy('written_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_DRAFTS)
    .limit(MAX_DRAFTS)
    .execute()
  if (!extra.length) return
  const ids = extra.map(({ id }) => id)
  await tx.deleteFrom('drafts').where('id', 'in', ids).execute()
}

export async function deleteOfMember(tx: Tx, member: number) {
  await tx.deleteFrom('drafts').where('user_id', '=', member).execute()
}
