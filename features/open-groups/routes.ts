import type { Language, Sentence } from '#core/contract.ts'
import { type Handlers, withAccessCheck } from '#core/http/endpoints.ts'
import * as channels from '#features/conversations/channels.ts'
import { requireManager } from '#features/groups/managers.ts'
import * as access from './access.ts'
import type {
  Access,
  accessEndpoints,
  JoinState,
  linkEndpoints,
  openGroupEndpoints,
  requestEndpoints,
} from './contract.ts'
import * as decisions from './decisions.ts'
import * as links from './links.ts'
import * as read from './read.ts'
import * as requests from './requests.ts'

const joinMessages: Record<'member' | 'waiting', Sentence> = {
  member: { en: 'You are in the group now.', ja: 'グループに参加しました。' },
  waiting: {
    en: 'You have asked to join. The answer comes as a notification.',
    ja: '参加を申し込みました。承認されると、通知が届きます。',
  },
}
const accessMessages: Record<Access, Sentence> = {
  closed: { en: 'The group is not in the list any more.', ja: 'グループを一覧から外しました。' },
  ask: {
    en: 'The group is in the list. People ask to join.',
    ja: 'グループを一覧に載せました。参加は申し込みで受け付けます。',
  },
  open: {
    en: 'The group is in the list. All members can join.',
    ja: 'グループを一覧に載せました。だれでも参加できます。',
  },
}
const messages = {
  takenBack: { en: 'Your request was taken back.', ja: '申し込みを取り消しました。' },
  accepted: { en: 'The person is in the group now.', ja: '承認して、グループに追加しました。' },
  linkEnded: { en: 'The link has ended.', ja: 'リンクを無効にしました。' },
  declined: { en: 'The request was declined.', ja: '申し込みを断りました。' },
  passed_on: {
    en: 'Somebody who looks after an account has to agree first. Admins have been told, and decide.',
    ja: '保護者などの承認が必要なため、管理者に引き渡しました。管理者が決めます。',
  },
} satisfies Record<string, Sentence>

const joined = (lang: Language, state: JoinState) => ({
  state,
  message: joinMessages[state === 'member' ? 'member' : 'waiting'][lang],
})

export const openGroupHandlers: Handlers<typeof openGroupEndpoints> = {
  list: (context) => read.list(context, context.input),
  show: (context) => read.show(context, context.input.id),
  join: (context) => {
    const { id } = context.input
    return context.withLock(channels.group(id), async () => {
      return joined(context.lang, await requests.join(context, id))
    })
  },
  takeBack: (context) => {
    const { id } = context.input
    return context.withLock(channels.group(id), async () => {
      await requests.takeBack(context, id)
      return { message: messages.takenBack[context.lang] }
    })
  },
}

export const accessHandlers: Handlers<typeof accessEndpoints> = {
  set: withAccessCheck(requireManager, (context) => {
    const { id, ...change } = context.input
    return context.withLock(channels.group(id), async () => {
      await access.set(context, id, change)
      return { message: accessMessages[change.access][context.lang] }
    })
  }),
}

export const linkHandlers: Handlers<typeof linkEndpoints> = {
  create: withAccessCheck(requireManager, (context) => links.create(context, context.input.id)),
  end: withAccessCheck(requireManager, async (context) => {
    await links.end(context, context.input.id)
    return { message: messages.linkEnded[context.lang] }
  }),
  open: (context) => links.open(context, context.input.token),
  join: async (context) => {
    const { token } = context.input
    const group = await links.groupOf(context.db, token)
    return context.withLock(channels.group(group), async () =>
      joined(context.lang, await links.join(context, group, token)),
    )
  },
}

export const requestHandlers: Handlers<typeof requestEndpoints> = {
  list: (context) => read.listRequests(context, context.input),
  accept: async (context) => {
    const request = await decisions.find(context, context.input.id)
    return context.withLock(channels.group(request.group_id), async () => {
      const state = await decisions.accept(context, request)
      return { state, message: messages[state][context.lang] }
    })
  },
  decline: async (context) => {
    const request = await decisions.find(context, context.input.id)
    return context.withLock(channels.group(request.group_id), async () => {
      await decisions.decline(context, request)
      return { state: 'declined' as const, message: messages.declined[context.lang] }
    })
  },
}
