import { defineTexts } from '#web/i18n.ts'

/** The texts of the menu of a message, of quotes, and of links to messages. */
export const messageMenuText = defineTexts({
  en: {
    reply: 'Reply',
    copy: 'Copy text',
    copied: 'Copied.',
    notCopied: 'The text could not be copied.',
    copyLink: 'Copy link',
    linkCopied: 'The link was copied. It opens for the members of this chat.',
    report: 'Report…',
    edit: 'Edit',
    deleteAction: 'Delete',

    you: 'You',
    pictures: (n: number) => `📷 ${n === 1 ? 'Picture' : `${n} pictures`}`,
    deleted: 'This message was deleted',
    blocked: 'Message of a person you blocked',
    muted: 'Message of a person you muted',
    quoteOf: (name: string, text: string) => `In reply to ${name}: ${text}. Go to the message`,
    replyingTo: (name: string) => `Reply to ${name}`,
    replyingToSelf: 'Reply to your own message',
    cancelReply: 'Cancel the reply',
    noSuchMessage: 'This message is no longer here, or you may not see it.',
  },
  ja: {
    reply: '返信',
    copy: 'テキストをコピー',
    copied: 'コピーしました。',
    notCopied: 'このブラウザではコピーできませんでした。',
    copyLink: 'リンクをコピー',
    linkCopied: 'リンクをコピーしました。開けるのはこのチャットのメンバーだけです。',
    report: '報告…',
    edit: '編集',
    deleteAction: '削除',

    you: 'あなた',
    pictures: (n: number) => `📷 画像${n > 1 ? `${n}枚` : ''}`,
    deleted: 'メッセージは削除されました',
    blocked: 'ブロックした人のメッセージ',
    muted: 'ミュートした人のメッセージ',
    quoteOf: (name: string, text: string) => `${name}さんへの返信：${text}。元のメッセージへ`,
    replyingTo: (name: string) => `${name}さんに返信`,
    replyingToSelf: '自分のメッセージに返信',
    cancelReply: '返信をやめる',
    noSuchMessage: 'このメッセージはもうないか、表示できません。',
  },
})
