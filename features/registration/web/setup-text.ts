import { defineTexts } from '#web/i18n.ts'

export const setupText = defineTexts({
  en: {
    title: 'Set up',
    yourCommunity: 'Your community',
    communityName: 'Name of the community',
    communityNameHint:
      'The class, the club, the company, the family. Shown in the title, in mails and at the log-in.',
    withoutSamples: 'A community of people who know each other, or with children, does better without them.',
    yourAccount: 'Your account',
    create: 'Create the community',
    open: 'The account that you register here becomes the admin of this community.',
    missing:
      'This page needs the set-up code. Open the complete link, which ends in /setup?code=…, from the log of the server (the terminal where it runs). The server prints it when it starts.',
    wrong_code:
      'The set-up code in this link is not correct. The newest link is in the log of the server (the terminal where it runs): the server prints it when it starts.',
    backToTop: 'Top',
    registered: 'Welcome',
    done: 'This community already has an admin. To become an admin too, register and then ask an admin.',
    register: 'Register',
  },
  ja: {
    title: 'セットアップ',
    yourCommunity: 'コミュニティー',
    communityName: 'コミュニティーの名前',
    communityNameHint:
      'クラス、サークル、会社、家族などの名前です。タイトル、メール、ログイン画面に表示されます。',
    withoutSamples: '知り合いどうしや、お子さまのいるコミュニティーでは、なしで始めるのがおすすめです。',
    yourAccount: 'あなたのアカウント',
    create: 'コミュニティーを作る',
    open: 'ここで登録するアカウントが、このコミュニティーの管理者になります。',
    missing:
      'このページを使うには、セットアップコードが必要です。/setup?code=… で終わるリンクを開いてください。リンクは、サーバーの起動時にログ（サーバーを動かしているターミナル）に表示されます。',
    wrong_code:
      'このリンクのセットアップコードは正しくありません。最新のリンクは、サーバーの起動時にログ（サーバーを動かしているターミナル）に表示されます。',
    backToTop: 'トップ',
    registered: 'ようこそ',
    done: 'このコミュニティーにはすでに管理者がいます。管理者になるには、登録してから管理者に依頼してください。',
    register: '登録する',
  },
})
