import { defineTexts } from '#web/i18n.ts'

export const communityQuietHoursText = defineTexts({
  en: {
    title: 'Quiet hours',
    help: 'During these hours, no member’s device gets a notification. What has waited comes as one notification at the end. Members can choose hours of their own, too.',
    zone: (zone: string) => `The hours are in the community’s time zone, ${zone}. It can be changed above.`,
    none: 'There are no quiet hours.',
    from: 'From',
    to: 'To',
    save: 'Save quiet hours',
    end: 'Turn off quiet hours',
  },
  ja: {
    title: '通知を控える時間',
    help: 'この時間は、メンバーの端末に通知しません。待っていた通知は、終わりにまとめて1件で届きます。メンバーは自分の時間も設定できます。',
    zone: (zone: string) =>
      `時刻は、コミュニティのタイムゾーン（${zone}）の時刻です。タイムゾーンは上で変更できます。`,
    none: '通知を控える時間はありません。',
    from: '開始',
    to: '終了',
    save: '時間を保存する',
    end: 'オフにする',
  },
})
