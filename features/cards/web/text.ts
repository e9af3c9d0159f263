import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

export const welcomeText = defineTexts({
  en: {
    title: 'Welcome',
    hello: (name: string) => `Hello, ${name}!`,
    choose: 'Choose a password. With it and your handle you log in later.',
    handle: 'Your handle',
    changeHandle: 'Change the handle',
    newHandle: 'Handle (for logging in)',
    newHandleHint: 'Letters, digits and _. The one on the card ends then.',
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
    hello: (name: string) => `${san(name)}、こんにちは`,
    choose: 'パスワードを決めてください。次からは、IDとこのパスワードでログインします。',
    handle: 'あなたのID（ログイン名）',
    changeHandle: 'IDを変える',
    newHandle: 'ID（ログイン名）',
    newHandleHint:
      '文字、数字、_（アンダーバー）が使えます。変えると、カードに書かれたIDではログインできません。',
    password: '新しいパスワード',
    enter: 'はじめる',
    passkeyHelp: 'パスワードの代わりに、この端末の指紋、顔、画面ロックも使えます。',
    passkey: 'パスキーを使う',
    done: 'ログインしました。',
    typeCode: 'カードのQRコードを読み取るか、コードをここに入力してください。',
    code: 'カードのコード',
    codeHint: '大文字・小文字は区別しません。スペースとハイフンは省けます。',
    continue: '次へ',
    toLogIn: 'すでにパスワードを決めた方はこちら',
    loggedIn: (name: string) =>
      `この端末では今、${san(name)}がログインしています。続けると、${san(name)}はログアウトします。`,
  },
})
