import { defineTexts } from '#web/i18n.ts'

export const joinRequestText = defineTexts({
  en: {
    title: 'Your request to join',
    help: 'Admins decide who joins. Please introduce yourself; only they read your answer.',
    standardQuestion: 'Who are you, and how do you know this community?',
    tooLong: (max: number) => `At most ${max} characters.`,
    send: 'Ask to join',
    verifyHelp: 'Confirm that this is your email address. Then the admins see your request.',
    verify: 'Confirm the address',
    logIn: 'Log in',
    again: 'Ask again',
    unverified: 'Please open the link in the mail that we have sent to you.',
    unverifiedHelp:
      'It confirms your address, and is valid for 24 hours. Then the admins see your request. If no mail comes, look among the unwanted mails.',
    waiting: 'Your request is with the admins.',
    waitingHelp:
      'You can close this page: if your address is confirmed, you get a mail when they have decided. You can also try to log in; that works as soon as they have approved. A request ends after 30 days.',
    approved: 'Welcome! An admin has approved your request.',
    approvedHelp: 'Log in with your email address and the password that you chose.',
    refused: 'The admins have not approved your request.',
    refusedHelp: 'Your name, your address and your answer have been deleted.',
    ended: 'This request does not exist any more.',
    endedHelp: 'It may be too old, or you have sent another one since. If it was approved, you can log in.',
  },
  ja: {
    title: '参加の申し込み',
    help: '参加は管理者が承認します。自己紹介をお願いします。回答を読むのは管理者だけです。',
    standardQuestion: 'お名前と、このコミュニティーとのつながりを教えてください。',
    tooLong: (max: number) => `${max}文字以内で入力してください。`,
    send: '申し込む',
    verifyHelp:
      'このメールアドレスがご本人のものであることを確認してください。そのあと、管理者に申し込みが届きます。',
    verify: 'アドレスを確認する',
    logIn: 'ログイン',
    again: 'もう一度申し込む',
    unverified: 'お送りしたメールのリンクを開いてください。',
    unverifiedHelp:
      'リンクは24時間有効です。アドレスを確認すると、管理者に申し込みが届きます。メールが届かない場合は、迷惑メールもご確認ください。',
    waiting: '管理者が申し込みを確認しています。',
    waitingHelp:
      'このページは閉じてもかまいません。アドレスを確認済みの場合は、決まりしだいメールでお知らせします。承認されると、ログインできるようになります。申し込みは30日で終了します。',
    approved: 'ようこそ！管理者が申し込みを承認しました。',
    approvedHelp: 'メールアドレスと、申し込みのときに決めたパスワードでログインしてください。',
    refused: '今回の申し込みは、見送られました。',
    refusedHelp: 'お名前、メールアドレス、回答は削除されました。',
    ended: 'この申し込みは、もうありません。',
    endedHelp:
      '期限が切れたか、新しい申し込みに置き換わった可能性があります。承認された場合は、ログインできます。',
  },
})
