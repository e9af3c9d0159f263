import { defineTexts } from '#web/i18n.ts'

export const muteText = defineTexts({
  en: {
    muteTitle: 'Mute this chat?',
    muteHelp: 'Messages still arrive. They do not count in badges, and your devices stay silent.',
    howLong: 'For how long?',
    choices: { hour: 'For an hour', tomorrow: 'Until tomorrow, 8:00', always: 'Always' },
    mute: 'Mute',
    muted: 'The chat is muted.',
    unmuteTitle: 'Unmute this chat?',
    unmuteHelp: 'New messages count in badges again, and your devices announce them.',
    unmute: 'Unmute',
    unmuted: 'The chat is no longer muted.',
    cancel: 'Cancel',
  },
  ja: {
    muteTitle: 'このチャットの通知をオフにしますか？',
    muteHelp: 'メッセージは届きますが、端末に通知されず、未読の数にも入りません。',
    howLong: '通知をオフにする時間',
    choices: { hour: '1時間', tomorrow: '明日の朝8時まで', always: 'オンに戻すまで' },
    mute: 'オフにする',
    muted: 'このチャットの通知をオフにしました。',
    unmuteTitle: 'このチャットの通知をオンに戻しますか？',
    unmuteHelp: '新しいメッセージが、また端末に通知され、未読の数にも入ります。',
    unmute: 'オンに戻す',
    unmuted: 'このチャットの通知をオンにしました。',
    cancel: 'キャンセル',
  },
})
