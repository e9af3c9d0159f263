import type { BilingualSentence } from '#core/contract.ts'
import { attachAccessCheckToHandler, type EndpointHandlers } from '#core/http/endpoints.ts'
import { toGroupChannelName } from './broadcasts.ts'
import { changeGroupDescription } from './group-description.ts'
import type { groupDescriptionEndpoints, groupOwnerEndpoints } from './group-manager-contract.ts'
import { requireGroupManager } from './group-managers.ts'
import { handGroupOver } from './group-owners.ts'

const messages = {
  described: { en: 'The description was changed.', ja: 'グループの説明を変更しました。' },
  handedOver: { en: 'The group was handed over.', ja: 'グループの管理を引き継ぎました。' },
  alreadyOwner: {
    en: 'The member owns the group already.',
    ja: 'このメンバーはすでにグループの所有者です。',
  },
  descriptionRemoved: { en: 'The description was removed.', ja: 'グループの説明を削除しました。' },
}

export const groupDescriptionEndpointHandlers: EndpointHandlers<typeof groupDescriptionEndpoints> = {
  set: attachAccessCheckToHandler(requireGroupManager, (context) => {
    const { id, description } = context.input
    return context.withLock(toGroupChannelName(id), async () => {
      await changeGroupDescription(context, id, description)
      return answer(context, description === null ? messages.descriptionRemoved : messages.described)
    })
  }),
}

export const groupOwnerEndpointHandlers: EndpointHandlers<typeof groupOwnerEndpoints> = {
  set: attachAccessCheckToHandler(requireGroupManager, (context) => {
    const { id, user_id } = context.input
    return context.withLock(toGroupChannelName(id), async () => {
      const changed = await handGroupOver(context, id, user_id)
      return answer(context, changed ? messages.handedOver : messages.alreadyOwner)
    })
  }),
}

const answer = ({ lang }: { lang: keyof BilingualSentence }, message: BilingualSentence) => ({
  message: message[lang],
})
