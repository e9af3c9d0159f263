import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

export const deviceLinkText = defineTexts({
  en: {
    title: 'Log in here',
    add: 'Add a device',
    scan: 'Scan this code with the camera of your other device, such as your phone. It works once, for five minutes. Show it to nobody else: it opens your account.',
    qrCode: 'QR code that logs in another device',
    copy: 'Copy the link',
    copied: 'Copied.',
    copyFailed: 'The browser does not allow copying.',
    done: 'Done',
    used: 'The other device is logged in.',
    ended: 'The code has expired.',
    newCode: 'Show a new code',
    hello: (name: string) => `Are you ${name}?`,
    logIn: 'Log in',
    notYou: 'If you are somebody else, close this page.',
    loggedIn: (name: string) =>
      `You are logged in as ${name} on this device. If you go on, that account is logged out here.`,
    success: 'Log in successful.',
    noCode:
      'On a device where you are logged in, open “Account”, then “Devices”, and choose “Add a device”. Then scan the code with this device.',
    toLogIn: 'Log in with a password',
  },
  ja: {
    title: 'この端末でログイン',
    add: '端末を追加',
    scan: 'もう1台の端末のカメラで、このコードを読み取ってください。5分以内に1回だけ使えます。このコードがあればアカウントに入れるので、ほかの人には見せないでください。',
    qrCode: 'もう1台の端末でログインするためのQRコード',
    copy: 'リンクをコピー',
    copied: 'コピーしました。',
    copyFailed: 'コピーできませんでした。',
    done: '閉じる',
    used: 'もう1台の端末でログインしました。',
    ended: 'コードの有効期限が切れました。',
    newCode: '新しいコードを表示',
    hello: (name: string) => `${san(name)}ですか？`,
    logIn: 'ログイン',
    notYou: 'ご本人でない場合は、このページを閉じてください。',
    loggedIn: (name: string) =>
      `この端末では今、${san(name)}がログインしています。続けると、${san(name)}はログアウトします。`,
    success: 'ログインしました。',
    noCode:
      'ログイン中の端末で「アカウント」→「ログイン中の端末」→「端末を追加」を選び、表示されたコードを、この端末で読み取ってください。',
    toLogIn: 'パスワードでログイン',
  },
})
