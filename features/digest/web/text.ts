import { defineTexts } from '#web/i18n.ts'

export const digestSettingsAndUnsubscribeText = defineTexts({
  en: {
    title: 'Mail when you are away',
    help: 'If you have not visited for a while, a mail says what is new. It lists what is on under “By mail”.',
    frequency: 'How often',
    never: 'Never',
    weekly: 'Weekly, after a week without a visit',
    daily: 'Daily, after a day without a visit',
    noEmail: 'These mails need a verified email address.',
    toAccount: 'To the account page',
    saved: 'Saved.',
    unsubscribeTitle: 'No more mails',
    ask: 'Do you want to get no more mails about what is new?',
    end: 'End these mails',
    done: 'You get no more of these mails. You can turn them on again in the notification settings.',
  },
  ja: {
    title: '利用していないときのメール',
    help: 'しばらく利用していないときに、新着をメールでお知らせします。「メール」がオンのものが対象です。',
    frequency: '頻度',
    never: '受け取らない',
    weekly: '毎週（1週間利用していないとき）',
    daily: '毎日（1日利用していないとき）',
    noEmail: 'このメールには、確認済みのメールアドレスが必要です。',
    toAccount: 'アカウントのページへ',
    saved: '保存しました。',
    unsubscribeTitle: 'メールの停止',
    ask: '新着をお知らせするメールを停止しますか？',
    end: 'メールを停止する',
    done: 'メールを停止しました。お知らせの設定で、もう一度オンにできます。',
  },
})
