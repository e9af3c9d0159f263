import { defineTexts } from '#web/i18n.ts'

export const postPageText = defineTexts({
  en: {
    title: 'Post',
    moreFrom: (name: string) => `More from ${name}`,
    postGone: 'This post is not available.',
    postGoneHelp: 'It was deleted, or the address is wrong.',
  },
  ja: {
    title: '投稿',
    moreFrom: (name: string) => `${name}さんのほかの投稿`,
    postGone: 'この投稿は見つかりません。',
    postGoneHelp: '削除されたか、アドレスが間違っている可能性があります。',
  },
})
