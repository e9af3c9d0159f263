import { defineTexts } from '#web/i18n.ts'

export const logInCardWelcomePageText = defineTexts({
  en: {
    title: 'Welcome',
    hello: (name: string) => `Hello, ${name}!`,
    choose: 'Choose a password. With it and your handle you log in later.',
    handle: 'Your handle',
    password: 'New password',
    enter: 'Come in',
    passkeyHelp: 'Or use the fingerprint, the face or the lock of this device instead of a password.',
    passkey: 'Use a passkey',
    done: 'You are in.',
    typeCode: 'Scan the QR code of your card, or type its code here.',
    code: 'Code of the card',
    codeHint: 'Case, spaces and dashes do not matter.',
    continue: 'Continue',
    toLogIn: 'I have a password already',
    loggedIn: (name: string) =>
      `You are logged in as ${name} on this device. If you go on, that account is logged out here.`,
  },
  ja: {
    title: 'ようこそ',
    hello: (name: string) => `${name}さん、こんにちは`,
    choose: 'パスワードを決めてください。次からは、ハンドルとこのパスワードでログインします。',
    handle: 'あなたのハンドル',
    password: '新しいパスワード',
    enter: 'はじめる',
    passkeyHelp: 'パスワードの代わりに、この端末の指紋、顔、画面ロックも使えます。',
    passkey: 'パスキーを使う',
    done: 'ログインしました。',
    typeCode: 'カードのQRコードを読み取るか、コードをここに入力してください。',
    code: 'カードのコード',
    codeHint: '大文字と小文字、空白、ハイフンの違いは問いません。',
    continue: '次へ',
    toLogIn: 'パスワードをお持ちの方',
    loggedIn: (name: string) =>
      `この端末では${name}さんがログインしています。続けると、この端末ではログアウトされます。`,
  },
})
