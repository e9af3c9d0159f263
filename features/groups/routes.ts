import type { Sentence } from '#core/contract.ts'
import { type Handlers, withAccessCheck } from '#core/http/endpoints.ts'
import * as channels from '#features/conversations/channels.ts'
import type {
  descriptionEndpoints,
  endingEndpoints,
  groupEndpoints,
  ownerEndpoints,
  slowModeEndpoints,
  writersEndpoints,
} from './contract.ts'
import { setDescription } from './description.ts'
import { requireManager, requireMayCreate } from './managers.ts'
import * as model from './model.ts'
import * as owners from './owners.ts'
import * as read from './read.ts'

const messages = {
  created: (name: string) => ({
    en: `The group “${name}” was created.`,
    ja: `グループ「${name}」を作成しました。`,
  }),
  added: { en: 'The user was added to the group.', ja: 'グループのメンバーに追加しました。' },
  alreadyMember: { en: 'The user is already a member.', ja: 'すでにグループのメンバーです。' },
  renamed: (name: string) => ({
    en: `The group is now called “${name}”.`,
    ja: `グループ名を「${name}」に変更しました。`,
  }),
  slowModeOn: { en: 'Slow mode is on.', ja: '連続送信の制限をオンにしました。' },
  slowModeOff: { en: 'Slow mode is off.', ja: '連続送信の制限をオフにしました。' },
  allWrite: { en: 'Everybody may write now.', ja: 'メンバー全員が送れるようにしました。' },
  chosenWrite: { en: 'Only some members may write now.', ja: '決められた人だけが送れるようにしました。' },
  ended: { en: 'The group has ended.', ja: 'グループを終了しました。' },
  reopened: { en: 'The group goes on.', ja: 'グループを再開しました。' },
  left: { en: 'You left the group.', ja: 'グループから退出しました。' },
  removed: { en: 'The member was removed.', ja: 'グループのメンバーから外しました。' },
  notMember: {
    en: 'The user is not a member of the group.',
    ja: 'この人は、グループのメンバーではありません。',
  },
  deleted: { en: 'The group was deleted.', ja: 'グループを削除しました。' },
  described: { en: 'The description was changed.', ja: 'グループの説明を変更しました。' },
  handedOver: { en: 'The group was handed over.', ja: 'まとめ役を交代しました。' },
  alreadyOwner: {
    en: 'The member owns the group already.',
    ja: 'この人は、すでにまとめ役です。',
  },
  descriptionRemoved: { en: 'The description was removed.', ja: 'グループの説明を削除しました。' },
}

export const groupHandlers: Handlers<typeof groupEndpoints> = {
  all: (context) => read.listAll(context, context.input),
  members: ({ input: { id, ...page }, ...context }) => read.listMembers(context, id, page),

  create: withAccessCheck(requireMayCreate, async (context) => {
    const { id, name } = await model.create(context, context.input.name)
    return { message: messages.created(name)[context.lang], group: { id, name } }
  }),

  addUser: withAccessCheck(requireManager, (context) => {
    const { id, user_id } = context.input
    return context.withLock(channels.group(id), async () => {
      const added = await model.addAsManager(context, id, user_id)
      return answer(context, added ? messages.added : messages.alreadyMember)
    })
  }),

  rename: withAccessCheck(requireManager, (context) => {
    const { id, name } = context.input
    return context.withLock(channels.group(id), async () => {
      await model.rename(context, id, name)
      return answer(context, messages.renamed(name))
    })
  }),

  leave: (context) => {
    const { id } = context.input
    return context.withLock(channels.group(id), async () => {
      await model.leave(context, id)
      return answer(context, messages.left)
    })
  },

  removeMember: withAccessCheck(requireManager, (context) => {
    const { id, user } = context.input
    return context.withLock(channels.group(id), async () => {
      const removed = await model.removeMember(context, id, user)
      return answer(context, removed ? messages.removed : messages.notMember)
    })
  }),

  remove: withAccessCheck(requireManager, async (context) => {
    const { id } = context.input
    const pictures = await context.withLock(channels.group(id), () => model.remove(context, id))
    await context.media.deleteUnreferenced(pictures)
    return answer(context, messages.deleted)
  }),
}

export const slowModeHandlers: Handlers<typeof slowModeEndpoints> = {
  set: withAccessCheck(requireManager, (context) => {
    const { id, seconds } = context.input
    return context.withLock(channels.group(id), async () => {
      await model.setSlowMode(context, id, seconds)
      return answer(context, seconds ? messages.slowModeOn : messages.slowModeOff)
    })
  }),
}

export const writersHandlers: Handlers<typeof writersEndpoints> = {
  set: withAccessCheck(requireManager, (context) => {
    const { id, ...change } = context.input
    return context.withLock(channels.group(id), async () => {
      await model.setWriters(context, id, change)
      return answer(context, change.writers === 'all' ? messages.allWrite : messages.chosenWrite)
    })
  }),
}

export const endingHandlers: Handlers<typeof endingEndpoints> = {
  set: withAccessCheck(requireManager, (context) => {
    const { id, has_ended } = context.input
    return context.withLock(channels.group(id), async () => {
      await model.setEnded(context, id, has_ended)
      return answer(context, has_ended ? messages.ended : messages.reopened)
    })
  }),
}

export const descriptionHandlers: Handlers<typeof descriptionEndpoints> = {
  set: withAccessCheck(requireManager, (context) => {
    const { id, description } = context.input
    return context.withLock(channels.group(id), async () => {
      await setDescription(context, id, description)
      return answer(context, description === null ? messages.descriptionRemoved : messages.described)
    })
  }),
}

export const ownerHandlers: Handlers<typeof ownerEndpoints> = {
  set: withAccessCheck(requireManager, (context) => {
    const { id, user_id } = context.input
    return context.withLock(channels.group(id), async () => {
      const changed = await owners.handOver(context, id, user_id)
      return answer(context, changed ? messages.handedOver : messages.alreadyOwner)
    })
  }),
}

const answer = ({ lang }: { lang: keyof Sentence }, message: Sentence) => ({
  message: message[lang],
})
