import { defineTexts } from '#web/i18n.ts'

/** The texts, in English and Japanese, of the dialog that mutes a conversation. */
export const conversationMuteDialogText = defineTexts({
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
    muteTitle: 'このチャットをミュートしますか？',
    muteHelp: 'メッセージは届きますが、バッジには数えられず、端末にも通知されません。',
    howLong: 'ミュートする時間',
    choices: { hour: '1時間', tomorrow: '明日の8:00まで', always: 'ずっと' },
    mute: 'ミュートする',
    muted: 'チャットをミュートしました。',
    unmuteTitle: 'ミュートを解除しますか？',
    unmuteHelp: '新しいメッセージは、またバッジに数えられ、端末に通知されます。',
    unmute: '解除する',
    unmuted: 'ミュートを解除しました。',
    cancel: 'キャンセル',
  },
})
