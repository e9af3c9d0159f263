import * as v from 'valibot'
import { defineEndpoint, idInputSchema, idSchema } from '#core/contract.ts'
import { postSchema } from './contract.ts'

/** The maximum number of pinned posts of the community, and of each group. */
export const MAX_PINNED_POSTS = 3

const PinInput = v.object({
  ...idInputSchema.entries,
  /**
   * Whether all members who may see the post get a notification (kind `announcement`). Only for a post that is
   * pinned for the community. They get at most one for each post, however often it is pinned. Default: false.
   */
  tell_everyone: v.optional(v.boolean('invalid')),
})

const PinResult = v.object({ message: v.string(), pinned: v.boolean() })

export const postPinEndpoints = {
  /**
   * Lists the pinned posts that the viewer may see, the newest pin first: those of the community, or those of
   * a group. Posts of people whom the viewer has muted are left out.
   */
  list: defineEndpoint(
    'GET /api/posts/pinned',
    'reader',
    v.object({ group_id: v.optional(idSchema) }),
    v.array(postSchema),
  ),
  /**
   * Pins a post: an admin for the community, or an admin or the owner of a group for the group that is the
   * audience of the post. If there are `MAX_PINNED_POSTS` already, unpins the one that was pinned first.
   */
  pin: defineEndpoint('PUT /api/posts/:id/pin', 'member', PinInput, PinResult, {
    errorStatuses: [403, 404],
  }),
  unpin: defineEndpoint('DELETE /api/posts/:id/pin', 'member', idInputSchema, PinResult, {
    errorStatuses: [403, 404],
  }),
}
