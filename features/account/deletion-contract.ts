import * as v from 'valibot'
import { defineEndpoint, isoTimestampSchema, noInputSchema } from '#core/contract.ts'

/**
 * The schema of the member's choice about the messages that they have sent, when the account is deleted.
 * `keep` keeps the messages and shows “former member” as their author; `delete` deletes them.
 */
export const keepOrDeleteMessagesSchema = v.picklist(['keep', 'delete'])
export type KeepOrDeleteMessages = v.InferOutput<typeof keepOrDeleteMessagesSchema>

/** The schema of a request to delete an account, which waits for its day. */
export const accountDeletionRequestSchema = v.object({
  messages: keepOrDeleteMessagesSchema,
  /** Whether an admin, and not the member, requested the deletion. If so, only an admin can cancel it. */
  by_admin: v.boolean(),
  created_at: isoTimestampSchema,
  /** The time at which the server will delete the account. */
  due_at: isoTimestampSchema,
})
export type AccountDeletionRequest = v.InferOutput<typeof accountDeletionRequestSchema>

/**
 * The schema of the numbers of posts, messages and other content of a member. The fields of features that are
 * not running are 0.
 */
export const memberContentCountsSchema = v.object({
  posts: v.number(),
  /** The number of pictures in the member's posts, without the pictures in replies and messages. */
  pictures: v.number(),
  replies: v.number(),
  private_messages: v.number(),
  group_messages: v.number(),
  groups: v.number(),
})
export type MemberContentCounts = v.InferOutput<typeof memberContentCountsSchema>

export const accountDeletionEndpoints = {
  /**
   * Returns the request to delete the member's account (null if there is none), and the numbers of the
   * member's posts, messages and other content.
   */
  state: defineEndpoint(
    'GET /api/account/deletion',
    'member',
    noInputSchema,
    v.object({ deletion: v.nullable(accountDeletionRequestSchema), content: memberContentCountsSchema }),
  ),
  /** Requests the deletion of the member's account. The server deletes the account a week later. */
  request: defineEndpoint(
    'DELETE /api/account',
    'member',
    v.object({ messages: keepOrDeleteMessagesSchema }),
    accountDeletionRequestSchema,
    { limits: [{ max: 10, by: 'account' }], needsConfirmation: true },
  ),
  /**
   * Cancels the deletion of the member's own account. Does nothing if no deletion is requested. Responds with
   * 403 if an admin requested the deletion.
   */
  keep: defineEndpoint('POST /api/account/keep', 'member', noInputSchema, v.undefined(), {
    status: 204,
    errorStatuses: [403],
  }),
}
