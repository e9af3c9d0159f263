import * as v from 'valibot'
import { defineEndpoint, noInputSchema } from '#core/contract.ts'

const SavedPicture = v.object({
  /** The URL of the community's picture; null if the community has no picture. */
  picture: v.nullable(v.string()),
})

/** The endpoints with which admins replace and remove the picture of the community. */
export const communityPictureEndpoints = {
  /**
   * Replaces the picture of the community. The server cuts a square from the centre of the uploaded picture.
   */
  save: defineEndpoint('POST /api/admin/community-picture', 'admin', noInputSchema, SavedPicture, {
    files: { image: { max: 1 } },
    limits: [{ max: 60, by: 'account' }],
    needsConfirmation: true,
  }),
  /** Removes the picture of the community. Does nothing if there is none. */
  remove: defineEndpoint('DELETE /api/admin/community-picture', 'admin', noInputSchema, SavedPicture, {
    needsConfirmation: true,
  }),
}
