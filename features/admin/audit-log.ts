import { type NewAuditLogEntry, recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { DomainEventListeners } from '#core/listeners.ts'
import { readUnalteredModerationNotesByDecisionId } from '#features/moderation/logged-notes.ts'
import type { Person } from '#features/people/contract.ts'
import { buildUnfilteredPersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import { readUnalteredJoinRefusalReasonsByRequestId } from '#features/registration/join-decisions.ts'
import type { ListedAuditLogEntry } from './audit-log-contract.ts'

/**
 * Records an action of an admin in the audit log. Records nothing if the post or account that the action
 * changed is the admin's own.
 */
const recordForOthers = (tx: Tx, owner_id: number, entry: NewAuditLogEntry) =>
  entry.actor_id === owner_id ? undefined : recordAuditLogEntry(tx, entry)

/**
 * Records in the audit log what admins do to posts of others, to pins of posts and messages, and to groups.
 * The log leaves out what the owners of groups do in their own groups.
 */
export const auditLogDomainEventListeners: DomainEventListeners = {
  // Records nothing for posts that moderators delete, because the feature `moderation` records these
  // deletions itself, with the reason.
  'post.deleted': (tx, { id, user_id, actor_id, by_moderator }) =>
    by_moderator
      ? undefined
      : recordForOthers(tx, user_id, { action: 'post_deleted', subject: 'post', subject_id: id, actor_id }),
  // Records all pins that admins set for the whole community, also those of their own posts, because these
  // pins concern everybody.
  'post.pinned': (tx, { id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordAuditLogEntry(tx, { action: 'post_pinned', subject: 'post', subject_id: id, actor_id }),
  'post.unpinned': (tx, { id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordAuditLogEntry(tx, { action: 'post_unpinned', subject: 'post', subject_id: id, actor_id }),
  'post.announced': (tx, { id, actor_id }) =>
    recordAuditLogEntry(tx, { action: 'post_announced', subject: 'post', subject_id: id, actor_id }),
  'message.pinned': (tx, { id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordAuditLogEntry(tx, { action: 'message_pinned', subject: 'message', subject_id: id, actor_id }),
  'message.unpinned': (tx, { id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordAuditLogEntry(tx, { action: 'message_unpinned', subject: 'message', subject_id: id, actor_id }),
  'group.renamed': (tx, { conversation_id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordAuditLogEntry(tx, {
          action: 'group_renamed',
          subject: 'group',
          subject_id: conversation_id,
          actor_id,
        }),
  'group.description_changed': (tx, { conversation_id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordAuditLogEntry(tx, {
          action: 'group_description_changed',
          subject: 'group',
          subject_id: conversation_id,
          actor_id,
        }),
  'group.owner_changed': (tx, { conversation_id, actor_id, by_owner }) =>
    by_owner || actor_id === null
      ? undefined
      : recordAuditLogEntry(tx, {
          action: 'group_owner_changed',
          subject: 'group',
          subject_id: conversation_id,
          actor_id,
        }),
  'group.picture_changed': (tx, { conversation_id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordAuditLogEntry(tx, {
          action: 'group_picture_changed',
          subject: 'group',
          subject_id: conversation_id,
          actor_id,
        }),
  'group.slow_mode_changed': (tx, { conversation_id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordAuditLogEntry(tx, {
          action: 'group_slow_mode_changed',
          subject: 'group',
          subject_id: conversation_id,
          actor_id,
        }),
  'group.deleted': (tx, { conversation_id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordAuditLogEntry(tx, {
          action: 'group_deleted',
          subject: 'group',
          subject_id: conversation_id,
          actor_id,
        }),
  'group.member_removed': (tx, { user_id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : recordForOthers(tx, user_id, {
          action: 'group_member_removed',
          subject: 'member',
          subject_id: user_id,
          actor_id,
        }),
}

/**
 * The object that the column `detail` of the audit log contains as JSON, in all entries except those about
 * settings.
 */
interface ActionDetail {
  /**
   * `case`: the id of the moderation case that the action concerns. `decision`: the id of the moderators'
   * decision about this case.
   */
  case?: number
  decision?: number
  note_hash?: string
  /**
   * The written reason of a refused request to join, in old entries only. Newer entries have only the hash of
   * the reason, `note_hash`.
   */
  reason?: string
  report_reason?: string | null
  /** The ids of the moderators who had opened the same excerpt of a private chat before this action. */
  together_with?: number[]
  /** The ids of the child's guardians, if the action is about a child's account. */
  guardians?: number[]
}

/** Reads the database rows of one page of the audit log, newest first. */
async function readRows({ db }: MemberContext, page: PaginationParameters) {
  const columns = [
    'id',
    'created_at',
    'role',
    'actor_id',
    'action',
    'subject',
    'subject_id',
    'detail',
  ] as const
  const rows = await limitQueryToKeysetPagePlusOneRow(
    db.selectFrom('audit_log').select(columns),
    'id',
    page,
    'desc',
  ).execute()
  return rows.map(({ detail, ...row }) => {
    const data: ActionDetail = detail && row.subject !== 'settings' ? JSON.parse(detail) : {}
    const settings = detail && row.subject === 'settings' ? JSON.parse(detail) : null
    return { ...row, settings, detail: data }
  })
}

type LogRow = Awaited<ReturnType<typeof readRows>>[number]

/**
 * Returns the id of the member on whose account somebody acted; null if the action was not on a member. Also
 * null for a decision about a report on the viewer: admins must not learn from the log who has reported what
 * about them.
 */
const readMemberId = ({ subject, subject_id, detail }: LogRow, viewer: number) =>
  subject !== 'member' || (detail.case !== undefined && subject_id === viewer) ? null : subject_id

const toLoggedRefusals = ({ subject, subject_id, detail: { note_hash } }: LogRow) =>
  subject === 'join_request' && subject_id !== null && note_hash
    ? [{ request_id: subject_id, note_hash }]
    : []
const listOtherIds = ({ detail: { together_with = [], guardians = [] } }: LogRow) => [
  ...together_with,
  ...guardians,
]

/**
 * Lists one page of the audit log, newest first. Only for admins, the entries contain the person who acted,
 * the person concerned, and the written reason.
 */
export async function listAuditLogPageWithNamesIfViewerIsAdmin(
  context: MemberContext,
  page: PaginationParameters,
) {
  const { me } = context
  const rows = await readRows(context, page)
  const shown = me.is_admin ? rows : []
  const people = await readPeople(
    context,
    shown.flatMap((row) => [row.actor_id, readMemberId(row, me.id), ...listOtherIds(row)]),
  )
  const notes = await readUnalteredModerationNotesByDecisionId(
    context,
    shown.map(({ detail }) => detail),
  )
  const refusals = await readUnalteredJoinRefusalReasonsByRequestId(
    context.db,
    shown.flatMap(toLoggedRefusals),
  )
  const readReason = ({ subject, subject_id, detail }: LogRow) =>
    (subject === 'join_request'
      ? (detail.reason ?? refusals.get(subject_id ?? 0))
      : notes.get(detail.decision ?? 0)) ?? null
  const entries = rows.map((row): ListedAuditLogEntry => {
    const { actor_id, subject_id, detail, ...entry } = row
    return {
      ...entry,
      reason: me.is_admin ? readReason(row) : null,
      report_reason: detail.report_reason ?? null,
      actor: people.get(actor_id ?? 0) ?? null,
      member: people.get(readMemberId(row, me.id) ?? 0) ?? null,
      together_with: (detail.together_with ?? []).flatMap((id) => people.get(id) ?? []),
      guardians: (detail.guardians ?? []).flatMap((id) => people.get(id) ?? []),
    }
  })
  return toPagedResponse(
    entries,
    page.limit,
    (last) => ({ before: last.id }),
    (visible) => visible,
  )
}

async function readPeople(context: MemberContext, ids: readonly (number | null)[]) {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (!wanted.length) return new Map<number, Person>()
  // Reads the people without the visibility rules. With these rules, an admin could hide from the log by
  // blocking the other admins.
  const rows = await buildUnfilteredPersonRowsQuery(context)
    .where('id', 'in', wanted)
    .where('former_since', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, toPersonFromRow(context.media, row)]))
}
