import * as v from 'valibot'
import { defineEndpoint, noInputSchema } from '#core/contract.ts'

const SavedPicture = v.object({
  /** The URL of the community's picture; null if there is none. */
  picture: v.nullable(v.string()),
})

/** The endpoints with which admins change the picture of the community. */
export const communityPictureEndpoints = {
  /** Replaces the picture. The server cuts a square from the centre. */
  save: defineEndpoint('POST /api/admin/community-picture', 'admin', noInputSchema, SavedPicture, {
    files: { image: { max: 1 } },
    limits: [{ max: 60, by: 'account' }],
    needsConfirmation: true,
  }),
  /** Removes the picture. Does nothing if there is none. */
  remove: defineEndpoint('DELETE /api/admin/community-picture', 'admin', noInputSchema, SavedPicture, {
    needsConfirmation: true,
  }),
}
