import { defineTexts } from '#web/i18n.ts'

export const registrationText = defineTexts({
  en: {
    closed: 'This community does not take new members at the moment.',
    closedHelp: 'If you have an account, you can log in.',
    invitationNeeded: 'You need an invitation to join this community.',
    invitationNeededHelp:
      'Open the link, or scan the QR code, that you got from a member. If you have a code, you can type it here.',
    code: 'Code of the invitation',
    codeHelp: 'Type the code from the card. If you have a link or a QR code, open that instead.',
    haveCode: 'I have an invitation code',
    withoutCode: 'Continue without a code',
    continue: 'Continue',
    invited: 'You are invited. Please choose what you log in with.',
    logIn: 'Log in',
  },
  ja: {
    closed: 'このコミュニティーは、現在新しいメンバーを受け付けていません。',
    closedHelp: 'アカウントをお持ちの方は、ログインできます。',
    invitationNeeded: 'このコミュニティーに参加するには、招待が必要です。',
    invitationNeededHelp:
      'メンバーから受け取ったリンクを開くか、QRコードを読み取ってください。コードは、ここに入力することもできます。',
    code: '招待コード',
    codeHelp: 'カードのコードを入力してください。リンクやQRコードがある場合は、そちらを開いてください。',
    haveCode: '招待コードを持っています',
    withoutCode: 'コードなしで続ける',
    continue: '次へ',
    invited: '招待を確認しました。ログインに使う情報を入力してください。',
    logIn: 'ログイン',
  },
})
