import { defineTexts } from '#web/i18n.ts'

export const pushNotificationsAccountSectionText = defineTexts({
  en: {
    title: 'Notifications on devices',
    help: 'This browser can tell you what is new while Engawa is closed.',
    open: 'Set up notifications',
    settings: 'Kinds and quiet hours',
    invitation: 'Get these on this device, even while Engawa is closed',
    hideInvitation: 'Hide this suggestion',
  },
  ja: {
    title: '端末への通知',
    help: 'Engawaを閉じていても、新着をこのブラウザーでお知らせできます。',
    open: '通知を設定する',
    settings: '種類と時間の設定',
    invitation: 'Engawaを閉じていても、この端末でお知らせを受け取れます',
    hideInvitation: 'この案内を閉じる',
  },
})
