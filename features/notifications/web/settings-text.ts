import { defineTexts } from '#web/i18n.ts'

export const notificationSettingsText = defineTexts({
  en: {
    title: 'Notification settings',
    kinds: 'What you are told of',
    kindsHelp:
      'What is off in the app is still listed under Notifications, but not counted or marked as new.',
    kind: 'Kind',
    app: 'In the app',
    push: 'On devices',
    message: 'Messages',
    like: 'Likes of your posts',
    reply: 'Replies to you',
    quote: 'Quotes of your messages',
    follow: 'New followers',
    group: 'Added to a group',
    first_message: 'New chats',
    /** The name of a checkbox for screen readers. */
    cell: (kind: string, channel: string) => `${kind}, ${channel}`,
    notAvailable: 'Not available',
    quietHours: 'Quiet hours',
    quietHoursHelp:
      'During these hours, your devices stay silent. What has waited comes as one notification at the end. The app shows everything at once.',
    from: 'From',
    to: 'To',
    zone: (zone: string) => `Time zone: ${zone}`,
    save: 'Save quiet hours',
    end: 'Turn off quiet hours',
    saved: 'Saved.',
    community: ({ from, to, time_zone }: { from: string; to: string; time_zone: string }) =>
      `In this community, devices also stay silent from ${from} to ${to} (${time_zone}).`,
    devices: 'Set up devices',
  },
  ja: {
    title: 'お知らせの設定',
    kinds: 'お知らせする内容',
    kindsHelp: 'アプリ内でオフにしたものも「お知らせ」に表示されますが、新着としては数えません。',
    kind: '種類',
    app: 'アプリ内',
    push: '端末',
    message: 'メッセージ',
    like: '投稿への「いいね」',
    reply: 'あなたへの返信',
    quote: 'メッセージの引用',
    follow: '新しいフォロワー',
    group: 'グループへの追加',
    first_message: '新しいチャット',
    cell: (kind: string, channel: string) => `${kind}、${channel}`,
    notAvailable: '選択できません',
    quietHours: '通知を控える時間',
    quietHoursHelp:
      'この時間は端末に通知しません。待っていた通知は、終わりにまとめて1件で届きます。アプリにはすぐに表示されます。',
    from: '開始',
    to: '終了',
    zone: (zone: string) => `タイムゾーン：${zone}`,
    save: '時間を保存する',
    end: 'オフにする',
    saved: '保存しました。',
    community: ({ from, to, time_zone }: { from: string; to: string; time_zone: string }) =>
      `このコミュニティでは、${from}から${to}まで（${time_zone}）も端末に通知しません。`,
    devices: '端末を設定する',
  },
})
