import { defineTexts } from '#web/i18n.ts'

export const digestText = defineTexts({
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
    title: '新着まとめメール',
    help: 'しばらく開いていないときに、新着をまとめてメールでお送りします。対象は、上の表で「メール」がオンのものです。',
    frequency: '送る回数',
    never: '受け取らない',
    weekly: '週1回（1週間開いていないとき）',
    daily: '1日1回（1日開いていないとき）',
    noEmail: 'このメールには、確認済みのメールアドレスが必要です。',
    toAccount: '「アカウント」ページへ',
    saved: '保存しました。',
    unsubscribeTitle: '新着まとめメールの停止',
    ask: '新着まとめメールの受け取りをやめますか？',
    end: '受け取りをやめる',
    done: '受け取りをやめました。「通知の設定」で、また受け取れます。',
  },
})
