import { defineTexts } from '#web/i18n.ts'

export const filesText = defineTexts({
  en: {
    addFiles: 'Add files or videos',
    files: 'Files',
    chosenFiles: 'Chosen files',
    firstPage: (name: string) => `First page of ${name}`,
    remove: (name: string) => `Remove ${name}`,
    removed: 'The file was removed.',
    download: (name: string) => `Download ${name}`,
    open: (name: string) => `Open ${name} in a new window`,
    tooLarge: (name: string, mb: number) => `${name} is larger than ${mb} MB.`,
    tooLong: (name: string, mb: number) =>
      `${name} does not fit into ${mb} MB. Make it shorter, and try again.`,
    unreadable: (name: string) =>
      `${name} could not be read by this browser, so the place where it was made could not be removed. It was not added.`,
    moment: (name: string) => `A picture from ${name}`,
    cannotPlay: 'This browser cannot play the video. Save it, and open it with another app.',
    notAllowed: (name: string) =>
      `${name} cannot be sent. Documents, text, videos, audio files and zip files can be sent.`,
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
      video: 'Video',
      archive: 'Zip file',
      voice: 'Voice message',
    },
  },
  ja: {
    addFiles: '動画・ファイルを追加',
    files: 'ファイル',
    chosenFiles: '選んだファイル',
    firstPage: (name: string) => `${name}の1ページ目`,
    remove: (name: string) => `${name}を外す`,
    removed: 'ファイルを外しました。',
    download: (name: string) => `${name}をダウンロード`,
    open: (name: string) => `${name}を新しいウィンドウで開く`,
    tooLarge: (name: string, mb: number) => `「${name}」は${mb}MBを超えています。`,
    tooLong: (name: string, mb: number) =>
      `「${name}」は長すぎて${mb}MBに収まりません。短くしてから、もう一度お試しください。`,
    unreadable: (name: string) =>
      `「${name}」はこのブラウザーでは読み込めず、撮影場所の情報を消せないため、追加しませんでした。`,
    moment: (name: string) => `${name}の一場面`,
    cannotPlay: 'このブラウザーでは再生できません。保存して、ほかのアプリでご覧ください。',
    notAllowed: (name: string) =>
      `「${name}」は送れません。送れるのは、文書、テキスト、動画、音声ファイル、ZIPファイルです。`,
    empty: (name: string) => `「${name}」は空のファイルです。`,
    notAdded: (count: number, max: number) => `${count}個のファイルは追加されませんでした（${max}個まで）。`,
    kinds: {
      pdf: 'PDF',
      document: '文書',
      spreadsheet: '表',
      presentation: 'スライド',
      text: 'テキスト',
      audio: '音声',
      video: '動画',
      archive: 'ZIPファイル',
      voice: 'ボイスメッセージ',
    },
  },
})
