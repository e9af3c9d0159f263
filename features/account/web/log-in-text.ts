import { defineTexts } from '#web/i18n.ts'

export const membersOnlyText = defineTexts({
  en: {
    membersOnly: (name: string) => `Only members can read ${name}.`,
    howToJoin: {
      open: 'If you would like to join, sign up.',
      approval: 'If you would like to join, ask below: an admin reads it and decides.',
      invitation: 'If you would like to join, ask an admin for an invitation.',
      closed: '',
    },
    toJoin: {
      open: 'Sign up',
      approval: 'Ask to join',
      invitation: 'Use an invitation',
      closed: '',
    },
  },
  ja: {
    membersOnly: (name: string) => `「${name}」を見られるのは、メンバーだけです。`,
    howToJoin: {
      open: '参加したい方は、「新規登録」から登録できます。',
      approval: '参加したい方は、下の「参加を申し込む」から申し込めます。管理者が確認します。',
      invitation: '参加したい方は、管理者に招待をお願いしてください。',
      closed: '',
    },
    toJoin: {
      open: '新規登録',
      approval: '参加を申し込む',
      invitation: '招待を使う',
      closed: '',
    },
  },
})

export const resetText = defineTexts({
  en: {
    forgotLink: 'Forgot your password?',
    forgotTitle: 'Forgot your password?',
    forgotHelp: 'Enter the email address of your account. We send a link with which you set a new password.',
    email: 'Email address',
    emailOrHandle: 'Email address or handle',
    sendLink: 'Send the link',
    siteWithoutMail:
      'This site cannot send mail. Please ask an admin for a code, or take one of your recovery codes. Then you can set a new password.',
    noMail:
      'No mail? Look into the spam folder, ask an admin for a code, or take one of your recovery codes.',
    haveCode: 'I have a code',
    resetTitle: 'Set a new password',
    resetHelp:
      'This logs out all your devices. A link, or a code of an admin, also removes your passkeys, takes back a request to delete your account, and removes your recovery codes if you have no second step.',
    codeHelp:
      'Enter the code that an admin gave you, or one of your recovery codes. If you use a second step to log in, recovery codes do not work here.',
    code: 'Code',
    codeHint: 'Case, spaces and dashes do not matter.',
    newPassword: 'New password',
    repeatPassword: 'New password again',
    save: 'Save the password',
    noCode: 'No code?',
    requestLink: 'Request a link by mail',
    askAdmin: 'Ask an admin for one.',
    toLogIn: 'Log in',
  },
  ja: {
    forgotLink: 'パスワードをお忘れですか？',
    forgotTitle: 'パスワードの再設定',
    forgotHelp:
      'アカウントのメールアドレスを入力してください。新しいパスワードを設定するためのリンクをお送りします。',
    email: 'メールアドレス',
    emailOrHandle: 'メールアドレスまたはID',
    sendLink: 'リンクを送る',
    siteWithoutMail:
      'このサイトではメールを送れません。管理者からコードをもらうか、復旧コードを使って、新しいパスワードを設定してください。',
    noMail:
      'メールが届かないときは、迷惑メールフォルダーを確認してください。管理者からもらうコードか、復旧コードでも設定できます。',
    haveCode: 'コードを使う',
    resetTitle: '新しいパスワードの設定',
    resetHelp:
      '設定すると、すべての端末からログアウトします。メールのリンクや管理者のコードを使った場合は、パスキーも削除され、アカウントの削除の手続きは取り消されます。2段階認証をお使いでなければ、復旧コードも削除されます。',
    codeHelp:
      '管理者から受け取ったコード、または復旧コードを入力してください。2段階認証をお使いの場合、ここで復旧コードは使えません。',
    code: 'コード',
    codeHint: '大文字・小文字は区別しません。スペースとハイフンは省けます。',
    newPassword: '新しいパスワード',
    repeatPassword: '新しいパスワード（確認）',
    save: 'パスワードを設定する',
    noCode: 'コードがないときは、',
    requestLink: 'メールでリンクを受け取る',
    askAdmin: '管理者に発行してもらってください。',
    toLogIn: 'ログイン',
  },
})
