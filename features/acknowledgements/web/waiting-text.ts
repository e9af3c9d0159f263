import { defineTexts } from '#web/i18n.ts'

export const waitingText = defineTexts({
  en: {
    title: 'Please read',
    whichPosts: 'Which posts',
    lists: { waiting: 'For you', asked: 'Asked by you', all: 'All' },
    empty: {
      waiting: 'Nothing waits for you',
      asked: 'You have not asked yet',
      all: 'Nobody has asked yet',
    },
    emptyHelp: {
      waiting: 'Posts whose author asks whether you have read them appear here.',
      asked: 'Choose “Ask who has read it” when you write a post.',
      all: 'Posts whose author asks who has read them stay here, so that they are found again.',
    },
    onlyPictures: 'Pictures',
    showMore: 'Show more',
  },
  ja: {
    title: '確認のお願い',
    whichPosts: '表示する投稿',
    lists: { waiting: 'あなた宛て', asked: 'お願いした投稿', all: 'すべて' },
    empty: {
      waiting: '確認のお願いはありません',
      asked: 'まだお願いしていません',
      all: 'まだ投稿はありません',
    },
    emptyHelp: {
      waiting: '「読みました」の返事を待っている投稿が、ここに並びます。',
      asked: '投稿するときに「読んだか確認する」を選ぶと、ここに並びます。',
      all: '確認のお願いがある投稿は、ここであとから探せます。',
    },
    onlyPictures: '写真',
    showMore: 'もっと見る',
  },
})
