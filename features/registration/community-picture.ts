import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import { COMMUNITY_PICTURE_WIDTHS_BY_USE, communityPictureSizes } from '#core/community-picture.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { requireAdmin } from '#features/people/admins.ts'
import type { communityPictureEndpoints } from './community-picture-contract.ts'

const messages = { missing: { en: 'The image field is required.', ja: '画像を選んでください。' } }

/** Returns the URL of the community's picture; null if the community has no picture. */
export function readCommunityPictureUrl({ settings, media }: Pick<AppContext, 'settings' | 'media'>) {
  const picture = settings.picture()
  return picture && media.url(picture, COMMUNITY_PICTURE_WIDTHS_BY_USE.page)
}

/**
 * Replaces the picture of the community, or removes it if `picture` is null, and records the change in the
 * audit log. Returns the response with the new URL.
 */
async function changePicture(context: MemberContext, picture: PictureMetadata | null) {
  const { db, me, settings, media, withLock } = context
  await withLock('community picture', async () => {
    const before = await transaction(db, async (tx) => {
      await requireAdmin(tx, me.id)
      const before = await settings.savePicture(tx, picture)
      const action = picture ? 'community_picture_changed' : 'community_picture_removed'
      if (picture || before) await recordAuditLogEntry(tx, { action, subject: 'settings', actor_id: me.id })
      return before
    })
    if (before) await media.deleteUnreferenced([before])
  })
  return { picture: readCommunityPictureUrl(context) }
}

export const communityPictureEndpointHandlers: EndpointHandlers<typeof communityPictureEndpoints> = {
  save: async (context) => {
    const { media, files } = context
    if (!files.length) throw createInvalidFieldError('image', messages.missing)
    return media.store(files, communityPictureSizes, ([picture]) => changePicture(context, picture!))
  },
  remove: (context) => changePicture(context, null),
}
