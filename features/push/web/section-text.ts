import { defineTexts } from '#web/i18n.ts'

export const sectionText = defineTexts({
  en: {
    title: 'Notifications on devices',
    help: 'This device can tell you what is new while the app is closed.',
    open: 'Set up notifications',
    settings: 'Kinds and quiet hours',
    invitation: 'Get these on this device, even while the app is closed',
    hideInvitation: 'Hide this suggestion',
  },
  ja: {
    title: '端末への通知',
    help: 'アプリを閉じていても、新着をこの端末に通知します。',
    open: '通知を設定する',
    settings: '種類とおやすみ時間',
    invitation: 'アプリを閉じていても、この端末で通知を受け取れます',
    hideInvitation: 'この案内を閉じる',
  },
})
