import { defineTexts } from '#web/i18n.ts'

export const communityQuietHoursText = defineTexts({
  en: {
    title: 'Quiet hours',
    help: 'During these hours, in the time zone above, no member’s device gets a notification. What has waited comes as one notification at the end. Members can choose hours of their own, too.',
    none: 'There are no quiet hours.',
    from: 'From',
    to: 'To',
    save: 'Save quiet hours',
    end: 'Turn off quiet hours',
  },
  ja: {
    title: '通知を控える時間',
    help: '上のタイムゾーンでこの時間は、メンバーの端末に通知しません。待っていた通知は、終わりにまとめて1件で届きます。メンバーは自分の時間も設定できます。',
    none: '通知を控える時間はありません。',
    from: '開始',
    to: '終了',
    save: '時間を保存する',
    end: 'オフにする',
  },
})
