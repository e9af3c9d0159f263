import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { createNoteSaltAndHash } from '#core/salted-notes.ts'
import {
  hideMessageAsModerator,
  softDeleteMessageAsModerator,
  unhideMessageAsModerator,
  withMessageLock,
} from '#features/chat/moderation.ts'
import { suspendMember } from '#features/people/admins.ts'
import { lockAndReadAccount } from '#features/people/credentials.ts'
import { isModerator, requireModeratorOrAdmin } from '#features/people/moderators.ts'
import { isAdmin } from '#features/people/read.ts'
import {
  deletePostAsModerator,
  hidePostAsModerator,
  unhidePostAsModerator,
} from '#features/posts/moderation.ts'
import { deleteReplyAsModerator } from '#features/replies/moderation.ts'
import { storeDecisionAndCloseModerationCase } from './cases.ts'
import type { ModerationDecisionAction, ReportSubjectKind } from './contract.ts'
import {
  createNoSuchModerationCaseError,
  readModerationEvidenceWithAccessState,
  type StoredModerationEvidenceItem,
} from './evidence.ts'
import { createAndMailModerationNotice } from './notices.ts'

interface Decision {
  id: number
  action: ModerationDecisionAction
  note: string
  /** The number of days of the suspension, if the action is `suspend`. */
  days?: number | undefined
}

interface LockedCase {
  id: number
  kind: ReportSubjectKind
  subject_id: number
  author_id: number
  chat: 'private' | 'group' | null
  closed_at: string | null
  outcome: ModerationDecisionAction | null
}

/**
 * Carries out a moderator's decision in one transaction: acts on the post, reply, message or member, closes
 * the case, notifies the author unless the report is dismissed, and writes the audit log. Throws 409 if
 * another moderator has decided meanwhile, 403 if the moderator may not read the evidence, and 422 if the
 * action is not possible for this case.
 */
export async function decideModerationCase(context: MemberContext & { lang: Language }, decision: Decision) {
  const { db } = context
  const { subject_id, kind, author_id } = await readCaseSubject(context, decision.id)
  const decide = () =>
    transaction(db, async (tx) => {
      // Locks the account of the author, because the author could otherwise become an admin before the
      // suspension. Locks it before the case, as all transactions do that lock both.
      if (decision.action === 'suspend') await lockAndReadAccount(tx, author_id)
      await decideInTransaction(context, tx, decision)
    })
  // Holds the lock of the message during the decision, so that the events of the message are sent in the
  // order of its changes.
  return kind === 'message' ? withMessageLock(context, subject_id, decide) : decide()
}

async function readCaseSubject({ db, me }: MemberContext, id: number) {
  const row = await db
    .selectFrom('report_cases')
    .select(['kind', 'subject_id', 'author_id'])
    .where('id', '=', id)
    .where('author_id', '!=', me.id)
    .executeTakeFirst()
  if (!row) throw createNoSuchModerationCaseError()
  return row
}

async function decideInTransaction(
  context: MemberContext & { lang: Language },
  tx: Tx,
  { id, action, note, days }: Decision,
) {
  const { me } = context
  const role = await requireModeratorOrAdmin(tx, me)
  const row = await lockCase(tx, id, me.id)
  requireFittingAction(row, action)
  const { reading, evidence } = await readModerationEvidenceWithAccessState({ ...context, db: tx }, row)
  if (reading !== 'open' && reading !== 'deleted') throw notOpenedError()
  await actOnSubject(context, tx, row, action)
  if (action === 'suspend') await suspendAuthor(context, tx, row.author_id, { role, days, reason: note })
  const { salt, note_hash } = createNoteSaltAndHash(note)
  const decisionId = await storeDecisionAndCloseModerationCase(tx, id, {
    moderator_id: me.id,
    action,
    note,
    salt,
  })
  if (action !== 'dismiss')
    await createAndMailModerationNotice(context, tx, {
      ...row,
      action,
      note,
      excerpt: excerptOf(row, evidence),
    })
  await recordAuditLogEntry(tx, {
    action: `moderation_${action}`,
    subject: row.kind,
    subject_id: row.subject_id,
    actor_id: me.id,
    role,
    detail: {
      case: id,
      report_reason: await readFirstReason(tx, id),
      decision: decisionId,
      note_hash,
      ...(action === 'suspend' && { days }),
    },
  })
}

/**
 * Returns the reason of the oldest report of a case that was not deleted with its reporter's account; null if
 * there is none.
 */
