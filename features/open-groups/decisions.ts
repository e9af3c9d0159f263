import type { MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import { san } from '#core/text/honorific.ts'
import { ContactsError } from '#features/groups/contacts-error.ts'
import { lockManagedGroup, owns } from '#features/groups/managers.ts'
import * as groupModel from '#features/groups/model.ts'
import * as people from '#features/people/read.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import * as telling from './telling.ts'

// Who manages the group decides, once: of two at the same moment the second learns what the first did. Callers hold
// the lock of the group until the broadcast.

/** 404 unless the member manages its group. */
export async function find({ db, me }: Pick<MemberContext, 'db' | 'me'>, id: number) {
  const row = await db
    .selectFrom('group_requests as r')
    .select(['r.id', 'r.group_id', 'r.user_id'])
    .where('r.id', '=', id)
    .$if(!me.is_admin, (found) => found.where(owns(me.id, 'r.group_id')))
    .executeTakeFirst()
  if (!row) throw httpErrors.notFound()
  return row
}
type Request = Awaited<ReturnType<typeof find>>

const getDecision = (db: Db, id: number) =>
  db.selectFrom('group_requests').select(['decision', 'decided_by']).where('id', '=', id).executeTakeFirst()

class DecidedBefore extends Error {}

/** Throws `DecidedBefore` if this was decided already, and 409 if the opposite was; 404 if it was taken back. */
async function requireWaiting(tx: Tx, id: number, decision: 'accepted' | 'declined') {
  const found = await getDecision(tx, id)
  if (!found) throw httpErrors.notFound()
  if (found.decision === decision) throw new DecidedBefore()
  if (found.decision !== null) throw await createConflict(tx, found.decision, found.decided_by)
}

async function createConflict(tx: Tx, decision: 'accepted' | 'declined', decided_by: number | null) {
  const name = decided_by === null ? undefined : (await people.findRecipient(tx, decided_by))?.name
  const [en, ja] = [name ?? 'Somebody', name ? san(name) : 'ほかの人']
  return new HttpError(
    409,
    decision === 'accepted'
      ? { en: `${en} has accepted this request already.`, ja: `${ja}が、すでに承認しました。` }
      : { en: `${en} has declined this request already.`, ja: `${ja}が、すでに断りました。` },
  )
}

const ignoringRepeats = async (decide: () => Promise<unknown>) => {
  try {
    await decide()
  } catch (error) {
    if (!(error instanceof DecidedBefore)) throw error
  }
}

/** `passed_on`: a child would get a new contact, so only an admin can accept it. Admins are told. */
export async function accept(context: SessionContext, request: Request): Promise<'accepted' | 'passed_on'> {
  const { id, group_id, user_id } = request
  try {
    // The listener of `group.member_added` notes the decision.
    await ignoringRepeats(async () => {
      const added = await groupModel.addAsManager(context, group_id, user_id, (tx) =>
        requireWaiting(tx, id, 'accepted'),
      )
      if (!added) await transaction(context.db, (tx) => noteAccepted(context, tx, request))
    })
  } catch (error) {
    if (!(error instanceof ContactsError)) throw error
    await transaction(context.db, (tx) => passOn(context, tx, id))
    return 'passed_on'
  }
  return 'accepted'
}

export const decline = (context: SessionContext, { id, group_id }: Request) =>
  ignoringRepeats(() =>
    transaction(context.db, async (tx) => {
      await lockManagedGroup(context, tx, group_id)
      await requireWaiting(tx, id, 'declined')
      await note(context, tx, id, 'declined')
    }),
  )

async function note(context: MemberContext, tx: Tx, id: number, decision: 'accepted' | 'declined') {
  const decided = await tx
    .updateTable('group_requests')
    .set({ decision, decided_by: context.me.id, decided_at: isoNow() })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .returning(['id', 'group_id', 'user_id'])
    .executeTakeFirst()
  if (!decided) return
  await telling.end(context, tx, decided)
  telling.requestChanged(context, tx, decided.user_id)
}

/** The person is in the group now, whoever has added them. Somebody who was removed may join again then. */
export async function noteAccepted(
  context: MemberContext,
  tx: Tx,
  { group_id, user_id }: Omit<Request, 'id'>,
) {
  await tx
    .deleteFrom('group_removals')
    .where('group_id', '=', group_id)
    .where('user_id', '=', user_id)
    .execute()
  const request = await tx
    .selectFrom('group_requests')
    .select('id')
    .where('group_id', '=', group_id)
    .where('user_id', '=', user_id)
    .where('decision', 'is', null)
    .executeTakeFirst()
  if (request) await note(context, tx, request.id, 'accepted')
}

async function passOn(context: MemberContext, tx: Tx, id: number) {
  const passed = await tx
    .updateTable('group_requests')
    .set({ needs_admin_since: isoNow() })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .where('needs_admin_since', 'is', null)
    .returning(['id', 'group_id', 'needs_admin_since'])
    .executeTakeFirst()
  if (!passed) return
  await telling.end(context, tx, passed)
  await telling.tell(context, tx, passed)
}

/** In ms. */
const KEPT = 30 * 24 * 3600_000

export const deleteOld = (tx: Tx) =>
  tx
    .deleteFrom('group_requests')
    .where('decided_at', '<', new Date(Date.now() - KEPT).toISOString())
    .execute()
