import { defineTexts } from '#web/i18n.ts'

export const reactionsText = defineTexts({
  en: {
    reactions: 'Reactions',
    react: 'Add a reaction',
    reaction: (emoji: string, count: number, isMine: boolean) =>
      isMine
        ? `${emoji}, ${count === 1 ? 'only you' : `${count} people, you too`}`
        : `${emoji}, ${count === 1 ? '1 person' : `${count} people`}`,
    whoReacted: 'Who reacted',
    failed: (isAdded: boolean) => `Your reaction was not ${isAdded ? 'saved' : 'removed'}. `,
  },
  ja: {
    reactions: 'リアクション',
    react: 'リアクションする',
    reaction: (emoji: string, count: number, isMine: boolean) =>
      isMine ? `${emoji} ${count === 1 ? 'あなただけ' : `${count}人（あなたも）`}` : `${emoji} ${count}人`,
    whoReacted: 'リアクションした人',
    failed: (isAdded: boolean) =>
      isAdded ? 'リアクションできませんでした。' : 'リアクションを取り消せませんでした。',
  },
})
