import { defineTexts } from '#web/i18n.ts'

export const filesText = defineTexts({
  en: {
    addFiles: 'Add files',
    files: 'Files',
    chosenFiles: 'Chosen files',
    firstPage: (name: string) => `First page of ${name}`,
    remove: (name: string) => `Remove ${name}`,
    removed: 'The file was removed.',
    download: (name: string) => `Download ${name}`,
    open: (name: string) => `Open ${name} in a new window`,
    tooLarge: (name: string, mb: number) => `${name} is larger than ${mb} MB.`,
    notAllowed: (name: string) =>
      `${name} cannot be sent. Documents, text, audio files and zip files can be sent.`,
    empty: (name: string) => `${name} is empty.`,
    notAdded: (count: number, max: number) =>
      `${count === 1 ? 'One file was' : `${count} files were`} not added (limit ${max}).`,
    kinds: {
      pdf: 'PDF',
      document: 'Document',
      spreadsheet: 'Table',
      presentation: 'Presentation',
      text: 'Text',
      audio: 'Audio',
      archive: 'Zip file',
      voice: 'Voice message',
    },
  },
  ja: {
    addFiles: 'ファイルを追加',
    files: 'ファイル',
    chosenFiles: '選んだファイル',
    firstPage: (name: string) => `${name}の1ページ目`,
    remove: (name: string) => `${name}を外す`,
    removed: 'ファイルを外しました。',
    download: (name: string) => `${name}をダウンロード`,
    open: (name: string) => `${name}を新しいウィンドウで開く`,
    tooLarge: (name: string, mb: number) => `「${name}」は${mb}MBを超えています。`,
    notAllowed: (name: string) =>
      `「${name}」は送れません。送れるのは、文書、テキスト、音声ファイル、ZIPファイルです。`,
    empty: (name: string) => `「${name}」は空のファイルです。`,
    notAdded: (count: number, max: number) => `${count}個のファイルは追加されませんでした（${max}個まで）。`,
    kinds: {
      pdf: 'PDF',
      document: '文書',
      spreadsheet: '表',
      presentation: 'スライド',
      text: 'テキスト',
      audio: '音声',
      archive: 'ZIPファイル',
      voice: 'ボイスメッセージ',
    },
  },
})
