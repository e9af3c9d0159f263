import { defineTexts } from '#web/i18n.ts'

export const postPageText = defineTexts({
  en: {
    title: 'Post',
    moreFrom: (name: string) => `More from ${name}`,
    postGone: 'This post is not available.',
    postGoneHelp: 'It was deleted, the address is wrong, or it is not for you.',
  },
  ja: {
    title: '投稿',
    moreFrom: (name: string) => `${name}さんのほかの投稿`,
    postGone: 'この投稿は見つかりません。',
    postGoneHelp: '削除されたか、アドレスが間違っているか、公開範囲に含まれていない可能性があります。',
  },
})
