import * as auditLog from '#core/audit-log/audit-log.ts'
import * as pictures from '#core/community/picture.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import type { Picture } from '#core/media/images.ts'
import { requireAdmin } from '#features/people/admins.ts'
import type { pictureEndpoints } from './contract.ts'

const messages = { missing: { en: 'The image field is required.', ja: '画像を選んでください。' } }

/** Null without a picture. */
export function communityPictureUrl({ settings, media }: Pick<AppContext, 'settings' | 'media'>) {
  const picture = settings.picture()
  return picture && media.url(picture, pictures.WIDTHS.page)
}

/** Null removes it. Also in the audit log. */
async function changePicture(context: MemberContext, picture: Picture | null) {
  const { db, me, settings, media, withLock } = context
  await withLock('community picture', async () => {
    const before = await transaction(db, async (tx) => {
      await requireAdmin(tx, me.id)
      const before = await settings.savePicture(tx, picture)
      const action = picture ? 'community_picture_changed' : 'community_picture_removed'
      if (picture || before) await auditLog.record(tx, { action, subject: 'settings', actor_id: me.id })
      return before
    })
    if (before) await media.deleteUnreferenced([before])
  })
  return { picture: communityPictureUrl(context) }
}

export const pictureHandlers: Handlers<typeof pictureEndpoints> = {
  save: async (context) => {
    const { media, files } = context
    if (!files.length) throw fieldError('image', messages.missing)
    return media.store(files, pictures.pictureSizes, ([picture]) => changePicture(context, picture!))
  },
  remove: (context) => changePicture(context, null),
}
