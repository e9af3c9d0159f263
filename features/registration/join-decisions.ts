import './events.ts'
import * as auditLog from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import type { Language, Sentence } from '#core/contract.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import type { PageParams } from '#core/schemas.ts'
import { matchesNote, saltAndHash } from '#core/secrets/salted-notes.ts'
import { san } from '#core/text/honorific.ts'
import { requireAdmin } from '#features/people/admins.ts'
import * as credentials from '#features/people/credentials.ts'
import { saveLanguage } from '#features/people/languages.ts'
import { createAccount } from '#features/people/model.ts'
import { insertKnown } from '#features/people/new-members.ts'
import { untrustedHash } from '#features/people/passwords.ts'
import * as people from '#features/people/read.ts'
import * as securityLog from '#features/people/security-log.ts'
import type { WaitingRequest } from './contract.ts'
import * as joinMails from './join-request-mails.ts'
import * as joinRequests from './join-requests.ts'

/** The newest first; without `with_email`, addresses are left out. */
export async function list({ db }: MemberContext, page: PageParams, with_email: boolean) {
  const waiting = db
    .selectFrom('join_requests')
    .select([
      'id',
      'name',
      'reading',
      'email',
      'verified_at',
      'proven_at',
      'question',
      'answer',
      'entered_at',
    ])
    .where('entered_at', 'is not', null)
  const rows = await pageOf(waiting, 'id', page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(
        ({ verified_at, proven_at, entered_at, email, ...request }): WaitingRequest => ({
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
 * Deletes it and records the decision. If two admins decide at the same moment, the second gets a 409 with
 * the decision of the first. 404 if there is no such request.
 */
async function take(
  { me, emit }: MemberContext,
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
  await emit(tx, 'join_request.ended', { id })
  const { token_hash, mail_token_hash } = request
  await tx
    .insertInto('join_decisions')
    .values({
      request_id: id,
      token_hash,
      mail_token_hash,
      ...decision,
      decided_by: me.id,
      decided_at: isoNow(),
    })
    .execute()
  return { ...request, lang: request.lang as Language }
}

const decidedMessages: Record<Decision, (admin: string | undefined) => Sentence> = {
  approved: (admin) => ({
    en: `${admin ?? 'Another admin'} has approved this request already.`,
    ja: `${admin ? san(admin) : 'ほかの管理者'}が、すでに承認しました。`,
  }),
  refused: (admin) => ({
    en: `${admin ?? 'Another admin'} has refused this request already.`,
    ja: `${admin ? san(admin) : 'ほかの管理者'}が、すでに断りました。`,
  }),
}

async function createDecidedError(tx: Tx, id: number) {
  const decided = await tx
    .selectFrom('join_decisions')
    .select(['decision', 'decided_by'])
    .where('request_id', '=', id)
    .executeTakeFirst()
  if (!decided) return httpErrors.notFound()
  const admin = decided.decided_by === null ? undefined : await people.findRecipient(tx, decided.decided_by)
  return new HttpError(409, decidedMessages[decided.decision](admin?.name))
}

/**
 * Tells the person by mail if the address is verified. If only another browser has verified it, the password
 * of the request logs nobody in, because a stranger may have chosen it. 422 if another account has taken the
 * address; see `joinDecisions.take` for other errors.
 */
export const approve = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    await credentials.lockAll(tx)
    const request = await take(context, tx, id, { decision: 'approved' })
    const { verified_at, proven_at } = request
    const isForeign = verified_at !== null && proven_at === null
    const password_hash = isForeign ? untrustedHash(request.password_hash) : request.password_hash
    const account = await createAccount(context, tx, { ...request, password_hash, isFirstAdmin: false })
    await insertKnown(tx, account.id, context.me.id)
    await securityLog.record(tx, account.id, 'registered')
    await saveLanguage(tx, account.id, request.lang)
    await joinRequests.removeOthers(context, tx, request.email_key, id)
    await context.emit(tx, 'member.joined', { id: account.id, inviter_id: null, approver_id: me.id })
    if (verified_at !== null) {
      await credentials.markVerified({ db: tx }, account.id)
      if (proven_at !== null) await credentials.proveEmail(tx, context.config, account.id)
      await enqueueMail(tx, account.id, joinMails.approval(context, request, isForeign))
    }
    await auditLog.record(tx, {
      action: 'join_request_approved',
      subject: 'member',
      subject_id: account.id,
      actor_id: me.id,
    })
    return { id: account.id, name: account.name }
  })

/**
 * Sends the reason by mail if the address is verified. It also stays with the decision for thirty days; the
 * audit log has its hash.
 */
export const refuse = (context: MemberContext, { id, reason }: { id: number; reason: string | null }) =>
  transaction(context.db, async (tx) => {
    const { salt, note_hash } = saltAndHash(reason ?? '')
    const stored = reason === null ? {} : { reason, salt }
    const request = await take(context, tx, id, { decision: 'refused', ...stored })
    if (request.verified_at !== null) await enqueueMail(tx, null, joinMails.refusal(context, request, reason))
    await auditLog.record(tx, {
      action: 'join_request_refused',
      subject: 'join_request',
      subject_id: id,
      actor_id: context.me.id,
      ...(reason !== null && { detail: { note_hash } }),
    })
  })

/** In the audit log. */
interface LoggedRefusal {
  request_id: number
  note_hash: string
}

/**
 * By the id of the request. Leaves out reasons deleted after thirty days, and changed ones, whose hash
 * differs.
 */
export async function reasons(db: Db, logged: readonly LoggedRefusal[]) {
  if (!logged.length) return new Map<number, string>()
  const hashes = new Map(logged.map(({ request_id, note_hash }) => [request_id, note_hash]))
  const rows = await db
    .selectFrom('join_decisions')
    .select(['request_id', 'reason', 'salt'])
    .where('request_id', 'in', [...hashes.keys()])
    .execute()
  return new Map(
    rows.flatMap(({ request_id, reason, salt }): [number, string][] =>
      reason !== null && salt !== null && matchesNote({ note: reason, salt }, hashes.get(request_id))
        ? [[request_id, reason]]
        : [],
    ),
  )
}
