import { defineTexts } from '#web/i18n.ts'

export const dataExportSectionText = defineTexts({
  en: {
    title: 'Your data',
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
    title: 'あなたのデータ',
    help: 'あなたが書いたもの、受け取ったもののうち今も見られるものすべてを、画像とともに手元に保存できます。1つのZIPファイルに、ネットワークなしでどのブラウザでも読めるページと、同じ内容のJSONが入っています。',
    room: (used: string, max: string | null) =>
      max
        ? `あなたの画像とファイルは${max}のうち${used}を使っています。`
        : `あなたの画像とファイルは${used}を使っています。`,
    make: 'アーカイブを作成する',
    waiting: 'まもなくアーカイブの作成が始まります。このページは閉じてもかまいません。',
    running: 'アーカイブを作成しています。このページは閉じてもかまいません。',
    progress: '進み具合',
    cancel: 'キャンセル',
    failed: 'アーカイブを作成できませんでした。もう一度試すか、管理者にお知らせください。',
    again: 'もう一度試す',
    ready: 'アーカイブができました。',
    size: 'サイズ',
    deletedOn: '保存期限',
    download: 'ダウンロード',
    remove: '削除する',
    removed: 'アーカイブを削除しました。',
    cancelled: 'アーカイブの作成をキャンセルしました。',
  },
})
