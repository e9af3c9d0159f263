import * as v from 'valibot'
import {
  createOptionalTextSchema,
  defineEndpoint,
  idInputSchema,
  idSchema,
  outcomeSentenceResponseSchema,
} from '#core/contract.ts'

/** The maximum number of groups that a member without admin rights can own at a time. */
export const MAX_OWNED_GROUPS = 20
/** The maximum number of characters of the description of a group. */
export const MAX_GROUP_DESCRIPTION_LENGTH = 500
/**
 * The numbers of seconds between two messages of a member that can be chosen for slow mode; 0 turns slow mode
 * off.
 */
export const slowModeChoices = [0, 10, 30, 60, 300, 900, 3600] as const
const Seconds = v.picklist(slowModeChoices, 'invalid')
export type SlowModeSeconds = v.InferOutput<typeof Seconds>

export const slowModeEndpoints = {
  /** Changes slow mode of a group. This endpoint is for admins and for the owner of the group. */
  set: defineEndpoint(
    'PUT /api/groups/:id/slow-mode',
    'member',
    v.object({ ...idInputSchema.entries, seconds: Seconds }),
    outcomeSentenceResponseSchema,
    { errorStatuses: [403, 404], needsConfirmation: 'others' },
  ),
}

export const groupDescriptionEndpoints = {
  /**
   * Changes the description of a group; an empty text removes it. This endpoint is for admins and for the
   * owner of the group.
   */
  set: defineEndpoint(
    'PUT /api/groups/:id/description',
    'member',
    v.object({
      ...idInputSchema.entries,
      description: createOptionalTextSchema(MAX_GROUP_DESCRIPTION_LENGTH),
    }),
    outcomeSentenceResponseSchema,
    { errorStatuses: [403, 404], needsConfirmation: 'others' },
  ),
}

export const groupOwnerEndpoints = {
  /**
   * Makes a member of a group its owner, also if the group has no owner. This endpoint is for admins and for
   * the owner of the group.
   */
  set: defineEndpoint(
    'PUT /api/groups/:id/owner',
    'member',
    v.object({ ...idInputSchema.entries, user_id: idSchema }),
    outcomeSentenceResponseSchema,
    { errorStatuses: [403, 404], needsConfirmation: 'others', limits: [{ max: 30, by: 'account' }] },
  ),
}

const SavedGroupPicture = v.object({
  /** The path of the group's picture after the change; null if the group has no picture then. */
  picture: v.nullable(v.string()),
})
/** The endpoints that change the picture of a group. They are for admins and for the owner of the group. */
export const groupPictureEndpoints = {
  /** Replaces the picture of the group. The server cuts a square from the centre of the uploaded picture. */
  save: defineEndpoint('POST /api/groups/:id/picture', 'member', idInputSchema, SavedGroupPicture, {
    files: { image: { max: 1 } },
    limits: [{ max: 60, by: 'account' }],
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
  /** The request that removes the picture of the group. Does nothing if the group has none. */
  remove: defineEndpoint('DELETE /api/groups/:id/picture', 'member', idInputSchema, SavedGroupPicture, {
    errorStatuses: [403, 404],
    needsConfirmation: 'others',
  }),
}
