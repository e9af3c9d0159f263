import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { type Db, isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import * as credentials from '#features/people/credentials.ts'
import * as people from '#features/people/read.ts'
import type { OwnPhone, PhoneAudience } from './contract.ts'
import { ownGroups } from './managers.ts'

const find = (db: Db, user: number) =>
  db.selectFrom('phones').select(['number', 'shown_to']).where('user_id', '=', user).executeTakeFirst()

/** Those in charge find it on the board of a roll call, unless the member chooses otherwise. */
const nothing: OwnPhone = { number: null, shown_to: 'owners' }

export const getOwn = async ({ db, me }: Pick<MemberContext, 'db' | 'me'>): Promise<OwnPhone> =>
  (await find(db, me.id)) ?? nothing

export const save = (
  context: MemberContext & { session: { token: string } },
  { number, shown_to }: { number: string | null; shown_to: PhoneAudience },
) =>
  transaction(context.db, async (tx) => {
    await credentials.lockOwn(tx, context)
    const user_id = context.me.id
    const row = { number: number ?? '', shown_to, updated_at: isoNow() }
    if (number === null) await tx.deleteFrom('phones').where('user_id', '=', user_id).execute()
    else
      await tx
        .insertInto('phones')
        .values({ user_id, ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute()
    return getOwn({ ...context, db: tx })
  })

/**
 * 404 if the viewer may not see the person; null also for a number that is not for the viewer, and of a child
 * with whom the viewer may have no contact.
 */
export async function get(viewer: MemberContext, id: number) {
  await people.get(viewer, id)
  const found = await find(viewer.db, id)
  if (!found) return { number: null }
  const { db, me, contacts } = viewer
  const isShown =
    id === me.id ||
    ((await isFor(viewer, id, found.shown_to)) &&
      (me.is_admin || (await contacts.isContactAllowed(db, me.id, id))))
  return { number: isShown ? found.number : null }
}

async function isFor(viewer: MemberContext, person: number, audience: PhoneAudience) {
  if (audience !== 'owners') return audience === 'everyone'
  if (viewer.me.is_admin) return true
  const { rows } = await sql`select 1 from (${ownGroups(viewer, viewer.me.id)}) o
    join (${viewer.groups.groupsOf(person)}) g on g.id = o.id limit 1`.execute(viewer.db)
  return rows.length > 0
}
