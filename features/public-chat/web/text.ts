import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

export const publicChatText = defineTexts({
  en: {
    chat: 'Chat',
    demo: 'A public demo: everyone who has this page open can read the messages, and nothing is stored.',
    membersDemo:
      'All members who have this page open can read along and see who writes. Nothing is stored, except what somebody reports.',
    report: (name: string) => `Report the message of ${name}`,
    reportTitle: 'Report a message',
    reportHelp: 'The moderators get this message with the name of its author, and nothing else of the chat.',
    cancel: 'Cancel',
    close: 'Close',
    connecting: 'Connecting…',
    connected: 'Connected',
    offline: 'Not connected. You can send again when the connection is back.',
    messages: 'Messages',
    nothing: 'No messages since you opened this page.',
    gap: 'Reconnected. Messages sent in between are not shown.',
    enterMessage: 'Enter your message',
    send: 'Send',
  },
  ja: {
    chat: '公開チャット',
    demo: '公開デモです。このページを開いている人ならだれでも読めます。発言は保存されません。',
    membersDemo:
      'このページを開いているメンバー全員が読めます。だれの発言かも表示されます。報告されたもの以外は保存されません。',
    report: (name: string) => `${san(name)}の発言を報告`,
    reportTitle: '発言を報告',
    reportHelp: 'モデレーターには、この発言と発言した人の名前が伝わります。ほかの会話は伝わりません。',
    cancel: 'キャンセル',
    close: '閉じる',
    connecting: '接続しています…',
    connected: '接続済み',
    offline: '接続が切れています。再接続すると、また送信できます。',
    messages: 'メッセージ',
    nothing: 'このページを開いてからの発言は、まだありません。',
    gap: '再接続しました。その間の発言は表示されません。',
    enterMessage: 'メッセージを入力',
    send: '送信',
  },
})
