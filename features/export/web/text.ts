import { defineTexts } from '#web/i18n.ts'

export const exportText = defineTexts({
  en: {
    title: 'A copy of your data',
    help: 'Take a copy of everything that you wrote, received and may still see, with the pictures. It is one ZIP file: pages that any browser shows without a network, and the same data as JSON.',
    room: (used: string, max: string | null) =>
      max ? `Your pictures and files take ${used} of ${max}.` : `Your pictures and files take ${used}.`,
    make: 'Make an archive',
    waiting: 'The archive will be made in a moment. You may close this page.',
    running: 'The archive is being made. You may close this page.',
    progress: 'Progress',
    cancel: 'Cancel',
    failed: 'The archive could not be made. Please try again, or tell an admin.',
    again: 'Try again',
    ready: 'The archive is ready.',
    size: 'Size',
    deletedOn: 'Kept until',
    download: 'Download',
    remove: 'Delete',
    removed: 'The archive has been deleted.',
    cancelled: 'The archive has been cancelled.',
  },
  ja: {
    title: 'あなたのデータの控え',
    help: 'あなたが書いたものと受け取ったもののうち、今見られるものすべてを、画像とともに1つのZIPファイルにまとめます。インターネットにつながっていなくても、ブラウザーで読めます。',
    room: (used: string, max: string | null) =>
      max
        ? `あなたの画像とファイルは${max}のうち${used}を使っています。`
        : `あなたの画像とファイルは${used}を使っています。`,
    make: 'データの控えを作成する',
    waiting: 'まもなく、データの控えの作成が始まります。このページは閉じてもかまいません。',
    running: 'データの控えを作成しています。このページは閉じてもかまいません。',
    progress: '進み具合',
    cancel: 'キャンセル',
    failed: 'データの控えを作成できませんでした。もう一度試すか、管理者にお知らせください。',
    again: 'もう一度試す',
    ready: 'データの控えができました。',
    size: 'サイズ',
    deletedOn: '保存期限',
    download: 'ダウンロード',
    remove: '削除する',
    removed: 'データの控えを削除しました。',
    cancelled: 'データの控えの作成をやめました。',
  },
})
