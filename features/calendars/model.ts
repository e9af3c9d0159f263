import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrors } from '#core/http/errors.ts'
import { hashToken, randomToken } from '#core/secrets/crypto.ts'
import * as visibility from '#features/people/visibility.ts'
import type { CalendarAddress } from './contract.ts'

const none: CalendarAddress = { created_at: null, read_at: null }

export const get = async ({ db, me }: MemberContext): Promise<CalendarAddress> =>
  (await db
    .selectFrom('calendar_addresses')
    .select(['created_at', 'read_at'])
    .where('user_id', '=', me.id)
    .executeTakeFirst()) ?? none

/** An earlier address ends. */
export async function renew({ db, me, publicSite }: MemberContext) {
  const token = randomToken()
  const row = { token_hash: hashToken(token), created_at: isoNow(), read_at: null }
  await transaction(db, (tx) =>
    tx
      .insertInto('calendar_addresses')
      .values({ user_id: me.id, ...row })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute(),
  )
  const url = new URL(`/calendars/${token}/events.ics`, publicSite.origin).href
  return { created_at: row.created_at, read_at: null, url }
}

export async function end({ db, me }: MemberContext) {
  await transaction(db, (tx) => tx.deleteFrom('calendar_addresses').where('user_id', '=', me.id).execute())
  return none
}

/** In ms: how exact `read_at` is. */
const READ = 3600_000

/** The id of the member. 404 for an address that has ended, and while the member is suspended. */
export async function open({ db }: AppContext, token: string) {
  const row = await find(db, token)
  if (!row || (await visibility.isSuspended(db, row.user_id))) throw httpErrors.notFound()
  if (row.read_at === null || Date.parse(row.read_at) < Date.now() - READ)
    await transaction(db, (tx) =>
      tx
        .updateTable('calendar_addresses')
        .set({ read_at: isoNow() })
        .where('token_hash', '=', hashToken(token))
        .execute(),
    )
  return row.user_id
}

const find = (db: Db, token: string) =>
  db
    .selectFrom('calendar_addresses')
    .select(['user_id', 'read_at'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
