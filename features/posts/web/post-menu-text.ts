import { defineTexts } from '#web/i18n.ts'

/**
 * The texts of the menu of a post. They are not in text.ts, because the code of the menu is loaded after
 * the list of posts.
 */
export const postMenuText = defineTexts({
  en: {
    more: 'More',
    moreAbout: (name: string) => `More about this post by ${name}`,
    report: 'Report…',
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
    moreAbout: (name: string) => `${name}さんの投稿の操作`,
    report: '報告…',
    copyLink: 'リンクをコピー',
    copied: 'リンクをコピーしました。',
    notCopied: 'リンクをコピーできませんでした。',
    bookmark: 'ブックマークする',
    bookmarked: 'ブックマークしました。プロフィールメニューの「ブックマーク」から見られます。',
    removeBookmark: 'ブックマークを外す',
    unbookmarked: 'ブックマークを外しました。',
    pin: 'みんなの投稿にピン留め…',
    pinInGroup: 'グループにピン留め',
    unpin: 'ピン留めを外す',
    edit: '編集',
    deletePost: '投稿を削除',
  },
})
