import { texts } from '#web/i18n.ts'

export const publicChatText = texts({
  en: {
    chat: 'Chat',
    demo: 'A public demo: everybody who has this page open reads what is said here, and nothing of it is kept.',
    connecting: 'Connecting…',
    connected: 'Connected',
    offline: 'Not connected. Sending works again when the line is back.',
    messages: 'Messages',
    nothing: 'Nothing has been said since you came.',
    gap: 'Connected again. What was said in between is not shown.',
    enterMessage: 'Enter your message',
    send: 'Send',
  },
  ja: {
    chat: '公開チャット',
    demo: '公開デモです。このページを開いている人なら誰でも読めます。発言は保存されません。',
    connecting: '接続しています…',
    connected: '接続済み',
    offline: '接続が切れています。再接続すると、また送信できます。',
    messages: 'メッセージ',
    nothing: 'ここに来てからの発言は、まだありません。',
    gap: '再接続しました。その間の発言は表示されません。',
    enterMessage: 'メッセージを入力',
    send: '送信',
  },
})
