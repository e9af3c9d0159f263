import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

export const noAccessText = defineTexts({
  en: {
    followed: (name: string) => `You follow ${name} now.`,
    closedTitle: 'You cannot message this person yet.',
    noSuchUser: 'There is no such user.',
    toChats: 'Back to chats',
    notFollowing: (name: string) => `You do not follow ${name}.`,
  },
  ja: {
    followed: (name: string) => `${san(name)}をフォローしました。`,
    closedTitle: 'この人には、まだメッセージを送れません。',
    noSuchUser: 'そのメンバーは見つかりません。',
    toChats: 'チャット一覧へ',
    notFollowing: (name: string) => `${san(name)}をフォローすると、メッセージを送れます。`,
  },
})
