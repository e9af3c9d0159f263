import { defineTexts } from '#web/i18n.ts'

export const sendLaterText = defineTexts({
  en: {
    sendLater: 'Schedule',
    title: 'When should it be sent?',
    evening: 'This evening',
    tomorrow: 'Tomorrow',
    monday: 'Monday',
    date: 'Date',
    time: 'Time',
    zone: (zone: string) => `Times are in ${zone}.`,
    schedule: 'Schedule',
    cancel: 'Cancel',
    willBeSent: (when: string) => `It will be sent on ${when}.`,
    wrongTime: 'Choose a time at least a minute and at most a year from now.',
    waiting: (count: number) =>
      count === 1 ? '1 thing waits to be sent' : `${count} things wait to be sent`,
    show: 'Show',
    notReady: 'Look at the form first: it cannot be sent like this.',
  },
  ja: {
    sendLater: 'あとで送る',
    title: 'いつ送りますか？',
    evening: '今日の夜',
    tomorrow: '明日の朝',
    monday: '月曜日の朝',
    date: '日付',
    time: '時刻',
    zone: (zone: string) => `時刻は${zone}です。`,
    schedule: '予約する',
    cancel: 'キャンセル',
    willBeSent: (when: string) => `${when}に送ります。`,
    wrongTime: '日時は、1分後から1年後までで選んでください。',
    waiting: (count: number) => `送信予約が${count}件あります`,
    show: '見る',
    notReady: 'このままでは送れません。入力した内容を確かめてください。',
  },
})
