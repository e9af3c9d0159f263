import { defineTexts } from '#web/i18n.ts'

export const blockedOrMutedAuthorMessageText = defineTexts({
  en: {
    blocked: 'Message of a person you blocked.',
    muted: 'Message of a person you muted.',
    show: 'Show',
  },
  ja: {
    blocked: 'ブロックした人のメッセージです。',
    muted: 'ミュートした人のメッセージです。',
    show: '表示',
  },
})
