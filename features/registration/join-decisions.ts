import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import type { BilingualSentence, Language, PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { createNoteSaltAndHash, isNoteMatchingSaltedHash } from '#core/salted-notes.ts'
import { requireAdmin } from '#features/people/admins.ts'
import { acquireAccountsLock, markEmailVerified, proveEmail } from '#features/people/credentials.ts'
import { saveMemberLanguage } from '#features/people/languages.ts'
import { createAccount } from '#features/people/model.ts'
import { toUntrustedPasswordHash } from '#features/people/passwords.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import type { JoinRequestWaitingForAdmin } from './join-request-contract.ts'
import { createJoinRequestApprovalMail, createJoinRequestRefusalMail } from './join-request-mails.ts'
import { deleteOtherJoinRequestsOfEmailAddress } from './join-requests.ts'

// The functions of this file list the requests to join that wait for an admin, and approve or refuse them.

/**
 * Returns a page of the requests to join that wait for an admin, the newest first. Leaves the e-mail addresses
 * out without `with_email`.
 */
export async function listJoinRequestsWaitingForAdmin(
  { db }: MemberContext,
  page: PaginationParameters,
  with_email: boolean,
) {
  const waiting = db
    .selectFrom('join_requests')
    .select(['id', 'name', 'email', 'verified_at', 'proven_at', 'question', 'answer', 'entered_at'])
    .where('entered_at', 'is not', null)
  const rows = await limitQueryToKeysetPagePlusOneRow(waiting, 'id', page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(
        ({ verified_at, proven_at, entered_at, email, ...request }): JoinRequestWaitingForAdmin => ({
          ...request,
          email: with_email ? email : null,
          is_verified: verified_at !== null,
          is_proven: proven_at !== null,
          entered_at: entered_at!,
        }),
      ),
  )
}

type Decision = 'approved' | 'refused'

/**
 * Deletes a waiting request to join, records the admin's decision about it, and returns the deleted request.
 * If two admins decide at the same moment, the second gets a 409 error with the decision of the first. Throws
 * 404 if there is no such request.
 */
async function takeJoinRequest(
  { me }: MemberContext,
  tx: Tx,
  id: number,
  decision: { decision: Decision; reason?: string; salt?: string },
) {
  await requireAdmin(tx, me.id)
  const request = await tx
    .deleteFrom('join_requests')
    .where('id', '=', id)
    .where('entered_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()
  if (!request) throw await createDecidedError(tx, id)
  const { token_hash, mail_token_hash } = request
  await tx
    .insertInto('join_decisions')
    .values({
      request_id: id,
      token_hash,
      mail_token_hash,
      ...decision,
      decided_by: me.id,
      decided_at: currentIsoTime(),
    })
    .execute()
  return { ...request, lang: request.lang as Language }
}

const decidedMessages: Record<Decision, (admin: string | undefined) => BilingualSentence> = {
  approved: (admin) => ({
    en: `${admin ?? 'Another admin'} has approved this request already.`,
    ja: `${admin ? `${admin}さん` : 'ほかの管理者'}がすでに承認しました。`,
  }),
  refused: (admin) => ({
    en: `${admin ?? 'Another admin'} has refused this request already.`,
    ja: `${admin ? `${admin}さん` : 'ほかの管理者'}がすでに見送りました。`,
  }),
}

async function createDecidedError(tx: Tx, id: number) {
  const decided = await tx
    .selectFrom('join_decisions')
    .select(['decision', 'decided_by'])
    .where('request_id', '=', id)
    .executeTakeFirst()
  if (!decided) return httpErrorFactories.notFound()
  const admin =
    decided.decided_by === null ? undefined : await readNameHandleEmailAndVerifiedTime(tx, decided.decided_by)
  return new HttpError(409, decidedMessages[decided.decision](admin?.name))
}

/**
 * Approves a request to join: creates the account, tells the person by mail if the address is verified, and
 * returns the id and name of the account. If only another browser has verified the address, the password of
 * the request logs nobody in, because a stranger may have chosen it. Throws 422 if another account has taken the address meanwhile; see
 * `takeJoinRequest` for the other errors.
 */
export const approveJoinRequest = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    await acquireAccountsLock(tx)
    const request = await takeJoinRequest(context, tx, id, { decision: 'approved' })
    const { verified_at, proven_at } = request
    const isForeign = verified_at !== null && proven_at === null
    const password_hash = isForeign ? toUntrustedPasswordHash(request.password_hash) : request.password_hash
    const account = await createAccount(context, tx, { ...request, password_hash, isFirstAdmin: false })
    await recordSecurityEvent(tx, account.id, 'registered')
    await saveMemberLanguage(tx, account.id, request.lang)
    await deleteOtherJoinRequestsOfEmailAddress(tx, request.email_key, id)
    if (verified_at !== null) {
      await markEmailVerified({ db: tx }, account.id)
      if (proven_at !== null) await proveEmail(tx, context.config, account.id)
      await enqueueMail(tx, account.id, createJoinRequestApprovalMail(context, request, isForeign))
    }
    await recordAuditLogEntry(tx, {
      action: 'join_request_approved',
      subject: 'member',
      subject_id: account.id,
      actor_id: me.id,
    })
    return { id: account.id, name: account.name }
  })

/**
 * Refuses a request to join, and deletes its data. Sends the person a mail with the reason if the address is
 * verified. The reason also stays with the stored decision for thirty days. The audit log has the hash of the
 * reason.
 */
export const refuseJoinRequest = (
  context: MemberContext,
  { id, reason }: { id: number; reason: string | null },
) =>
  transaction(context.db, async (tx) => {
    const { salt, note_hash } = createNoteSaltAndHash(reason ?? '')
    const stored = reason === null ? {} : { reason, salt }
    const request = await takeJoinRequest(context, tx, id, { decision: 'refused', ...stored })
    if (request.verified_at !== null)
      await enqueueMail(tx, null, createJoinRequestRefusalMail(context, request, reason))
    await recordAuditLogEntry(tx, {
      action: 'join_request_refused',
      subject: 'join_request',
      subject_id: id,
      actor_id: context.me.id,
      ...(reason !== null && { detail: { note_hash } }),
    })
  })

/**
 * The data that the audit log has about a refused request to join: the id of the request, and the hash of the
 * reason.
 */
interface LoggedRefusal {
  request_id: number
  note_hash: string
}

/**
 * Returns a map from the ids of refused requests that the audit log names to the reasons of the refusals.
 * Leaves out reasons that were deleted after thirty days, and reasons that somebody has changed, because they
 * do not have the hash in the log.
 */
export async function readUnalteredJoinRefusalReasonsByRequestId(db: Db, logged: readonly LoggedRefusal[]) {
  if (!logged.length) return new Map<number, string>()
  const hashes = new Map(logged.map(({ request_id, note_hash }) => [request_id, note_hash]))
  const rows = await db
    .selectFrom('join_decisions')
    .select(['request_id', 'reason', 'salt'])
    .where('request_id', 'in', [...hashes.keys()])
    .execute()
  return new Map(
    rows.flatMap(({ request_id, reason, salt }): [number, string][] =>
      reason !== null &&
      salt !== null &&
      isNoteMatchingSaltedHash({ note: reason, salt }, hashes.get(request_id))
        ? [[request_id, reason]]
        : [],
    ),
  )
}
