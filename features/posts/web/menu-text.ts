import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

/** Not in text.ts, because the menu is loaded after the list of posts. */
export const postMenuText = defineTexts({
  en: {
    more: 'More',
    moreAbout: (name: string) => `More about this post by ${name}`,
    report: 'Report…',
    share: 'Share…',
    copyLink: 'Copy link',
    copied: 'Link copied.',
    notCopied: 'The link could not be copied.',
    bookmark: 'Bookmark',
    bookmarked: 'Bookmarked. Your bookmarks are in the profile menu.',
    removeBookmark: 'Remove bookmark',
    unbookmarked: 'The bookmark was removed.',
    pin: 'Pin for everyone…',
    pinInGroup: 'Pin in the group',
    unpin: 'Unpin',
    edit: 'Edit',
    deletePost: 'Delete post',
  },
  ja: {
    more: 'その他',
    moreAbout: (name: string) => `${san(name)}の投稿の操作`,
    report: '問題を報告…',
    share: '共有…',
    copyLink: 'リンクをコピー',
    copied: 'リンクをコピーしました。',
    notCopied: 'リンクをコピーできませんでした。',
    bookmark: 'ブックマークする',
    bookmarked: 'ブックマークしました。プロフィールメニューの「ブックマーク」から見られます。',
    removeBookmark: 'ブックマークを外す',
    unbookmarked: 'ブックマークを外しました。',
    pin: '「みんなの投稿」の先頭にピン留め…',
    pinInGroup: 'グループにピン留め',
    unpin: 'ピン留めを外す',
    edit: '編集',
    deletePost: '投稿を削除',
  },
})

/** Not in text.ts, because the dialog is loaded only when it opens. */
export const pinPostText = defineTexts({
  en: {
    title: 'Pin this post for everyone?',
    pin: 'Pin',
    tellEveryone: 'Tell everyone',
    tellEveryoneHelp: 'Each member who sees the post gets one notification.',
  },
  ja: {
    title: 'この投稿を「みんなの投稿」の先頭にピン留めしますか？',
    pin: 'ピン留めする',
    tellEveryone: 'みんなにお知らせする',
    tellEveryoneHelp: 'この投稿を見られるメンバー全員に、通知が1回届きます。',
  },
})

/** For the dialog that edits a post, and the one with its versions. */
export const editText = defineTexts({
  en: {
    title: 'Edit post',
    label: 'Text of the post',
    help: 'Whoever can see the post can also read its earlier versions.',
    cancel: 'Cancel',
    save: 'Save',
    versions: 'Versions of this post',
    current: 'Now',
    noText: 'Without text',
    loadMore: 'Load more',
    close: 'Close',
  },
  ja: {
    title: '投稿を編集',
    label: '投稿の文章',
    help: '編集前の内容も、この投稿を見られる人は読めます。',
    cancel: 'キャンセル',
    save: '保存',
    versions: '投稿の編集履歴',
    current: '現在',
    noText: '文章なし',
    loadMore: 'もっと見る',
    close: '閉じる',
  },
})

/** Not in text.ts, because the dialog is loaded only when it opens. */
export const deletePostText = defineTexts({
  en: {
    deletePost: 'Delete post',
    deleteAsk: 'Delete this post?',
    deleteAskOf: (name: string) => `Delete this post by ${name}?`,
    deleteHelp: 'It is deleted for everyone, with its pictures, likes and replies.',
  },
  ja: {
    deletePost: '投稿を削除',
    deleteAsk: 'この投稿を削除しますか？',
    deleteAskOf: (name: string) => `${san(name)}の投稿を削除しますか？`,
    deleteHelp: '画像、「いいね」、返信も削除されます。元には戻せません。',
  },
})

export const lightboxText = defineTexts({
  en: {
    pictures: 'Pictures',
    position: (position: number, of: number) => `${position} of ${of}`,
    close: 'Close',
    larger: 'Enlarge',
    smaller: 'Whole picture',
    save: 'Save the picture',
    previous: 'Previous picture',
    next: 'Next picture',
    play: 'Play',
    pause: 'Pause',
  },
  ja: {
    pictures: '画像',
    position: (position: number, of: number) => `${position} / ${of}`,
    close: '閉じる',
    larger: '大きくする',
    smaller: '全体を見る',
    save: '画像を保存',
    previous: '前の画像',
    next: '次の画像',
    play: '再生',
    pause: '一時停止',
  },
})
