import type { NewEntry } from '#core/audit-log/audit-log.ts'
import * as auditLog from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import type { Listeners } from '#core/feature/listeners.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { getLoggedNotes } from '#features/moderation/logged-notes.ts'
import type { Person } from '#features/people/contract.ts'
import * as people from '#features/people/read.ts'
import * as joinDecisions from '#features/registration/join-decisions.ts'
import type { LogEntry } from './contract.ts'

/** Leaves out what admins do to their own posts and accounts. */
const recordForOthers = (tx: Tx, owner_id: number, entry: NewEntry) =>
  entry.actor_id === owner_id ? undefined : auditLog.record(tx, entry)

interface GroupEvent {
  conversation_id: number
  /** Null if no person made the change. */
  actor_id: number | null
  by_owner: boolean
}
const recordOfGroup = (tx: Tx, action: string, { conversation_id, actor_id, by_owner }: GroupEvent) =>
  by_owner || actor_id === null
    ? undefined
    : auditLog.record(tx, { action, subject: 'group', subject_id: conversation_id, actor_id })

/** Leaves out what the owners of groups do in their own groups. */
export const auditListeners: Listeners = {
  // The feature `moderation` records posts that moderators delete, with the reason.
  'post.deleted': (tx, { id, user_id, actor_id, by_moderator }) =>
    by_moderator
      ? undefined
      : recordForOthers(tx, user_id, { action: 'post_deleted', subject: 'post', subject_id: id, actor_id }),
  // Also pins of the admin's own posts, because they concern everybody.
  'post.pinned': (tx, { id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : auditLog.record(tx, { action: 'post_pinned', subject: 'post', subject_id: id, actor_id }),
  'post.unpinned': (tx, { id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : auditLog.record(tx, { action: 'post_unpinned', subject: 'post', subject_id: id, actor_id }),
  'post.announced': (tx, { id, actor_id, role }) =>
    role === 'admin'
      ? auditLog.record(tx, { action: 'post_announced', subject: 'post', subject_id: id, actor_id })
      : undefined,
  'message.pinned': (tx, { id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : auditLog.record(tx, { action: 'message_pinned', subject: 'message', subject_id: id, actor_id }),
  'message.unpinned': (tx, { id, actor_id, by_owner }) =>
    by_owner
      ? undefined
      : auditLog.record(tx, { action: 'message_unpinned', subject: 'message', subject_id: id, actor_id }),
  'group.renamed': (tx, event) => recordOfGroup(tx, 'group_renamed', event),
  'group.description_changed': (tx, event) => recordOfGroup(tx, 'group_description_changed', event),
  'group.owner_changed': (tx, event) => recordOfGroup(tx, 'group_owner_changed', event),
  'group.picture_changed': (tx, event) => recordOfGroup(tx, 'group_picture_changed', event),
  'group.writers_changed': (tx, event) => recordOfGroup(tx, 'group_writers_changed', event),
  'group.access_changed': (tx, event) => recordOfGroup(tx, 'group_access_changed', event),
  'group.ended': (tx, event) => recordOfGroup(tx, 'group_ended', event),
  'group.reopened': (tx, event) => recordOfGroup(tx, 'group_reopened', event),
  'group.slow_mode_changed': (tx, event) => recordOfGroup(tx, 'group_slow_mode_changed', event),
  'group.deleted': (tx, event) => recordOfGroup(tx, 'group_deleted', event),
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

/** The JSON in the column `detail`, in all entries except those about settings. */
interface ActionDetail {
  /** `case`: the id of a moderation case. `decision`: the id of the moderators' decision about it. */
  case?: number
  decision?: number
  note_hash?: string
  /** The reason of a refused request to join, in old entries only. Newer ones have its hash, `note_hash`. */
  reason?: string
  report_reason?: string | null
  /** The moderators who had opened the same excerpt of a private chat before. */
  together_with?: number[]
  guardians?: number[]
}

async function readRows({ db }: MemberContext, page: PageParams) {
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
  const rows = await pageOf(db.selectFrom('audit_log').select(columns), 'id', page, 'desc').execute()
  return rows.map(({ detail, ...row }) => {
    const data: ActionDetail = detail && row.subject !== 'settings' ? JSON.parse(detail) : {}
    const settings = detail && row.subject === 'settings' ? JSON.parse(detail) : null
    return { ...row, settings, detail: data }
  })
}

type LogRow = Awaited<ReturnType<typeof readRows>>[number]

/** Null also for a decision about a report on the viewer: admins must not learn who reported them. */
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

/** Newest first. Only admins get who acted, whom it concerns, and the written reason. */
export async function listAuditLog(context: MemberContext, page: PageParams) {
  const { me } = context
  const rows = await readRows(context, page)
  const shown = me.is_admin ? rows : []
  const people = await readPeople(
    context,
    shown.flatMap((row) => [row.actor_id, readMemberId(row, me.id), ...listOtherIds(row)]),
  )
  const notes = await getLoggedNotes(
    context,
    shown.map(({ detail }) => detail),
  )
  const refusals = await joinDecisions.reasons(context.db, shown.flatMap(toLoggedRefusals))
  const readReason = ({ subject, subject_id, detail }: LogRow) =>
    (subject === 'join_request'
      ? (detail.reason ?? refusals.get(subject_id ?? 0))
      : notes.get(detail.decision ?? 0)) ?? null
  const entries = rows.map((row): LogEntry => {
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
  return paged(
    entries,
    page.limit,
    (last) => ({ before: last.id }),
    (visible) => visible,
  )
}

async function readPeople(context: MemberContext, ids: readonly (number | null)[]) {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (!wanted.length) return new Map<number, Person>()
  // Without the visibility rules: an admin could hide from the log by blocking the other admins.
  const rows = await people
    .unfiltered(context)
    .where('id', 'in', wanted)
    .where('former_since', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, people.fromRow(context.media, row)]))
}
