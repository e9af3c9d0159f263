import { defineTexts } from '#web/i18n.ts'

export const waitingText = defineTexts({
  en: {
    title: 'Polls without your answer',
    kinds: { choice: 'Poll', attendance: 'Attendance', dates: 'Days' },
    until: (time: string) => `until ${time}`,
    showMore: 'Show more',
  },
  ja: {
    title: 'まだ答えていない投票・出欠',
    kinds: { choice: '投票', attendance: '出欠', dates: '日程調整' },
    until: (time: string) => `${time}まで`,
    showMore: 'もっと見る',
  },
})
