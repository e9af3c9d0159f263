import * as v from 'valibot'
import { createPageParameterFields, defineEndpoint, timestampSchema } from '#core/contract.ts'
import { Person } from '#features/people/contract.ts'

/** An action of an admin or of the operator. */
const ListedAuditLogEntry = v.object({
  id: v.number(),
  created_at: timestampSchema,
  role: v.picklist(['admin', 'operator']),
  action: v.string(),
  subject: v.picklist(['member', 'group', 'post', 'settings']),
  /** The names and values of changed settings; null for other actions. */
  settings: v.nullable(v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()]))),
  /** The admin. Only admins get it. Null if the account does not exist any more. */
  actor: v.nullable(Person),
  /** The member whom the action concerned. Only admins get it, like `actor`. */
  member: v.nullable(Person),
})
export type ListedAuditLogEntry = v.InferOutput<typeof ListedAuditLogEntry>

export const auditLogEndpoints = {
  /** What admins and the operator did, newest first. Members do not get the names. */
  list: defineEndpoint(
    'GET /api/audit-log',
    'member',
    v.object(createPageParameterFields(50, 200)),
    v.array(ListedAuditLogEntry),
    { paginated: true },
  ),
}
