import type { AppContext, CurrentUser } from '#core/context.ts'
import { hasMatchingRow } from '#core/database/database.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { attachAccessCheckToHandler } from '#core/http/endpoints.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import type { MediaReadGuardsByName } from '#core/media/guards.ts'
import type { PictureMetadata } from '#core/media/images.ts'
import { markMediaUnreferenced, markPictureAttached } from '#core/media/lifecycle.ts'
import { requireMemberWithinStorageQuota } from '#core/media/storage-quota.ts'
import { avatarImageOutputSizes, toAvatarUrl } from '#features/people/read.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { toGroupChannelName } from './broadcasts.ts'
import { recordAndBroadcastGroupChange } from './group-changes.ts'
import type { groupPictureEndpoints } from './group-manager-contract.ts'
import { requireGroupManager } from './group-managers.ts'
import { changeManagedGroup } from './group-of-two.ts'

// This file changes the picture that a group can have. The picture has the sizes of a profile picture, counts
// in the storage quota of the member who has uploaded it, and is deleted with the group.

/** The name of the guard that decides who may load the pictures of groups. */
const GROUP_PICTURE_ACCESS_GUARD = 'group picture'

const messages = { missing: { en: 'The image field is required.', ja: '画像を選んでください。' } }

/**
 * Replaces the picture of a group, or removes it if `picture` is null. The current member must manage the
 * group. Returns the name of the earlier picture; null if there was none.
 */
const changeGroupPicture = (context: SessionContext, group: number, picture: PictureMetadata | null) =>
  changeManagedGroup(context, group, async (tx, { picture: before }) => {
    const { me, media, emit } = context
    if (!picture && !before) return null
    if (picture) await markPictureAttached(tx, picture, me.id, GROUP_PICTURE_ACCESS_GUARD)
    const name = picture?.name ?? null
    await tx.updateTable('conversations').set({ picture: name }).where('id', '=', group).execute()
    if (before) await markMediaUnreferenced(tx, [before])
    if (picture) await requireMemberWithinStorageQuota(context, tx, me.id, 'image')
    const event = { conversation_id: group, actor_id: me.id, by_owner: !me.is_admin }
    await emit(tx, 'group.picture_changed', event)
    await recordAndBroadcastGroupChange(context, tx, group, 'picture', {
      live: { picture: toAvatarUrl(media, name) },
    })
    return before
  })

/**
 * Changes the picture of a group under the lock of the group, and then deletes the files of the earlier
 * picture. Returns the path of the new picture.
 */
async function changeAndClean(context: SessionContext, group: number, picture: PictureMetadata | null) {
  const { media, withLock } = context
  const before = await withLock(toGroupChannelName(group), () => changeGroupPicture(context, group, picture))
  if (before) await media.deleteUnreferenced([before])
  return { picture: toAvatarUrl(media, picture?.name ?? null) }
}

export const groupPictureEndpointHandlers: EndpointHandlers<typeof groupPictureEndpoints> = {
  save: attachAccessCheckToHandler(requireGroupManager, async (context) => {
    const { media, files, input } = context
    if (!files.length) throw createInvalidFieldError('image', messages.missing)
    return media.store(files, avatarImageOutputSizes, ([picture]) =>
      changeAndClean(context, input.id, picture!),
    )
  }),
  remove: attachAccessCheckToHandler(requireGroupManager, (context) =>
    changeAndClean(context, context.input.id, null),
  ),
}

/**
 * Creates the guard that decides who may load the pictures of groups: the members of the group, and admins.
 */
export const createGroupPictureAccessGuards = (context: AppContext): MediaReadGuardsByName => ({
  [GROUP_PICTURE_ACCESS_GUARD]: (me, picture) => maySeeGroupPicture(context, me, picture),
})

function maySeeGroupPicture({ db }: AppContext, me: CurrentUser, picture: string) {
  const group = db.selectFrom('conversations as c').select('c.id').where('c.picture', '=', picture)
  const ofMember = group
    .innerJoin('conversation_members as m', 'm.conversation_id', 'c.id')
    .where('m.user_id', '=', me.id)
  return hasMatchingRow(me.is_admin ? group : ofMember)
}
