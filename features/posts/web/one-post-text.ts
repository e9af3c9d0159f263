import { texts } from '#web/i18n.ts'

export const onePostText = texts({
  en: {
    onePost: 'Post',
    moreFrom: (name: string) => `More from ${name}`,
    postGone: 'This post is not here.',
    postGoneHelp: 'It was deleted, or the address is mistyped.',
  },
  ja: {
    onePost: '投稿',
    moreFrom: (name: string) => `${name}さんのほかの投稿`,
    postGone: 'この投稿は見つかりません。',
    postGoneHelp: '削除されたか、アドレスが間違っている可能性があります。',
  },
})
