import type { LocalizedSentence } from '#core/contract.ts'
import { type EndpointHandlers, withAccessCheck } from '#core/http/endpoints.ts'
import { toGroupChannelName } from './broadcasts.ts'
import { changeGroupDescription } from './group-description.ts'
import type { groupDescriptionEndpoints } from './group-manager-contract.ts'
import { requireGroupManager } from './group-managers.ts'

const messages = {
  described: { en: 'The description was changed.', ja: 'グループの説明を変更しました。' },
  descriptionRemoved: { en: 'The description was removed.', ja: 'グループの説明を削除しました。' },
}

export const groupDescriptionRoutes: EndpointHandlers<typeof groupDescriptionEndpoints> = {
  set: withAccessCheck(requireGroupManager, (context) => {
    const { id, description } = context.input
    return context.withLock(toGroupChannelName(id), async () => {
      await changeGroupDescription(context, id, description)
      return answer(context, description === null ? messages.descriptionRemoved : messages.described)
    })
  }),
}

const answer = ({ lang }: { lang: keyof LocalizedSentence }, message: LocalizedSentence) => ({
  message: message[lang],
})
