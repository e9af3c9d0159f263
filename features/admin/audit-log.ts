import { type AuditLogEntry, recordAuditLogEntry } from '#core/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import type { PageParameters } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { limitToKeysetPage } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { DomainEventListeners } from '#core/listeners.ts'
import type { Person } from '#features/people/contract.ts'
import { personColumnsQuery, toPublicPerson } from '#features/people/read.ts'
import type { ListedAuditLogEntry } from './audit-log-contract.ts'

/** Records an action, unless a member did it to what is their own. */
const recordForOthers = (tx: Tx, owner_id: number, entry: AuditLogEntry) =>
  entry.actor_id === owner_id ? undefined : recordAuditLogEntry(tx, entry)

/** Records what admins do to posts and groups of others. */
export const auditLogListeners: DomainEventListeners = {
  'post.deleted': (tx, { id, user_id, actor_id }) =>
    recordForOthers(tx, user_id, { action: 'post_deleted', subject: 'post', subject_id: id, actor_id }),
  'group.renamed': (tx, { conversation_id, actor_id }) =>
    recordAuditLogEntry(tx, {
      action: 'group_renamed',
      subject: 'group',
      subject_id: conversation_id,
      actor_id,
    }),
  'group.deleted': (tx, { conversation_id, actor_id }) =>
    recordAuditLogEntry(tx, {
      action: 'group_deleted',
      subject: 'group',
      subject_id: conversation_id,
      actor_id,
    }),
  'group.member_removed': (tx, { user_id, actor_id }) =>
    recordForOthers(tx, user_id, {
      action: 'group_member_removed',
      subject: 'member',
      subject_id: user_id,
      actor_id,
    }),
}

/** Lists one page of the audit log, newest first. Only admins see who acted, and on whom. */
export async function listAuditLog(context: MemberContext, page: PageParameters) {
  const { db, me } = context
  const rows = await limitToKeysetPage(
    db.selectFrom('audit_log').select(['id', 'created_at', 'role', 'actor_id', 'action', 'subject']),
    'id',
    page,
    'desc',
  )
    .select(['subject_id', 'detail'])
    .execute()
  const people = me.is_admin
    ? await readPeople(
        context,
        rows.flatMap(({ actor_id, subject, subject_id }) => [
          actor_id,
          subject === 'member' ? subject_id : null,
        ]),
      )
    : new Map<number, Person>()
  const entries = rows.map(
    ({ actor_id, subject_id, detail, subject, ...row }): ListedAuditLogEntry => ({
      ...row,
      subject,
      settings: subject === 'settings' && detail ? JSON.parse(detail) : null,
      actor: people.get(actor_id ?? 0) ?? null,
      member: subject === 'member' ? (people.get(subject_id ?? 0) ?? null) : null,
    }),
  )
  return toPagedResponse(
    entries,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown,
  )
}

async function readPeople(context: MemberContext, ids: readonly (number | null)[]) {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (!wanted.length) return new Map<number, Person>()
  const rows = await personColumnsQuery(context).where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, toPublicPerson(context.media, row)]))
}
