import { defineTexts } from '#web/i18n.ts'
import type { NewsSection } from '../contract.ts'

export const sinceText = defineTexts({
  en: {
    title: 'Since you were here',
    since: (day: string) => `What is new since ${day}, the most important first.`,
    parts: {
      asked: 'Waiting for you',
      mentions: 'For you',
      announcements: 'Announcements',
      groups: 'Your groups',
      rest: 'Also new',
    } satisfies Record<NewsSection['part'], string>,
    more: (count: number) => (count > 99 ? 'Show more than 99 others' : `Show ${count} more`),
    end: 'That is all.',
    endHelp: 'Have you seen what matters to you? Then the next visit begins from here, on all your devices.',
    onlyAsked: 'Nothing else is new. What waits for you stays here until you have answered.',
    done: 'I have seen it all',
    nothing: 'You have seen everything',
    nothingHelp: 'Nothing is new right now. Have a good day!',
    home: 'To the posts',
  },
  ja: {
    title: '前回からの新着',
    since: (day: string) => `${day}からの新着を、大事なものから順に並べました。`,
    parts: {
      asked: 'あなたへのお願い',
      mentions: 'あなた宛て',
      announcements: 'お知らせ',
      groups: 'グループ',
      rest: 'そのほか',
    },
    more: (count: number) => (count > 99 ? 'ほか99件以上を見る' : `ほか${count}件を見る`),
    end: '新着は以上です。',
    endHelp:
      '気になるものは見られましたか。次回は、ここから先の新着だけをお見せします（どの端末でも同じです）。',
    onlyAsked: 'ほかに新着はありません。お願いごとは、お返事がすむまでここに残ります。',
    done: 'すべて確認しました',
    nothing: 'すべて確認済みです',
    nothingHelp: 'いまのところ、新着はありません。よい一日を。',
    home: '投稿一覧へ',
  },
})
