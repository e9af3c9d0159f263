import * as v from 'valibot'
import { defineEndpoint, noInputSchema, timestampSchema } from '#core/contract.ts'

/**
 * The member's choice about the messages to others: `keep` replaces the author's name by “former member”,
 * `delete` deletes the messages too.
 */
export const MessageChoice = v.picklist(['keep', 'delete'])
export type MessageChoice = v.InferOutput<typeof MessageChoice>

/** A request to delete an account. */
export const AccountDeletion = v.object({
  messages: MessageChoice,
  /** Whether an admin requested it. Then only an admin can take it back. */
  by_admin: v.boolean(),
  created_at: timestampSchema,
  /** When the account will be deleted. */
  due_at: timestampSchema,
})
export type AccountDeletion = v.InferOutput<typeof AccountDeletion>

/** Numbers of what a member has written. Fields of features that do not run are 0. */
export const MemberContent = v.object({
  posts: v.number(),
  /** The pictures in the posts. */
  pictures: v.number(),
  private_messages: v.number(),
  group_messages: v.number(),
  groups: v.number(),
})
export type MemberContent = v.InferOutput<typeof MemberContent>

export const deletionEndpoints = {
  /** Returns whether the account will be deleted, and what there is to delete. */
  state: defineEndpoint(
    'GET /api/account/deletion',
    'member',
    noInputSchema,
    v.object({ deletion: v.nullable(AccountDeletion), content: MemberContent }),
  ),
  /** Requests the deletion of the account. It takes place after a week. */
  request: defineEndpoint(
    'DELETE /api/account',
    'member',
    v.object({ messages: MessageChoice }),
    AccountDeletion,
    { limits: [{ max: 10, by: 'account' }], errorStatuses: [423] },
  ),
  /** Takes the request back. Does nothing if there is none. */
  keep: defineEndpoint('POST /api/account/keep', 'member', noInputSchema, v.undefined(), {
    status: 204,
    errorStatuses: [403],
  }),
}
