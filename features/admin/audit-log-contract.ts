import * as v from 'valibot'
import { createPaginationParameterFields, defineEndpoint, isoTimestampSchema } from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** An action of an admin, a moderator, the operator or the system. */
const ListedAuditLogEntry = v.object({
  id: v.number(),
  created_at: isoTimestampSchema,
  role: v.picklist(['admin', 'moderator', 'operator', 'system']),
  action: v.string(),
  subject: v.picklist([
    'member',
    'group',
    'post',
    'reply',
    'message',
    'settings',
    'invitation',
    'join_request',
  ]),
  /** The names and the new values of the settings that the admin changed; null for other actions. */
  settings: v.nullable(v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.null()]))),
  /** The reason that the admin or the moderator gave; null if there is none. Only admins get this field. */
  reason: v.nullable(v.string()),
  /** The reason of the report about which a moderator decided, such as `spam`. Null for other actions. */
  report_reason: v.nullable(v.string()),
  /**
   * The admin or the moderator who acted. Only admins get this field. Null for actions of the operator and
   * the system, and if the account does not exist any more.
   */
  actor: v.nullable(personSchema),
  /**
   * The member on whose account the admin or the moderator acted; null for other actions, for example on a
   * post or a group. Only admins get this field.
   */
  member: v.nullable(personSchema),
  /**
   * The other moderators who had opened the excerpt of the private chat before this action. Only admins get
   * this field.
   */
  together_with: v.array(personSchema),
  /**
   * The guardians of the child whose account this action marked, changed or unmarked. Only admins get this
   * field.
   */
  guardians: v.array(personSchema),
})
export type ListedAuditLogEntry = v.InferOutput<typeof ListedAuditLogEntry>

export const auditLogEndpoints = {
  /**
   * Lists the actions of admins, moderators, the operator and the system, the newest first. Only admins get
   * the names of people and the reasons that admins and moderators gave.
   */
  list: defineEndpoint(
    'GET /api/audit-log',
    'member',
    v.object(createPaginationParameterFields(50, 200)),
    v.array(ListedAuditLogEntry),
    { paginated: true },
  ),
}
