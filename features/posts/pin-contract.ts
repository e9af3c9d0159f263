import * as v from 'valibot'
import { defineEndpoint, idInputSchema, idSchema } from '#core/contract.ts'
import { postSchema } from './contract.ts'

/** The maximum number of pinned posts of the community, and also of each group. */
export const MAX_PINNED_POSTS = 3

const PinInput = v.object({
  ...idInputSchema.entries,
  /**
   * Whether all members who may see the post get a notification of the kind `announcement`. Allowed only for
   * a post that is pinned for the community. Members get at most one such notification for a post, however
   * often it is pinned. Default: false.
   */
  tell_everyone: v.optional(v.boolean('invalid')),
})

const PinResult = v.object({ message: v.string(), pinned: v.boolean() })

export const postPinEndpoints = {
  /**
   * Lists the pinned posts of the community, or of a group, that the viewer may see, the newest pin first.
   * Leaves out posts of people whom the viewer has muted.
   */
  list: defineEndpoint(
    'GET /api/posts/pinned',
    'reader',
    v.object({ group_id: v.optional(idSchema) }),
    v.array(postSchema),
  ),
  /**
   * Pins a post. An admin can pin a post for the community, and an admin or the owner of a group can pin a
   * post whose audience is the group, for this group. If there are `MAX_PINNED_POSTS` pinned posts already,
   * unpins the post that was pinned first.
   */
  pin: defineEndpoint('PUT /api/posts/:id/pin', 'member', PinInput, PinResult, {
    errorStatuses: [403, 404],
  }),
  unpin: defineEndpoint('DELETE /api/posts/:id/pin', 'member', idInputSchema, PinResult, {
    errorStatuses: [403, 404],
  }),
}
