import type { Selectable } from 'kysely'
import type { AppContext, MemberContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import { CHANGED_EVENT } from './contract.ts'
import type { SinceTables } from './tables.ts'

const HOUR = 3600_000
/** In ms: a visit is over after so long without a sign of it. */
const VISIT_END = 6 * HOUR
/** In ms, between two stored signs of one visit. */
const SIGN_INTERVAL = HOUR
/** In ms: for members from before this feature. */
const FIRST_PERIOD = 7 * 24 * HOUR

type Mark = Selectable<SinceTables['since_marks']>

const ago = (time: number) => new Date(Date.now() - time).toISOString()
const later = (a: string, b: string) => (a > b ? a : b)

/** What is new: since the end of the last visit, or since the member has seen all. */
export const sinceOf = ({ done_until, left_at }: Mark) => later(done_until, left_at)

export const find = (db: Db, user: number): Promise<Mark | undefined> =>
  db.selectFrom('since_marks').selectAll().where('user_id', '=', user).executeTakeFirst()

/** Nothing is new at first. */
export const begin = (tx: Tx, user_id: number, at = isoNow()) =>
  tx
    .insertInto('since_marks')
    .values({ user_id, done_until: at, left_at: at, visited_at: isoNow() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export function visits({ db, queryCaches }: AppContext) {
  const marks = queryCaches<Mark | undefined>(['since_marks'], 5000)

  /** Stores that the member is here. */
  async function visit({ me }: MemberContext): Promise<Mark> {
    const known = await marks(String(me.id), () => find(db, me.id))
    if (known && known.visited_at > ago(SIGN_INTERVAL)) return known
    return transaction(db, async (tx) => {
      const mark = await lock(tx, me.id)
      const left_at = mark.visited_at < ago(VISIT_END) ? mark.visited_at : mark.left_at
      const visit = { left_at, visited_at: isoNow() }
      await tx.updateTable('since_marks').set(visit).where('user_id', '=', me.id).execute()
      return { ...mark, ...visit }
    })
  }

  async function away(context: MemberContext) {
    return { since: sinceOf(await visit(context)) }
  }

  return { visit, away }
}

async function lock(tx: Tx, user: number) {
  await begin(tx, user, ago(FIRST_PERIOD))
  return (await find(tx, user))!
}

/** Only forward. */
export const done = ({ db, me, realtime }: MemberContext, until: string) =>
  transaction(db, async (tx) => {
    const mark = await lock(tx, me.id)
    const done_until = later(mark.done_until, until)
    const { numUpdatedRows } = await tx
      .updateTable('since_marks')
      .set({ done_until })
      .where('user_id', '=', me.id)
      .where('done_until', '<', until)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows)
      tx.afterCommit(() =>
        realtime.broadcast(
          [fillChannel(chatChannels.member, { user: me.id })],
          CHANGED_EVENT,
          {},
          { aboutUsers: [] },
        ),
      )
    return { since: sinceOf({ ...mark, done_until }) }
  })
