import { MAX_PREVIEW_COUNT } from '#core/community/settings-contract.ts'
import { defineTexts } from '#web/i18n.ts'

const formatDays = (n: number) => (n % 365 ? `${n} days` : n === 365 ? '1 year' : `${n / 365} years`)
const formatDaysJa = (n: number) => (n % 365 ? `${n}日` : `${n / 365}年`)
const formatCount = (n: number, one: string, more: string) =>
  `${n.toLocaleString('en')} ${n === 1 ? one : more}`
const count = {
  messages: (n: number) => formatCount(n, 'message', 'messages'),
  pictures: (n: number) => formatCount(n, 'picture', 'pictures'),
}
const countJa = {
  messages: (n: number) => `メッセージ${n.toLocaleString('ja')}件`,
  pictures: (n: number) => `画像${n.toLocaleString('ja')}枚`,
}

/** The server counts no further. */
const MAX = MAX_PREVIEW_COUNT
const atLeast = (n: number, text: string) => (n > MAX ? `more than ${text}` : text)
const atLeastJa = (n: number, text: string) => (n > MAX ? `${text}以上` : text)

export const retentionText = defineTexts({
  en: {
    labels: { messages: 'Keep messages of chats', pictures: 'Keep pictures of posts and chats' },
    helps: {
      messages: 'Older messages are removed for everyone, with their pictures. Posts stay.',
      pictures:
        'Older pictures are removed. The post or the message stays, and says that it had pictures. Profile pictures stay.',
    },
    forEver: 'For ever',
    days: formatDays,
    begins: (at: string) => `The removal begins at ${at}. Until then you can set it back.`,
    counting: 'What would be removed',
    ask: {
      messages: (days: number) => `Remove messages older than ${formatDays(days)}?`,
      pictures: (days: number) => `Remove pictures older than ${formatDays(days)}?`,
    },
    preview: (messages: number, pictures: number, size: string) =>
      messages + pictures === 0
        ? 'If it began now, nothing would be removed yet.'
        : `If it began now, ${[
            messages && atLeast(messages, count.messages(Math.min(messages, MAX))),
            pictures &&
              `${atLeast(pictures, count.pictures(Math.min(pictures, MAX)))} (${atLeast(pictures, size)})`,
          ]
            .filter(Boolean)
            .join(' and ')} would be removed for everyone.`,
    oldest: (at: string) => `The oldest is of ${at}.`,
    grace:
      'The removal begins in one day. Until then you can set it back. Afterwards nobody can bring the things back.',
    confirm: 'Save',

    title: 'How long things are kept',
    help: 'Admins decide this for the whole community.',
    rules: {
      messages: (days: number | null) =>
        days === null
          ? 'Messages of chats are kept until somebody deletes them.'
          : `Messages of chats are removed after ${formatDays(days)}, with their pictures.`,
      pictures: (days: number | null) =>
        days === null
          ? 'Pictures of posts are kept until somebody deletes them.'
          : `Pictures of posts and messages are removed after ${formatDays(days)}. The texts stay.`,
    },
    ruleBegins: (at: string) => `This begins at ${at}.`,
    copies:
      'Backups of the server, archives that members have downloaded, and copies in reports may have removed things for longer.',

    lastRemoval: 'Last automatic removal',
    notYet: 'Nothing was removed yet.',
    lastRun: (at: string) => `Last run: ${at}.`,
    removed: {
      messages: (n: number) => count.messages(n),
      pictures: (n: number) => count.pictures(n),
    },
    removedOn: (what: string, size: string, day: string) => `${what} (${size}), on ${day}`,
  },
  ja: {
    labels: { messages: 'チャットのメッセージの保存期間', pictures: '投稿とチャットの画像の保存期間' },
    helps: {
      messages: '古いメッセージは、画像も含めて全員の画面から削除されます。投稿は残ります。',
      pictures:
        '古い画像は削除されます。投稿やメッセージの文章は残り、画像があったことが表示されます。プロフィール画像は残ります。',
    },
    forEver: '無期限',
    days: formatDaysJa,
    begins: (at: string) => `削除は${at}に始まります。それまでは元に戻せます。`,
    counting: '削除されるもの',
    ask: {
      messages: (days: number) => `${formatDaysJa(days)}より古いメッセージを削除しますか？`,
      pictures: (days: number) => `${formatDaysJa(days)}より古い画像を削除しますか？`,
    },
    preview: (messages: number, pictures: number, size: string) =>
      messages + pictures === 0
        ? '今すぐ始めた場合でも、削除されるものはありません。'
        : `今すぐ始めた場合、${[
            messages && atLeastJa(messages, countJa.messages(Math.min(messages, MAX))),
            pictures &&
              `${atLeastJa(pictures, countJa.pictures(Math.min(pictures, MAX)))}（${atLeastJa(pictures, size)}）`,
          ]
            .filter(Boolean)
            .join('と')}が全員の画面から削除されます。`,
    oldest: (at: string) => `最も古いものは、${at}のものです。`,
    grace: '削除は1日後に始まります。それまでは元に戻せます。始まったあとは、だれも元に戻せません。',
    confirm: '保存',

    title: '保存期間',
    help: 'コミュニティー全体の設定で、管理者が決めます。',
    rules: {
      messages: (days: number | null) =>
        days === null
          ? 'チャットのメッセージは、だれかが削除するまで保存されます。'
          : `チャットのメッセージは、送信から${formatDaysJa(days)}を過ぎると、画像も含めて削除されます。`,
      pictures: (days: number | null) =>
        days === null
          ? '投稿の画像は、だれかが削除するまで保存されます。'
          : `投稿とメッセージの画像は、投稿や送信から${formatDaysJa(days)}を過ぎると削除されます。文章は残ります。`,
    },
    ruleBegins: (at: string) => `${at}に始まります。`,
    copies:
      'サーバーのバックアップ、メンバーがダウンロードしたデータの控え、報告に含まれる写しには、削除されたものがしばらく残ることがあります。',

    lastRemoval: '直前の自動削除',
    notYet: 'まだ何も削除されていません。',
    lastRun: (at: string) => `最後に実行した日時：${at}`,
    removed: { messages: countJa.messages, pictures: countJa.pictures },
    removedOn: (what: string, size: string, day: string) => `${what}（${size}）、${day}`,
  },
})
