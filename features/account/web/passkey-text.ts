import { ApiError } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { defineTexts, useText } from '#web/i18n.ts'

export const passkeyText = defineTexts({
  en: {
    title: 'Passkeys',
    help: 'Log in with your fingerprint, your face or the lock of your device, without a password.',
    add: 'Add a passkey',
    added: 'The passkey has been added.',
    none: 'There are no passkeys yet.',
    addedOn: 'Added ',
    lastUsed: 'last used ',
    neverUsed: 'not used yet',
    rename: 'Rename',
    renameLabel: (name: string) => `Rename ${name}`,
    renameTitle: 'Rename passkey',
    name: 'Name',
    save: 'Save',
    cancel: 'Cancel',
    remove: 'Remove',
    removeLabel: (name: string) => `Remove ${name}`,
    removeTitle: 'Remove this passkey?',
    removeHelp: (name: string) =>
      `${name} can no longer log in to your account. If you still have the device, delete the passkey there too.`,
    removed: 'The passkey has been removed.',
    logIn: 'Log in with a passkey',
    confirm: 'Use a passkey',
    obstacles: {
      site: 'Passkeys need an address with https and a domain name. The operator of this site can set it up.',
      address: (origin: string) => `Passkeys work only at ${origin}.`,
      browser: 'This browser does not support passkeys.',
    },
    notConfirmed: 'No passkey was used. Please try again, or use your password.',
    notAdded: 'No passkey was added. Please try again.',
    alreadyAdded: 'This device already has a passkey for your account.',
    notSupported: 'This browser cannot use passkeys here.',
  },
  ja: {
    title: 'パスキー',
    help: 'パスワードの代わりに、指紋や顔、端末のロックでログインできます。',
    add: 'パスキーを追加',
    added: 'パスキーを追加しました。',
    none: 'パスキーはまだありません。',
    addedOn: '追加：',
    lastUsed: '最後の利用：',
    neverUsed: '未使用',
    rename: '名前の変更',
    renameLabel: (name: string) => `${name}の名前を変更`,
    renameTitle: 'パスキーの名前',
    name: '名前',
    save: '保存',
    cancel: 'キャンセル',
    remove: '削除',
    removeLabel: (name: string) => `${name}を削除`,
    removeTitle: 'このパスキーを削除しますか？',
    removeHelp: (name: string) =>
      `「${name}」ではログインできなくなります。その端末がお手元にあれば、端末側のパスキーも削除してください。`,
    removed: 'パスキーを削除しました。',
    logIn: 'パスキーでログイン',
    confirm: 'パスキーを使う',
    obstacles: {
      site: 'このサイトでは、まだパスキーを使えません（httpsとドメイン名が必要です）。サーバーの運営者にご相談ください。',
      address: (origin: string) => `パスキーは${origin}でのみ使えます。`,
      browser: 'このブラウザーはパスキーに対応していません。',
    },
    notConfirmed: 'パスキーで確認できませんでした。もう一度お試しいただくか、パスワードをお使いください。',
    notAdded: 'パスキーを追加できませんでした。もう一度お試しください。',
    alreadyAdded: 'この端末には、すでにこのアカウントのパスキーがあります。',
    notSupported: 'このブラウザーでは、パスキーを使えません。',
  },
})

/** For errors of the server and the browser. */
export function usePasskeyErrors() {
  const t = useText(passkeyText)
  const formatError = useErrorText()
  return (error: Error, action: 'add' | 'use') => {
    if (error instanceof ApiError) return formatError(error)
    // https://www.w3.org/TR/webauthn-3/#sctn-create-request-exceptions
    if (error.name === 'InvalidStateError') return t.alreadyAdded
    if (!['NotAllowedError', 'AbortError'].includes(error.name)) return t.notSupported
    return action === 'add' ? t.notAdded : t.notConfirmed
  }
}
