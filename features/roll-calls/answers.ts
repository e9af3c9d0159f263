import type { AppContext, MemberContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import { type Db, hasMatchingRow, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError, httpErrors } from '#core/http/errors.ts'
import * as guardians from '#features/guardians/read.ts'
import * as notifier from '#features/notifications/model.ts'
import { MAX_ANSWERS, type RollCallState, rollCallChannels } from './contract.ts'
import * as help from './help.ts'
import { positionOf } from './positions.ts'
import { isWaiting } from './read.ts'

interface Answer {
  state: RollCallState
  words: string | null
  place: string | null
  /** In seconds, before it was sent. */
  waited: number
}

export const kindOf = ({ is_drill }: { is_drill: unknown }) => (is_drill ? 'roll_call_drill' : 'roll_call')

const openQuery = (db: Db, id: number) =>
  db.selectFrom('roll_calls').selectAll().where('id', '=', id).where('ended_at', 'is', null)

/** Undefined after its end. */
export const findOpen = (db: Db, id: number) => openQuery(db, id).executeTakeFirst()

/** As `findOpen`; it does not end before the commit. */
export const lockOpen = (tx: Tx, id: number) =>
  openQuery(tx, id)
    .$if(isPostgres(tx), (query) => query.forShare())
    .executeTakeFirst()

/**
 * Of the member, or for a child of theirs (`person`). 404 if that person was not asked, 409 after the end.
 */
export const save = (context: MemberContext, call: number, person: number, { waited, ...answer }: Answer) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    if (person !== me.id) await guardians.requireGuardian({ db: tx, me }, person)
    const found = await lockOpen(tx, call)
    if (!(await isAsked(tx, call, person))) throw httpErrors.notFound()
    if (!found) throw createEndedError()
    if (waited && (await hasNewer(tx, call, person, waited))) return
    await requireFewAnswers(tx, call, person)
    const { id } = await tx
      .insertInto('roll_call_answers')
      .values({ roll_call_id: call, user_id: person, ...answer, answered_by: me.id, created_at: isoNow() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('roll_call_members')
      .set({ position: positionOf(answer.state, person), answer_id: id })
      .where('roll_call_id', '=', call)
      .where('user_id', '=', person)
      .execute()
    await endWaiting(context, tx, found, person)
    await help.update(context, tx, found, person, answer.state === 'help')
    announce(context, tx, call, { user_id: person, state: answer.state })
  })

/** Locks the row, so that the answers of two people for one child have an order. */
async function isAsked(tx: Tx, call: number, person: number) {
  const row = await tx
    .selectFrom('roll_call_members')
    .select('user_id')
    .where('roll_call_id', '=', call)
    .where('user_id', '=', person)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  return row !== undefined
}

const hasNewer = (tx: Tx, call: number, person: number, waited: number) =>
  hasMatchingRow(
    tx
      .selectFrom('roll_call_answers')
      .select('id')
      .where('roll_call_id', '=', call)
      .where('user_id', '=', person)
      .where('created_at', '>', new Date(Date.now() - waited * 1000).toISOString()),
  )

async function requireFewAnswers(tx: Tx, call: number, person: number) {
  const { count } = await tx
    .selectFrom('roll_call_answers')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('roll_call_id', '=', call)
    .where('user_id', '=', person)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_ANSWERS)
    throw fieldError('state', {
      en: `An answer can be changed at most ${MAX_ANSWERS} times.`,
      ja: `回答を変更できるのは${MAX_ANSWERS}回までです。`,
    })
}

const createEndedError = () =>
  new HttpError(409, { en: 'This roll call has ended.', ja: 'この安否確認は終了しました。' })

/** The notifications of the person and the guardians, if they have nothing more to answer. */
async function endWaiting(
  context: AppContext,
  tx: Tx,
  call: { id: number; is_drill: number },
  person: number,
) {
  const pairs = await guardians.guardianPairs(tx).where('g.child_id', '=', person).execute()
  for (const user of [person, ...pairs.map(({ guardian_id }) => guardian_id)])
    if (!(await isWaiting(tx, call.id, user)))
      await notifier.deleteAbout(context, tx, { kind: kindOf(call), subject: call.id, user })
}

interface Change {
  user_id: number | null
  state: RollCallState | null
  ended_at?: string | null
}

/** After the commit. Those who may not see the person hear only that something has changed. */
export function announce(context: AppContext, tx: Tx, call: number, change: Change) {
  const aboutUsers = change.user_id === null ? [] : [change.user_id]
  const data = { ended_at: null, ...change }
  tx.afterCommit(() =>
    context.realtime.broadcast([fillChannel(rollCallChannels.board, { call })], 'RollCallChanged', data, {
      aboutUsers,
      fallbackData: { ...data, user_id: null, state: null },
    }),
  )
}
