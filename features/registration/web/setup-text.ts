import { defineTexts } from '#web/i18n.ts'

export const setupText = defineTexts({
  en: {
    title: 'Set up',
    yourCommunity: 'Your community',
    communityName: 'Name of the community',
    communityNameHint:
      'The association, the class, the club, the company, the family. Shown in the title, in mails and at the log-in.',
    withoutSamples: 'A community of people who know each other, or with children, does better without them.',
    yourAccount: 'Your account',
    create: 'Create the community',
    open: 'The account that you register here becomes the admin of this community.',
    missing:
      'This page needs the set-up code. Open the link with “/setup?code=” that the server writes to its log when it starts.',
    wrong_code:
      'The set-up code in this link is not correct. The newest link is in the log of the server (the terminal where it runs): the server prints it when it starts.',
    backToTop: 'Top',
    registered: 'Welcome',
    done: 'This community already has an admin. To become an admin too, register and then ask an admin.',
    register: 'Register',
  },
  ja: {
    title: '初期設定',
    yourCommunity: 'コミュニティー',
    communityName: 'コミュニティーの名前',
    communityNameHint:
      '町内会、クラス、サークル、会社、家族などの名前です。画面の題名、メール、ログイン画面に出ます。',
    withoutSamples: '知り合いどうしや、子どものいるコミュニティーでは、なしで始めるのがおすすめです。',
    yourAccount: 'あなたのアカウント',
    create: 'コミュニティーを作る',
    open: 'ここで登録するアカウントが、このコミュニティーの管理者になります。',
    missing:
      'このページには、初期設定コードが必要です。サーバーの起動時にログに出る、「/setup?code=」の付いたリンクを開いてください。',
    wrong_code:
      'このリンクの初期設定コードは使えません。サーバーの起動時にログに出る、最新のリンクを開いてください。',
    backToTop: 'トップ',
    registered: 'ようこそ',
    done: 'このコミュニティーには、すでに管理者がいます。登録してから、管理者にしてもらってください。',
    register: '登録する',
  },
})
