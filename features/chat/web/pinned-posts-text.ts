import type { Post } from '#features/posts/contract.ts'
import { defineTexts } from '#web/i18n.ts'

/** The texts, in English and Japanese, of the bar and of the dialog with the pinned posts of a group. */
export const pinnedGroupPostsText = defineTexts({
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
    postBy: (name: string) => `${name}さんの投稿`,
    ownPost: 'あなたの投稿',
    pictures: (n: number) => `画像${n > 1 ? `${n}枚` : ''}`,
    all: (n: number) => `全${n}件`,
    showAll: (n: number) => `全${n}件のピン留めされた投稿`,
    open: '投稿を開く',
    openWhich: (text: string) => `投稿を開く「${text}」`,
    close: '閉じる',
  },
})

/**
 * Returns the text of a pinned post. If the post has no text, returns words for its pictures, and `isNote` is
 * true.
 */
export function toPinnedPostTextOrNote(
  { body, images, removed_images = 0 }: Pick<Post, 'body' | 'images' | 'removed_images'>,
  t: (typeof pinnedGroupPostsText)['en'],
) {
  return body
    ? { text: body, isNote: false }
    : { text: t.pictures(images.length + removed_images), isNote: true }
}
