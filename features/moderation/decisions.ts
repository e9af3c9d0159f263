import * as auditLog from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { saltAndHash } from '#core/secrets/salted-notes.ts'
import { shorten } from '#core/text/shorten.ts'
import * as chatMessages from '#features/messages/moderation.ts'
import { suspendMember } from '#features/people/admins.ts'
import * as credentials from '#features/people/credentials.ts'
import { isModerator, requireModerator } from '#features/people/moderators.ts'
import * as people from '#features/people/read.ts'
import * as posts from '#features/posts/moderation.ts'
import * as replies from '#features/replies/moderation.ts'
import * as cases from './cases.ts'
import type { DecisionAction, ReportKind } from './contract.ts'
import { getEvidence, noSuchCase, type StoredEvidence } from './evidence.ts'
import * as notices from './notices.ts'
import * as waiting from './waiting.ts'

interface Decision {
  id: number
  action: DecisionAction
  note: string
  /** For `suspend` only. */
  days?: number | undefined
}

interface LockedCase {
  id: number
  kind: ReportKind
  subject_id: number
  author_id: number
  chat: 'private' | 'group' | null
  closed_at: string | null
  outcome: DecisionAction | null
}

/**
 * 409 if another moderator has decided meanwhile, 403 if this one may not read the evidence, 422 if the
 * action is not possible. Notifies the author unless the report is dismissed, and writes the audit log.
 */
export async function decideCase(context: MemberContext & { lang: Language }, decision: Decision) {
  const { db } = context
  const { subject_id, kind, author_id } = await readCaseSubject(context, decision.id)
  const decide = () =>
    transaction(db, async (tx) => {
      // The author could become an admin before the suspension. The account is locked before the case, as in
      // all transactions that lock both.
      if (decision.action === 'suspend') await credentials.lock(tx, author_id)
      await decideInTransaction(context, tx, decision)
    })
  // Held during the decision, so that the events of the message are sent in the order of its changes.
  return kind === 'message' ? chatMessages.withLock(context, subject_id, decide) : decide()
}

async function readCaseSubject({ db, me }: MemberContext, id: number) {
  const row = await db
    .selectFrom('report_cases')
    .select(['kind', 'subject_id', 'author_id'])
    .where('id', '=', id)
    .where('author_id', '!=', me.id)
    .executeTakeFirst()
  if (!row) throw noSuchCase()
  return row
}

async function decideInTransaction(
  context: MemberContext & { lang: Language },
  tx: Tx,
  { id, action, note, days }: Decision,
) {
  const { me } = context
  const role = await requireModerator(tx, me)
  const row = await lockCase(tx, id, me.id)
  requireFittingAction(row, action)
  const { reading, evidence } = await getEvidence({ ...context, db: tx }, row)
  if (reading !== 'open' && reading !== 'deleted') throw notOpenedError()
  await actOnSubject(context, tx, row, action)
  if (action === 'suspend') await suspendAuthor(context, tx, row.author_id, { role, days, reason: note })
  const { salt, note_hash } = saltAndHash(note)
  const decisionId = await cases.close(tx, id, {
    moderator_id: me.id,
    action,
    note,
    salt,
  })
  await waiting.end(context, tx, id)
  if (action !== 'dismiss')
    await notices.create(context, tx, {
      ...row,
      action,
      note,
      excerpt: excerptOf(row, evidence),
    })
  await auditLog.record(tx, {
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

/** The oldest report that was not deleted with its reporter's account; null if there is none. */
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

/** 404 if there is no such case, or if it is about the moderator. */
async function lockCase(tx: Tx, id: number, me: number): Promise<LockedCase> {
  const row = await tx
    .selectFrom('report_cases')
    .select(['id', 'kind', 'subject_id', 'author_id', 'chat', 'closed_at', 'outcome'])
    .where('id', '=', id)
    .where('author_id', '!=', me)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw noSuchCase()
  return row
}

/** Replies can only be deleted (see docs/decisions, number 0075). */
const hidableKinds: readonly ReportKind[] = ['post', 'message']
/** Stored, so that moderators can delete them. */
const deletableKinds: readonly ReportKind[] = ['post', 'reply', 'message']

/** 409 if the case is decided, unless the action restores. 422 if the action does not fit the kind. */
function requireFittingAction({ kind, closed_at, outcome }: LockedCase, action: DecisionAction) {
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
    throw fieldError('action', {
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
  action: DecisionAction,
) {
  const isPost = kind === 'post'
  if (action === 'hide')
    await (isPost ? posts.hide(context, tx, subject_id) : chatMessages.hide(context, tx, subject_id))
  if (action === 'restore')
    await (isPost ? posts.unhide(context, tx, subject_id) : chatMessages.unhide(tx, subject_id))
  if (action === 'delete') {
    if (isPost) await posts.remove(context, tx, subject_id)
    else if (kind === 'reply') await replies.remove(context, tx, subject_id)
    else await chatMessages.remove(context, tx, subject_id)
  }
}

const DAY = 24 * 3600_000

/** 403 for an admin, and if a moderator suspends a moderator, because only admins decide about these. */
async function suspendAuthor(
  context: MemberContext,
  tx: Tx,
  author: number,
  { role, days, reason }: { role: 'admin' | 'moderator'; days: number | undefined; reason: string },
) {
  if (days === undefined)
    throw fieldError('days', { en: 'Say for how many days.', ja: '日数を入力してください。' })
  if ((await people.isAdmin(tx, author)) || (role === 'moderator' && (await isModerator(tx, author))))
    throw new HttpError(403, {
      en: 'Admins cannot be suspended here, and moderators only by admins.',
      ja: 'ここでは、管理者の利用は停止できません。モデレーターの利用を停止できるのは、管理者だけです。',
    })
  const ends_at = new Date(Date.now() + days * DAY).toISOString()
  await suspendMember(context, tx, author, context.me.id, { ends_at, reason, role })
}

/** In code points. */
const MAX_EXCERPT = 160

/** Null for a private chat: the excerpt would tell the author that the other person reported it. */
const excerptOf = ({ chat }: LockedCase, evidence: StoredEvidence[] | null) => {
  if (chat === 'private') return null
  const text = evidence?.find(({ is_reported }) => is_reported)?.text
  return text ? shorten(text, MAX_EXCERPT) : null
}
