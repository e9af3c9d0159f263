import { defineTexts } from '#web/i18n.ts'

/** Returns the texts before and after a name as a pair, for the component `SentenceWithName`. */
const createSentenceAroundName = (before: string, after: string) => [before, after] as const

/** The texts, in English and Japanese, of forwarded messages and of the dialog that forwards a message. */
export const forwardMessageText = defineTexts({
  en: {
    forwarded: 'Forwarded',
    forwardedFrom: createSentenceAroundName('Forwarded from ', ''),
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
    forwardedFrom: createSentenceAroundName('', 'さんのメッセージを転送'),
    title: '転送先',
    search: 'チャットと人を検索',
    chats: 'チャットと人',
    help: (max: number) => `${max}件まで選べます。`,
    chosen: (n: number, max: number) => `${max}件中${n}件を選択`,
    nobodyFound: '見つかりません。転送できるのは、チャット、グループ、フォローしている人です。',
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
