import { honorific, san } from '#core/text/honorific.ts'
import type { Post } from '#features/posts/contract.ts'
import { defineTexts } from '#web/i18n.ts'

export const messageMenuText = defineTexts({
  en: {
    reply: 'Reply',
    copy: 'Copy text',
    copied: 'Copied.',
    notCopied: 'The text could not be copied.',
    copyLink: 'Copy link',
    linkCopied: 'The link was copied. It opens for the members of this group.',
    forward: 'Forward…',
    pin: 'Pin',
    pinned: 'The message is pinned for the group.',
    unpin: 'Unpin',
    unpinned: 'The message is no longer pinned.',
    seenBy: 'Seen by…',
    unreadFromHere: 'Unread from here',
    markedUnread: 'The chat is unread from this message on.',
    report: 'Report…',
    edit: 'Edit',
    deleteAction: 'Delete',

    you: 'You',
    pictures: (n: number) => `📷 ${n === 1 ? 'Picture' : `${n} pictures`}`,
    file: '📎 File',
    voice: '🎤 Voice message',
    video: '🎥 Video',
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
    copy: '文章をコピー',
    copied: 'コピーしました。',
    notCopied: 'コピーできませんでした。',
    copyLink: 'リンクをコピー',
    linkCopied: 'リンクをコピーしました。開けるのはこのグループのメンバーだけです。',
    forward: '転送…',
    pin: 'ピン留め',
    pinned: 'グループ全員の画面にピン留めしました。',
    unpin: 'ピン留めを外す',
    unpinned: 'ピン留めを外しました。',
    seenBy: '既読の人を見る…',
    unreadFromHere: 'ここから未読にする',
    markedUnread: 'このメッセージから未読にしました。',
    report: '問題を報告…',
    edit: '編集',
    deleteAction: '削除',

    you: 'あなた',
    pictures: (n: number) => `📷 画像${n > 1 ? `${n}枚` : ''}`,
    file: '📎 ファイル',
    voice: '🎤 ボイスメッセージ',
    video: '🎥 動画',
    deleted: 'このメッセージは削除されました',
    blocked: 'ブロックした人のメッセージ',
    muted: 'ミュートした人のメッセージ',
    quoteOf: (name: string, text: string) => `${san(name)}への返信：${text}（元のメッセージへ）`,
    replyingTo: (name: string) => `${san(name)}に返信`,
    replyingToSelf: '自分のメッセージに返信',
    cancelReply: '返信をやめる',
    noSuchMessage: 'このメッセージは、削除されたか、あなたには表示されません。',
  },
})

export const blockedText = defineTexts({
  en: {
    blocked: 'Message of a person you blocked.',
    muted: 'Message of a person you muted.',
    show: 'Show',
  },
  ja: {
    blocked: 'ブロックした人のメッセージです。',
    muted: 'ミュートした人のメッセージです。',
    show: '表示',
  },
})

export const forwardText = defineTexts({
  en: {
    forwarded: 'Forwarded',
    forwardedFrom: (_name: string) => ['Forwarded from ', ''] as const,
    title: 'Forward to…',
    search: 'Search chats and people',
    chats: 'Chats and people',
    help: (max: number) => `Choose up to ${max}.`,
    chosen: (n: number, max: number) => `${n} of ${max} chosen`,
    nobodyFound: 'Nothing found. You can forward to your chats, your groups and the people you follow.',
    group: 'Group',
    sent: 'Sent',
    notSent: (n: number) =>
      n === 1 ? 'The message was not sent to one chat.' : `The message was not sent to ${n} chats.`,
    forward: 'Forward',
    retry: 'Try again',
    cancel: 'Cancel',
    close: 'Close',
    done: (n: number) => (n === 1 ? 'Forwarded.' : `Forwarded to ${n} chats.`),
  },
  ja: {
    forwarded: '転送',
    forwardedFrom: (name: string) => ['', `${honorific(name)}のメッセージを転送`] as const,
    title: '転送先',
    search: '名前で検索',
    chats: 'チャットと人',
    help: (max: number) => `${max}件まで選べます。`,
    chosen: (n: number, max: number) => `${max}件中${n}件を選択`,
    nobodyFound: '見つかりません。転送できる相手は、これまでのチャット、グループ、フォローしている人です。',
    group: 'グループ',
    sent: '送信済み',
    notSent: (n: number) => `${n}件のチャットに送れませんでした。`,
    forward: '転送',
    retry: 'もう一度送る',
    cancel: 'キャンセル',
    close: '閉じる',
    done: (n: number) => (n === 1 ? '転送しました。' : `${n}件のチャットに転送しました。`),
  },
})

export const pinnedText = defineTexts({
  en: {
    title: 'Pinned messages',
    all: (n: number) => (n === 1 ? 'Show' : `All ${n}`),
    showAll: (n: number) => (n === 1 ? 'Show the pinned message' : `Show all ${n} pinned messages`),
    goTo: (name: string, text: string) => `Pinned message of ${name}: ${text}. Go to the message`,
    show: 'Show in chat',
    showWhich: (text: string) => `Show “${text}” in the chat`,
    unpin: (text: string) => `Unpin “${text}”`,
    unpinned: 'The message is no longer pinned.',
    pinnedBy: (name: string, time: string) => `Pinned by ${name}, ${time}`,
    pinnedAt: (time: string) => `Pinned ${time}`,
    close: 'Close',
  },
  ja: {
    title: 'ピン留めされたメッセージ',
    all: (n: number) => (n === 1 ? '表示' : `全${n}件`),
    showAll: (n: number) => (n === 1 ? 'ピン留めを表示' : `全${n}件のピン留めを表示`),
    goTo: (name: string, text: string) => `${san(name)}のピン留めメッセージ：${text}。元のメッセージへ`,
    show: 'チャットで見る',
    showWhich: (text: string) => `「${text}」をチャットで見る`,
    unpin: (text: string) => `「${text}」のピン留めを外す`,
    unpinned: 'ピン留めを外しました。',
    pinnedBy: (name: string, time: string) => `${san(name)}がピン留め・${time}`,
    pinnedAt: (time: string) => `${time}にピン留め`,
    close: '閉じる',
  },
})

export const pinnedPostsText = defineTexts({
  en: {
    title: 'Pinned posts',
    postBy: (name: string) => `Post by ${name}`,
    ownPost: 'Your post',
    pictures: (n: number) => (n > 1 ? `${n} pictures` : 'Picture'),
    all: (n: number) => `All ${n}`,
    showAll: (n: number) => `All ${n} pinned posts`,
    open: 'Open post',
    openWhich: (text: string) => `Open post “${text}”`,
    close: 'Close',
  },
  ja: {
    title: 'ピン留めされた投稿',
    postBy: (name: string) => `${san(name)}の投稿`,
    ownPost: 'あなたの投稿',
    pictures: (n: number) => `画像${n > 1 ? `${n}枚` : ''}`,
    all: (n: number) => `全${n}件`,
    showAll: (n: number) => `全${n}件のピン留めされた投稿`,
    open: '投稿を開く',
    openWhich: (text: string) => `投稿を開く「${text}」`,
    close: '閉じる',
  },
})

/** `isNote` is true if the post has no text: words for its pictures, or the name of its first file. */
export function describePost(
  {
    body,
    images,
    files = [],
    removed_images = 0,
  }: Pick<Post, 'body' | 'images' | 'files' | 'removed_images'>,
  t: (typeof pinnedPostsText)['en'],
) {
  if (body) return { text: body, isNote: false }
  const [file] = images.length ? [] : files
  return { text: file?.name ?? t.pictures(images.length + removed_images), isNote: true }
}
