import { defineTexts } from '#web/i18n.ts'

export const passwordResetText = defineTexts({
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
    forgotTitle: 'パスワードをお忘れですか？',
    forgotHelp:
      'アカウントのメールアドレスを入力してください。新しいパスワードを設定するためのリンクをお送りします。',
    email: 'メールアドレス',
    emailOrHandle: 'メールアドレスまたはハンドル',
    sendLink: 'リンクを送る',
    siteWithoutMail:
      'このサイトはメールを送信できません。管理者にコードを発行してもらうか、復旧コードを使って、新しいパスワードを設定してください。',
    noMail:
      'メールが届かないときは、迷惑メールフォルダーを確認するか、管理者にコードを発行してもらうか、復旧コードをお使いください。',
    haveCode: 'コードを使う',
    resetTitle: '新しいパスワードの設定',
    resetHelp:
      '設定すると、すべての端末がログアウトされます。リンクまたは管理者のコードを使う場合は、パスキーも削除され、アカウントの削除の申請は取り消されます。2段階認証をお使いでなければ、復旧コードも削除されます。',
    codeHelp:
      '管理者から受け取ったコード、または復旧コードを入力してください。2段階認証をお使いの場合、ここで復旧コードは使えません。',
    code: 'コード',
    codeHint: '大文字と小文字、スペース、ハイフンの違いは問いません。',
    newPassword: '新しいパスワード',
    repeatPassword: '新しいパスワード（確認）',
    save: 'パスワードを設定する',
    noCode: 'コードがないときは、',
    requestLink: 'メールでリンクを受け取る',
    askAdmin: '管理者に発行してもらってください。',
    toLogIn: 'ログイン',
  },
})
