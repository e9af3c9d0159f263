import type { AppContext, CurrentUser } from '#core/context.ts'
import { hasMatchingRow } from '#core/database/database.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { withAccessCheck } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import type { Picture } from '#core/media/images.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import { requireQuota } from '#core/media/storage-quota.ts'
import * as channels from '#features/conversations/channels.ts'
import * as people from '#features/people/read.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { recordChange } from './changes.ts'
import type { pictureEndpoints } from './contract.ts'
import { requireManager } from './managers.ts'
import { changeGroup } from './of-two.ts'

// The picture of a group has the sizes of a profile picture, counts in the quota of its uploader, and is
// deleted with the group.

export const PICTURE_GUARD = 'group picture'

const messages = { missing: { en: 'The image field is required.', ja: '画像を選んでください。' } }

/** A null `picture` removes it. Returns the name of the earlier picture, null if there was none. */
const changeGroupPicture = (context: SessionContext, group: number, picture: Picture | null) =>
  changeGroup(context, group, async (tx, { picture: before }) => {
    const { me, media, emit } = context
    if (!picture && !before) return null
    if (picture) await lifecycle.attachPicture(tx, picture, me.id, PICTURE_GUARD)
    const name = picture?.name ?? null
    await tx.updateTable('conversations').set({ picture: name }).where('id', '=', group).execute()
    if (before) await lifecycle.detach(tx, [before])
    if (picture) await requireQuota(context, tx, me.id, 'image')
    const event = { conversation_id: group, actor_id: me.id, by_owner: !me.is_admin }
    await emit(tx, 'group.picture_changed', event)
    await recordChange(context, tx, group, 'picture', {
      live: { picture: people.avatarUrl(media, name) },
    })
    return before
  })

/** Deletes the files of the earlier picture after the commit. Returns the path of the new one. */
async function changeAndClean(context: SessionContext, group: number, picture: Picture | null) {
  const { media, withLock } = context
  const before = await withLock(channels.group(group), () => changeGroupPicture(context, group, picture))
  if (before) await media.deleteUnreferenced([before])
  return { picture: people.avatarUrl(media, picture?.name ?? null) }
}

export const pictureHandlers: Handlers<typeof pictureEndpoints> = {
  save: withAccessCheck(requireManager, async (context) => {
    const { media, files, input } = context
    if (!files.length) throw fieldError('image', messages.missing)
    return media.store(files, people.avatarSizes, ([picture]) => changeAndClean(context, input.id, picture!))
  }),
  remove: withAccessCheck(requireManager, (context) => changeAndClean(context, context.input.id, null)),
}

/** Members of the group, and admins. */
export const pictureGuards = (context: AppContext): MediaGuards => ({
  [PICTURE_GUARD]: (me, picture) => maySeeGroupPicture(context, me, picture),
})

function maySeeGroupPicture({ db }: AppContext, me: CurrentUser, picture: string) {
  const group = db.selectFrom('conversations as c').select('c.id').where('c.picture', '=', picture)
  const ofMember = group
    .innerJoin('conversation_members as m', 'm.conversation_id', 'c.id')
    .where('m.user_id', '=', me.id)
  return hasMatchingRow(me.is_admin ? group : ofMember)
}
