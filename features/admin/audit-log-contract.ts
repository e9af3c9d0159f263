import * as v from 'valibot'
import { createPaginationParameterFields, defineEndpoint, isoTimestampSchema } from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/**
 * An entry of the audit log as the API returns it: an action of an admin, a moderator, the operator or the
 * system.
 */
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
    'public_message',
    'settings',
    'invitation',
    'join_request',
  ]),
  /** The names and the new values of the settings that the admin changed; null for other actions. */
  settings: v.nullable(
    v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.array(v.string()), v.null()])),
  ),
  /**
   * The reason for the action that the admin or the moderator wrote; null if there is none. Always null for
   * members who are not admins.
   */
  reason: v.nullable(v.string()),
  /** The reason of the report about which a moderator decided, such as `spam`. Null for other actions. */
  report_reason: v.nullable(v.string()),
  /**
   * The admin or the moderator who acted. Null for actions of the operator and the system, and if the account
   * does not exist any more. Always null for members who are not admins.
   */
  actor: v.nullable(personSchema),
  /**
   * The member on whose account the admin or the moderator acted; null for actions on other things, for
   * example a post or a group. Always null for members who are not admins.
   */
  member: v.nullable(personSchema),
  /**
   * The other moderators who had opened the excerpt of the private chat before this action. Always empty for
   * members who are not admins.
   */
  together_with: v.array(personSchema),
  /**
   * The guardians of the child whose account this action marked, changed or unmarked. Always empty for
   * members who are not admins.
   */
  guardians: v.array(personSchema),
})
export type ListedAuditLogEntry = v.InferOutput<typeof ListedAuditLogEntry>

export const auditLogEndpoints = {
  /**
   * Lists one page of the actions of admins, moderators, the operator and the system, newest first. Only
   * admins get the names of people and the reasons that admins and moderators gave.
   */
  list: defineEndpoint(
    'GET /api/audit-log',
    'member',
    v.object(createPaginationParameterFields(50, 200)),
    v.array(ListedAuditLogEntry),
    { paginated: true },
  ),
}