async function readFirstReason(tx: Tx, case_id: number) {
  const report = await tx
    .selectFrom('reports')
    .select('reason')
    .where('case_id', '=', case_id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return report?.reason ?? null
}

/**
 * Reads a moderation case and locks its row until the commit. Throws 404 if there is no such case, or if it
 * is about the moderator.
 */
async function lockCase(tx: Tx, id: number, me: number): Promise<LockedCase> {
  const row = await tx
    .selectFrom('report_cases')
    .select(['id', 'kind', 'subject_id', 'author_id', 'chat', 'closed_at', 'outcome'])
    .where('id', '=', id)
    .where('author_id', '!=', me)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw createNoSuchModerationCaseError()
  return row
}

/**
 * The kinds of reported content that moderators can hide. Replies can only be deleted (see docs/decisions,
 * number 0075).
 */
const hidableKinds: readonly ReportSubjectKind[] = ['post', 'message']
/** The kinds of reported content that are stored, so that moderators can delete them. */
const deletableKinds: readonly ReportSubjectKind[] = ['post', 'reply', 'message']

/**
 * Throws 409 if moderators have already decided about the case, unless the action restores hidden content.
 * Throws 422 if the action is not possible for this kind of case: for example, a member cannot be hidden.
 */
function requireFittingAction({ kind, closed_at, outcome }: LockedCase, action: ModerationDecisionAction) {
  const canRestore = outcome === 'hide'
  if (closed_at !== null && !(action === 'restore' && canRestore))
    throw new HttpError(409, {
      en: 'Another moderator has decided about this report meanwhile.',
      ja: 'この報告には、すでに別のモデレーターが対応しました。',
    })
  const isImpossible =
    (action === 'hide' && !hidableKinds.includes(kind)) ||
    (action === 'delete' && !deletableKinds.includes(kind))
  if (isImpossible || (action === 'restore' && !canRestore))
    throw createInvalidFieldError('action', {
      en: 'This action does not fit the report.',
      ja: 'この報告には使えない操作です。',
    })
}

const notOpenedError = () =>
  new HttpError(403, {
    en: 'Two moderators have to open the excerpt before somebody decides.',
    ja: '対応を決める前に、モデレーター2人が内容を開く必要があります。',
  })

async function actOnSubject(
  context: MemberContext,
  tx: Tx,
  { kind, subject_id }: LockedCase,
  action: ModerationDecisionAction,
) {
  const isPost = kind === 'post'
  if (action === 'hide')
    await (isPost
      ? hidePostAsModerator(context, tx, subject_id)
      : hideMessageAsModerator(context, tx, subject_id))
  if (action === 'restore')
    await (isPost ? unhidePostAsModerator(context, tx, subject_id) : unhideMessageAsModerator(tx, subject_id))
  if (action === 'delete') {
    if (isPost) await deletePostAsModerator(context, tx, subject_id)
    else if (kind === 'reply') await deleteReplyAsModerator(context, tx, subject_id)
    else await softDeleteMessageAsModerator(context, tx, subject_id)
  }
}

const DAY = 24 * 3600_000

/**
 * Suspends the member whom the case is about for some days. Throws 403 if this member is an admin, and if a
 * moderator suspends a moderator, because only admins decide about moderators.
 */
async function suspendAuthor(
  context: MemberContext,
  tx: Tx,
  author: number,
  { role, days, reason }: { role: 'admin' | 'moderator'; days: number | undefined; reason: string },
) {
  if (days === undefined)
    throw createInvalidFieldError('days', { en: 'Say for how many days.', ja: '日数を入力してください。' })
  if ((await isAdmin(tx, author)) || (role === 'moderator' && (await isModerator(tx, author))))
    throw new HttpError(403, {
      en: 'Admins cannot be suspended here, and moderators only by admins.',
      ja: '管理者はここでは停止できません。モデレーターを停止できるのは管理者だけです。',
    })
  const ends_at = new Date(Date.now() + days * DAY).toISOString()
  await suspendMember(context, tx, author, context.me.id, { ends_at, reason, role })
}

/** The maximum length of the excerpt in a moderation notice, in code points. */
const MAX_EXCERPT = 160

/**
 * Returns the beginning of the reported text, for the notice to its author. Returns null for a message of a
 * private chat: only the other person can have reported it, so the excerpt would tell the author who it was.
 */
const excerptOf = ({ chat }: LockedCase, evidence: StoredModerationEvidenceItem[] | null) => {
  if (chat === 'private') return null
  const text = evidence?.find(({ is_reported }) => is_reported)?.text
  return text ? [...text].slice(0, MAX_EXCERPT).join('') : null
}
