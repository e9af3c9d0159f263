import { defineTexts } from '#web/i18n.ts'

export const waitingText = defineTexts({
  en: {
    title: 'Waiting for you',
    toRead: 'Posts to read',
    whichPosts: 'Which posts',
    lists: { waiting: 'For you', asked: 'Asked by you', all: 'All' },
    empty: {
      waiting: 'Nothing waits for you',
      asked: 'You have not asked yet',
      all: 'Nobody has asked yet',
    },
    emptyHelp: {
      waiting: 'Posts that ask whether you have read them, polls and events without your answer appear here.',
      asked: 'Choose “Ask who has read it” when you write a post.',
      all: 'Posts whose author asks who has read them stay here, so that they are found again.',
    },
    onlyPictures: 'Pictures',
    showMore: 'Show more',
  },
  ja: {
    title: 'お返事のお願い',
    toRead: 'まだ「読みました」を押していない投稿',
    whichPosts: '表示する投稿',
    lists: { waiting: 'あなた宛て', asked: 'お願いした投稿', all: 'すべて' },
    empty: {
      waiting: 'お返事のお願いはありません',
      asked: 'まだお願いしていません',
      all: 'まだ投稿はありません',
    },
    emptyHelp: {
      waiting: '「読みました」、投票、出欠などで、まだ答えていないものが、ここに並びます。',
      asked: '投稿するときに「確認をお願い」を選ぶと、ここに並びます。',
      all: '確認のお願いがある投稿は、ここであとから探せます。',
    },
    onlyPictures: '写真',
    showMore: 'もっと見る',
  },
})
